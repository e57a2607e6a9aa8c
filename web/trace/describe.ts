/** Describes a frame as a row. Headless, so that a command-line tool could print the same list. */
import type { AuthCheck, AuthFault, Exchange, Frame, FrameOf, JsonObject, Verdict } from '../mcp/index.ts'
import { VERDICT_KEYS, verdictTone } from '../ui/index.ts'
import {
  assertNever,
  brief,
  clip,
  endOfOpening,
  isCloseCode,
  isExpected,
  methodOf,
  objectOf,
  pairOf,
  scalar,
  sizeOf,
  type Status,
  statusOf,
  stepOf,
  stringOf,
  type Surroundings,
  tookOf,
  violationsOf,
} from './facts.ts'
import { findingsOf, type Keyword } from './found.ts'
import type { Body, RowModel, Said, StatusTone } from './row-model.ts'

export const describe = (frame: Frame, around: Surroundings): RowModel => {
  const { what, details = [], sign = 'none', tone = 'plain' } = bodyOf(frame, around)
  const status = statusOf(frame, around)
  const pair = pairOf(frame, around)
  const said = status === undefined ? undefined : describeStatus(status, pair, violationsOf(pair, around))
  const expected = isExpected(frame, around)
  const took = tookOf(frame, around)
  const size = sizeOf(frame)
  const findings = findingsOf(frame, around.findings)
  const note = around.notes?.get(frame.seq)
  return {
    seq: frame.seq,
    at: frame.at,
    sign,
    what: typeof what === 'string' ? clip(what) : what,
    details: details
      .map((detail) => (typeof detail === 'string' ? clip(detail) : detail))
      .filter((detail) => detail !== '' && !(typeof detail === 'object' && 'reason' in detail && detail.reason === '')),
    ...(said === undefined ? {} : { status: expected ? { ...said, tone: 'plain' } : said }),
    ...(took === undefined ? {} : { took }),
    running: isBeginning(frame) && (status === 'pending' || status === 'waiting'),
    ...(size === undefined ? {} : { size }),
    tone: expected ? 'quiet' : tone,
    ...(note === undefined ? {} : { note: clip(note) }),
    ...(findings.length === 0 ? {} : { findings: { keyword: strongest(findings), count: findings.length } }),
  }
}

/** Frames that begin something with a duration. */
const isBeginning = (frame: Frame): boolean => {
  if (frame.kind === 'auth') return frame.event === 'flow' || frame.event === 'step'
  return frame.kind === 'http' || (frame.kind === 'message' && frame.type === 'request')
}

const bodyOf = (frame: Frame, around: Surroundings): Body => {
  switch (frame.kind) {
    case 'message':
      return messageBody(frame, around)
    case 'http':
      return httpBody(frame, around)
    case 'stream':
      return streamBody(frame)
    case 'process':
      return processBody(frame)
    case 'transport':
      return transportBody(frame)
    case 'session':
      return sessionBody(frame, around)
    case 'auth':
      return authBody(frame)
    case 'fault':
      return faultBody(frame)
    default:
      return assertNever(frame)
  }
}

const messageBody = (frame: FrameOf<'message'>, around: Surroundings): Body => {
  const sign = frame.direction === 'sent' ? 'out' : 'in'
  const method = methodOf(frame, around)
  const message = objectOf(frame.message)
  const gone: Said[] = frame.released ? [{ key: 'bodyReleased' }] : []
  switch (frame.type) {
    case 'request':
      return { sign, what: method ?? '', details: [around.exchanges.bySeq.get(frame.seq)?.subject ?? '', ...gone] }
    case 'notification':
      return { sign, what: method ?? '', details: [...notificationDetails(method, objectOf(message.params)), ...gone] }
    case 'result':
    case 'error':
      return { sign, what: method ?? { key: frame.type }, details: [...answerDetails(frame, message, around), ...gone], tone: 'quiet' } // prettier-ignore
    case 'batch':
      return { sign, what: { key: 'batch', values: [Array.isArray(frame.message) ? frame.message.length : 0] }, details: [brief(frame.message), ...gone] } // prettier-ignore
    case 'invalid':
      return {
        sign,
        what: frame.message === undefined && !frame.released ? { key: 'notJson' } : { key: 'notMessage' },
        details: [frame.findings?.[0]?.explanation ?? '', frame.raw ?? brief(frame.message), ...gone],
        tone: 'bad',
      }
    default:
      return assertNever(frame.type)
  }
}

const notificationDetails = (method: string | undefined, params: JsonObject): readonly (Said | string)[] => {
  switch (method) {
    case 'notifications/progress':
      return [progressText(params), stringOf(params.message)]
    case 'notifications/cancelled':
      return [{ key: 'cancels', values: [clip(scalar(params.requestId))] }, stringOf(params.reason)]
    case 'notifications/message':
      return [[scalar(params.level), scalar(params.logger)].filter(Boolean).join(' '), brief(params.data)]
    case 'notifications/resources/updated':
      return [scalar(params.uri)]
    default:
      return [Object.keys(params).length === 0 ? '' : brief(params)]
  }
}

const progressText = (params: JsonObject): Said =>
  typeof params.total === 'number'
    ? { key: 'progressOf', values: [clip(scalar(params.progress)), String(params.total)] }
    : { key: 'progress', values: [clip(scalar(params.progress))] }

const answerDetails = (frame: FrameOf<'message'>, message: JsonObject, around: Surroundings): (Said | string)[] => {
  const error = objectOf(message.error)
  const words = frame.type === 'error' ? [[scalar(error.code), scalar(error.message)].filter(Boolean).join(' ')] : []
  const orphan = around.exchanges.orphans.get(frame.seq)
  if (orphan) return [{ key: `answer-${orphan}` }, ...words]
  const pair: Exchange | undefined = pairOf(frame, around)
  return pair ? [{ key: 'answerTo', values: [pair.request] }, ...words] : words
}

const httpBody = (frame: FrameOf<'http'>, around: Surroundings): Body => {
  switch (frame.phase) {
    case 'request': {
      const step = stepOf(frame, around)
      const why: Said = step ? { key: 'authStep', values: [step.step] } : { key: `http-${frame.purpose}` }
      const relayed: Said[] = frame.relayed ? [{ key: 'httpRelayed' }] : []
      const run = around.runs.get(frame.seq)
      const waits = run?.queued !== undefined && run.headAt === undefined && run.end === undefined
      const queued: Said[] = waits ? [{ key: 'httpQueued', values: [run.queued ?? 0] }] : []
      const again: Said[] = frame.again === undefined ? [] : [{ key: 'httpAgain', values: [frame.again] }]
      // A sign-in sends requests to several hosts.
      const place = placeOf(frame.url, frame.purpose === 'authorization')
      return {
        sign: 'out',
        what: `${frame.method} ${place}`,
        details: [why, ...relayed, ...again, ...queued],
        tone: waits ? 'warn' : 'quiet',
      }
    }
    case 'response': {
      if (frame.status === 0) return { sign: 'in', what: { key: 'httpHidden' }, tone: 'warn' }
      const type = frame.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
      const what = `HTTP ${frame.status}${frame.statusText === '' ? '' : ` ${frame.statusText}`}`
      return { sign: 'in', what, details: [type], tone: frame.status >= 400 ? 'plain' : 'quiet' }
    }
    case 'queued':
      return { what: { key: 'httpQueued', values: [frame.open] }, details: [{ key: 'httpQueuedWhy' }], tone: 'warn' }
    case 'end':
      return { sign: 'in', what: { key: frame.cut ? 'httpCut' : 'httpEnd' }, tone: 'quiet' }
    case 'failed':
      if (frame.aborted !== undefined)
        return { what: { key: 'httpAborted' }, details: [{ reason: frame.aborted }], tone: 'quiet' }
      return {
        what: { key: frame.stage === 'headers' ? 'httpNoHeaders' : 'httpBroken' },
        details: [{ reason: frame.error }],
        tone: 'bad',
      }
    default:
      return assertNever(frame)
  }
}

const streamBody = (frame: FrameOf<'stream'>): Body => {
  switch (frame.event) {
    case 'open':
      return { what: { key: 'streamOpen' }, tone: 'quiet' }
    case 'data': {
      const id: Said[] = frame.id === undefined ? [] : [{ key: 'eventId', values: [clip(frame.id)] }]
      const what: Said = { key: frame.repeated ? 'streamRepeated' : 'streamData' }
      return { sign: 'in', what, details: [...id, frame.name ?? '', frame.data ?? ''], tone: 'quiet' }
    }
    case 'comment':
      return { sign: 'in', what: { key: 'streamComment' }, details: [frame.text], tone: 'quiet' }
    case 'retry':
      return { sign: 'in', what: { key: 'streamRetry' }, tone: 'quiet' }
    case 'resume': {
      const id: Said =
        frame.lastEventId === undefined
          ? { key: 'noEventId' }
          : { key: 'lastEventId', values: [clip(frame.lastEventId)] }
      return {
        sign: 'resume',
        what: { key: 'streamResume', values: [frame.attempt] },
        details: [id, { reason: frame.why }],
        tone: 'warn',
      }
    }
    case 'gap':
      return { what: { key: 'streamGap' }, details: [{ reason: frame.why }], tone: 'bad' }
    case 'close':
      return { what: { key: `stream-${frame.why}` }, tone: frame.why === 'broken' ? 'warn' : 'quiet' }
    default:
      return assertNever(frame)
  }
}

const processBody = (frame: FrameOf<'process'>): Body => {
  switch (frame.event) {
    case 'spawn': {
      const command = clip([frame.command, ...frame.args].join(' '))
      return {
        what: { key: 'spawn' },
        details: [frame.pid === undefined ? command : { key: 'spawnPid', values: [command, frame.pid] }],
      }
    }
    case 'spawn-failed':
      return { what: { key: 'spawnFailed' }, details: [frame.command, { reason: frame.explanation }], tone: 'bad' }
    case 'stdout-noise':
      return { sign: 'in', what: { key: 'stdoutNoise' }, details: [frame.text], tone: 'warn' }
    case 'stdout-unfinished':
      return { sign: 'in', what: { key: 'stdoutUnfinished' }, details: [frame.text], tone: 'warn' }
    case 'stderr':
      return { what: { key: 'stderr' }, details: [frame.text] }
    case 'ending':
      return { what: { key: `ending-${frame.step}` }, tone: frame.step === 'stdin-closed' ? 'plain' : 'warn' }
    case 'exit': {
      const what: Said =
        frame.signal !== null
          ? { key: 'exitSignal', values: [frame.signal] }
          : frame.code === null
            ? { key: 'exitUnknown' }
            : { key: 'exitCode', values: [frame.code] }
      return { what, details: [frame.stderr?.at(-1) ?? ''], tone: frame.code === 0 ? 'plain' : 'warn' }
    }
    case 'lost':
      return {
        what: frame.requests
          ? { key: 'processLostResponse', values: [frame.requests.join(', ')] }
          : { key: frame.size === 0 ? 'processGap' : 'processLost' },
        details: [{ reason: frame.what }],
        tone: 'bad',
      }
    default:
      return assertNever(frame)
  }
}

const transportBody = (frame: FrameOf<'transport'>): Body => {
  switch (frame.event) {
    case 'opening': {
      const { transport, url, subprotocol } = frame
      const plain: Said[] = transport === 'WebSocket' ? [{ key: 'withoutSubprotocol' }] : []
      const named: Said[] = subprotocol === undefined ? plain : [{ key: 'subprotocol', values: [clip(subprotocol)] }]
      return {
        sign: 'out',
        what: { key: 'transportOpening', values: [clip(transport)] },
        details: [url, ...named],
        tone: 'quiet',
      }
    }
    case 'opened': {
      const { subprotocol } = frame
      return {
        sign: 'in',
        what: { key: 'transportOpened' },
        details: subprotocol === undefined ? [] : [{ key: 'subprotocol', values: [clip(subprotocol)] }],
        tone: 'quiet',
      }
    }
    case 'refused':
      return { sign: 'in', what: { key: 'transportRefused' }, details: [{ reason: frame.explanation }], tone: 'bad' }
    case 'unusable':
      return { sign: 'in', what: { key: 'transportUnusable' }, details: [{ reason: frame.what }], tone: 'bad' }
    case 'lost':
      return {
        what: frame.requests
          ? { key: 'processLostResponse', values: [frame.requests.join(', ')] }
          : { key: frame.size === 0 ? 'processGap' : 'processLost' },
        details: [{ reason: frame.what }],
        tone: 'bad',
      }
    case 'closing':
      return { sign: 'out', what: { key: 'transportClosing' }, tone: 'quiet' }
    case 'closed': {
      const { code, reason = '', why } = frame
      return {
        sign: 'in',
        what: code === undefined ? { key: 'transportClosed' } : { key: 'transportClosedCode', values: [code] },
        details: [
          reason,
          ...(why === undefined ? [] : [{ reason: why }]),
          ...(isCloseCode(code) ? [{ key: `close-${code}` as const }] : []),
        ],
        tone: why !== undefined || (code !== undefined && code !== 1000) ? 'warn' : 'plain',
      }
    }
    default:
      return assertNever(frame)
  }
}

/** What is said of it never names the server: the user wanted it. */
const faultBody = (frame: FrameOf<'fault'>): Body => {
  if (frame.event === 'on') {
    const kinds = frame.faults.map(({ kind }) => scalar(kind))
    return { what: { key: 'faultsOn' }, details: [clip(kinds.join(', '))], tone: 'warn' }
  }
  if (frame.event === 'off') return { what: { key: 'faultsOff' } }
  return { what: { key: 'faultInjected' }, details: [saidOfFault(frame)], tone: 'warn' }
}

const saidOfFault = (frame: FrameOf<'fault'> & { readonly event: 'injected' }): Said | string => {
  const { fault, request, ms = 0, after, status = 0, rate = 0, removed = [], of } = frame
  switch (fault) {
    case 'delay':
      return { key: 'fault-delay', values: [ms] }
    case 'cut':
      if (request === undefined) return { key: 'fault-cut-line', values: [after ?? 0] }
      return after === undefined ? { key: 'fault-cut-body' } : { key: 'fault-cut', values: [after] }
    case 'status':
      return { key: 'fault-status', values: [status] }
    case 'slow-body':
      return { key: 'fault-slow-body', values: [rate] }
    case 'missing-headers':
      return { key: `fault-missing-${of ?? 'response'}`, values: [removed.map(([name]) => clip(name)).join(', ')] }
    case 'duplicate':
    case 'reorder':
    case 'corrupt':
      return { key: `fault-${fault}` }
    default:
      // A newer version may have others.
      return clip(fault)
  }
}

const sessionBody = (frame: FrameOf<'session'>, around: Surroundings): Body => {
  switch (frame.phase) {
    case 'opening':
      return { what: { key: `opening-${frame.step}` }, tone: 'quiet' }
    case 'open': {
      const { info, revision } = frame.peer
      return { what: { key: 'sessionOpen' }, details: [[scalar(info.name), scalar(info.version)].filter(Boolean).join(' '), revision, frame.transport] } // prettier-ignore
    }
    case 'failed':
      return { what: { key: 'sessionFailed' }, details: [{ reason: frame.explanation }], tone: 'bad' }
    case 'closed':
      return {
        what: { key: 'sessionClosed' },
        details: [{ reason: frame.why }],
        tone: frame.code === undefined ? 'plain' : 'warn',
      }
    case 'renewing':
      return { what: { key: 'sessionRenewing' }, details: [{ reason: frame.why }], tone: 'warn' }
    case 'restarting': {
      const { files: [file, ...more] = [], count = 1 } = frame
      return {
        what: file === undefined ? { key: 'restarting' } : { key: 'restartingFiles', values: [clip(file), count - 1] },
        details: more,
        tone: 'quiet',
      }
    }
    case 'listening-again':
      return {
        what: { key: 'listeningAgain', values: [frame.request] },
        details: [{ reason: frame.why }],
        tone: 'warn',
      }
    case 'gave-up':
      return { what: { key: `gave-up-${endOfOpening(frame, around) ?? frame.why}`, values: [frame.request] }, details: [{ reason: frame.explanation }], tone: frame.why === 'cancelled' ? 'plain' : 'warn' } // prettier-ignore
    case 'held-back':
      return {
        what: { key: `held-back-${frame.why}` },
        details: frame.tool === undefined ? [] : [clip(frame.tool)],
        tone: 'warn',
      }
    case 'extended':
      return { what: { key: 'extended', values: [frame.request] } }
    case 'released':
      return { what: { key: 'released', values: [frame.until] }, tone: 'warn' }
    default:
      return assertNever(frame)
  }
}

const authBody = (frame: FrameOf<'auth'>): Body => {
  switch (frame.event) {
    case 'flow':
      return {
        what: { key: 'authFlow', values: [clip(frame.grant)] },
        details: [{ key: `auth-why-${frame.why}` }, frame.revision],
      }
    case 'step':
      return { what: { key: 'authStep', values: [frame.step] }, tone: 'quiet' }
    case 'done': {
      const { fault, checks, outcome, learned } = frame
      const known = fault || Object.keys(learned).length === 0 ? '' : brief(learned)
      return {
        what: { key: `auth-done-${outcome}`, values: [frame.step] },
        details: [...checked(checks), ...faulty(fault), known],
        tone: outcome === 'failed' ? 'bad' : outcome === 'forced' ? 'warn' : 'plain',
      }
    }
    case 'waiting':
      return { what: { key: 'authWaiting', values: [frame.step] }, details: faulty(frame.fault), tone: 'warn' }
    case 'end':
      return {
        what: { key: `auth-end-${frame.outcome}` },
        details: faulty(frame.fault),
        tone: frame.outcome === 'failed' ? 'bad' : 'plain',
      }
    case 'credential':
      return {
        what: { key: `token-${frame.what}` },
        details: [Object.keys(frame.details).length === 0 ? '' : brief(frame.details)],
        tone: CREDENTIAL_TONE[frame.what],
      }
    default:
      return assertNever(frame)
  }
}

const CREDENTIAL_TONE = {
  used: 'quiet',
  refused: 'warn',
  forgotten: 'plain',
  expired: 'plain',
  'issuer-changed': 'warn',
  'step-up': 'warn',
  'gave-up': 'bad',
} as const satisfies Record<Extract<FrameOf<'auth'>, { event: 'credential' }>['what'], Body['tone']>

const checked = (checks: readonly AuthCheck[]): readonly Said[] => {
  const { broken } = countsOf(checks)
  if (checks.length === 0) return []
  return broken === 0
    ? [{ key: 'authChecks', values: [checks.length] }]
    : [{ key: 'authChecksBroken', values: [broken, checks.length] }]
}

const faulty = (fault: AuthFault | undefined): readonly string[] =>
  fault ? [[fault.explanation, fault.rule === undefined ? '' : `(${fault.rule})`].filter(Boolean).join(' ')] : []

/** How many checks found compliance and how many a violation; the others are remarks. */
export const countsOf = (checks: readonly AuthCheck[]): { readonly kept: number; readonly broken: number } => ({
  kept: checks.filter(({ ok }) => ok === true).length,
  broken: checks.filter(({ ok }) => ok === false).length,
})

const STATUS_TONE = {
  invalid: 'bad',
  unexpected: 'warn',
  resumed: 'warn',
  gap: 'bad',
  forced: 'warn',
  undone: 'plain',
} as const satisfies Readonly<Record<Exclude<Status, number | Verdict>, StatusTone>>

/** @param violations of a MUST in the response */
export const describeStatus = (
  status: Status,
  pair?: Pick<Exchange, 'error'>,
  violations = 0,
): { readonly text: Said | string; readonly tone: StatusTone } => {
  // A page learns nothing about a redirect that it doesn't follow, except that there was one.
  if (status === 0) return { text: { key: 'redirect' }, tone: 'warn' }
  if (typeof status === 'number') return { text: String(status), tone: status >= 400 ? 'bad' : 'ok' }
  if (!isVerdict(status)) return { text: { key: status }, tone: STATUS_TONE[status] }
  if (status === 'ok' && violations > 0) return { text: { key: 'okViolations', values: [violations] }, tone: 'warn' }
  const tone = verdictTone(status) || 'plain'
  if (status === 'error' && pair?.error) return { text: { key: 'errorCode', values: [String(pair.error.code)] }, tone }
  return { text: { key: VERDICT_KEYS[status] }, tone }
}

const isVerdict = (status: Exclude<Status, number>): status is Verdict => Object.hasOwn(VERDICT_KEYS, status)

const strongest = (findings: readonly { readonly keyword: Keyword }[]): Keyword =>
  (['MUST', 'SHOULD', 'MAY', 'ADVICE'] as const).find((keyword) =>
    findings.some((finding) => finding.keyword === keyword),
  )!

/** The URL parser encodes the mask of a secret. */
const ENCODED_MASK = /(?:%E2%80%A2){4}%20\((\d{1,5}\+?)%20characters\)/g

const placeOf = (url: string, withHost: boolean): string => {
  try {
    const { host, pathname, search } = new URL(url)
    return `${withHost ? host : ''}${pathname}${search}`.replaceAll(ENCODED_MASK, '•••• ($1 characters)')
  } catch {
    return url
  }
}
