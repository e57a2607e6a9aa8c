/**
 * Building blocks of the kinds. Neither this file nor the kinds need Node, so that tests in a page can read the table.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../eras/wire.ts'

export type { Json, JsonObject } from '../eras/wire.ts'

/** The steps of a sign-in, in order. */
export const STEPS = [
  'challenge',
  'resource-metadata',
  'authorization-server',
  'server-metadata',
  'registration',
  'preparation',
  'authorization',
  'callback',
  'token',
  'use',
  'refresh',
  'revocation',
] as const

type Step = (typeof STEPS)[number]

export const ENDPOINTS = [
  'mcp',
  'resource-metadata',
  'server-metadata',
  'register',
  'authorize',
  'token',
  'revoke',
] as const

export type Endpoint = (typeof ENDPOINTS)[number]

/** The correct client's outcome by the rules of 2026-07-28. */
export interface Expect {
  /** `stopped`: with a verdict that names the step, and without any later request. */
  readonly outcome: 'authorized' | 'stopped'
  /** The last step that finished: the one that failed, or the one that succeeded. */
  readonly step: Step
  /** Why it stops: a row of the checklist, otherwise a section of an RFC. */
  readonly rule?: string
}

/**
 * What a client does to run into the fault; each starts with signing in and listing the tools.
 *
 * - `connect` nothing more
 * - `call`    call the tool `t`
 * - `refresh` POST `expire`, then call `t`; `refresh-twice` does that two times
 * - `revoke`  revoke the token
 * - `again`   clear only the tokens, then sign in once more
 */
type Drive = 'connect' | 'call' | 'refresh' | 'refresh-twice' | 'revoke' | 'again'

export interface Kind {
  /** What is wrong, in one sentence. */
  readonly says: string
  /**
   * The checklist rows that apply, or sections of RFCs if it has none. The first one decides; a client that stops may
   * name any of them.
   */
  readonly rules: readonly string[]
  readonly expect: Expect
  /** Other acceptable outcomes, and why. */
  readonly tolerated?: { readonly why: string; readonly ends: readonly Expect[] }
  /** Absent: `connect`. */
  readonly drive?: Drive
  /** More requests than this mean a loop. */
  readonly most?: Partial<Readonly<Record<Endpoint, number>>>
  /** Only a page without a relay is affected: elsewhere nothing is wrong, and the outcome is `authorized`. */
  readonly page?: true
  /** Some response never ends: the client needs a timeout of its own. */
  readonly slow?: true
  /** The second origin is part of the authorization server, by its own metadata: it may receive secrets. */
  readonly shares?: true

  // From here on: the implementation.

  /** At the root of its own origin, without a key. */
  readonly root?: true
  readonly places?: Places
  /** The `resource` that its metadata names and its authorization server accepts in addition to the endpoint's URL. */
  readonly resource?: (mcp: string) => string
  /** Endpoints without CORS, whose preflights get 404. */
  readonly hides?: readonly Endpoint[]
  /** The headers that preflights allow, by endpoint; `null`: they get 404 without a CORS header. */
  readonly preflight?: Partial<Readonly<Record<Endpoint, string | null>>>
  readonly on?: Partial<Readonly<Record<Endpoint, Hook>>>
}

/** Where the documents are, if not at `inserted` and `oauth`. */
export interface Places {
  /** `custom` is found only through the challenge; `none` doesn't exist. */
  readonly resourceMetadata?: 'inserted' | 'root' | 'custom' | 'none'
  /** The places where the document is; all others return 404. */
  readonly serverMetadata?: readonly ('oauth' | 'oidc-inserted' | 'oidc-appended')[]
}

export type Kinds = Readonly<Record<string, Kind>>

/** A world has two origins. Requests to `evil` are logged separately. */
export type Door = 'own' | 'evil'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** JSON; absent: no body. */
  readonly body?: Json
  /** Raw text in place of a JSON body. */
  readonly text?: string
}

/**
 * Responds at an endpoint.
 *
 * @param well produces a correct server's response; if it isn't called, it has no effects
 * @returns nothing if the hook sent the response itself, or never will
 */
export type Hook = (
  exchange: Exchange,
  well: () => Promise<Reply>,
) => Reply | undefined | void | Promise<Reply | undefined | void>

export interface Exchange {
  readonly world: World
  readonly door: Door
  readonly endpoint: Endpoint
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The place of a document, one of `Places`; otherwise empty. */
  readonly place: string
  readonly query: URLSearchParams
  readonly body: string
}

export interface Client {
  readonly id: string
  readonly redirectUris: readonly string[]
  readonly method: string
  readonly secret: string | undefined
  readonly refreshes: boolean
}

export interface Grant {
  readonly client: string
  readonly scope: string
  readonly redirectUri: string
  readonly challenge: string
  /** The tokens of one sign-in, which are revoked together. */
  readonly family: string
}

/** One request, in order of arrival; preflights are left out. */
export interface Logged {
  readonly at: Endpoint | 'elsewhere'
  readonly method: string
  /** With its query. */
  readonly path: string
  /** The relevant headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Its first 10,000 characters. */
  readonly body: string
}

/** Issued at `own`, it must not reach `evil`, a screen or a file. */
export interface Secret {
  readonly what: 'code' | 'access-token' | 'refresh-token' | 'client-secret' | 'registration-token' | 'verifier'
  readonly door: Door
  readonly value: string
}

/** The state of one `/<kind>[/<key>]`. */
export interface World {
  readonly kind: Kind
  /** Origin and path for each door, such as `http://127.0.0.1:40001` and `/good/my-test`. */
  readonly doors: Readonly<Record<Door, { readonly origin: string; readonly path: string }>>
  readonly clients: Map<string, Client>
  readonly codes: Map<string, Grant>
  readonly access: Map<string, Grant>
  readonly refresh: Map<string, Grant>
  /** Codes and refresh tokens that were used, with their family. */
  readonly used: Map<string, string>
  /** How often something happened, `expire` included. */
  readonly counts: Map<string, number>
  /** Values sent once and sent again later, by name. */
  readonly kept: Map<string, string>
  readonly logs: Readonly<Record<Door, Logged[]>>
  readonly secrets: Secret[]
}

/** All URLs of a world on one origin. */
export const addresses = ({ kind, doors }: World, door: Door = 'own') => {
  const { origin, path } = doors[door]
  const base = origin + path
  const as = kind.root && door === 'own' ? '' : `${path}/as`
  const issuer = origin + as
  const prm = {
    inserted: `${origin}/.well-known/oauth-protected-resource${path}/mcp`,
    root: `${origin}/.well-known/oauth-protected-resource`,
    custom: `${base}/prm`,
    none: `${base}/nowhere`,
  }[kind.places?.resourceMetadata ?? 'inserted']
  return {
    base,
    mcp: `${base}/mcp`,
    'resource-metadata': prm,
    issuer,
    'server-metadata': `${origin}/.well-known/oauth-authorization-server${as}`,
    register: `${base}/as/register`,
    authorize: `${base}/as/authorize`,
    token: `${base}/as/token`,
    revoke: `${base}/as/revoke`,
    /** The target of redirects: responds correctly, like the endpoint. */
    moved: (endpoint: Endpoint) => `${base}/moved/${endpoint}`,
  }
}

export const resourceOf = (world: World): string => world.kind.resource?.(addresses(world).mcp) ?? addresses(world).mcp

/** Increments a counter of the world and returns it, starting at 1. */
export const count = ({ counts }: World, what: string): number => {
  const now = (counts.get(what) ?? 0) + 1
  counts.set(what, now)
  return now
}

/** A client that exceeds this is out of control and must not fill the memory. */
const MOST_KEPT = 1000

/** Adds an entry, and removes the oldest if there are too many. */
export const keep = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  map.set(key, value)
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value ?? '')
}

export const push = <Item>(list: Item[], item: Item): void => {
  if (list.length < MOST_KEPT) list.push(item)
}

// ---- Helpers for defining kinds.

type Hooks = Omit<Kind, 'says' | 'rules' | 'expect'> & { readonly step?: Step }

/** A kind at which a correct client stops. The first rule is the reason. */
export const stops = (says: string, step: Step, rules: readonly string[], rest: Hooks = {}): Kind => ({
  says,
  rules,
  expect: { outcome: 'stopped', step, ...(rules[0] === undefined ? {} : { rule: rules[0] }) },
  ...rest,
})

/** A kind with which a correct client succeeds. */
export const works = (says: string, rules: readonly string[], { step = 'use', ...rest }: Hooks = {}): Kind => ({
  says,
  rules,
  expect: { outcome: 'authorized', step },
  ...rest,
})

/** For a kind with which a correct client succeeds: stopping is acceptable as well. */
export const orStops = (why: string, ...steps: Step[]): Pick<Kind, 'tolerated'> => ({
  tolerated: { why, ends: steps.map((step) => ({ outcome: 'stopped', step })) },
})

/** For a kind at which a correct client stops: succeeding is acceptable as well. */
export const orWorks = (why: string, step: Step = 'use'): Pick<Kind, 'tolerated'> => ({
  tolerated: { why, ends: [{ outcome: 'authorized', step }] },
})

/** For a kind without resource metadata: a client may look for an older server first. */
export const asOlder: Pick<Kind, 'tolerated'> = {
  tolerated: {
    why: 'It may be its own authorization server, as those of 2025-03-26 are (AU-0326-01, AU-0326-02)',
    ends: [
      { outcome: 'stopped', step: 'server-metadata' },
      { outcome: 'stopped', step: 'registration' },
    ],
  },
}

/** For broken connections. A page can't tell them from missing CORS headers. */
export const UNREACHED: readonly string[] = ['BR-06', 'BR-01']

/** Changes the JSON of a successful response. */
export const body =
  (change: (well: JsonObject, exchange: Exchange) => Json): Hook =>
  async (exchange, well) => {
    const reply = await well()
    return reply.status < 300 ? { ...reply, body: change(reply.body as JsonObject, exchange) } : reply
  }

/** Adds members to the JSON of a successful response; `undefined` removes one. */
export const members = (
  change:
    | { readonly [name: string]: Json | undefined }
    | ((exchange: Exchange) => { readonly [name: string]: Json | undefined }),
): Hook =>
  body((well, exchange) => {
    const changes = typeof change === 'function' ? change(exchange) : change
    return Object.fromEntries(
      Object.entries({ ...well, ...changes }).filter(([, value]) => value !== undefined),
    ) as Json
  })

/** Changes the redirect parameters. */
export const callback =
  (change: (parameters: URLSearchParams, exchange: Exchange) => void): Hook =>
  async (exchange, well) => {
    const reply = await well()
    const location = reply.headers?.['Location']
    if (typeof location !== 'string') return reply
    const url = new URL(location)
    change(url.searchParams, exchange)
    return { ...reply, headers: { ...reply.headers, Location: url.href } }
  }

/** Applies the changes in order; the first must reply. */
export const chain =
  (first: Hook, second: Hook): Hook =>
  (exchange, well) =>
    second(exchange, async () => {
      const reply = await first(exchange, well)
      if (!reply) throw new Error('The first of a chain must reply')
      return reply
    })

/** Replaces the challenge; `null` removes it. */
export const challenge =
  (header: (exchange: Exchange) => string | string[] | null): Hook =>
  async (exchange, well) => {
    const reply = await well()
    if (reply.status !== 401) return reply
    const value = header(exchange)
    return { ...reply, headers: value === null ? {} : { 'WWW-Authenticate': value } }
  }

export const bearer = ({ request }: Exchange): string | undefined =>
  /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]

/** The method of a message at the MCP endpoint. */
const methodOf = ({ body }: Exchange): string | undefined => {
  try {
    return (JSON.parse(body) as { method?: string } | null)?.method
  } catch {
    return undefined
  }
}

/** For requests with a token; the endpoint handles all others correctly. */
export const withToken =
  (hook: Hook): Hook =>
  (exchange, well) =>
    bearer(exchange) === undefined ? well() : hook(exchange, well)

/** For one MCP method with a token. */
export const onCall = (hook: Hook): Hook =>
  withToken((exchange, well) => (methodOf(exchange) === 'tools/call' ? hook(exchange, well) : well()))

/** For one grant type at the token endpoint. */
export const onGrant =
  (grant: 'authorization_code' | 'refresh_token', hook: Hook): Hook =>
  (exchange, well) =>
    new URLSearchParams(exchange.body).get('grant_type') === grant ? hook(exchange, well) : well()
