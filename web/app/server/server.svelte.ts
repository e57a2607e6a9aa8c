/** One server in the rail: its target, its session, and its view for the panels. */
import { browserStorage } from '../../ui/index.ts'
import type {
  Authorizer,
  Bridge,
  BridgeOptions,
  ClientCapability,
  EraId,
  Fold,
  Link,
  Peer,
  Projection,
  RelayOptions,
  Revision,
  Seq,
  Session,
  Trace,
  Trouble,
} from '../../mcp/index.ts'
import type { Popup, SignIn } from '../../oauth/index.ts'
import type { ServerRequests, VariableSource } from '../../features/feature.ts'
import type { ToolSafety } from '../../features/tool-safety/index.ts'
import { keptFor } from '../browser-storage.ts'
import {
  IDLE,
  lostBy,
  shownStateOf,
  tellFailed,
  type Lost,
  type Connection,
  type ConnectionState,
  type ShownServer,
  type ShownState,
  SILENCE,
} from './connection.ts'
import { ConnectionName, ownNameOf } from './connection-name.svelte.ts'
import { Draft } from '../connect/index.svelte.ts'
import { environments } from '../environments/index.svelte.ts'
import {
  fillIn,
  idlePing,
  lineOf,
  meantFor,
  notTakenUp,
  reconnects,
  type Settings,
  nameOf,
  type Target,
  variablesOf,
} from '../connect/index.ts'
import type { FilesChanged } from '../../../proxy/wire.ts'
import type { FileRestarts } from './file-restarts.svelte.ts'
import { Reconnecting, type Retry } from './reconnecting.svelte.ts'
import { keyOf } from '../remembered.ts'
import { loadFileRestarts, loadTransports } from './lazy.ts'
import type { ServerHost } from './server-host.ts'
import type { PageServer } from './sign-in-browser.ts'
import { ServerSignIn } from './sign-ins.svelte.ts'

const STORE = browserStorage('session')

/** What a server in the rail is created from. */
export interface ServerOptions {
  readonly link: Link
  readonly target: Target
  readonly draft?: Draft
  /** Used until the server's own name is known, unless `given` is set. */
  readonly name?: string
  /** `name` without its number; absent if it has none. */
  readonly base?: string
  /** The name set by the user or the configuration. */
  readonly given?: string
  readonly dropped?: readonly string[]
  readonly launch?: boolean
  /** References to environment variables that are sent literally. */
  readonly asIs?: readonly string[]
  /** A link filled in its form. */
  readonly linked?: true
  readonly settings?: Settings
  readonly era?: EraId
}

/** What an attempt connected to. */
interface Reached {
  /** With all values. */
  readonly target: Target
  /** With variables that aren't secret alone, because it names the server in storage. */
  readonly named: Target
  /** With all values but secret variables. */
  readonly shown: Target
  readonly secrets: readonly string[]
  /** Environment variables that only the proxy can read. */
  readonly variables: readonly string[]
  /** The id of the environment, and its name. */
  readonly active: string | undefined
  readonly environment: string | undefined
}

export class Server implements ShownServer, PageServer {
  readonly link: Link
  /** The server was named on the command line at launch. */
  readonly launch: boolean
  readonly kept = keptFor(STORE, () => this.#host.storage.keyOf(this.#target))
  readonly #host: ServerHost
  readonly draft: Draft
  #target = $state.raw<Target>({ kind: 'sample' })
  #session = $state.raw<Session>()
  /** The running attempt, with the trace's length at its start: failures before that belong to earlier attempts. */
  #attempt = $state.raw<{ readonly from: number }>()
  /** Resolves when the previous session has closed; a new one waits for it. */
  #settled: Promise<void> = Promise.resolve()
  readonly label: ConnectionName
  /** The settings of the open session, or of the one tried last. */
  #used = $state.raw<Settings>({})
  /** The detected protocol era, so that the server need not be probed on each connection (VN-26). */
  #era = $state.raw<EraId>()
  /** Only for URLs: processes get their credentials from the environment (AU-GEN-01). */
  readonly authorization = new ServerSignIn(async () =>
    this.#target.kind === 'url' ? await this.#host.signIns.for(this) : undefined,
  )
  #toolSafety = $state.raw<ToolSafety>()
  #reached = $state.raw<Reached>()
  readonly #again = new Reconnecting(() => this.#connect(true))
  /** The process is being replaced by a new one; identifies the restart. */
  #restarting = $state.raw<object>()
  /** Absent unless it was started with `--watch`. */
  #fileRestarts = $state.raw<FileRestarts>()

  constructor(host: ServerHost, options: ServerOptions) {
    const { link, target, draft, name, base, given, dropped, launch = false, settings, era, asIs, linked } = options
    this.#host = host
    this.link = link
    this.launch = launch
    this.#target = target
    this.draft = draft ?? Draft.of(target, dropped, settings, given, asIs, linked)
    this.label = new ConnectionName(name || this.draft.givenName || nameOf(target), base)
    this.#era = era
  }

  get slot(): string {
    return this.link
  }

  get target(): Target {
    return this.#target
  }

  /** The user's settings; the open connection may still use others. */
  get settings(): Settings {
    return meantFor(this.draft.allSettings, this.#target.kind)
  }

  get used(): Settings {
    return this.#used
  }

  /** Settings that apply to the next connection. */
  get waiting(): readonly (keyof Settings)[] {
    return this.status === 'open' ? notTakenUp(this.#used, this.settings, this.#target.kind) : []
  }

  /** The protocol era remembered from an earlier connection. */
  get era(): EraId | undefined {
    return this.#era
  }

  /** Set while it reconnects automatically. */
  get retry(): Retry | undefined {
    return this.#again.current
  }

  /** It restarts, or reconnects automatically, so the screen stays as it is. */
  get isReopening(): boolean {
    return this.retry !== undefined || this.#restarting !== undefined
  }

  get isRestarting(): boolean {
    return this.#restarting !== undefined
  }

  get fileRestarts(): Pick<FileRestarts, 'isPaused' | 'watched'> | undefined {
    return this.#fileRestarts
  }

  /** Number of attempts after which reconnecting gave up. */
  get gaveUp(): number | undefined {
    return this.#again.gaveUp
  }

  get trace(): Trace {
    return this.#host.trace
  }

  get connection(): Connection {
    return this.#host.connected.connectionOf(this.link) ?? IDLE
  }

  get status(): ConnectionState {
    const { state, failure, closed } = this.connection
    if (state === 'open') return this.#session ? 'open' : 'closed'
    const ended = Math.max(failure?.seq ?? -1, closed?.seq ?? -1)
    // The first frame of an attempt arrives shortly after the click.
    if (this.#attempt && ended < this.#attempt.from) return 'connecting'
    return state === 'connecting' && !this.#session ? 'closed' : state
  }

  get shownState(): ShownState {
    return shownStateOf(this.status, this.connection, this.trouble, this.isReopening)
  }

  /** Why it can't be reached although it is open. */
  get trouble(): Trouble | undefined {
    return this.status === 'open' ? this.#host.connected.troubleOf(this.link) : undefined
  }

  /** Unique among the servers of the window. */
  get name(): string {
    return this.label.current
  }

  /** The server's own name, once known. */
  get ownName(): string | undefined {
    return ownNameOf(this.peer)
  }

  /** Placeholders that must be filled in before connecting. */
  get missing(): readonly string[] {
    return this.draft.missingIn(this.#target)
  }

  /** What the connection has, if the active environment would give it other values now. */
  get outdated(): Pick<Reached, 'active' | 'environment'> | undefined {
    const reached = this.#reached
    if (!reached) return undefined
    const now = fillIn(this.#target, this.draft.valuesFor(this.#target))
    return JSON.stringify(now) === JSON.stringify(reached.target) ? undefined : reached
  }

  get variables(): VariableSource | undefined {
    const { store } = environments
    // A secret of one environment must not go to the server of another one.
    return store?.sourceFor(this.trace, this.link, (this.outdated ?? store).active)
  }

  /** The variables of the proxy's environment that its target refers to. */
  get proxyVariables(): readonly string[] {
    return variablesOf(this.#target, { filled: this.draft.valuesFor(this.#target), asIs: this.draft.asIs })
  }

  get session(): Session | undefined {
    return this.status === 'open' ? this.#session : undefined
  }

  get peer(): Peer | undefined {
    return this.connection.peer
  }

  get transport(): string | undefined {
    return this.connection.transport
  }

  get toolSafety(): ToolSafety | undefined {
    return this.#toolSafety
  }

  get pendingRequests(): ServerRequests {
    return this.#host.connected.pendingRequests
  }

  /** Includes open recordings, to compare with. */
  get others(): readonly ShownServer[] {
    return this.#host.recordings.compared
  }

  get key(): string | undefined {
    const { storage } = this.#host
    return storage.isLoaded ? storage.keyOf(this.#target) : undefined
  }

  get place(): string {
    return this.#host.placeOf(this.link)
  }

  get signIn(): SignIn | undefined {
    return this.authorization.current
  }

  get relay(): RelayOptions | undefined {
    const { current, bridge } = this.#host.proxy
    if (bridge) return { channel: bridge.channel }
    return current.state === 'there' ? { base: current.base, token: current.token } : undefined
  }

  get withheld(): readonly ClientCapability[] {
    return this.#used.withheld ?? []
  }

  get authorizedByHand(): boolean {
    const target = this.#target
    return target.kind === 'url' && target.headers.some(([name]) => name.toLowerCase() === 'authorization')
  }

  /** The only protocol version to use, if the user chose one. */
  get pinned(): Revision | undefined {
    return this.settings.revision
  }

  bridgeBy(create: (options: BridgeOptions) => Bridge): Bridge | undefined {
    return this.#host.proxy.bridgeBy(create)
  }

  /** No other connection would be lost by leaving the page. */
  mayLeave(): boolean {
    return this.#host.servers.all.every((other) => other === this || other.status !== 'open')
  }

  openSignInWindow(): Popup {
    return this.#host.signIns.openWindow()
  }

  state<State>(fold: Fold<State>): Projection<State> {
    return this.#host.state(fold)
  }

  reveal(seq: Seq): void {
    this.#host.reveal(seq)
  }

  share(seq: Seq): void {
    this.#host.share(seq)
  }

  go(place: string): void {
    this.#host.goWithin(this.link, place)
  }

  visit(feature: string, place: string): void {
    this.#host.go({ server: this.link, feature, place })
  }

  /** The form has got back values that the target lacks since a reload. */
  takeDraft(): void {
    if (this.draft.target) this.#retarget(this.draft.target)
  }

  /** Starts an attempt. Never throws: the Trace records what happens. */
  async connect(target: Target = this.#target): Promise<void> {
    this.#again.stop()
    this.#restarting = undefined
    this.#retarget(target)
    this.authorization.leave()
    this.#fileRestarts?.begin()
    await this.#connect()
  }

  /** Ends the process and starts it again, while the screen stays as it is. @param change absent: the user wants it */
  async restart(change?: FilesChanged): Promise<void> {
    this.#again.stop()
    if (!change) this.#fileRestarts?.begin()
    const restarting = (this.#restarting = {})
    this.trace.append({ kind: 'session', phase: 'restarting', link: this.link, ...change })
    await this.#connect(change !== undefined)
    if (this.#restarting === restarting) this.#restarting = undefined
  }

  /** What an attempt connects to, all from the same moment: the user may choose another environment meanwhile. */
  #filledIn(): Reached {
    return {
      target: fillIn(this.#target, this.draft.valuesFor(this.#target)),
      named: fillIn(this.#target, this.draft.namedValues),
      shown: fillIn(this.#target, this.draft.shownValues),
      secrets: environments.store?.secrets ?? [],
      variables: this.proxyVariables,
      active: environments.store?.active,
      environment: environments.store?.scope.environment,
    }
  }

  /**
   * @param isAutomatic the values stay those of the attempt before: only the user changes the environment
   * @returns why it failed
   */
  async #connect(isAutomatic = false): Promise<Lost | undefined> {
    const kept = isAutomatic ? this.#reached : undefined
    // Placeholders are only sent literally if the user confirms it: the form asks for their values.
    if (!kept && this.missing.length > 0) return undefined
    const reached = kept ?? this.#filledIn()
    const { target } = reached
    if (this.#reached && keyOf(this.#reached.target) !== keyOf(target)) {
      // Another environment: what was learned of one server isn't true of the other, and its tokens stay its own.
      this.#era = undefined
      this.authorization.drop()
    }
    this.#reached = reached
    const settings = (this.#used = this.settings)
    const attempt = (this.#attempt = { from: this.trace.length })
    await this.#end()
    let session: Session
    let authorizer: Authorizer | undefined
    const page = { origin: location.origin, trace: this.trace, link: this.link, draft: this.draft }
    try {
      const { connected, storage } = this.#host
      const [{ createBridge, createSession, guardTrace, toolSafetyFor, transportFor }, { features }] =
        await Promise.all([loadTransports(), connected.load(), storage.load()])
      guardTrace(this.trace, this.link, target, this.draft.filledFor(this.#target), reached.secrets)
      authorizer = (await this.authorization.needed())?.credential
      const { connectionSlots, proxy } = this.#host
      // Whoever connects right after opening the page gets the same routes.
      if (target.kind !== 'sample') await proxy.searched
      const routes = {
        bridge: proxy.bridgeBy(createBridge),
        connectionSlots,
        page,
        ...(authorizer ? { authorizer } : {}),
        variables: reached.variables,
      }
      if (this.launch && !this.#fileRestarts && proxy.current.state === 'there' && proxy.current.hello.watch) {
        const { fileRestartsOf } = await loadFileRestarts()
        // Stopped meanwhile: nothing may start it again.
        if (this.#attempt !== attempt) return undefined
        this.#fileRestarts = fileRestartsOf(this, this.#host)
        this.#fileRestarts?.begin()
      }
      if (target.kind === 'command') void this.#fileRestarts?.follow(target.cwd)
      const transport = await transportFor(target, settings, routes)
      // Stopped meanwhile, or restarted by a second click.
      if (this.#attempt !== attempt) return undefined
      const identity = storage.keyOf(reached.named)
      // What was switched off stays off when it reconnects; another server begins with all tools on.
      if (this.#toolSafety?.server !== identity) this.#toolSafety = toolSafetyFor(identity, target, this)
      const { trusted } = this.draft
      if (trusted?.line === lineOf(this.#target)) this.#toolSafety.trust(trusted.on)
      this.draft.trusted = undefined
      session = createSession(settings, this.#era, features, {
        gate: this.#toolSafety,
        trace: this.trace,
        link: this.link,
        transport,
        clientInfo: this.#host.clientInfo,
        answers: this.pendingRequests.answersFor(this),
      })
    } catch (error) {
      if (this.#attempt !== attempt) return undefined
      this.#attempt = undefined
      return tellFailed(this.trace, this.link, error)
    }
    this.#session = session
    let failure: Lost | undefined
    const examine = this.retry ? undefined : this.#examination(target, page)
    const silent = setTimeout(() => {
      const { connection } = this
      if (target.kind !== 'url' || connection.http?.response !== undefined) return
      examine?.()
      const { bridge } = this.#host.proxy
      void loadTransports().then(({ examineSilence }) => examineSilence(target, page, { connection, settings, bridge }))
    }, SILENCE)
    try {
      const { era } = await session.open()
      // A pinned protocol version wasn't detected, so don't remember its era.
      if (!settings.revision) this.#era = era
      this.#again.opened()
      this.takeUp()
      this.#host.opened(this)
    } catch (error) {
      // The failure's frame reports it; this only ends the attempt.
      if (this.#session === session) {
        this.#session = undefined
        failure = lostBy(error)
        // Repeated attempts fail for the reason found after the first.
        if ('url' in target && !this.retry)
          void loadTransports().then(({ examineFailure, isOfNetwork }) => {
            if (isOfNetwork(error)) examine?.()
            else if (target.kind === 'url')
              examineFailure(error, target, page, {
                connection: this.connection,
                settings,
                variables: reached.variables,
                bridge: this.#host.proxy.bridge,
                authorizer,
              })
          })
      }
    } finally {
      clearTimeout(silent)
    }
    if (this.#attempt === attempt) this.#attempt = undefined
    return failure
  }

  /** Checks the network below HTTP, once; `undefined` without a proxy. */
  #examination(
    target: Target,
    page: { readonly origin: string; readonly trace: Trace; readonly link: Link },
  ): (() => void) | undefined {
    const { current, bridge } = this.#host.proxy
    if (!('url' in target) || current.state !== 'there') return undefined
    const { base } = current
    let examined = false
    return () => {
      if (examined) return
      examined = true
      void loadTransports().then(({ examineNetwork }) => examineNetwork(target.url, page, { bridge, base }))
    }
  }

  /** Ends the session, or stops the attempt. Resolves once the other side has closed. */
  async disconnect(): Promise<void> {
    this.#again.stop()
    this.#restarting = undefined
    this.#fileRestarts?.stop()
    this.#attempt = undefined
    await this.#end()
  }

  /** Applies the settings that an open connection can change. */
  takeUp(): void {
    if (this.#session) {
      this.#session.pingEvery = this.settings.pingEvery ?? 0
      this.#session.pingWhenIdle = document.hidden ? 0 : idlePing(this.settings, this.#target.kind)
    }
    if (!reconnects(this.settings, this.#target.kind)) this.stopRetrying()
  }

  /** Discards the detected protocol era, so that the next connection detects it again. */
  forgetEra(): void {
    this.#era = undefined
  }

  /** The open connection was lost unexpectedly. */
  lost(lost: Lost): void {
    if (reconnects(this.settings, this.#target.kind)) this.#again.lost(lost, this.#target.kind)
  }

  /**
   * The connection is open but the server no longer responds. A transport without a persistent
   * connection can't notice that.
   */
  async unanswered(why: string): Promise<void> {
    if (this.retry || this.status !== 'open' || !reconnects(this.settings, this.#target.kind)) return
    await this.#end(why)
    this.#again.lost({ code: 'unreachable', why }, this.#target.kind)
  }

  retryNow(): void {
    this.#again.now(this.#target.kind)
  }

  stopRetrying(): void {
    if (!this.retry) return
    const { running } = this.retry
    this.#again.stop()
    if (!running) return
    this.#attempt = undefined
    void this.#end()
  }

  /** What was connected to last, with the values that may be shown. */
  get shownTarget(): Target {
    return this.#reached?.shown ?? this.#target
  }

  /** The MCP endpoint, with placeholders filled in. */
  get url(): string {
    // Until it connects again, it keeps the values that it was opened with, for its tokens too.
    const target = this.#reached?.target ?? fillIn(this.#target, this.draft.valuesFor(this.#target))
    return target.kind === 'url' ? target.url : ''
  }

  /** An open session continues with the new tokens, but its lists may have changed (AU-GEN-08). */
  async authorized(): Promise<Lost | undefined> {
    if (this.status === 'open') {
      this.#host.opened(this)
      return undefined
    }
    this.#again.stop()
    // To the server that asked for the sign-in.
    return await this.#connect(true)
  }

  async #end(why?: string): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (session) {
      const before = this.#settled
      this.#settled = Promise.all([before, session.close(why)]).then(() => {})
    }
    await this.#settled
  }

  #retarget(target: Target): void {
    if (target === this.#target) return
    if (keyOf(target) !== keyOf(this.#target)) {
      this.#era = undefined
      this.authorization.drop()
      this.#reached = undefined
    }
    this.#target = target
  }
}
