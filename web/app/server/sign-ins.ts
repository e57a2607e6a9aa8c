/** The sign-ins of this window's servers, and the credentials that they share. Created when first needed. */
import type { PendingSignIn, Popup, SignIn, Vault } from '../../oauth/index.ts'
import { browserStorageKeys } from '../browser-storage.ts'
import type { Link } from '../../mcp/index.ts'
import type { Browser, PageServer } from './sign-in-for.ts'
import type { Target } from '../connect/index.ts'

interface Loaded {
  readonly module: typeof import('./sign-in-for.ts')
  readonly browser: Browser
  readonly vault: Vault
}

/** A server whose sign-in may be resumed. */
interface Resumed {
  readonly link: Link
  readonly target: Target
  resumeSignIn(pending: PendingSignIn, state: string, returned?: string): Promise<void>
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
    this.#loading ??= import('./sign-in-for.ts').then(async (module) => {
      const browser = module.browserOf(window, new URL('./', document.baseURI).href)
      return (this.#loaded = { module, browser, vault: await module.createVault(browser, this.#lost) })
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
        await server.resumeSignIn(data, state, returned)
      }),
    )
  }
}
