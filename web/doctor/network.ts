/** How far a connection gets below HTTP, which only the local proxy can find out: names, TCP, TLS. */
import { HttpRecorder, isObject, messageOf, Tap, type Json, type ProxyChannel, type Seq } from '../mcp/index.ts'
import { maskUrl } from '../secrets/index.ts'
import type { NetworkCertificate, NetworkRequest, NetworkStep } from '../../proxy/wire.ts'
import type { Examined } from './probes.ts'

/** ms for all steps together. */
const PATIENCE = 8_000
/** The proxy's route. */
export const NETWORK_PATH = 'api/network'

/**
 * Asks the proxy, and records its response. Never throws.
 * @param examined with an http, https, ws or wss URL
 * @param proxy `base` is its URL
 * @returns whether the proxy sent a report
 */
export const checkNetwork = async (
  { trace, link, url }: Examined,
  { channel, base }: { readonly channel: ProxyChannel; readonly base: string },
): Promise<boolean> => {
  const recorder = new HttpRecorder(new Tap(trace, link), { url: maskUrl, headers: (headers) => [...headers] })
  const { protocol, host } = new URL(url)
  // Neither path nor query matter, and both may contain secrets. A WebSocket begins as a request over HTTP.
  const body = JSON.stringify({ url: `${protocol.replace('ws', 'http')}//${host}/` } satisfies NetworkRequest)
  const seq = recorder.request({
    method: 'POST',
    url: `${base}${NETWORK_PATH}`,
    headers: [['content-type', 'application/json']],
    size: body.length,
    purpose: 'diagnosis',
    body,
  })
  try {
    const response = await channel.send('POST', NETWORK_PATH, { body, limit: PATIENCE })
    recorder.response(seq, response)
    const text = await response.text()
    recorder.end(seq, text.length, text)
    return response.ok && networkStepsIn(text) !== undefined
  } catch (error) {
    recorder.failed(seq, 'headers', messageOf(error))
    return false
  }
}

/** The steps of a check, and the frame that contains them. */
export interface NetworkCheck {
  readonly seq: Seq
  /** The host that was checked, as in a URL. */
  readonly host: string
  readonly steps: readonly NetworkStep[]
}

/** Reads the proxy's response from a frame, which may come from a file. `undefined` if it is none. */
export const networkStepsIn = (body: string): readonly NetworkStep[] | undefined => {
  let report: Json
  try {
    report = JSON.parse(body) as Json
  } catch {
    return undefined
  }
  if (!isObject(report) || !Array.isArray(report.steps)) return undefined
  return (report.steps as readonly Json[]).flatMap((step) => (isStep(step) ? [step as unknown as NetworkStep] : []))
}

/** The host that a check is sent for, from its frame. */
export const checkedHost = (body: string | undefined): string => {
  const [, host = ''] = /^\{"url":"https?:\/\/([^/"]+)\/"\}$/.exec(body ?? '') ?? []
  return host
}

/** The certificate of a check that this machine doesn't trust, or that isn't the one that was trusted before. */
export const shownCertificate = (check: NetworkCheck | undefined): NetworkCertificate | undefined =>
  check?.steps.find(({ step }) => step === 'tls')?.chain?.[0]

const isText = (value: Json | undefined) => typeof value === 'string'
const isAbsentOr = (is: (value: Json | undefined) => boolean) => (value: Json | undefined) =>
  value === undefined || is(value)
const isListOf = (is: (value: Json) => boolean) => (value: Json | undefined) => Array.isArray(value) && (value as readonly Json[]).every(is) // prettier-ignore

const STEPS: ReadonlySet<string> = new Set([
  'proxy',
  'dns',
  'tcp',
  'tunnel',
  'tls',
  'greeting',
] satisfies readonly NetworkStep['step'][])

const isStep = (value: Json): boolean =>
  isObject(value) &&
  typeof value.step === 'string' &&
  STEPS.has(value.step) &&
  typeof value.ms === 'number' &&
  ['error', 'remote', 'protocol', 'untrusted', 'text'].every((key) => isAbsentOr(isText)(value[key])) &&
  isAbsentOr(isListOf(isText))(value.addresses) &&
  isAbsentOr(isListOf(isCertificate))(value.chain)

const isCertificate = (value: Json): boolean =>
  isObject(value) &&
  (
    [
      'subject',
      'issuer',
      'validFrom',
      'validTo',
      'fingerprint256',
    ] as const satisfies readonly (keyof NetworkCertificate)[]
  ).every((key) => isText(value[key])) &&
  isListOf(isText)(value.names)

/** How servers of other protocols begin to speak, before they get anything. */
const GREETINGS: readonly (readonly [RegExp, string])[] = [
  [/^SSH-/, 'SSH'],
  [/^220[ -].*(?:SMTP|Postfix|Exim|Sendmail)/i, 'SMTP'],
  [/^220[ -]/, 'FTP'],
  [/^\* OK\b/, 'IMAP'],
  [/^\+OK\b/, 'POP3'],
  [/^RFB \d/, 'VNC'],
  [/^.{4}\n[\d.]+.*\0/s, 'MySQL'],
  [/^-(?:ERR|NOAUTH|DENIED)\b/, 'Redis'],
]

/** The protocol of a server that spoke first, if it can be recognized. */
export const greetingProtocol = (steps: readonly NetworkStep[] = []): string | undefined => {
  const { text } = steps.find(({ step }) => step === 'greeting') ?? {}
  return text === undefined ? undefined : GREETINGS.find(([begins]) => begins.test(text))?.[1]
}

/** What the steps say about a server that doesn't respond. */
export type NetworkVerdict =
  | 'unknown-host'
  | 'no-tcp'
  | 'refused'
  | 'no-tls'
  | 'other-protocol'
  | 'reachable'
  /** The proxy of the user's network fails. */
  | 'no-proxy'
  /** That proxy accepts connections; what is behind it isn't known. */
  | 'through-proxy'

export const networkVerdict = (steps: readonly NetworkStep[]): NetworkVerdict | undefined => {
  const last = steps.at(-1)
  // The proxy works, and says that the server doesn't, or says nothing yet.
  if (last?.step === 'tunnel' && /^(?:PROXY_5\d\d|TIMEOUT)$/.test(last.error ?? '')) return 'through-proxy'
  if (steps[0]?.step === 'proxy' && last?.step !== 'tls')
    return last?.error === undefined ? 'through-proxy' : 'no-proxy'
  switch (last?.step) {
    case 'dns':
      return last.error === undefined ? undefined : 'unknown-host'
    case 'tcp':
      return last.error === undefined ? 'reachable' : last.error === 'ECONNREFUSED' ? 'refused' : 'no-tcp'
    case 'tls':
      return last.error === undefined ? 'reachable' : 'no-tls'
    case 'greeting':
      return 'other-protocol'
    default:
      return undefined
  }
}
