/** Twenty kinds of secrets, generated for each run, and the places in a typed connection that can hold them. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { Target } from '../../web/app/connect/target.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const letters = (length: number): string =>
  Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
const hex = (bytes: number): string => randomBytes(bytes).toString('hex')
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface Kind {
  readonly name: string
  readonly make: () => string
  /** It reads like a word, so an echoed copy can't be told apart from plain text. */
  readonly word?: true
  /** The part to search for; default: the whole secret. */
  readonly part?: (secret: string) => string
}

export const KINDS: readonly Kind[] = [
  { name: 'GitHub token', make: () => `ghp_${letters(36)}` },
  { name: 'JWT', make: () => `${encoded({ alg: 'HS256' })}.${encoded({ sub: hex(6) })}.${letters(43)}` },
  { name: 'AWS secret key', make: () => `${letters(18)}/${letters(10)}+${letters(9)}1` },
  { name: 'hex of 32 bytes', make: () => hex(32) },
  { name: 'UUID', make: () => randomUUID() },
  { name: 'OpenAI key', make: () => `sk-proj-${letters(40)}` },
  { name: 'Anthropic key', make: () => `sk-ant-api03-${letters(40)}` },
  { name: 'Slack token', make: () => `xoxb-1234567890-${letters(24)}` },
  { name: 'Google key', make: () => `AIza${letters(35)}` },
  { name: 'Stripe key', make: () => `sk_live_${letters(24)}` },
  { name: 'GitLab token', make: () => `glpat-${letters(20)}` },
  { name: 'npm token', make: () => `npm_${letters(36)}` },
  { name: 'bot token', make: () => `12345678:AA${letters(33)}` },
  { name: 'base64 with padding', make: () => `${letters(20)}9/${letters(19)}==` },
  { name: 'password with punctuation', make: () => `p@s:${letters(5)}!/&=#"7` },
  { name: 'password beyond ASCII', make: () => `pässwört-${hex(2)}-密码9` },
  { name: 'passphrase with spaces', make: () => `correct ${letters(7)} battery staple` },
  { name: 'word', make: () => 'sunshine', word: true },
  { name: 'PIN', make: () => '483920', word: true },
  {
    name: 'private key',
    make: () => `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n${letters(64)}\n-----END PRIVATE KEY-----`,
    part: (secret) => secret.split('\n')[1]!,
  },
  {
    name: 'service account',
    make: () => JSON.stringify({ type: 'service_account', client_email: 'a@b.example', private_key: letters(60) }),
    part: (secret) => (JSON.parse(secret) as { private_key: string }).private_key,
  },
]

export interface PlaceOfTarget {
  readonly name: string
  /** `undefined`: a secret of this kind can't be used in this place. */
  readonly target: (secret: string) => Target | undefined
}

const url = (address: string, headers: readonly (readonly [string, string])[] = []): Target => ({
  kind: 'url',
  url: address,
  headers,
})
const command = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Target => ({
  kind: 'command',
  command: 'npx',
  args: ['-y', 'mcp-server-thing', ...args],
  env,
})
/** Values that a header can carry. */
const header = (name: string, value: string): Target | undefined =>
  /^[\x20-\x7e]+$/.test(value) ? url('https://mcp.example/mcp', [[name, value]]) : undefined
const word = (secret: string, make: (secret: string) => Target): Target | undefined =>
  /\n/.test(secret) ? undefined : make(secret)
const uri = encodeURIComponent

export const PLACES: readonly PlaceOfTarget[] = [
  { name: 'X-Custom header', target: (secret) => header('X-Custom', secret) },
  { name: 'Private-Token header', target: (secret) => header('Private-Token', secret) },
  { name: 'Authorization: Bearer', target: (secret) => header('Authorization', `Bearer ${secret}`) },
  {
    name: 'Authorization: Basic',
    target: (secret) => header('Authorization', `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`),
  },
  {
    name: 'Cookie',
    target: (secret) => (/[;,"\s]/.test(secret) ? undefined : header('Cookie', `theme=dark; sid=${secret}`)),
  },
  { name: '?api_key=', target: (secret) => url(`https://mcp.example/mcp?a=1&api_key=${uri(secret)}`) },
  {
    name: '?token= of a fragment-like path',
    target: (secret) => url(`https://mcp.example/a/b?token=${uri(secret)}&x=y`),
  },
  { name: 'userinfo', target: (secret) => url(`https://me:${uri(secret)}@mcp.example/mcp`) },
  { name: 'variable DB_PASS', target: (secret) => command([], { DB_PASS: secret }) },
  { name: 'variable X', target: (secret) => command([], { X: secret }) },
  { name: '--api-key=', target: (secret) => command([`--api-key=${secret}`]) },
  { name: '--token', target: (secret) => command(['--token', secret]) },
  { name: '--pass', target: (secret) => command(['--pass', secret, '--verbose']) },
  { name: '-p', target: (secret) => word(secret, () => command(['-p', secret])) },
  { name: '--header', target: (secret) => word(secret, () => command(['--header', `X-Any: ${secret}`])) },
  {
    name: 'docker -e',
    target: (secret) =>
      ({ ...command([]), command: 'docker', args: ['run', '-e', `API_KEY=${secret}`, 'x'] }) as Target,
  },
  { name: 'postgres://', target: (secret) => command([`postgres://me:${uri(secret)}@db.example/app`]) },
  {
    name: 'Server=…;Password=…',
    target: (secret) =>
      /[;\n]/.test(secret) ? undefined : command([`Server=tcp:db.example;User ID=sa;Password=${secret};Encrypt=true`]),
  },
  {
    name: 'a connection string in a variable',
    target: (secret) => command([], { DATABASE_URL: `mysql://root:${uri(secret)}@127.0.0.1:3306/app` }),
  },
  {
    name: 'JSON in an argument',
    target: (secret) => command(['--config', JSON.stringify({ apiKey: secret, level: 1 })]),
  },
]
