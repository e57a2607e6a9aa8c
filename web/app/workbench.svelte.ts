/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set or URL here is read by the screen */
/** The state of the window: its servers, the one shown, and what is open. Wire data stays in the Trace. */
import { browserStorage } from '../ui/index.ts'
import { messageOf, Trace, type ConnectionSlots, type JsonObject, type Link, type Seq } from '../mcp/index.ts'
import type { HeadDraft } from '../session-file/index.ts'
import { live } from '../ui/index.svelte.ts'
import { TabStorage } from './browser-storage.ts'
import { connectLaunched, offerTransports } from './connect/index.svelte.ts'
import type { Connected } from './connected-features.ts'
import { ConnectedState } from './connected-state.svelte.ts'
import { environments } from './environments/index.svelte.ts'
import { FoldedTrace, lengthOf } from './folded-trace.ts'
import { Navigation } from './navigation.svelte.ts'
import { launchedBlob, launchTarget, ProxyLink, takeCodeOf } from './proxy-link.svelte.ts'
import { type Recording, Recordings } from './recordings/index.svelte.ts'
import { cleanAddress, isConnectLink, parseRoute, signInRoute, type Route } from './route.ts'
import { titleOf } from './labels.svelte.ts'
import type { ShownServer } from './server/index.ts'
import type { Sharing } from './sharing.ts'
import { Servers, SignIns, type Server, type ServerHost } from './server/index.svelte.ts'
import { Sessions } from './sessions/index.svelte.ts'
import { texts } from './text/texts.svelte.ts'

const SESSION = browserStorage('session')
const LOCAL = browserStorage('local')
/** Stored: whether the bottom panel is open, and its tab. */
const DOCK = 'periscope.dock'
const PANEL_TAB = 'periscope.panel'
/** Stored: where the panel is in a wide window. */
const DOCK_SIDE = 'periscope.dockSide'

/** On a small screen, the form and its result need the height. */
const hasRoomForPanel = (): boolean => window.innerWidth > 900 && (window.innerWidth > 1100 || window.innerHeight > 760)

/** Shown in the banner at the top until it is dismissed: an internal error of Periscope, or a notice. */
interface Fault {
  readonly message: string
  readonly stack?: string
  /** A notice for the user rather than an error. */
  readonly notice?: true
}

export class Workbench extends FoldedTrace implements ServerHost {
  readonly clientInfo: JsonObject = { name: 'mcp-periscope', title: 'Periscope', version: __VERSION__ }
  readonly signIns = new SignIns(() => this.tell(texts.t.tokensUnreadable))
  /** Number of frames; readers follow the trace at the rate of animation frames. */
  readonly #length = live(lengthOf(this.trace))
  readonly storage = new TabStorage()
  readonly servers: Servers = new Servers(this)
  readonly proxy = new ProxyLink()
  /** Connections in use by direct requests, of all servers. */
  readonly connectionSlots: ConnectionSlots = new Map()
  readonly sessions = new Sessions(this)
  readonly recordings: Recordings = new Recordings(this)
  /** What is needed to show a server, live or recorded. */
  readonly connected: ConnectedState
  #fault = $state.raw<Fault>()
  #dockOpen = $state(true)
  /** The user opened or closed it in a window of this width. */
  #isDockChosen = false
  #panelTab = $state(LOCAL.getItem(PANEL_TAB) ?? 'trace')
  #dockSide = $state<'bottom' | 'right'>(LOCAL.getItem(DOCK_SIDE) === 'right' ? 'right' : 'bottom')
  /** The bottom panel takes the place of the tabs' content. */
  panelMaximized = $state(false)
  /** What the sharing dialog shows while it is open. */
  sharing = $state.raw<Sharing>()
  /** While the form is shown, the panel stays closed until the user opens it, because the form comes first. */
  #dockOpenAtForm = $state(false)
  /** The panel covers everything else, as on a phone. What is closed then doesn't count for a larger window. */
  #dockCovers = $state(false)
  /** Absent until the user opened or closed it there. */
  #dockOpenCovering = $state<boolean>()
  /** The frame whose note is being written. */
  editingNote = $state.raw<Seq>()
  /** The selected frame of the live trace. */
  #selectedFrame = $state.raw<Seq>()
  /** Number of frames when it was selected. */
  selectedSince = 0
  /** Called when a session opens: what the user chose before the server was connected. */
  whenOpened: ((server: Server) => void) | undefined
  /** Tabs that ask get what was typed here. */
  #offersTyped = false
  /** The bookmark removed last. */
  #unmarked: { readonly marked: Recording | Sessions; readonly seq: Seq; readonly text: string } | undefined
  readonly #navigation = new Navigation(({ server, recording }) =>
    Boolean(recording === undefined ? this.servers.of(server) : this.recordings.of(recording)),
  )

  /** @param loadViews loads the views of connections and recordings, and what the state needs with them */
  constructor(loadViews: () => Promise<Connected>) {
    super(new Trace())
    this.connected = new ConnectedState(this, async () => (await Promise.all([loadViews(), this.storage.load()]))[0])
  }

  get route(): Route {
    return this.#navigation.route
  }
  get fault(): Fault | undefined {
    return this.#fault
  }
  /** Number of frames in what is shown: the live trace, or a recording. */
  get frames(): number {
    return this.recording?.frames ?? this.#length.current
  }
  get selectedFrame(): Seq | undefined {
    return this.recording ? this.recording.selected : this.#selectedFrame
  }
  /** The head for a file of the live session. */
  get head(): HeadDraft {
    if (!this.connected.current) throw new Error('Nothing was connected')
    const { bookmarks } = this.sessions
    const head = this.connected.current.liveHead(this, __VERSION__)
    return bookmarks.length > 0 ? { ...head, bookmarks } : head
  }
  /** The recording that is shown. */
  get recording(): Recording | undefined {
    return this.recordings.of(this.route.recording)
  }
  /** The server that is shown, live or recorded. */
  get shown(): ShownServer | undefined {
    return this.route.recording === undefined ? this.server : this.recordings.serverOf(this.route)
  }
  /** The form is shown, because the server has nothing to show yet. */
  get atForm(): boolean {
    const { server } = this
    if (this.recording || server?.authorization.active) return false
    if (!server?.peer) return true
    // Restarting and reconnecting automatically remove nothing from the screen.
    return !server.isReopening && (server.status === 'connecting' || server.status === 'failed')
  }
  /** Whether the bottom panel is open. */
  get dockOpen(): boolean {
    if (this.frames === 0) return false
    if (this.atForm) return this.#dockOpenAtForm
    return this.#dockCovers ? (this.#dockOpenCovering ?? false) : this.#dockOpen
  }
  set dockOpen(open: boolean) {
    if (this.atForm) this.#dockOpenAtForm = open
    else if (this.#dockCovers) this.#dockOpenCovering = open
    else {
      this.#isDockChosen = true
      this.#dockOpen = open
      LOCAL.setItem(DOCK, open ? 'open' : 'closed')
    }
  }
  /**
   * The width of the window changed, as when a phone is turned. Each width keeps what the user chose in it, and without a
   * choice, an open panel stays open.
   */
  coverWithDock(covers: boolean): void {
    const open = this.dockOpen
    if (covers && open && !this.atForm) this.#dockOpenCovering ??= true
    else if (this.#dockCovers && open && !this.atForm && !this.#isDockChosen) this.#dockOpen = true
    this.#dockCovers = covers
  }
  /** Where the panel is, if the window is wide enough. */
  get dockSide(): 'bottom' | 'right' {
    return this.#dockSide
  }
  set dockSide(side: 'bottom' | 'right') {
    this.#dockSide = side
    LOCAL.setItem(DOCK_SIDE, side)
  }
  /** The tab of the bottom panel: `trace`, or the id of a feature. */
  get panelTab(): string {
    return this.#panelTab
  }
  set panelTab(id: string) {
    this.#panelTab = id
    LOCAL.setItem(PANEL_TAB, id)
  }
  /** The live server that is shown. */
  get server(): Server | undefined {
    const { server, recording } = this.route
    return recording === undefined ? this.servers.of(server) : undefined
  }

  readonly nameOf = (link: Link): string => this.servers.nameOf(link)

  /** Restores the state from the URL, the storage and the proxy. Call this once per page. */
  async start(): Promise<void> {
    const { code, rest } = takeCodeOf(window)
    const dock = LOCAL.getItem(DOCK)
    this.#isDockChosen = dock !== null
    this.#dockOpen = dock === null ? hasRoomForPanel() : dock === 'open'
    environments.start(async () => (await this.signIns.load()).values)
    this.servers.restore()
    this.#listen()
    this.#arrive(rest)
    this.sessions.start()
    const orphaned = () => this.tell(texts.t.signInOrphaned)
    this.connected.loadWhenIdle()
    this.#run(this.signIns.resume(this.servers.all, (server) => this.go(signInRoute(server)), orphaned))
    await this.#findProxy(code)
  }

  /** Features of the bottom panel open there, and the tab above stays; sections of the Inbox open in it. */
  go(route: Route): void {
    const at = this.connected.current?.tabFeatures.find(({ id }) => id === route.feature)?.at
    if (at === 'inbox') return this.#navigation.go({ ...route, feature: 'inbox', place: route.feature! })
    if (at !== 'panel') return this.#navigation.go(route)
    this.showInPanel(route.feature!)
    const { feature: _, ...rest } = route
    const { recording, server, feature } = this.route
    const isHere = recording === route.recording && server === route.server && feature !== route.feature
    if (!isHere) this.#navigation.go({ ...rest, place: '' })
  }

  /** Goes to what the URL names, once it is known where that is shown. */
  settleRoute(): void {
    this.go(this.route)
  }

  showInPanel(tab: string): void {
    this.panelTab = tab
    this.dockOpen = true
  }

  /** Goes to a server, at the place shown last. */
  goTo(link: Link): void {
    this.#navigation.goTo(link)
  }

  placeOf(link: Link): string {
    return this.server?.link === link ? this.route.place : ''
  }

  goWithin(link: Link, place: string): void {
    const { server } = this
    if (server?.link === link) this.go({ ...this.route, feature: this.featureOf(server), place })
  }

  /** The feature shown for a server: the one in the URL, or the first that is worth showing. */
  featureOf(server: ShownServer): string {
    return this.connected.featureOf(server, this.route.feature)
  }

  reveal(seq: Seq): void {
    this.selectFrame(seq)
    this.showInPanel('trace')
  }

  /** Opens the dialog that shows what would be shared. @param exchange any frame of the exchange to share; absent: what is on screen */
  share(exchange?: Seq): void {
    const parts = this.connected.current
    if (!parts || this.frames === 0) return
    if (exchange !== undefined) this.selectFrame(exchange)
    // A snapshot: later frames aren't shared.
    this.sharing = parts.sharingOf(this, titleOf, exchange !== undefined)
  }

  /** @returns whether the frame is bookmarked now */
  toggleBookmark(seq: Seq): boolean {
    const marked = this.recording ?? this.sessions
    const text = marked.bookmarks.find((bookmark) => bookmark.seq === seq)?.text
    const before = this.#unmarked
    this.#unmarked = text === undefined ? undefined : { marked, seq, text }
    // A bookmark removed by mistake comes back with its note.
    const again = before?.marked === marked && before.seq === seq ? before.text : ''
    marked.bookmark(seq, text === undefined ? again : undefined)
    return text === undefined
  }

  isBookmarked(seq: Seq): boolean {
    return (this.recording ?? this.sessions).bookmarks.some((bookmark) => bookmark.seq === seq)
  }

  selectFrame(seq: Seq | undefined): void {
    if (this.recording) this.recording.selected = seq
    else {
      this.#selectedFrame = seq
      this.selectedSince = this.trace.length
    }
  }

  /** A session opened, or opened again: the features load what their panels need. */
  opened(server: Server): void {
    this.servers.opened(server)
    this.connected.current?.tellOpened(server, (fault) => this.report(fault))
    this.whenOpened?.(server)
  }

  /** Shows an internal error. */
  report(error: unknown): void {
    const stack = error instanceof Error ? error.stack : undefined
    this.#fault = { message: messageOf(error), ...(stack ? { stack } : {}) }
  }

  /** Shows a notice. */
  readonly tell = (message: string): void => {
    this.#fault = { message, notice: true }
  }

  dismissFault(): void {
    this.#fault = undefined
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.report(error))
  }

  #listen(): void {
    addEventListener('hashchange', () => {
      // Opened manually with a new code, in the same tab.
      const { code, rest } = takeCodeOf(window)
      if (code !== undefined) this.#run(this.#findProxy(code))
      this.#arrive(rest)
    })
    addEventListener('pagehide', () => {
      this.servers.saveDraft()
      this.servers.save()
      for (const server of this.servers.all) this.#run(server.disconnect())
      this.proxy.leave()
    })
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.servers.saveDraft()
      for (const server of this.servers.all) server.takeUp()
    })
  }

  #arrive(fragment: string): void {
    if (isConnectLink(fragment)) {
      // It is used once: neither a reload nor Back fills in the form again.
      cleanAddress(window, '#/')
      this.#run(this.#takeLink(fragment))
    }
    const route = parseRoute(fragment)
    this.#navigation.arrive(route)
    this.recordings.arrive(fragment, route)
  }

  /** Fills in the form. Only the user connects. */
  async #takeLink(fragment: string): Promise<void> {
    if (!(await this.servers.takeLink(fragment))) this.tell(texts.t.linkUnusable)
  }

  async #findProxy(code: string | undefined): Promise<void> {
    // Not after the search, which a proxy that hangs delays by seconds. A failure is reported when it is actually needed.
    const storable = this.storage.load()
    storable.catch(() => {})
    const proxy = await this.proxy.find(code, SESSION)
    storable.then(
      ({ passTyped }) => void (this.#offersTyped = passTyped(this, code, this.#offersTyped)),
      () => {},
    )
    if (proxy.state !== 'there') return
    offerTransports(proxy.hello.transports ?? [])
    const target = launchTarget(proxy.hello)
    if (target) connectLaunched(this.servers, target, (await this.storage.load()).storedKeyOf)
    const { recording, config } = proxy.hello
    // After a reload, what the user has typed since stays.
    if (config && this.servers.draft.isEmpty) await this.servers.takeLaunched(config, launchedBlob(proxy, 'config'))
    if (recording) await this.recordings.openLaunched(recording.name, () => launchedBlob(proxy, 'recording'))
  }
}
