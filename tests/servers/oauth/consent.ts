/**
 * The user in the tests: signs in and answers the consent prompt by submitting the forms of these authorization
 * servers.
 *
 *     const back = await signInHeadlessly(authorizationUrl)
 *     back.searchParams.get('code')
 */
import { control } from '../control.ts'

export interface Choice {
  /** The user who signs in; `names.ts` has two. */
  readonly user?: string
  /** Default: `allow`. */
  readonly answer?: 'allow' | 'deny'
  /** Leaves the other scopes unchecked. */
  readonly only?: readonly string[]
  /** Cookies by name, reused for the next sign-in, so that the user is still signed in. */
  readonly cookies?: Map<string, string>
}

/** Two forms, with a redirect before and after each. */
const MOST_STEPS = 12

/**
 * A page can neither read redirects nor store other sites' cookies, so there the authorization server submits its own
 * forms, and `cookies` isn't supported.
 *
 * @param authorizationUrl with all parameters, including `redirect_uri`
 * @returns the URL the user is redirected to, with the code or the error
 * @throws {Error} with the page's text if the authorization server doesn't redirect the user
 */
export const signInHeadlessly = async (authorizationUrl: string | URL, choice: Choice = {}): Promise<URL> => {
  const url = new URL(authorizationUrl)
  if (!('document' in globalThis)) return follow(url, choice)
  const { user, answer, only } = choice
  return new URL(await control<string>(url.origin, 'sign-in', { url: url.href, user, answer, only }))
}

const follow = async (
  start: URL,
  { user, answer = 'allow', only, cookies = new Map<string, string>() }: Choice,
): Promise<URL> => {
  const redirectUri = start.searchParams.get('redirect_uri')
  if (redirectUri === null) throw new Error(`${start.href} has no redirect_uri`)
  let url = start
  let body: URLSearchParams | undefined
  for (let step = 0; step < MOST_STEPS; step++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { Accept: 'text/html', ...(cookie === '' ? {} : { Cookie: cookie }) },
      ...(body ? { method: 'POST', body } : {}),
    })
    for (const line of response.headers.getSetCookie()) keep(line, cookies)
    const location = response.headers.get('location')
    if (location !== null) {
      await response.body?.cancel()
      url = new URL(location, url)
      body = undefined
      if (url.href.split(/[?#]/)[0] === redirectUri) return url
      continue
    }
    const html = await response.text()
    if (!html.includes('<form')) throw new Error(`${response.status} from ${url.href}: ${plain(html)}`)
    body = fill(html, { user, answer, only })
  }
  throw new Error(`Not back at ${redirectUri} after ${MOST_STEPS} steps, but at ${url.href}`)
}

/** Cookie paths can be ignored, because the names differ per issuer. */
const keep = (line: string, cookies: Map<string, string>): void => {
  const [pair = ''] = line.split(';')
  const at = pair.indexOf('=')
  const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  if (value === '' || /expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

const fill = (html: string, { user, answer, only }: Pick<Choice, 'user' | 'answer' | 'only'>): URLSearchParams => {
  const form = new URLSearchParams()
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(input)?.[1]
    const [name, value] = [attribute('name') ?? '', attribute('value') ?? '']
    if (name === 'user') form.append(name, user ?? value)
    else if (name !== 'scope' || (only ?? [value]).includes(value)) form.append(name, value)
  }
  if (html.includes('name="answer"')) form.set('answer', answer ?? 'allow')
  return form
}

const plain = (html: string): string =>
  html
    .replace(/<style>[\s\S]*?<\/style>|<title>[\s\S]*?<\/title>|<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
