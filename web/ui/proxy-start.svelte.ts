import { createContext } from 'svelte'

/** How to get the local proxy: from one that runs already, or with a command that starts one. */
export interface ProxyStart {
  /** What to do, in the current language. */
  readonly text: string
  /** Absent if the proxy runs already: it only has to accept this page. */
  readonly command?: string
}

/** For the panels of features, some of which offer what only the local proxy can do. */
export const [proxyStart, provideProxyStart] = createContext<() => ProxyStart>()
