/* eslint-disable svelte/prefer-svelte-reactivity -- no Map, Set or URL here is read by the screen */
/** The state of the window: which servers there are, which is looked at, what is open. Wire data stays in the Trace. */
import type { PendingRequests } from '../features/server-requests/index.ts'
import type { Mode, Popup } from '../oauth/index.ts'
import {
  Trace,
  type Exchanges,
  type Fold,
  type JsonObject,
  type Link,
  type OpenRequests,
  type Projection,
  type Seq,
  type Trouble,
} from '../mcp/index.ts'
import type { HeadDraft } from '../session-file/index.ts'
import { live } from '../ui/index.svelte.ts'
import { AddressBar } from './address-bar.ts'
import { browserStorage } from './browser-storage.ts'
import { connectLaunched, connectSample, Draft, focusMissingWhenShown, Recents } from './connect/index.svelte.ts'
import type { Connected } from './connected-features.ts'
import { type Connection, SignIns, type Viewed } from './server/index.ts'
import { launchTarget, recordingBlob, takeCodeOf } from './launch.ts'
import { type Recording, Recordings } from './recordings/index.svelte.ts'
import type { Recent } from './remembered.ts'
import { formatRoute, HOME, parseRoute, sharedIn, signInRoute, type Route } from './route.ts'
import { lengthOf } from './trace-length.ts'
import { ServerList, type Server, type ServerHost, type ServerOptions } from './server/index.svelte.ts'
import { Sessions } from './sessions/index.svelte.ts'
import type { SettingsPatch, Target } from './connect/index.ts'
import { texts } from './text/texts.svelte.ts'
import { ConnectedState } from './connected-state.svelte.ts'
import { TraceDock } from './trace-dock.svelte.ts'
import { Faults } from './faults.svelte.ts'
import { FoldedTrace } from './folded-trace.ts'
import { ProxyLink } from './proxy-link.svelte.ts'
import { TabStorage } from './tab-storage.ts'

const DRAFT = 'periscope.draft'

const SESSION = browserStorage('session')

export class Workbench implements ServerHost {
  readonly trace = new Trace()
  readonly #folded = new FoldedTrace(this.trace)
  readonly clientInfo: JsonObject = { name: 'mcp-periscope', title: 'Periscope', version: __VERSION__ }
  readonly signIns = new SignIns(() => this.tell(texts.t.tokensUnreadable))
  /** Frames so far; reading it follows the trace, at the pace of the screen. */
  readonly #length = live(lengthOf(this.trace))
  readonly #servers = new ServerList(this)
  #route = $state.raw<Route>(HOME)
  readonly proxy = new ProxyLink()
  /** Of all servers that this page talks to directly. */
  readonly openRequests: OpenRequests = new Map()
  readonly recents = new Recents()
  readonly sessions = new Sessions(this)
  readonly recordings = new Recordings(this)
  readonly #faults = new Faults()
  readonly #address = new AddressBar(window)
  readonly #dock = new TraceDock()
  readonly #storage = new TabStorage()
  #draft = $state.raw(new Draft())
  readonly #connected: ConnectedState
  /** Where each server was looked at last, so that going back to it leads there. */
  readonly #lastRoute = new Map<Link, Route>()

  /** @param loadViews fetches the views of connections and recordings, and what the state needs of them */
  constructor(loadViews: () => Promise<Connected>) {
    this.#connected = new ConnectedState(this, async () => (await Promise.all([loadViews(), this.#storage.load()]))[0])
  }

  get servers(): readonly Server[] {
    return this.#servers.all
  }
  get route(): Route {
    return this.#route
  }
  get fault(): Faults['current'] {
    return this.#faults.current
  }
  get draft(): Draft {
    return this.#draft
  }
  /** Of what is looked at: the live trace, or a recording. */
  get frames(): number {
    return this.recording?.frames ?? this.#length.current
  }
  get selectedFrame(): Seq | undefined {
    return (this.recording ?? this.#dock).selected
  }
  /** What is live, as a file of it would say. */
  get head(): HeadDraft {
    if (!this.connected) throw new Error('Nothing was connected')
    return this.connected.liveHead(this, __VERSION__)
  }
  /** The recording that is looked at. */
  get recording(): Recording | undefined {
    return this.recordings.of(this.#route.recording)
  }
  /** The server that is looked at, live or recorded. */
  get viewed(): Viewed | undefined {
    return this.#route.recording === undefined ? this.server : this.recordings.serverOf(this.#route)
  }
  /** The form stands in for a server that shows nothing yet. */
  get atForm(): boolean {
    const { server } = this
    if (this.recording || server?.signingIn) return false
    if (!server?.peer) return true
    // What connects again by itself takes nothing off the screen.
    return !server.retry && (server.status === 'connecting' || server.status === 'failed')
  }
  get dockOpen(): boolean {
    return this.frames > 0 && this.#dock.isOpen(this.atForm)
  }
  set dockOpen(open: boolean) {
    this.#dock.setOpen(open, this.atForm)
  }
  /** The live one that is looked at. */
  get server(): Server | undefined {
    const { server, recording } = this.#route
    return recording === undefined ? this.#servers.of(server) : undefined
  }

  /** What shows a server, live or recorded; absent until it has loaded. */
  get connected(): Connected | undefined {
    return this.#connected.current
  }
  get exchanges(): Projection<Exchanges> {
    return this.#connected.exchanges
  }
  get questions(): PendingRequests {
    return this.#connected.questions
  }

  connectionOf(link: Link): Connection | undefined {
    return this.#connected.connectionOf(link)
  }

  troubleOf(link: Link): Trouble | undefined {
    return this.#connected.troubleOf(link)
  }

  storedKeyOf(target: Target): string {
    return this.#storage.keyOf(target)
  }

  projectionOf<State>(fold: Fold<State>): Projection<State> {
    return this.#folded.state(fold)
  }

  readonly nameOf = (link: Link): string => this.#servers.nameOf(link)

  readonly loadConnected = (): Promise<Connected> => this.#connected.load()

  async loadFeatures(): Promise<Connected['features']> {
    return (await this.loadConnected()).features
  }

  get compared(): readonly Viewed[] {
    return this.recordings.compared
  }

  /** Takes up what the address, the storage and the proxy say. Call once, in a page. */
  async start(): Promise<void> {
    const { code, rest } = takeCodeOf(window)
    this.#dock.restore()
    this.recents.load()
    this.#draft = Draft.fromStored(SESSION.getItem(DRAFT))
    this.#servers.load(SESSION)
    if (this.servers.length > 0) this.#run(this.loadConnected())
    this.#listen()
    this.#arrive(rest)
    this.sessions.start()
    // What fails here is told when it is needed.
    this.#storage.load().catch(() => {})
    const orphaned = () => this.tell(texts.t.signInOrphaned)
    this.#connected.loadWhenIdle()
    this.#run(this.signIns.resume(this.servers, (server) => this.go(signInRoute(server)), orphaned))
    await this.#findProxy(code)
  }

  go(route: Route): void {
    const before = this.#route
    const next = this.#sane(route)
    this.#route = next
    if (next.server && !next.recording) this.#lastRoute.set(next.server, next)
    const hash = formatRoute(next)
    if (hash === formatRoute(before) && location.hash === hash) return
    // Walking through a list is no journey to be undone step by step.
    const same = before.server === next.server && before.recording === next.recording
    const replace = (same && before.feature === next.feature) || sharedIn(location.hash) !== undefined
    this.#address.show(hash, replace ? 'replace' : 'push')
  }

  /** Goes to a server, where it was looked at last. */
  goTo(link: Link): void {
    this.go(this.#lastRoute.get(link) ?? { server: link, place: '' })
  }

  placeOf(link: Link): string {
    return this.server?.link === link ? this.#route.place : ''
  }

  goWithin(link: Link, place: string): void {
    const { server } = this
    if (server?.link === link) this.go({ ...this.#route, feature: this.featureOf(server), place })
  }

  /** The feature that is shown for a server: the address's, or the first that is worth looking at. */
  featureOf(server: Viewed): string {
    return this.#connected.featureOf(server, this.#route.feature)
  }

  reveal(seq: Seq): void {
    this.selectFrame(seq)
    this.dockOpen = true
  }

  selectFrame(seq: Seq | undefined): void {
    ;(this.recording ?? this.#dock).selected = seq
  }

  /** Connects to what the form says. The form's own server is used again while it has never been open. */
  connectDraft(draft: Draft, target: Target, owner: Server | undefined): void {
    if (draft.missingIn(target).length > 0) return void focusMissingWhenShown()
    if (owner) {
      draft.dropped = []
      this.#run(owner.connect(target))
      this.#servers.rename(owner)
      this.#remember(owner)
      return
    }
    if (draft === this.#draft) this.#draft = new Draft()
    this.connectNew({ target, draft })
  }

  /** One more, beside those that are there. */
  connectNew(options: Omit<ServerOptions, 'link'>): Server {
    const server = this.#servers.add(options)
    this.#run(this.loadConnected())
    this.#remember(server)
    this.#save()
    this.go({ server: server.link, place: '' })
    this.reconnect(server)
    return server
  }

  reconnect(server: Server): void {
    if (this.#isComplete(server)) this.#run(server.connect())
  }

  /** Without the values that a reload dropped, or with placeholders, it can only fail: the form asks for them. */
  #isComplete(server: Server): boolean {
    if (server.draft.dropped.length === 0 && server.missing.length === 0) return true
    this.go({ server: server.link, place: '' })
    void focusMissingWhenShown()
    return false
  }

  /** @param name empty: what the server calls itself */
  rename(server: Server, name: string): void {
    server.draft.name = name
    this.#servers.rename(server)
    this.#remember(server)
    this.#save()
  }

  /** With what the form says now, which may have changed since the attempt failed. */
  retry(server: Server): void {
    const { draft } = server
    this.connectDraft(draft, draft.target ?? server.target, server)
  }

  /** Tries again in another way: a failure's button, or a setting that waits. */
  retryWith(server: Server, patch: SettingsPatch): void {
    server.draft.set(patch)
    this.retry(server)
  }

  /** Settings of a server that may be open: some it takes up at once. */
  settle(server: Server, patch: SettingsPatch): void {
    server.draft.set(patch)
    server.takeUp()
    this.#remember(server)
    this.#save()
  }

  /** Detects the server's era again. */
  detectAgain(server: Server): void {
    server.forgetEra()
    this.#save()
    this.reconnect(server)
  }

  disconnect(server: Server): void {
    this.#run(server.disconnect())
  }

  remove(server: Server): void {
    this.#run(server.disconnect())
    const next = this.#servers.remove(server)
    this.#save()
    if (this.#route.recording !== undefined || this.#route.server !== server.link) return
    if (next) this.goTo(next.link)
    else this.go(HOME)
  }

  /** Puts a recent server into the form. It connects only when asked to. */
  takeUp(recent: Recent): void {
    if (recent.target.kind === 'sample') connectSample(this)
    else this.#draft = Draft.of(recent.target, recent.dropped, recent.settings, recent.given)
  }

  /** A session opened, or opened again: the features fetch what their panels need. */
  opened(server: Server): void {
    this.#servers.rename(server)
    this.#remember(server)
    this.connected?.tellOpened(server, (fault) => this.report(fault))
    this.#save()
  }

  /** Names one of our own faults on screen. */
  report(error: unknown): void {
    this.#faults.report(error)
  }

  /** Tells something that is nobody's fault. */
  tell(message: string): void {
    this.#faults.tell(message)
  }

  dismissFault(): void {
    this.#faults.dismiss()
  }

  /** In the click: a window opens at once, or not at all. */
  signIn(server: Server, mode: Mode): void {
    const popup = mode === 'automatic' ? server.openSignInWindow() : undefined
    this.go(signInRoute(server))
    this.#run(this.#signIn(server, mode, popup))
  }

  async #signIn(server: Server, mode: Mode, popup: Popup | undefined): Promise<void> {
    const done = await server.beginSignIn(mode, popup)
    // What was wanted was the server: whoever goes step by step wants to look at the steps.
    const looking = this.#route.server === server.link && this.#route.feature === 'authorization'
    if (done && mode === 'automatic' && looking && server.status === 'open') this.go({ server: server.link, place: '' })
  }

  #run(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.report(error))
  }

  #sane(route: Route): Route {
    if (route.recording !== undefined) return this.recordings.of(route.recording) ? route : HOME
    return this.#servers.of(route.server) ? route : HOME
  }

  #remember(server: Server): void {
    const { name, draft, target, settings } = server
    if (target.kind === 'sample') return
    const recent = { name, given: draft.givenName, target, settings }
    this.#run(this.#storage.write(({ withRecent }) => this.recents.remember(recent, withRecent)))
  }

  #save(): void {
    this.#run(this.#storage.write(({ saveServers }) => this.#servers.save(SESSION, saveServers)))
  }

  #listen(): void {
    addEventListener('hashchange', () => {
      // Opened by hand with a new code, in the same tab.
      const { code, rest } = takeCodeOf(window)
      if (code !== undefined) this.#run(this.#findProxy(code))
      this.#arrive(rest)
    })
    addEventListener('pagehide', () => {
      this.#saveDraft()
      this.#save()
      for (const server of this.servers) this.#run(server.disconnect())
      this.proxy.leave()
    })
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.#saveDraft()
      for (const server of this.servers) server.takeUp()
    })
  }

  #arrive(fragment: string): void {
    const route = parseRoute(fragment)
    this.#route = this.#sane(route)
    const { server, recording } = this.#route
    if (server && recording === undefined) this.#lastRoute.set(server, this.#route)
    this.recordings.arrive(fragment, route)
  }

  #saveDraft(): void {
    this.#run(this.#storage.write(({ storable }) => SESSION.setItem(DRAFT, this.#draft.toStored(storable))))
  }

  async #findProxy(code: string | undefined): Promise<void> {
    const proxy = await this.proxy.find(code, SESSION)
    if (proxy.state !== 'there') return
    const target = launchTarget(proxy.hello)
    if (target) connectLaunched(this, target, (await this.#storage.load()).storedKeyOf)
    const { recording } = proxy.hello
    if (recording) await this.recordings.openLaunched(recording.name, () => recordingBlob(proxy))
  }
}
