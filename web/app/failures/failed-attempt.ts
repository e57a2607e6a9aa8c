/** Collects the known facts about a failed attempt from its connection, its settings and the page. */
import { isObject, type JsonObject, type Phase } from '../../mcp/index.ts'
import { parsedUrl } from '../../mcp/url.ts'
import type { Connection } from '../server/index.ts'
import type { FailedAttempt } from './failure.ts'
import type { Settings, Target } from '../connect/index.ts'

export const failedAttempt = (
  connection: Connection,
  target: Target,
  settings: Settings,
  proxy: boolean,
): FailedAttempt => {
  const { failure, http, probe, process, steps } = connection
  const details: JsonObject = failure?.details ?? {}
  const { status, relayCode } = details
  const step = typeof details.step === 'string' ? (details.step as Phase) : steps.at(-1)?.step
  return {
    code: failure?.code ?? 'internal',
    ...(typeof status === 'number' ? { status } : {}),
    ...(http ? { http } : {}),
    ...(probe ? { probe } : {}),
    ...(step ? { step } : {}),
    probed: steps.some((one) => one.step === 'probing'),
    supported: supportedIn(details),
    ...(typeof relayCode === 'string' ? { relayCode } : {}),
    foreignEndpoint: !settings.foreignEndpoint && foreignOrigin(connection, target) !== undefined,
    settings,
    proxy,
    noise: process.noise,
    stderr: process.stderr.length,
  }
}

/** The origin that an endpoint event named, if it differs from the server's own (TR-SSE-03). */
export const foreignOrigin = ({ endpoint }: Connection, target: Target): string | undefined => {
  if (target.kind !== 'url' || !endpoint) return undefined
  const named = parsedUrl(endpoint.named, target.url)
  if (!named) return undefined
  const { origin, protocol } = named
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return origin === new URL(target.url).origin ? undefined : origin
}

/** The protocol versions that a server listed as supported, wherever it may have put them. */
const supportedIn = (details: JsonObject): string[] => {
  const data = isObject(details.data) ? details.data : {}
  const lists = [details.supported, data.supported, details.answered].flat()
  return lists.filter((text) => typeof text === 'string').slice(0, 100)
}
