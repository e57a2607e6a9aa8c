/* eslint-disable svelte/prefer-svelte-reactivity -- no Map here is read by the screen */
/** The servers of the window: connecting, changing and removing them, and the form for the next one. */
import { browserStorage, browserStorageKeys, loadOnce, type Store } from '../../ui/index.ts'
import type { Link } from '../../mcp/index.ts'
import { CREDENTIALS, type Mode, type Popup } from '../../oauth/index.ts'
import { loadApprovals } from '../../features/tool-safety/lazy.ts'
import type { Hello } from '../../../proxy/wire.ts'
import { type ConfiguredServer, fillIn, nameOf, type SettingsPatch, type Target } from '../connect/index.ts'
import { loadConfigReader, loadConnectLink } from '../connect/lazy.ts'
import {
  connectSample,
  type ConfigFile,
  Draft,
  focusMissingWhenShown,
  type ConnectHost,
} from '../connect/index.svelte.ts'
import { environments } from '../environments/index.svelte.ts'
import { loadRecent, loadServers, RECENT, saveRecent, type Recent } from '../remembered.ts'
import { HOME, signInRoute, type Route } from '../route.ts'
import type { ServerHost } from './server-host.ts'
import type { saveServers, withRecent, withVisit } from '../storable.ts'
import { Server, type ServerOptions } from './server.svelte.ts'

const DRAFT = 'periscope.draft'
const SESSION = browserStorage('session')
const LOCAL = browserStorage('local')

/** So that the first screen loads nothing for it. */
const isAnythingRemembered = (): boolean => browserStorageKeys('local').some((key) => key.startsWith(CREDENTIALS))

/** Values lost in a reload, or never entered. */
const lacksValues = (draft: Draft): boolean => draft.dropped.length > 0 || draft.missingIn(draft.target).length > 0

const linkedBy = ({ isFromLink }: Draft): Pick<Recent, 'linked'> => (isFromLink ? { linked: true } : {})

interface Host extends ServerHost {
  readonly route: Route
  goTo(link: string): void
  report(error: unknown): void
}

export class Servers implements ConnectHost {
  readonly recents = new Recents()
  readonly #host: Host
  readonly #list: ServerList
  readonly #values = loadOnce(async () => {
    const { RememberedValues } = await import('./remembered-values.ts')
    return new RememberedValues(this.#host.signIns, this.#host.storage)
  })
  /** Those that haven't ended. */
  readonly #recalls = new Map<Draft, Promise<void>>()
  readonly #waiting = new Set<Draft>()
  #draft = $state.raw(new Draft())

  constructor(host: Host) {
    this.#host = host
    this.#list = new ServerList(host)
  }

  get all(): readonly Server[] {
    return this.#list.all
  }

  /** The draft of the form that doesn't belong to a server yet. */
  get draft(): Draft {
    return this.#draft
  }

  get proxy(): ServerHost['proxy'] {
    return this.#host.proxy
  }

  get directory(): string | undefined {
    const { current } = this.proxy
    return current.state === 'there' ? current.hello.cwd : undefined
  }

  get signIns(): ServerHost['signIns'] {
    return this.#host.signIns
  }

  of(link: string | undefined): Server | undefined {
    return this.#list.of(link)
  }

  /** Includes removed servers. */
  nameOf(link: string): string {
    return this.#list.nameOf(link)
  }

  goTo(link: string): void {
    this.#host.goTo(link)
  }

  /** Restores what this tab had before a reload, without connecting. */
  restore(): void {
    this.recents.load()
    this.recents.follow()
    this.#draft = Draft.fromStored(SESSION.getItem(DRAFT))
    this.#list.load(SESSION)
    if (this.all.length > 0) this.#run(this.#host.connected.load())
    if (lacksValues(this.#draft)) this.#run(this.recall(this.#draft))
    for (const server of this.all)
      if (lacksValues(server.draft))
        this.#run(this.recall(server.draft).then(() => server.draft.remember && server.takeDraft()))
  }

  /** Puts remembered values into a form. */
  async recall(draft: Draft): Promise<void> {
    if (!isAnythingRemembered()) return
    const recalling = this.#values().then((values) => values.recall(draft))
    this.#recalls.set(draft, recalling)
    try {
      await recalling
    } finally {
      if (this.#recalls.get(draft) === recalling) this.#recalls.delete(draft)
    }
  }

  /** Off: what is stored is deleted at once. On: the values are stored when the form connects. */
  rememberValues(draft: Draft, on: boolean): void {
    draft.remember = on
    // Chosen again: that nothing is stored doesn't mean that it was forgotten elsewhere.
    draft.keptAs = undefined
    draft.unkept = on && !isSecureContext ? 'insecure' : undefined
    if (!on && draft.target) this.#run(this.#forgetValues(draft.target))
  }

  /** Forgets a recent server, with its values that were remembered, its policy, and its approved tools. */
  forget(recent: Recent): void {
    this.recents.forget(recent)
    this.#run(this.#forgetValues(recent.target))
    this.#run(this.#forgetApprovals(recent.target))
  }

  arrange(list: readonly Recent[]): void {
    this.recents.keep(list)
  }

  /** Moves a server up (-1) or down (1) in the rail. @returns its place from 1; `undefined` at the end */
  move(server: Server, by: number): number | undefined {
    const place = this.#list.move(server, by)
    if (place !== undefined) this.save()
    return place
  }

  save(): void {
    this.#run(this.#host.storage.write(({ saveServers }) => this.#list.save(SESSION, saveServers)))
  }

  saveDraft(): void {
    this.#run(this.#host.storage.write(({ storedDraft }) => SESSION.setItem(DRAFT, storedDraft(this.#draft))))
  }

  /** Connects to the form's target. The form's own server is reused if it was never open. */
  connectDraft(draft: Draft, target: Target, owner: Server | undefined): void {
    const recalling = this.#recalls.get(draft)
    if (recalling) {
      // Without the remembered header, the server would refuse. Once, however often the button is pressed.
      if (this.#waiting.has(draft)) return
      this.#waiting.add(draft)
      const own = draft === this.#draft
      const { text } = draft
      const connect = () => {
        this.#waiting.delete(draft)
        // Another server may have been chosen, or typed, meanwhile.
        if (own === (draft === this.#draft) && draft.text === text)
          this.connectDraft(draft, draft.target ?? target, owner)
      }
      return void recalling.then(connect, connect)
    }
    if (draft.missingIn(target).length > 0) return void focusMissingWhenShown()
    if (owner) {
      draft.dropped = []
      this.#run(owner.connect(target))
      this.#list.rename(owner)
      this.#remember(owner)
      this.#keepValues(owner)
      return
    }
    if (draft === this.#draft) this.#draft = new Draft()
    this.connectNew({ target, draft })
  }

  /** Adds another server. */
  connectNew(options: Omit<ServerOptions, 'link'>): Server {
    const server = this.#list.add(options)
    this.#run(this.#host.connected.load())
    this.#remember(server)
    this.#keepValues(server)
    this.save()
    this.#host.go({ server: server.link, place: '' })
    this.reconnect(server)
    return server
  }

  /** A process that runs is restarted, and the screen stays as it is. */
  reconnect(server: Server): void {
    if (!this.#isComplete(server)) return
    const isRunning = server.target.kind === 'command' && server.status === 'open'
    this.#run(isRunning ? server.restart() : server.connect())
  }

  /**
   * A server that lacks values lost in a reload, or has unfilled placeholders, can only fail: the form asks for them.
   */
  #isComplete(server: Server): boolean {
    if (server.draft.dropped.length === 0 && server.missing.length === 0) return true
    this.#host.go({ server: server.link, place: '' })
    void focusMissingWhenShown()
    return false
  }

  /** @param name empty: use the server's own name */
  rename(server: Server, name: string): void {
    server.draft.name = name
    this.#list.rename(server)
    this.#keep(server)
  }

  /** Uses the form's current contents, which may have changed since the attempt failed. */
  retry(server: Server): void {
    const { draft } = server
    this.connectDraft(draft, draft.target ?? server.target, server)
  }

  /** Tries again with changed settings: from a button on a failure, or a pending setting. */
  retryWith(server: Server, patch: SettingsPatch): void {
    server.draft.set(patch)
    this.retry(server)
  }

  /** Changes the settings of a server that may be open: some apply immediately. */
  settle(server: Server, patch: SettingsPatch): void {
    server.draft.set(patch)
    server.takeUp()
    this.#keep(server)
  }

  /** Detects the server's protocol era again. */
  detectAgain(server: Server): void {
    server.forgetEra()
    this.save()
    this.reconnect(server)
  }

  disconnect(server: Server): void {
    this.#run(server.disconnect())
  }

  remove(server: Server): void {
    this.#run(server.disconnect())
    const next = this.#list.remove(server)
    this.save()
    const { route } = this.#host
    if (route.recording !== undefined || route.server !== server.link) return
    if (next) this.goTo(next.link)
    else this.#host.go(HOME)
  }

  /** Puts a recent server into the form. It only connects when the user says so. */
  async takeUp(recent: Recent): Promise<void> {
    if (recent.target.kind === 'sample') return connectSample(this)
    const { target, dropped, settings, given, asIs, linked } = recent
    this.#draft = Draft.of(target, dropped, settings, given, asIs, linked)
    if (lacksValues(this.#draft)) await this.recall(this.#draft)
  }

  /** Puts a configuration file into the form. Nothing is connected. */
  takeFile(file: ConfigFile): void {
    this.#draft = Draft.ofFile(file)
    this.#host.go(HOME)
  }

  /** Puts a server into the form. Nothing is connected. */
  takeServer({ name, target, inputs = [] }: Pick<ConfiguredServer, 'name' | 'target' | 'inputs'>): void {
    if (!target) return
    this.#draft = Draft.of(target, [], {}, name)
    this.#draft.givenInputs = inputs
    this.#host.go(HOME)
  }

  /** Puts the configuration of the command line into the form. */
  async takeLaunched({ name, server }: NonNullable<Hello['config']>, content: Promise<Blob>): Promise<void> {
    const [{ configFileOf }, blob] = await Promise.all([loadConfigReader(), content])
    const file = (await configFileOf([new File([blob], name)]))!
    this.#draft = Draft.ofFile({ ...file, ...(server === undefined ? {} : { only: server }) })
  }

  async takeFiles(files: readonly File[]): Promise<void> {
    const { configFileOf } = await loadConfigReader()
    const file = await configFileOf(files)
    if (file) this.takeFile(file)
  }

  /** Puts those of the dropped files into the form that are configurations. @returns the others */
  async takeDropped(files: readonly File[]): Promise<readonly File[]> {
    const { sortFiles } = await loadConfigReader()
    const { config, others } = await sortFiles(files)
    if (config) this.takeFile(config)
    return others
  }

  /** Fills in the form from a link. @returns whether the link contains a server */
  async takeLink(fragment: string): Promise<boolean> {
    const { readConnectLink } = await loadConnectLink()
    const form = readConnectLink(fragment)
    if (!form) return false
    const draft = new Draft()
    const { text, name, settings } = form
    Object.assign(draft, { text, name, settings, headers: [...form.headers], isFromLink: true })
    this.#draft = draft
    if (form.headers.length > 0) await this.recall(draft)
    return true
  }

  /** Empties the form, and removes the servers that aren't in use. */
  clearTab(): void {
    this.#draft = new Draft()
    for (const server of this.all)
      if (server.status !== 'open' && server.status !== 'connecting' && !server.isReopening) this.remove(server)
  }

  /** A session opened, or opened again: the server's own name may have changed. */
  opened(server: Server): void {
    server.signIn?.connected()
    this.#list.rename(server)
    this.#keep(server)
  }

  /** Call it in the click handler, because browsers block windows opened later. */
  signIn(server: Server, mode: Mode): void {
    const popup = mode === 'automatic' ? this.signIns.openWindow() : undefined
    this.#host.go(signInRoute(server))
    this.#run(this.#signIn(server, mode, popup))
  }

  async #signIn(server: Server, mode: Mode, popup: Popup | undefined): Promise<void> {
    const done = await server.authorization.begin(mode, popup)
    // An automatic sign-in returns to the server; a stepwise one stays at its steps.
    const { route } = this.#host
    const looking = route.server === server.link && route.feature === 'authorization'
    if (done && mode === 'automatic' && looking && server.status === 'open')
      this.#host.go({ server: server.link, place: '' })
  }

  #keep(server: Server): void {
    this.#remember(server)
    this.save()
  }

  /** Remembers what a visit found, or how it ended, for the first screen. */
  noteVisit({ target }: Pick<Server, 'target'>, visit: Visit): void {
    if (target.kind !== 'sample')
      this.#run(this.#host.storage.write(({ withVisit }) => this.recents.note(target, visit, withVisit)))
  }

  #remember(server: Server): void {
    const { name, draft, target, settings } = server
    if (target.kind === 'sample') return
    const recent = { name, given: draft.givenName, target, settings, asIs: draft.asIs, ...linkedBy(draft) }
    this.#run(this.#host.storage.write(({ withRecent }) => this.recents.remember(recent, withRecent)))
  }

  #keepValues({ draft, target }: Server): void {
    if (draft.remember) this.#run(this.#values().then((values) => values.keep(draft, fillIn(target, draft.ownValues))))
  }

  async #forgetValues(target: Target): Promise<void> {
    if (isAnythingRemembered()) await (await this.#values()).forget(target)
  }

  async #forgetApprovals(target: Target): Promise<void> {
    const [{ pageApprovals }, { storedKeyOf }] = await Promise.all([loadApprovals(), this.#host.storage.load()])
    // Each environment may have led to another server.
    const values = [{}, ...(environments.store?.all.map((each) => environments.store!.publicValuesOf(each)) ?? [])]
    for (const each of values) pageApprovals.forget(storedKeyOf(fillIn(target, each)))
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#host.report(error))
  }
}

/** The servers of this tab, in the order of the rail. */
export class ServerList {
  readonly #host: ServerHost
  #all = $state.raw<readonly Server[]>([])
  #lastLink = 0
  /** Includes removed servers, because their frames are still in the trace. */
  readonly #names = new Map<Link, () => string>()

  constructor(host: ServerHost) {
    this.#host = host
  }

  get all(): readonly Server[] {
    return this.#all
  }

  of(link: Link | undefined): Server | undefined {
    return this.#all.find((server) => server.link === link)
  }

  nameOf(link: Link): string {
    return this.#names.get(link)?.() ?? link
  }

  add(options: Omit<ServerOptions, 'link'> & { readonly link?: Link }): Server {
    const link = options.link ?? `s${this.#lastLink + 1}`
    this.#lastLink = Math.max(this.#lastLink, Number(link.slice(1)))
    const server = new Server(this.#host, { ...options, link })
    // A stored name already has its number.
    if (options.base === undefined) server.label.number(this.#taken())
    this.#names.set(link, () => server.name)
    this.#all = [...this.#all, server]
    return server
  }

  /** Uses the best name known: the user's, the server's own, or one derived from the input. */
  rename(server: Server): void {
    const base = server.draft.givenName || server.ownName || nameOf(server.target)
    server.label.take(base, this.#taken(server))
  }

  #taken(except?: Server): ReadonlySet<string> {
    return new Set(this.#all.flatMap((server) => (server === except ? [] : [server.name])))
  }

  /** @returns the server that takes its place in the rail */
  remove(server: Server): Server | undefined {
    const at = this.#all.indexOf(server)
    this.#all = this.#all.filter((other) => other !== server)
    return this.#all[Math.min(at, this.#all.length - 1)]
  }

  /** @returns its place from 1; `undefined` if there is no such place */
  move(server: Server, by: number): number | undefined {
    const to = this.#all.indexOf(server) + by
    if (!this.#all[to]) return undefined
    this.#all = this.#all.filter((other) => other !== server).toSpliced(to, 0, server)
    return to + 1
  }

  /** Restores the servers of this tab after a reload, without connecting them. */
  load(store: Store): void {
    for (const saved of loadServers(store)) this.add(saved)
  }

  /** @param write omits secrets */
  save(store: Store, write: typeof saveServers): void {
    const saved = this.#all.map(({ link, name, label, draft, target, launch, settings, era }) => {
      const { givenName: given, asIs } = draft
      return { link, name, base: label.base, given, target, launch, settings, era, asIs, ...linkedBy(draft) }
    })
    write(store, saved)
  }
}

type Visit = Pick<Recent, 'found' | 'ended'>

/** Recently used servers, for the first screen. They are stored beyond the tab, but secret values are not. */
class Recents {
  #list = $state.raw<readonly Recent[]>([])

  get list(): readonly Recent[] {
    return this.#list
  }

  load(): void {
    this.#list = loadRecent(LOCAL)
  }

  /** Takes over what another tab stored, so that the next write here doesn't undo it. */
  follow(): void {
    addEventListener('storage', ({ key }) => {
      if (key === RECENT || key === null) this.load()
    })
  }

  /** @param add creates the list without secrets */
  remember(server: Parameters<typeof withRecent>[1], add: typeof withRecent): void {
    this.keep(add(this.#list, server, Date.now()))
  }

  /** @param add creates the list, or returns `undefined` if nothing changes */
  note(target: Target, visit: Visit, add: typeof withVisit): void {
    const list = add(this.#list, target, visit)
    if (list) this.keep(list)
  }

  forget(recent: Recent): void {
    this.keep(this.#list.filter((other) => other !== recent))
  }

  keep(list: readonly Recent[]): void {
    this.#list = list
    saveRecent(LOCAL, list)
  }
}
