/**
 * Sessions with planted secrets: each is identified by its name or form somewhere, and appears elsewhere in other
 * encodings.
 */
import type { Frame, Json } from '../../web/mcp/index.ts'
import { headOf } from '../../web/session-file/write.ts'
import type { SessionHead } from '../../web/session-file/file.ts'
import { Frames } from './frames.ts'
import { ALPHANUMERIC, chance, DIGITS, HEX, LETTERS, type Chance } from './random.ts'

export interface Planted {
  readonly head: SessionHead
  readonly frames: readonly Frame[]
  readonly secrets: readonly string[]
  /** Where each secret was put, to report when it leaks. */
  readonly places: ReadonlyMap<string, readonly string[]>
}

const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
const base64url = (text: string): string => base64(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
const jwtOf = (claims: Json, random: Chance): string =>
  `${base64url('{"alg":"RS256","typ":"JWT"}')}.${base64url(JSON.stringify(claims))}.${random.text(ALPHANUMERIC, 43)}`

const VALUES: readonly ((random: Chance) => string)[] = [
  (random) => random.text(ALPHANUMERIC, 24 + random.int(30)),
  (random) => random.text(`${ALPHANUMERIC}!#$%&*+-./:=?@_~^`, 12 + random.int(20)),
  (random) => random.text(HEX, 32),
  (random) => `${random.text(LETTERS, 5)}-${random.text(LETTERS, 6)}-${random.text(DIGITS, 4)}`,
  (random) =>
    `p${random.text(LETTERS, 4)}"${random.text(DIGITS, 3)}\\${random.text(LETTERS, 4)}/é${random.text(DIGITS, 2)}`,
  (random) => `${random.text(LETTERS, 6)} ${random.text(LETTERS, 5)} ${random.text(LETTERS, 7)}${random.int(100)}`,
  (random) => `${random.text(LETTERS, 5)}+/${random.text(ALPHANUMERIC, 20)}==`,
]

const FORMS: readonly ((random: Chance) => string)[] = [
  (random) => `ghp_${random.text(ALPHANUMERIC, 36)}`,
  (random) => `github_pat_${random.text(ALPHANUMERIC, 60)}`,
  (random) => `sk-proj-${random.text(ALPHANUMERIC, 48)}`,
  (random) => `sk-ant-api03-${random.text(ALPHANUMERIC, 90)}`,
  (random) => `AKIA${random.text(`${LETTERS.toUpperCase()}${DIGITS}`, 16)}`,
  (random) => `xoxb-${random.text(DIGITS, 11)}-${random.text(ALPHANUMERIC, 24)}`,
  (random) => `AIza${random.text(ALPHANUMERIC, 35)}`,
  (random) => `sk_live_${random.text(ALPHANUMERIC, 24)}`,
  (random) => `npm_${random.text(ALPHANUMERIC, 36)}`,
  (random) => `glpat-${random.text(ALPHANUMERIC, 20)}`,
  (random) => jwtOf({ sub: random.text(DIGITS, 8), iat: 1_760_000_000 }, random),
]

interface Spot {
  readonly what: string
  readonly put: (frames: Frames, secret: string, random: Chance) => void
}

const toolText = (what: string, write: (secret: string, random: Chance) => string): Spot => ({
  what,
  put: (frames, secret, random) =>
    void frames.call(frames.all.length, { name: 'run' }, frames.say(write(secret, random))),
})

/** Spots where a name or neighbouring value identifies the secret. */
const NAMED: readonly Spot[] = [
  {
    what: 'argument',
    put: (frames, secret) =>
      void frames.call(1, { name: 'sign', arguments: { user: 'ada', password: secret } }, frames.say('ok')),
  },
  {
    what: 'header',
    put: (frames, secret) => void frames.call(2, { name: 'x' }, {}, undefined, [['X-Api-Key', secret]]),
  },
  {
    what: 'address',
    put: (frames, secret) =>
      void frames.call(3, { name: 'x' }, {}, `http://127.0.0.1/mcp?tenant=7&api_key=${encodeURIComponent(secret)}&v=2`),
  },
  {
    what: 'userinfo',
    put: (frames, secret) =>
      void frames.call(4, { name: 'x' }, frames.say(`see postgres://app:${encodeURIComponent(secret)}@db.example/app`)),
  },
  {
    what: 'fragment',
    put: (frames, secret) =>
      void frames.call(
        4,
        { name: 'x' },
        frames.say(`http://127.0.0.1/cb#access_token=${encodeURIComponent(secret)}&state=x`),
      ),
  },
  {
    what: 'argument of a process',
    put: (frames, secret) =>
      void frames.add({
        kind: 'process',
        event: 'spawn',
        command: 'npx',
        args: ['-y', 'server', '--api-key', secret],
        env: ['PATH'],
      }),
  },
  {
    what: 'environment on stderr',
    put: (frames, secret) =>
      void frames.add({ kind: 'process', event: 'stderr', text: `+ export DB_PASSWORD=${JSON.stringify(secret)}` }),
  },
  {
    what: 'noise on stdout',
    put: (frames, secret) =>
      void frames.add({
        kind: 'process',
        event: 'stdout-noise',
        text: `config: {"clientSecret": ${JSON.stringify(secret)}, "port": 1}`,
      }),
  },
  {
    what: 'form',
    put: (frames, secret) =>
      void frames.add({
        kind: 'http',
        phase: 'request',
        method: 'POST',
        url: 'https://as.example/token',
        headers: [],
        size: 9,
        purpose: 'authorization',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: secret, scope: 'a b' }).toString(),
      }),
  },
  {
    what: 'step of a sign-in',
    put: (frames, secret) => {
      const begun = frames.add({ kind: 'auth', flow: 'f1', event: 'step', step: 'token' })
      frames.add({
        kind: 'auth',
        flow: 'f1',
        event: 'done',
        step: 'token',
        begun,
        outcome: 'ok',
        checks: [],
        learned: { tokens: { access_token: secret, token_type: 'Bearer', expires_in: 3600 } },
      })
    },
  },
  {
    what: 'fault of a sign-in',
    put: (frames, secret) =>
      void frames.add({
        kind: 'auth',
        flow: 'f1',
        event: 'end',
        outcome: 'failed',
        fault: { code: 'x', explanation: 'no', facts: { body: JSON.stringify({ client_secret: secret }) } },
      }),
  },
  {
    what: 'details of a session',
    put: (frames, secret) =>
      void frames.add({
        kind: 'session',
        phase: 'failed',
        code: 'x',
        explanation: 'refused',
        details: { sent: { headers: { authorization: `Bearer ${secret}` } } },
      }),
  },
  {
    what: 'pair of name and value',
    put: (frames, secret) =>
      void frames.call(
        5,
        { name: 'env' },
        { structuredContent: { variables: [{ name: 'OPENAI_API_KEY', value: secret }] } },
      ),
  },
  {
    what: 'event of a stream',
    put: (frames, secret) => {
      const request = frames.add({
        kind: 'http',
        phase: 'request',
        method: 'GET',
        url: 'http://127.0.0.1/mcp',
        headers: [],
        size: 0,
        purpose: 'listen',
      })
      frames.add({
        kind: 'stream',
        event: 'data',
        request,
        name: 'ready',
        data: JSON.stringify({ session: { auth_token: secret } }),
        size: 9,
      })
    },
  },
  {
    what: 'text of no message',
    put: (frames, secret) =>
      void frames.add({
        kind: 'message',
        direction: 'received',
        type: 'invalid',
        raw: `{"password": ${JSON.stringify(secret)}, oops`,
        size: 9,
      }),
  },
  toolText('JSON in a text', (secret) => JSON.stringify({ user: 'ada', credentials: { value: secret } })),
  toolText('JSON in JSON in JSON', (secret) =>
    JSON.stringify({ body: JSON.stringify({ inner: JSON.stringify({ secret_key: secret }) }) }),
  ),
  toolText('base64 of JSON', (secret) => `blob ${base64(JSON.stringify({ password: secret, at: 'home' }))} end`),
  toolText('base64url of JSON', (secret) => base64url(JSON.stringify({ user: 'x', token: secret }))),
  toolText('base64 of base64 of JSON', (secret) => base64(base64(JSON.stringify({ api_key: secret })))),
  toolText('claim of a JWT', (secret, random) => `got ${jwtOf({ sub: 'x', password: secret }, random)}`),
  toolText('Basic', (secret) => `Authorization: Basic ${base64(`client:${secret}`)}`),
  toolText(
    'JSON in an address',
    (secret) => `GET /x?filter=${encodeURIComponent(JSON.stringify({ password: secret, n: 1 }))}`,
  ),
  toolText(
    'JSON within words, escaped',
    (secret) => `sent ${JSON.stringify(JSON.stringify({ password: secret }))} to it`,
  ),
  toolText('TOML', (secret) => `[db]\nhost = "x"\npassword = ${JSON.stringify(secret)}\n`),
]

/** Spots without any hint: only the value is the same. */
const ECHOES: readonly Spot[] = [
  toolText('bare', (secret) => `I used ${secret} for it.`),
  toolText('percent', (secret) => `http://127.0.0.1/find?q=${encodeURIComponent(secret)}`),
  toolText('percent twice', (secret) => `/find?q=${encodeURIComponent(encodeURIComponent(secret))}`),
  toolText('base64', (secret) => `data ${base64(secret)}.`),
  toolText('base64url among others', (secret) => `id=${base64url(`a:${secret}:z`)}`),
  toolText('base64 twice', (secret) => base64(base64(`x ${secret}`))),
  toolText('base64 behind a path', (secret) => `/blobs/${base64(`${secret}`)}/raw`),
  toolText('JSON in JSON', (secret) => JSON.stringify({ a: JSON.stringify([secret, { b: JSON.stringify(secret) }]) })),
  toolText('base64 of percent of JSON', (secret) => base64(encodeURIComponent(JSON.stringify({ echo: secret })))),
  toolText(
    'HTML',
    (secret) => `<p>${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}</p>`,
  ),
  {
    what: 'key of a member',
    put: (frames, secret) => void frames.call(6, { name: 'x' }, { structuredContent: { [secret]: 1 } }),
  },
  {
    what: 'error',
    put: (frames, secret) =>
      void frames.message('received', {
        jsonrpc: '2.0',
        id: 7,
        error: { code: -32000, message: `bad credentials ${secret}` },
      }),
  },
  {
    what: 'stderr',
    put: (frames, secret) => void frames.add({ kind: 'process', event: 'stderr', text: `debug ${secret}` }),
  },
  {
    what: 'exit',
    put: (frames, secret) =>
      void frames.add({ kind: 'process', event: 'exit', code: 1, signal: null, stderr: ['x', `with ${secret}`] }),
  },
  {
    what: 'failure',
    put: (frames, secret) => void frames.add({ kind: 'session', phase: 'closed', why: `refused ${secret}` }),
  },
  {
    what: 'exact text',
    put: (frames, secret) => {
      const message = { jsonrpc: '2.0', id: 8, result: { n: 1, echo: secret } }
      const raw = `{ "jsonrpc":"2.0", "id":8, "result":{"n":1.0, "echo":${JSON.stringify(secret)}} }`
      frames.add({ kind: 'message', direction: 'received', type: 'result', message, raw, size: raw.length })
    },
  },
]

export const plantedSession = (seed: number): Planted => {
  const random = chance(seed)
  const frames = new Frames()
  const places = new Map<string, string[]>()
  const put = (spot: Spot, secret: string): void => {
    spot.put(frames, secret, random)
    places.set(secret, [...(places.get(secret) ?? []), spot.what])
  }
  const made: string[] = []
  for (let count = 2 + random.int(3); count > 0; count--) {
    const formed = random.next() < 0.3
    const secret = formed ? random.pick(FORMS)(random) : random.pick(VALUES)(random)
    made.push(secret)
    // Echoes may come before the spot that identifies them.
    if (random.next() < 0.5) put(random.pick(ECHOES), secret)
    if (formed)
      put(
        toolText('by its form', (value) => `here: ${value} .`),
        secret,
      )
    else put(NAMED[(seed + count * 7) % NAMED.length]!, secret)
    for (let echoes = 1 + random.int(4); echoes > 0; echoes--) put(random.pick(ECHOES), secret)
  }
  const first = made[0]!
  const head = headOf({
    begunAt: '2026-01-01T00:00:00.000Z',
    tool: { name: 'mcp-periscope', version: '0' },
    servers: [
      {
        link: 's1',
        name: random.next() < 0.3 ? `with ${first}` : 'one',
        target: { kind: 'command', command: 'npx', args: ['server', `--key=${first}`], env: ['KEY'] },
      },
    ],
    notes: `It was called with ${first}`,
    bookmarks: [{ seq: 0, text: `look: ${first}` }],
  })
  return { head, frames: frames.all, secrets: made, places }
}
