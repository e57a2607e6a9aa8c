/** Parses the page's requests, with a limit and an error message for each value (rule 17). */
import type { Context } from 'hono'
import { isVariableName } from './env-references.ts'
import { parsedUrl } from './public-address.ts'
import { badRequest, Refusal, size } from './refusal.ts'
import type { OpenRequest, SpawnRequest } from './wire.ts'

const MAX_ARGUMENTS = 4096
const MAX_VARIABLES = 1024
const SPAWN_REMEDY =
  'Send `{ "command": string, "args": string[], "cwd"?: string, "env"?: { NAME: string }, "inheritEnv"?: boolean, "references"?: string[] }`.'

const OPEN_REMEDY = 'Send `{ "target": "unix:/path/to.sock" }`.'
/** Characters. */
const MAX_TARGET = 8192
const NETWORK_REMEDY = 'Send `{ "url": string }`.'
const WATCH_REMEDY = 'Send `{ "directory"?: string }`.'
const LAUNCH_REMEDY = 'Send `{ "code": string }`.'
/** Bytes of a launch request, which needs no token. */
const MAX_LAUNCH_BYTES = 1024

/**
 * The whole body.
 * @param limit in bytes
 * @throws {Refusal} 413
 */
export async function readBody(c: Context, limit: number): Promise<Uint8Array> {
  const announced = c.req.header('content-length')
  if (announced !== undefined) {
    if (Number(announced) > limit) throw tooLarge(Number(announced), limit)
    // Node's parser enforces the announced length.
    return new Uint8Array(await c.req.arrayBuffer())
  }
  const body = c.req.raw.body
  if (!body) return new Uint8Array(0)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > limit) throw tooLarge(bytes, limit)
    pieces.push(piece)
  }
  return Buffer.concat(pieces, bytes)
}

/** What a child is to be: a process or a connection. @throws {Refusal} 400, 413 */
export async function readChildRequest(c: Context, limit: number): Promise<SpawnRequest | OpenRequest> {
  const value = await readJson(c, limit, SPAWN_REMEDY)
  if (!isRecord(value) || !('target' in value)) return spawnRequestOf(value)
  const { target } = value
  if (isArgument(target) && /^[a-z][a-z\d-]*:./s.test(target) && target.length <= MAX_TARGET) return { target }
  throw badRequest('`target` must be unix:/path, npipe:NAME, or the name of a transport and its target.', OPEN_REMEDY)
}

function spawnRequestOf(value: unknown): SpawnRequest {
  if (!isRecord(value)) throw badRequest("The body isn't a JSON object.", SPAWN_REMEDY)
  const { command, args = [], cwd, env, inheritEnv, references } = value
  if (!isArgument(command) || command.trim() === '') throw badRequest("`command` isn't a program name.", SPAWN_REMEDY)
  if (!Array.isArray(args) || args.length > MAX_ARGUMENTS || !args.every(isArgument)) {
    throw badRequest(`\`args\` must be an array of at most ${MAX_ARGUMENTS} strings without NUL.`, SPAWN_REMEDY)
  }
  if (cwd !== undefined && (!isArgument(cwd) || cwd === '')) throw badRequest("`cwd` isn't a path.", SPAWN_REMEDY)
  if (inheritEnv !== undefined && typeof inheritEnv !== 'boolean') {
    throw badRequest('`inheritEnv` must be true or false.', SPAWN_REMEDY)
  }
  if (references !== undefined && !isVariableList(references)) {
    throw badRequest('`references` must be an array of names of environment variables.', SPAWN_REMEDY)
  }
  return { command, args, cwd, env: env === undefined ? undefined : readEnvironment(env), inheritEnv, references }
}

/** @throws {Refusal} 400, 413 */
export async function readLaunchCode(c: Context): Promise<string> {
  const value = await readJson(c, MAX_LAUNCH_BYTES, LAUNCH_REMEDY)
  const code = isRecord(value) ? value['code'] : undefined
  if (typeof code !== 'string') throw badRequest('`code` must be a string.', LAUNCH_REMEDY)
  return code
}

/** The server to check. @throws {Refusal} 400, 413 */
export async function readNetworkRequest(c: Context, limit: number): Promise<URL> {
  const value = await readJson(c, limit, NETWORK_REMEDY)
  const url = isRecord(value) && typeof value['url'] === 'string' ? parsedUrl(value['url']) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw badRequest('`url` must be an http or https URL.', NETWORK_REMEDY)
}

/** The working directory of the watched server. @throws {Refusal} 400, 413 */
export async function readWatchRequest(c: Context, limit: number): Promise<string | undefined> {
  const value = await readJson(c, limit, WATCH_REMEDY)
  const directory = isRecord(value) ? value['directory'] : null
  if (directory === undefined || (isArgument(directory) && directory !== '')) return directory
  throw badRequest("`directory` isn't a path.", WATCH_REMEDY)
}

/** The ID to resume after; 0 for none. @throws {Refusal} 400 */
export function readLastEventId(c: Context): number {
  const header = c.req.header('last-event-id')
  if (header === undefined || header === '') return 0
  const id = Number(header)
  if (/^\d{1,15}$/.test(header) && Number.isSafeInteger(id)) return id
  throw badRequest(
    "`Last-Event-ID` isn't an ID of this stream.",
    'Send the ID of the last event, or leave the header out.',
  )
}

/** The page's number for a relayed request. @throws {Refusal} 400 */
export function readNumber(text: string): number {
  const number = Number(text)
  if (/^\d{1,10}$/.test(text) && number > 0 && number < 2 ** 32) return number
  throw badRequest('The request number must be from 1 to 4294967295.', 'Count them from 1.')
}

/** Bytes of a relayed body that the page has read. @throws {Refusal} 400, 413 */
export async function readCredit(c: Context): Promise<number> {
  const text = new TextDecoder().decode(await readBody(c, 64))
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw badRequest("The body isn't a number of bytes.", 'Send the number of bytes read since the last request.')
}

async function readJson(c: Context, limit: number, remedy: string): Promise<unknown> {
  const text = new TextDecoder().decode(await readBody(c, limit))
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest("The body isn't JSON.", remedy)
  }
}

function readEnvironment(env: unknown): Record<string, string> {
  if (!isRecord(env)) throw badRequest('`env` must be an object.', SPAWN_REMEDY)
  const entries = Object.entries(env)
  if (entries.length > MAX_VARIABLES)
    throw badRequest(`\`env\` has more than ${MAX_VARIABLES} variables.`, SPAWN_REMEDY)
  for (const [name, value] of entries) {
    // The message leaves the value out: it may be a secret.
    if (name === '' || /[=\0]/.test(name))
      throw badRequest(`\`env\` contains an invalid variable name: \`${name.slice(0, 80)}\`.`, SPAWN_REMEDY)
    if (!isArgument(value)) throw badRequest(`\`env.${name.slice(0, 80)}\` must be a string without NUL.`, SPAWN_REMEDY)
  }
  return Object.fromEntries(entries) as Record<string, string>
}

/** Names of variables that a request refers to. */
export function isVariableList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= MAX_VARIABLES && value.every(isVariableName)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isArgument(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

function tooLarge(bytes: number, limit: number): Refusal {
  return new Refusal(413, {
    code: 'too-large',
    message: `The request has ${size(bytes)} or more. The limit is ${size(limit)}.`,
    remedy: 'Send less at a time.',
  })
}
