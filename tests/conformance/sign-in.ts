/**
 * Signs the client in like the page does, for a user who agrees to everything: the suite's authorization servers show
 * no form and redirect the browser back immediately. Headless: runs in Node and in a page.
 */
import type { GivenClient, Grant, SignInOptions } from '../../web/oauth/model/sign-in-state.ts'
import { SignIn } from '../../web/oauth/sign-in.ts'
import { Vault } from '../../web/oauth/vault/vault.ts'
import { TransportError, type JsonObject, type Link, type Revision, type Trace } from '../../web/mcp/index.ts'
import type { ConformanceRun } from './client.ts'

/** Every scenario with sign-in. */
export const isAboutSignIn = (scenario: string): boolean => scenario.startsWith('auth/')

/** The suite's URL for the client ID metadata document of the client under test; it never fetches the document. */
const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json'

/** No server listens there: the code that follows the redirects stops before it. */
const REDIRECT_URI = 'http://127.0.0.1:6275/oauth/callback.html'

interface Connection {
  readonly trace: Trace
  readonly link: Link
  /** Absent: negotiated. */
  readonly pinned: Revision | undefined
}

export const signInFor = (run: ConformanceRun, { trace, link, pinned }: Connection): SignIn => {
  const { serverUrl, fetch: fetchWith = fetch, redirectUri = REDIRECT_URI } = run
  const authorize = run.authorize ?? ((url) => follow(url, fetchWith, redirectUri))
  // After a 401 the client connects again with the tokens, which shows whether the server accepts them.
  const signIn: SignIn = new SignIn(
    { trace, link, url: serverUrl, pinned, authorized: async () => undefined },
    {
      redirectUri,
      vault: new Vault(),
      clientDocument: async () => CLIENT_DOCUMENT,
      fetch: fetchWith,
      unattended: true,
      awaitReturn: async (_state, _signal, onAstray) => {
        const { search, hash } = await authorize(new URL(signIn.consentUrl ?? ''))
        // Like the callback page, which doesn't read fragments.
        if (search === '' && hash !== '') onAstray('fragment')
        if (search === '') throw new Error('The browser returned without a response')
        return search.slice(1)
      },
    },
  )
  signIn.set(optionsFor(run))
  return signIn
}

/** The server requires a sign-in. */
export const isRefusal = (error: unknown): error is TransportError =>
  error instanceof TransportError && error.code === 'unauthorized'

/** Limit of redirects on the way to the callback; the suite's authorization servers send one. */
const MOST_REDIRECTS = 5

/**
 * Acts as a headless browser.
 * @throws {Error} if no redirect leads back
 */
const follow = async (start: URL, fetchWith: typeof fetch, redirectUri: string): Promise<URL> => {
  let url = start
  for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
    const answer = await fetchWith(url.href, { redirect: 'manual' })
    const location = answer.headers.get('location')
    await answer.body?.cancel()
    if (location === null) throw new Error(`${url.href} answers ${answer.status}, and sends nobody back`)
    url = new URL(location, url)
    if (url.href.startsWith(`${redirectUri}?`) || url.href.startsWith(`${redirectUri}#`)) return url
  }
  throw new Error(`${start.href} leads on and on, and never back to ${redirectUri}`)
}

/** The grant to use without a user, derived from the available credentials; a secret alone is ambiguous. */
const grantOf = ({ scenario, context = {} }: ConformanceRun): Grant | undefined => {
  if (textOf(context, 'idp_token_endpoint') !== undefined) return 'enterprise'
  if (textOf(context, 'valid_jwt') !== undefined) return 'workload'
  return scenario.startsWith('auth/client-credentials') ? 'client-credentials' : undefined
}

/** What a user would enter in the form, built from what the suite provides. */
export const optionsFor = (run: ConformanceRun): SignInOptions => {
  const { context = {} } = run
  const text = (name: string) => textOf(context, name)
  const client = clientOf(context)
  const tokenEndpoint = text('idp_token_endpoint')
  const assertion = text('valid_jwt')
  const grant = grantOf(run)
  return {
    ...(grant ? { grant } : {}),
    ...(client ? { client } : {}),
    ...(assertion === undefined ? {} : { assertion }),
    ...(tokenEndpoint === undefined
      ? {}
      : { idp: { tokenEndpoint, clientId: text('idp_client_id') ?? '', idToken: text('idp_id_token') ?? '' } }),
  }
}

const clientOf = (context: JsonObject): GivenClient | undefined => {
  const text = (name: string) => textOf(context, name)
  const id = text('client_id')
  if (id === undefined) return undefined
  const [secret, privateKey, algorithm] = [text('client_secret'), text('private_key_pem'), text('signing_algorithm')]
  return {
    id,
    ...(secret === undefined ? {} : { secret }),
    ...(privateKey === undefined ? {} : { privateKey }),
    ...(algorithm === undefined ? {} : { algorithm }),
  }
}

const textOf = (context: JsonObject, name: string): string | undefined => {
  const value = context[name]
  return typeof value === 'string' ? value : undefined
}
