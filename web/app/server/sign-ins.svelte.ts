/** The sign-ins of this window's servers, and the credentials that they share. Created when first needed. */
import { browserStorageKeys } from '../../ui/index.ts'
import type { Mode, PendingSignIn, Popup, SignIn, TypedValues, Vault } from '../../oauth/index.ts'
import type { Link } from '../../mcp/index.ts'
import type { Browser, PageServer } from './sign-in-browser.ts'
import type { Target } from '../connect/index.ts'

interface Loaded {
  readonly module: typeof import('./sign-in-browser.ts')
  readonly browser: Browser
  readonly vault: Vault
  readonly values: TypedValues
}

/** A server whose sign-in may be resumed. */
interface Resumed {
  readonly link: Link
  readonly target: Target
  readonly authorization: Pick<ServerSignIn, 'resume'>
}

const NO_WINDOW: Popup = { blocked: true, go: () => 'gone', close: () => {}, focus: () => {} }

export class SignIns {
  #loaded: Loaded | undefined
  #loading: Promise<Loaded> | undefined
  readonly #lost: () => void

  /** @param lost called once if stored tokens can no longer be read and were removed */
  constructor(lost: () => void) {
    this.#lost = lost
  }

  async load(): Promise<Loaded> {
    this.#loading ??= import('./sign-in-browser.ts').then(async (module) => {
      const browser = module.browserOf(window, new URL('./', document.baseURI).href)
      return (this.#loaded = { module, browser, ...(await module.openVault(browser, this.#lost)) })
    })
    return await this.#loading
  }

  async for(server: PageServer): Promise<SignIn> {
    const { module, vault, browser } = await this.load()
    return module.createSignIn(server, vault, browser)
  }

  /**
   * Call it in the click handler, because browsers block windows opened later. Before `load`, there
   * is nothing to sign in to.
   */
  openWindow(): Popup {
    return this.#loaded?.browser.openWindow() ?? NO_WINDOW
  }

  /** Resumes sign-ins that were in progress when the page was reloaded, or left for the authorization server. */
  async resume<Server extends Resumed>(
    servers: readonly Server[],
    show: (server: Server) => void,
    orphaned: () => void,
  ): Promise<void> {
    // Don't load anything on startup if there is no pending sign-in.
    if (!browserStorageKeys('session').some((key) => key.startsWith('periscope.oauth.'))) return
    const { module, browser } = await this.load()
    if (module.takeOrphans(browser) > 0) orphaned()
    await Promise.all(
      module.resumable(browser).map(async ({ state, data, returned }) => {
        const server = servers.find(
          ({ link, target }) => link === data.link && target.kind === 'url' && target.url === data.server,
        )
        if (!server) return
        show(server)
        await server.authorization.resume(data, state, returned)
      }),
    )
  }
}

/** The sign-in of one server: created when first needed, dropped when the server's URL changes. */
export class ServerSignIn {
  readonly #make: () => Promise<SignIn | undefined>
  #current = $state.raw<SignIn>()
  #active = $state(false)

  /** @param make resolves with `undefined` for servers without a sign-in */
  constructor(make: () => Promise<SignIn | undefined>) {
    this.#make = make
  }

  /** Absent until needed. */
  get current(): SignIn | undefined {
    return this.#current
  }

  /** The user is signing in, or has done so since the last attempt to connect: shown instead of the form. */
  get active(): boolean {
    return this.#active
  }

  /** Creates it if there is none yet. */
  async needed(): Promise<SignIn | undefined> {
    return (this.#current ??= await this.#make())
  }

  /** Never throws. @param popup opened in the click handler @returns whether it obtained tokens */
  async begin(mode: Mode, popup?: Popup): Promise<boolean> {
    this.#active = true
    return (await (await this.needed())?.begin(mode, popup)) ?? false
  }

  /** Never throws. */
  async resume(pending: PendingSignIn, state: string, returned?: string): Promise<void> {
    this.#active = true
    await (await this.needed())?.resume(pending, state, returned)
  }

  leave(): void {
    this.#active = false
  }

  drop(): void {
    this.#current?.cancel()
    this.#current = undefined
  }
}
