/** The recordings open in this window, and opening more of them. */
import { browserStorage } from '../../ui/index.ts'
import { messageOf, nextTask } from '../../mcp/index.ts'
import type { OpenedSession } from '../../session-file/index.ts'
import type { Origin, Recording, RecordingHost, RecordingServer } from './recording.svelte.ts'
import { loadRecordingBar } from './lazy.ts'
import type { Source } from './recording-open.ts'
import { cleanAddress, formatRoute, isKeptKey, isLinkKey, LAUNCHED_KEY, sharedIn, type Route } from '../route.ts'
import type { ShownServer } from '../server/index.ts'
import type { Sessions } from '../sessions/index.svelte.ts'
import { texts } from '../text/texts.svelte.ts'

/** The parts of the window that recordings use. */
interface Bench extends RecordingHost {
  readonly sessions: Sessions
  readonly servers: RecordingHost['servers'] & { readonly all: readonly ShownServer[] }
  readonly connected: { load(): Promise<unknown> }
}

interface Opening {
  readonly name: string
  /** From 0 to 1. */
  readonly part: number
}

/** A session from a link: a summary is shown first, and it only opens when the user agrees. */
export interface Offer {
  readonly opened: OpenedSession
  readonly origin: Origin
  /** The link. */
  readonly text: string
}

const SESSION = browserStorage('session')

export class Recordings {
  readonly #bench: Bench
  #list = $state.raw<readonly Recording[]>([])
  #opening = $state.raw<Opening>()
  #offer = $state.raw<Offer>()
  #last = 0
  #leaving: AbortController | undefined
  /** The route within the launched recording that was shown before a reload. */
  #launchedRoute: Route | undefined

  constructor(bench: Bench) {
    this.#bench = bench
  }

  get list(): readonly Recording[] {
    return this.#list
  }

  /** All open servers, live and recorded: any two can be compared. */
  get compared(): readonly ShownServer[] {
    return [...this.#bench.servers.all, ...this.#list.flatMap(({ servers }) => servers)]
  }

  get opening(): Opening | undefined {
    return this.#opening
  }

  get offer(): Offer | undefined {
    return this.#offer
  }

  of(key: string | undefined): Recording | undefined {
    return key === undefined ? undefined : this.#list.find((recording) => recording.key === key)
  }

  /** The server of a route, if it exists. */
  serverOf({ recording, server }: Route): RecordingServer | undefined {
    return this.of(recording)?.servers[Number(server ?? 0)]
  }

  /**
   * Opens the session in the URL, or the recording that was shown before a reload. A shared session stays in the URL
   * until the user decides, so that a reload offers it again.
   */
  arrive(fragment: string, route: Route): void {
    const shared = sharedIn(fragment)
    const { recording } = route
    if (shared !== undefined) void this.open({ kind: 'link', text: shared })
    else if (recording === undefined || this.of(recording)) return
    else if (isKeptKey(recording)) void this.openKept(recording, route)
    else if (isLinkKey(recording)) void this.#openAgain(recording, route)
    else if (recording === LAUNCHED_KEY) this.#launchedRoute = route
    else this.#bench.tell(texts.t.recordingGone)
  }

  /** Opens several files, for example when they are dropped. Never throws: errors are shown. */
  async openFiles(files: Iterable<File>): Promise<void> {
    for (const file of files) await this.open({ kind: 'file', name: file.name, blob: file })
  }

  /** Never throws: errors are shown. */
  async open(source: Source): Promise<void> {
    // Read late: a link opens with the page, before its language has loaded.
    const nameOf = () => (source.kind === 'link' ? texts.t.sharedLink : source.name)
    await this.#read(nameOf(), async (progress, signal) => {
      const { readSource } = await import('./recording-open.ts')
      const opened = await readSource(source, { progress, signal })
      if (source.kind === 'link') this.#offer = { opened, origin: { kind: 'link', name: nameOf() }, text: source.text }
      else await this.#show(opened, { kind: source.kind, name: nameOf() }, progress)
    })
  }

  /** Opens the recording named on the command line. */
  async openLaunched(name: string, load: () => Promise<Blob>): Promise<void> {
    await this.#read(name, async (progress, signal) => {
      const { readSource } = await import('./recording-open.ts')
      const opened = await readSource({ kind: 'file', name, blob: await load() }, { progress, signal })
      await this.#show(opened, { kind: 'launch', name }, progress, this.#launchedRoute, LAUNCHED_KEY)
    })
  }

  /** Opens a session stored on this device. */
  async openKept(id: string, route?: Route): Promise<void> {
    const known = this.of(id)
    if (known) return this.goTo(known)
    await this.#read(texts.t.keptSession, async (progress, signal) => {
      const { opened, name } = await this.#bench.sessions.read(id, signal)
      await this.#show(opened, { kind: 'kept', name, id }, progress, route)
    })
  }

  /** Opens the offered session. */
  async accept(): Promise<void> {
    const offer = this.#offer
    this.#offer = undefined
    if (!offer) return
    await this.#read(offer.origin.name, async (progress) => {
      const { linkKey, rememberLink } = await import('./recording-open.ts')
      const key = linkKey()
      await this.#show(offer.opened, offer.origin, progress, undefined, key)
      rememberLink(SESSION, key, offer.text)
    })
  }

  decline(): void {
    this.#offer = undefined
    // Otherwise, going back or reloading would offer the session again.
    if (sharedIn(location.hash) !== undefined) cleanAddress(window, formatRoute(this.#bench.route))
  }

  /** Reopens a link that was accepted in this tab before a reload. */
  async #openAgain(key: string, route: Route): Promise<void> {
    await this.#read(texts.t.sharedLink, async (progress, signal) => {
      const { linkOfKey, readSource } = await import('./recording-open.ts')
      const text = linkOfKey(SESSION, key)
      if (text === undefined) return this.#bench.tell(texts.t.recordingGone)
      const opened = await readSource({ kind: 'link', text }, { progress, signal })
      await this.#show(opened, { kind: 'link', name: texts.t.sharedLink }, progress, route, key)
    })
  }

  cancel(): void {
    this.#leaving?.abort(new DOMException('Stopped by the user', 'AbortError'))
  }

  goTo(recording: Recording): void {
    this.#bench.go({ recording: recording.key, server: '0', place: '' })
  }

  close(recording: Recording): void {
    const looking = this.#bench.route.recording === recording.key
    this.#list = this.#list.filter((other) => other !== recording)
    const next = this.#list.at(-1)
    if (recording.origin.kind === 'link')
      void import('./recording-open.ts').then(({ forgetLink }) => forgetLink(SESSION, recording.key))
    if (looking) this.#bench.go(next ? { recording: next.key, server: '0', place: '' } : { place: '' })
  }

  async #read(name: string, work: (progress: (part: number) => void, signal: AbortSignal) => Promise<void>) {
    this.cancel()
    const leaving = (this.#leaving = new AbortController())
    this.#opening = { name, part: 0 }
    const progress = (part: number) => {
      if (this.#leaving !== leaving) return
      // Each update is rendered, so limit them to a hundred.
      if (Math.abs(part - (this.#opening?.part ?? 0)) >= 0.01) this.#opening = { name, part: Math.min(1, part) }
    }
    try {
      await work(progress, leaving.signal)
    } catch (error) {
      if (!leaving.signal.aborted) this.#bench.tell(openingFault(name, error))
    } finally {
      if (this.#leaving === leaving) this.#opening = this.#leaving = undefined
    }
  }

  /** @param place where it was shown before; absent: its most useful place @param given its existing key, if any */
  async #show(
    opened: OpenedSession,
    origin: Origin,
    progress: (part: number) => void,
    place?: Route,
    given?: string,
  ): Promise<void> {
    const [{ Recording: Made }] = await Promise.all([
      import('./recording.svelte.ts'),
      loadRecordingBar(),
      this.#bench.connected.load(),
    ])
    const key = given ?? (origin.kind === 'kept' ? origin.id : `f${++this.#last}`)
    const recording = await Made.of(key, opened, origin, this.#bench, progress)
    this.#list = [...this.#list.filter((other) => other.key !== key), recording]
    // Add it to the list now, but show it in a separate task: together they would be one long task.
    await nextTask()
    recording.selected = recording.first?.frame
    this.#bench.go(place ?? recording.firstRoute)
  }
}

/** Why something couldn't be opened, without repeating the content of a file. */
const openingFault = (name: string, error: unknown): string => {
  const { t } = texts
  const { code } = error as { readonly code?: unknown }
  const kind = error instanceof Error ? error.name : ''
  if (kind === 'SessionFileError') {
    const { format: other } = (error as { readonly facts?: { readonly format?: unknown } }).facts ?? {}
    if (code === 'empty') return other === undefined ? t.faultEmpty(name) : t.faultNoMessages(name)
    return code === 'unknown-version' ? t.faultUnknownVersion(name) : t.faultNotASession(name)
  }
  if (kind === 'ShareLinkError') return t.faultLink(messageOf(error), String(code))
  return t.faultReading(name, messageOf(error))
}
