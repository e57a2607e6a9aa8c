/** What the kinds are made of. Nothing here or in the kinds needs Node, so that tests in a page can read the table. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../eras/wire.ts'

export type { Json, JsonObject } from '../eras/wire.ts'

/** The steps of a sign-in, in their order. */
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

/** What a good client ends with, by the rules of 2026-07-28. */
export interface Expect {
  /** `stopped`: with a verdict that names the step, and nothing after it was sent. */
  readonly outcome: 'authorized' | 'stopped'
  /** The last one that came to an end: where it stopped, or what succeeded. */
  readonly step: Step
  /** By which it stops: a row of the checklist, else a section of an RFC. */
  readonly rule?: string
}

/**
 * What a client does to meet the fault; each begins with signing in and listing the tools.
 *
 * - `connect` nothing more
 * - `call`    call the tool `t`
 * - `refresh` POST `expire`, then call `t`; `refresh-twice` does that two times
 * - `revoke`  revoke the token
 * - `again`   forget the tokens and nothing else, then sign in once more
 */
type Drive = 'connect' | 'call' | 'refresh' | 'refresh-twice' | 'revoke' | 'again'

export interface Kind {
  /** What is wrong, in a sentence. */
  readonly says: string
  /**
   * Rows of the checklist that matter here, and sections of RFCs where it is silent. The first one decides; a client that
   * stops may name any of them.
   */
  readonly rules: readonly string[]
  readonly expect: Expect
  /** Other ends that are right as well, and why. */
  readonly tolerated?: { readonly why: string; readonly ends: readonly Expect[] }
  /** Absent: `connect`. */
  readonly drive?: Drive
  /** More requests than this, and it goes in circles. */
  readonly most?: Partial<Readonly<Record<Endpoint, number>>>
  /** Only a page meets it, one that asks by itself: elsewhere and through a relay nothing is wrong, and it is `authorized`. */
  readonly page?: true
  /** Some answer never comes to an end: a client has to give up by its own clock. */
  readonly slow?: true
  /** The second origin is a part of the authorization server, by its own metadata: secrets may go there. */
  readonly shares?: true

  // From here on: how it is done.

  /** At the root of an origin of its own, without a key. */
  readonly root?: true
  readonly places?: Places
  /** The `resource` that its metadata names and its authorization server takes beside the address of the endpoint. */
  readonly resource?: (mcp: string) => string
  /** Endpoints without CORS, whose preflights get 404. */
  readonly hides?: readonly Endpoint[]
  /** The headers that preflights allow, by endpoint; `null`: they get 404 without a CORS header. */
  readonly preflight?: Partial<Readonly<Record<Endpoint, string | null>>>
  readonly on?: Partial<Readonly<Record<Endpoint, Hook>>>
}

/** Where the documents are, when not at `inserted` and `oauth`. */
export interface Places {
  /** `custom` is known by the challenge alone; `none` is nowhere. */
  readonly resourceMetadata?: 'inserted' | 'root' | 'custom' | 'none'
  /** The first of them that is asked for first; all others are 404. */
  readonly serverMetadata?: readonly ('oauth' | 'oidc-inserted' | 'oidc-appended')[]
}

export type Kinds = Readonly<Record<string, Kind>>

/** A world is reached by two origins. What comes to `evil` is written down apart. */
export type Door = 'own' | 'evil'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** JSON; absent: no body. */
  readonly body?: Json
  /** In place of a body: anything. */
  readonly text?: string
}

/**
 * Answers at an endpoint.
 *
 * @param well what a server with which nothing is wrong replies; not called, nothing of it happens
 * @returns nothing when it answered by itself, or never will
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
  /** What the path says after its first origin, such as the place of a document. */
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
  /** Tokens of one sign-in, which end together. */
  readonly family: string
}

/** One request, in order of arrival; preflights are left out. */
export interface Logged {
  readonly at: Endpoint | 'elsewhere'
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Those that may matter, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Its first 10,000 characters. */
  readonly body: string
}

/** What must not get to `evil` when it was given at `own`, and to no screen and no file. */
export interface Secret {
  readonly what: 'code' | 'access-token' | 'refresh-token' | 'client-secret' | 'registration-token' | 'verifier'
  readonly door: Door
  readonly value: string
}

/** What one `/<kind>[/<key>]` remembers. */
export interface World {
  readonly kind: Kind
  /** Origin and path of both doors, such as `http://127.0.0.1:40001` and `/good/my-test`. */
  readonly doors: Readonly<Record<Door, { readonly origin: string; readonly path: string }>>
  readonly clients: Map<string, Client>
  readonly codes: Map<string, Grant>
  readonly access: Map<string, Grant>
  readonly refresh: Map<string, Grant>
  /** Codes and refresh tokens that were used, with their family. */
  readonly used: Map<string, string>
  /** How often something happened; `expire` is one of them. */
  readonly counts: Map<string, number>
  /** What was said once and comes again, by name. */
  readonly kept: Map<string, string>
  readonly logs: Readonly<Record<Door, Logged[]>>
  readonly secrets: Secret[]
}

/** All addresses of a world, as seen through one door. */
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
    /** Answers well what an endpoint would: where redirects lead. */
    moved: (endpoint: Endpoint) => `${base}/moved/${endpoint}`,
  }
}

export const resourceOf = (world: World): string => world.kind.resource?.(addresses(world).mcp) ?? addresses(world).mcp

/** Raises a count of the world, and returns it: 1 at first. */
export const count = ({ counts }: World, what: string): number => {
  const now = (counts.get(what) ?? 0) + 1
  counts.set(what, now)
  return now
}

/** Beyond this a client has gone mad, and must not fill the memory. */
const MOST_KEPT = 1000

/** Puts, and lets go of the oldest when there are too many. */
export const keep = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  map.set(key, value)
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value ?? '')
}

export const push = <Item>(list: Item[], item: Item): void => {
  if (list.length < MOST_KEPT) list.push(item)
}

// ---- How kinds are written.

type Hooks = Omit<Kind, 'says' | 'rules' | 'expect'> & { readonly step?: Step }

/** A kind at which a good client stops. The first rule is the one by which it does. */
export const stops = (says: string, step: Step, rules: readonly string[], rest: Hooks = {}): Kind => ({
  says,
  rules,
  expect: { outcome: 'stopped', step, ...(rules[0] === undefined ? {} : { rule: rules[0] }) },
  ...rest,
})

/** A kind with which a good client succeeds. */
export const works = (says: string, rules: readonly string[], { step = 'use', ...rest }: Hooks = {}): Kind => ({
  says,
  rules,
  expect: { outcome: 'authorized', step },
  ...rest,
})

/** To a kind with which a good client succeeds: it may as well stop. */
export const orStops = (why: string, ...steps: Step[]): Pick<Kind, 'tolerated'> => ({
  tolerated: { why, ends: steps.map((step) => ({ outcome: 'stopped', step })) },
})

/** To a kind at which a good client stops: it may as well succeed. */
export const orWorks = (why: string, step: Step = 'use'): Pick<Kind, 'tolerated'> => ({
  tolerated: { why, ends: [{ outcome: 'authorized', step }] },
})

/** To a kind without resource metadata: a client may look for an older server first. */
export const asOlder: Pick<Kind, 'tolerated'> = {
  tolerated: {
    why: 'It may be its own authorization server, as those of 2025-03-26 are (AU-0326-01, AU-0326-02)',
    ends: [
      { outcome: 'stopped', step: 'server-metadata' },
      { outcome: 'stopped', step: 'registration' },
    ],
  },
}

/** Where a connection breaks. A page cannot tell it from a lack of CORS. */
export const UNREACHED: readonly string[] = ['BR-06', 'BR-01']

/** Changes what is well: the JSON of a success. */
export const body =
  (change: (well: JsonObject, exchange: Exchange) => Json): Hook =>
  async (exchange, well) => {
    const reply = await well()
    return reply.status < 300 ? { ...reply, body: change(reply.body as JsonObject, exchange) } : reply
  }

/** Adds members to the JSON of a success; `undefined` takes one away. */
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

/** Changes the parameters that lead back to the client. */
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

/** One change after the other; the first must reply. */
export const chain =
  (first: Hook, second: Hook): Hook =>
  (exchange, well) =>
    second(exchange, async () => {
      const reply = await first(exchange, well)
      if (!reply) throw new Error('The first of a chain must reply')
      return reply
    })

/** Another challenge; `null` is none. */
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

/** For requests that bear a token; to all others the endpoint is well. */
export const withToken =
  (hook: Hook): Hook =>
  (exchange, well) =>
    bearer(exchange) === undefined ? well() : hook(exchange, well)

/** For one method of MCP with a token. */
export const onCall = (hook: Hook): Hook =>
  withToken((exchange, well) => (methodOf(exchange) === 'tools/call' ? hook(exchange, well) : well()))

/** For one grant at the token endpoint. */
export const onGrant =
  (grant: 'authorization_code' | 'refresh_token', hook: Hook): Hook =>
  (exchange, well) =>
    new URLSearchParams(exchange.body).get('grant_type') === grant ? hook(exchange, well) : well()
