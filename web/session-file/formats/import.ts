/**
 * Opens recordings of other tools: HAR, mcporter's recordings, mcp-recorder's cassettes, the MCP Inspector's lists, and
 * logs of JSON-RPC messages. Each is a conversion: `importedFrom(head)` names the format and the losses.
 */
import { LONG } from '../../json/index.ts'
import { isObject, parseLong, shallow, isDeep } from '../../mcp/index.ts'
import type { Json } from '../../mcp/index.ts'
import { FORMAT, type OpenedSession } from '../file.ts'
import { isCassette, sessionOfCassette } from './cassette.ts'
import { isHar, sessionOfHar } from './har-in.ts'
import { isInspectorNetwork, isInspectorProtocol, sessionOfNetwork, sessionOfProtocol } from './inspector.ts'
import { isList, isLog, sessionOfLines, sessionOfList } from './lines.ts'
import { sessionOfJson } from '../read.ts'
import type { Rebuilding } from './rebuilding.ts'

/** Characters to read. */
const LARGEST = 512 * 1024 * 1024
const LONGEST_NAME = 200

/**
 * @param fileName the name of the session; it doesn't affect the format
 * @returns `undefined` if it isn't one of these formats: perhaps a session file (`readSession`) or something else
 * @throws {SessionFileError} it is one of them, but nothing in it can be opened; no other error
 */
export const importFrom = async (text: string, fileName?: string): Promise<OpenedSession | undefined> => {
  if (text.length > LARGEST) return undefined
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const opened = await found(source)
  if (!opened || fileName === undefined || opened.head.name !== undefined) return opened
  return { ...opened, head: { ...opened.head, name: fileName.slice(0, LONGEST_NAME) } }
}

const found = async (text: string): Promise<OpenedSession | undefined> => {
  const first = /^\s*(\S[^\n]*)/.exec(text.slice(0, 10_000))?.[1] ?? ''
  if (first.includes(`"${FORMAT}"`) && !first.startsWith('[')) return undefined
  const whole = /^\s*[[{]/.test(text) && !standsAlone(first, text) ? await parsed(text) : undefined
  if (whole === undefined) return isLog(text) ? (await sessionOfLines(text)).opened() : undefined
  if (Array.isArray(whole)) {
    const own = await sessionOfJson(whole)
    if (own) return own
  }
  return (await builtOf(whole))?.opened()
}

/** The first line is complete JSON, and others follow: lines, not a single value. */
const standsAlone = (first: string, text: string): boolean => {
  const end = text.indexOf('\n')
  if (end < 0 || text.slice(end, end + 1000).trim() === '') return false
  try {
    JSON.parse(first)
    return true
  } catch {
    // A long first line is cut here; if it begins and ends like an object, assume that it is one.
    return first.length > 9000 && /^\{.*\}\s*$/.test(text.slice(0, end)) && text.charAt(end + 1) === '{'
  }
}

const parsed = async (text: string): Promise<Json | undefined> => {
  try {
    const value = text.length > LONG ? (await parseLong(text)).value : (JSON.parse(text) as Json)
    return text.length <= LONG && isDeep(text) ? shallow(value) : value
  } catch {
    return undefined
  }
}

const builtOf = async (value: Json): Promise<Rebuilding | undefined> => {
  if (isHar(value)) return await sessionOfHar(value)
  if (isCassette(value)) return await sessionOfCassette(value)
  if (!Array.isArray(value)) return isObject(value) && isList([value]) ? await sessionOfList([value]) : undefined
  const list = value as readonly Json[]
  if (isInspectorProtocol(list.slice(0, 100))) return await sessionOfProtocol(list)
  if (isInspectorNetwork(list.slice(0, 100))) return await sessionOfNetwork(list)
  return isList(list) ? await sessionOfList(list) : undefined
}
