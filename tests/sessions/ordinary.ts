/**
 * Traffic without secrets, but with much that looks like one: ids, hashes, cursors, images, schemas, programs, prose.
 */
import type { Frame, Json, JsonObject } from '../../web/mcp/index.ts'
import { Frames } from './frames.ts'
import { ALPHANUMERIC, chance, DIGITS, HEX, LETTERS, type Chance } from './random.ts'

const uuid = (random: Chance): string => [8, 4, 4, 4, 12].map((length) => random.text(HEX, length)).join('-')
const picture = (random: Chance): string =>
  `iVBORw0KGgoAAAANSUhEUgAA${random.text(`${ALPHANUMERIC}+/`, 400 + random.int(2000))}`

const text = { type: 'string' }

const TOOL: JsonObject = {
  name: 'log-in',
  description:
    'Signs in. password: the password of the user; token: string, a token of the API (see GITHUB_TOKEN). Use `Authorization: Bearer <token>`.',
  inputSchema: {
    type: 'object',
    properties: {
      username: text,
      password: { type: 'string', format: 'password', minLength: 8, description: 'At least 8 characters' },
      token: { type: 'string', description: 'Token, as in `token: string`' },
      api_key: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      secret: {},
      credentials: { $ref: '#/$defs/credentials' },
      authorization: true,
    },
    required: ['username', 'password', 'token', 'secret'],
    $defs: {
      credentials: { type: 'object', properties: { client_secret: text, private_key: text } },
      password: { type: 'string' },
    },
  },
  outputSchema: { type: 'object', properties: { access_token: text, cookie: { type: 'array', items: text } } },
}

const OAUTH_METADATA: JsonObject = {
  issuer: 'https://as.example',
  token_endpoint: 'https://as.example/token',
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  authorization_endpoint: 'https://as.example/authorize',
  introspection_endpoint: 'https://as.example/token/introspect',
  grant_types_supported: ['authorization_code', 'refresh_token', 'password'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['openid', 'secret:read', 'tokens'],
  id_token_signing_alg_values_supported: ['RS256'],
  client_secret_expires_at: 0,
  token_type: 'Bearer',
}

const PROGRAM = `
import { getToken } from './auth.ts'
interface Options { password: string; token?: string; apiKey: string | undefined }
const token = await getToken(options.password)
const secret = process.env.API_SECRET
if (token === undefined || password == null) throw new Error('password: required')
headers.set('Authorization', \`Bearer \${token}\`)
const tokens = tokenizer.encode(text); const key = map.get(id)
export const parse = (token: Token): Node => new Node(token.kind, token.text)
def login(user, password=None, token=token): return auth(password=password, api_key=config.api_key)
for (let i = 0; i < tokens.length; i++) { secretKey = keys[i]; cookie: cookies }
`

const PROSE = `# Signing in
Set \`GITHUB_TOKEN=<your token>\` or \`API_KEY=YOUR_API_KEY\` in .env; run \`server --token $TOKEN --password "\${PASSWORD}"\`.
The password: at least eight characters. Token: opaque text. A secret is a word that only two know.
Basic authentication and Bearer authentication are two schemes; curl -H "Authorization: Bearer {{token}}" https://example.com/a?page_token=2
Cookie: none. The session cookie expires. key=value pairs; author: Ada Lovelace; keyboard: QWERTY; api: v2
`

const LOG = (random: Chance): string =>
  `2026-01-01T00:00:00.${random.int(1000)}Z INFO request=${uuid(random)} user_id=${random.int(1e6)} tokens=1532 max_tokens: 4096 took=${random.int(900)}ms sha256:${random.text(HEX, 64)} commit ${random.text(HEX, 40)}`

const ANSWERS: readonly ((random: Chance) => JsonObject)[] = [
  (random) => ({
    structuredContent: {
      id: uuid(random),
      sha256: random.text(HEX, 64),
      etag: `W/"${random.text(HEX, 20)}"`,
      cursor: random.text(ALPHANUMERIC, 40),
    },
  }),
  (random) => ({
    content: [{ type: 'image', mimeType: 'image/png', data: picture(random) }],
    _meta: { progressToken: random.int(99) },
  }),
  (random) => ({ tools: [TOOL], nextCursor: btoa(JSON.stringify({ after: uuid(random), page: random.int(9) })) }),
  () => ({ content: [{ type: 'text', text: PROGRAM }] }),
  () => ({ content: [{ type: 'text', text: PROSE }] }),
  (random) => ({ content: [{ type: 'text', text: Array.from({ length: 9 }, () => LOG(random)).join('\n') }] }),
  () => ({
    structuredContent: OAUTH_METADATA,
    content: [{ type: 'text', text: JSON.stringify(OAUTH_METADATA, null, 2) }],
  }),
  (random) => ({
    usage: { input_tokens: random.int(9999), output_tokens: 12, total_tokens: 5, max_tokens: 4096, token_count: 3 },
    stopReason: 'max_tokens',
  }),
  (random) => ({
    structuredContent: {
      tokens: ['Hello', ' world'],
      logprobs: [{ token: 'Hello', logprob: -0.1, bytes: [72] }],
      seed: random.int(1e9),
    },
  }),
  (random) => ({
    structuredContent: {
      dependencies: {
        lodash: {
          version: '4.17.21',
          resolved: 'https://example.com/lodash-4.17.21.tgz',
          integrity: `sha512-${random.text(`${ALPHANUMERIC}+/`, 86)}==`,
        },
      },
    },
  }),
  (random) => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: `file:///a/${random.text(LETTERS, 9)}.txt`,
          mimeType: 'text/plain',
          blob: btoa(`Plain words of a file. ${random.text(DIGITS, 8)} `.repeat(9)),
        },
      },
    ],
  }),
  (random) => ({
    structuredContent: {
      rows: Array.from({ length: 20 }, (_, at) => ({
        id: at,
        code: random.pick(['US', 'DE', 'invalid_type']),
        key: `row-${at}`,
        status: 'ok',
        author: 'Ada',
        nextPageToken: random.text(ALPHANUMERIC, 24),
      })),
    },
  }),
  (random) => ({
    content: [
      {
        type: 'text',
        text: JSON.stringify({
          labels: { password: 'Password', token: 'Token', secret: '', api_key: null, forgot: 'Forgot your password?' },
          n: random.int(9),
        }),
      },
    ],
  }),
  (random) => ({
    structuredContent: {
      url: `https://example.com/a?code=US&sort=key&key=name&session=3&v=${random.int(9)}#token-types`,
      time: '12:30:15',
      ratio: 'a:b',
      mail: 'user@example.com',
    },
  }),
  (random) => ({
    requestedSchema: {
      type: 'object',
      properties: { password: { type: 'string', title: 'Password' }, pin: { type: 'integer' } },
    },
    message: 'Your password, please',
    taskId: uuid(random),
  }),
  (random) => ({
    content: [
      {
        type: 'text',
        text: `SSH256 fingerprint SHA256:${random.text(ALPHANUMERIC, 43)} traceparent 00-${random.text(HEX, 32)}-${random.text(HEX, 16)}-01 git@github.com:a/b.git docker://a:latest@sha256:${random.text(HEX, 64)}`,
      },
    ],
  }),
]

/** @param real a recording to put first */
export const ordinarySession = (seed: number, real: readonly Frame[] = []): readonly Frame[] => {
  const random = chance(seed)
  const frames = new Frames()
  frames.all.push(...real)
  for (let id = 1; id <= 6; id++) {
    const params: JsonObject = {
      name: random.pick(['search', 'read', 'log-in']),
      arguments: { query: random.text(LETTERS, 8), cursor: random.text(ALPHANUMERIC, 30), limit: random.int(100) },
      _meta: { progressToken: uuid(random) },
    }
    frames.call(id, params, random.pick(ANSWERS)(random), `http://127.0.0.1:3000/mcp/${uuid(random)}?v=2`, [
      ['content-type', 'application/json'],
      ['mcp-session-id', `${random.text(HEX, 8)}… (36 characters)`],
      ['authorization', 'Bearer •••• (40 characters)'],
      ['x-request-id', uuid(random)],
    ])
  }
  frames.add({ kind: 'process', event: 'stderr', text: LOG(random) })
  return frames.all
}

/** Number of strings and numbers in it, not counting member names. */
export const valuesIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1
  let count = 0
  for (const one of Object.values(value as { readonly [key: string]: Json })) count += valuesIn(one)
  return count
}
