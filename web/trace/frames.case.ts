/** Frames for tests: one of every kind, and random traces that pair up like real ones. */
import fc from 'fast-check'
import { exchanges, Projection, signIns, Trace, httpExchanges } from '../mcp/index.ts'
import type { AuthStep, Frame, FrameDraft, MessageKind } from '../mcp/index.ts'
import type { RowSource } from './rows.ts'
import type { Surroundings } from './facts.ts'

const link = 's1'
const headers = [['content-type', 'text/event-stream']] as const
const peer = {
  era: 'handshake',
  revision: '2025-11-25',
  info: { name: 'everything', version: '1.0' },
  capabilities: {},
  evidence: [],
} as const

const STEPS: readonly AuthStep[] = [
  'challenge', 'resource-metadata', 'authorization-server', 'server-metadata', 'registration', 'preparation', 'authorization',
  'callback', 'assertion', 'token', 'use', 'refresh', 'revocation',
] // prettier-ignore

/** One frame of every kind, phase and event; the seq of the first HTTP request is 0. */
export const everyKind: readonly FrameDraft[] = [
  { kind: 'http', phase: 'request', link, method: 'POST', url: 'http://localhost:3/mcp?a=1', headers: [], size: 3, purpose: 'message' },
  { kind: 'http', phase: 'response', link, request: 0, status: 200, statusText: 'OK', headers },
  { kind: 'http', phase: 'end', link, request: 0, size: 12 },
  { kind: 'http', phase: 'end', link, request: 0, size: 12, cut: true },
  { kind: 'http', phase: 'failed', link, request: 0, stage: 'headers', error: 'Failed to fetch' },
  { kind: 'http', phase: 'failed', link, request: 0, stage: 'body', error: 'network error' },
  { kind: 'http', phase: 'failed', link, request: 0, stage: 'body', error: 'AbortError', aborted: 'cancelled by the user' },
  { kind: 'stream', event: 'open', link, request: 0 },
  { kind: 'stream', event: 'data', link, request: 0, id: '41', size: 0 },
  { kind: 'stream', event: 'data', link, request: 0, id: '41', size: 5, data: 'twice', repeated: true },
  { kind: 'stream', event: 'comment', link, request: 0, text: 'keep-alive' },
  { kind: 'stream', event: 'retry', link, request: 0, delay: 512 },
  { kind: 'stream', event: 'resume', link, request: 0, lastEventId: '41', delay: 512, attempt: 1, why: 'the body broke off' },
  { kind: 'stream', event: 'resume', link, request: 0, delay: 512, attempt: 2, why: 'again' },
  { kind: 'stream', event: 'gap', link, request: 0, why: 'the server forgot' },
  ...(['answered', 'ended', 'broken', 'aborted'] as const).map((why) => ({ kind: 'stream', event: 'close', link, request: 0, why }) as const),
  { kind: 'process', event: 'spawn', link, command: 'npx', args: ['-y', 'x'], env: ['PATH'], pid: 77 },
  { kind: 'process', event: 'spawn', link, command: 'npx', args: [], env: [] },
  { kind: 'process', event: 'spawn-failed', link, command: 'nope', code: 'not-found', explanation: 'no such command' },
  { kind: 'process', event: 'stdout-noise', link, text: 'Server listening' },
  { kind: 'process', event: 'stdout-unfinished', link, text: '{"jsonrpc":"2.0","id":1,"result":{}}', size: 36 },
  { kind: 'process', event: 'stderr', link, text: 'Starting\n\tsimulated step 4' },
  ...(['stdin-closed', 'SIGTERM', 'SIGKILL'] as const).map((step) => ({ kind: 'process', event: 'ending', link, step }) as const),
  { kind: 'process', event: 'exit', link, code: 1, signal: null, stderr: ['boom'] },
  { kind: 'process', event: 'exit', link, code: 0, signal: null },
  { kind: 'process', event: 'exit', link, code: null, signal: 'SIGKILL' },
  { kind: 'process', event: 'exit', link, code: null, signal: null },
  { kind: 'transport', event: 'opening', link, transport: 'WebSocket', url: 'wss://example.com/mcp', subprotocol: 'mcp' },
  { kind: 'transport', event: 'opening', link, transport: 'WebSocket', url: 'wss://example.com/mcp' },
  { kind: 'transport', event: 'opening', link, transport: 'Unix socket', url: 'unix:/run/mcp.sock' },
  { kind: 'transport', event: 'opened', link, subprotocol: 'mcp' },
  { kind: 'transport', event: 'opened', link },
  { kind: 'transport', event: 'refused', link, code: 'not-opened', explanation: 'no such socket' },
  { kind: 'transport', event: 'unusable', link, what: 'A binary frame', size: 3 },
  { kind: 'transport', event: 'lost', link, what: 'A message over 50 characters', size: 70_000_000 },
  { kind: 'transport', event: 'lost', link, what: 'A message over 50 characters', size: 70_000_000, requests: [7] },
  { kind: 'transport', event: 'closing', link },
  { kind: 'transport', event: 'closed', link },
  { kind: 'transport', event: 'closed', link, why: 'the other side went away' },
  ...[1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 4242].map(
    (code) => ({ kind: 'transport', event: 'closed', link, code, reason: 'because' }) as const,
  ),
  { kind: 'http', phase: 'queued', link, request: 0, open: 6 },
  { kind: 'process', event: 'lost', link, what: 'a line of stdout', size: 20_000_000 },
  { kind: 'process', event: 'lost', link, what: 'a line of stdout', size: 70_000_000, requests: [7, 'a'] },
  ...(['starting-process', 'opening-connection', 'waiting-for-headers', 'waiting-for-answer', 'sending-initialized', 'ending-session'] as const).map(
    (step) => ({ kind: 'session', phase: 'opening', link, step, limit: 10_000 }) as const,
  ),
  { kind: 'session', phase: 'open', link, peer, transport: 'stdio' },
  { kind: 'session', phase: 'failed', link, code: 'unreachable', explanation: 'no answer' },
  { kind: 'session', phase: 'closed', link, why: 'you closed it' },
  { kind: 'session', phase: 'renewing', link, why: 'HTTP 404' },
  { kind: 'session', phase: 'restarting', link },
  { kind: 'session', phase: 'restarting', link, files: ['server.js', 'a.js'], count: 3 },
  ...(['timeout', 'cancelled', 'lost', 'closed'] as const).map(
    (why) => ({ kind: 'session', phase: 'gave-up', link, request: 0, why, explanation: 'because' }) as const,
  ),
  { kind: 'session', phase: 'extended', link, request: 0, idle: 1, total: 2 },
  { kind: 'session', phase: 'held-back', link, tool: 'echo', origin: 'test', policy: 'always', why: 'declined' },
  { kind: 'session', phase: 'released', link, until: 3, size: 4 },
  { kind: 'fault', event: 'on', link, seed: 1, faults: [{ kind: 'cut', after: 3 }] },
  { kind: 'fault', event: 'off', link },
  { kind: 'fault', event: 'injected', link, fault: 'delay', request: 0, ms: 2000 },
  { kind: 'fault', event: 'injected', link, fault: 'cut', request: 0, after: 3 },
  { kind: 'fault', event: 'injected', link, fault: 'cut', after: 1 },
  { kind: 'fault', event: 'injected', link, fault: 'duplicate', request: 0 },
  { kind: 'fault', event: 'injected', link, fault: 'reorder' },
  { kind: 'fault', event: 'injected', link, fault: 'corrupt', original: '{"jsonrpc":"2.0"}' },
  { kind: 'fault', event: 'injected', link, fault: 'status', request: 0, status: 503 },
  { kind: 'fault', event: 'injected', link, fault: 'slow-body', request: 0, rate: 100 },
  { kind: 'fault', event: 'injected', link, fault: 'missing-headers', request: 0, of: 'response', removed: [['mcp-session-id', 'a…']] },
  { kind: 'fault', event: 'injected', link, fault: 'missing-headers', request: 0, of: 'request', removed: [['accept', '*/*']] },
  { kind: 'auth', event: 'flow', link, flow: 'f1', grant: 'authorization-code', revision: '2025-11-25', why: 'unauthorized', steps: ['challenge', 'token'] },
  ...STEPS.map((step) => ({ kind: 'auth', event: 'step', link, flow: 'f1', step }) as const),
  ...(['ok', 'forced', 'failed', 'undone'] as const).map(
    (outcome) => ({ kind: 'auth', event: 'done', link, flow: 'f1', step: 'token', begun: 0, outcome, checks: [{ rule: 'AU-FLOW-13', keyword: 'MUST', ok: outcome === 'ok', say: 'method-used' }], learned: {} }) as const,
  ),
  { kind: 'auth', event: 'waiting', link, flow: 'f1', step: 'token', begun: 0, fault: { code: 'token-refused', rule: 'RFC 6749', explanation: 'invalid_grant' } },
  ...(['authorized', 'failed', 'cancelled'] as const).map((outcome) => ({ kind: 'auth', event: 'end', link, flow: 'f1', outcome }) as const),
  ...(['used', 'refused', 'forgotten', 'expired', 'issuer-changed', 'step-up', 'gave-up'] as const).map(
    (what) => ({ kind: 'auth', event: 'credential', link, flow: 'f1', what, details: { scope: 'a b' } }) as const,
  ),
  { kind: 'http', phase: 'request', link, method: 'POST', url: 'https://as.example/token?x=1', headers: [], size: 20, purpose: 'authorization', body: 'grant_type=authorization_code&code=••••', step: 0, relayed: true, again: 0 },
  { kind: 'http', phase: 'response', link, request: 0, status: 0, statusText: '', headers: [] },
  ...(['request', 'notification', 'result', 'error', 'batch', 'invalid'] as const).flatMap((type) =>
    (['sent', 'received'] as const).map((direction) => message(direction, type, sample(type))),
  ),
  { kind: 'message', link, direction: 'received', type: 'invalid', raw: '{"jsonrpc": ', size: 12 },
  { kind: 'message', link, direction: 'received', type: 'request', size: 900, released: { id: 4, method: 'ping' } },
] // prettier-ignore

function sample(type: MessageKind): object {
  switch (type) {
    case 'request':
      return { jsonrpc: '2.0', id: 900, method: 'tools/call', params: { name: 'echo' } }
    case 'notification':
      return { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'x', progress: 3, total: 5 } }
    case 'result':
      return { jsonrpc: '2.0', id: 900, result: {} }
    case 'error':
      return { jsonrpc: '2.0', id: 901, error: { code: -32601, message: 'Method not found' } }
    case 'batch':
      return [{ jsonrpc: '2.0', id: 902, method: 'ping' }]
    case 'invalid':
      return { jsonrpc: '2.0' }
  }
}

function message(direction: 'sent' | 'received', type: MessageKind, value: object): FrameDraft {
  const findings =
    type === 'invalid' ? [{ rule: 'BP-01', keyword: 'MUST', explanation: 'Neither method, result nor error' } as const] : []
  const size = JSON.stringify(value).length
  return { kind: 'message', link, direction, type, message: value as never, size, ...(findings.length ? { findings } : {}) }
} // prettier-ignore

const ids = fc.integer({ min: 1, max: 3 })
const directions = fc.constantFrom<('sent' | 'received')[]>('sent', 'sent', 'received')
const links = fc.constantFrom('s1', 's1', 's1', 's2')
const methods = fc.constantFrom('tools/call', 'tools/list', 'ping', 'sampling/createMessage', 'server/discover')
const seqs = fc.integer({ min: 0, max: 40 })

const signInKinds = everyKind.filter(
  (draft) => draft.kind === 'auth' || ('purpose' in draft && draft.purpose === 'authorization'),
)

/** Frames that request, respond, progress, cancel, give up and break off, with few IDs, so that most of them match. */
export const drafts: fc.Arbitrary<FrameDraft> = fc.oneof(
  fc.record({ direction: directions, id: ids, method: methods, name: fc.constantFrom('echo', 'sum') }).map(({ direction, id, method, name }) =>
    message(direction, 'request', { jsonrpc: '2.0', id, method, params: { name, _meta: { progressToken: id } } }),
  ),
  fc.tuple(directions, ids).map(([direction, id]) => message(direction, 'result', { jsonrpc: '2.0', id, result: { ok: true } })),
  fc.tuple(directions, ids).map(([direction, id]) =>
    message(direction, 'error', { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }),
  ),
  fc.tuple(directions, ids, ids).map(([direction, one, two]) =>
    message(direction, 'batch', [
      { jsonrpc: '2.0', id: one, result: {} },
      { jsonrpc: '2.0', id: two, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: one } },
    ]),
  ),
  fc.tuple(directions, ids).map(([direction, id]) =>
    message(direction, 'notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'no more' } }),
  ),
  fc.tuple(seqs, fc.constantFrom('timeout', 'lost', 'closed')).map(
    ([request, why]): FrameDraft => ({ kind: 'session', phase: 'gave-up', link, request, why, explanation: 'x' }),
  ),
  fc.tuple(seqs, fc.constantFrom(200, 404, 500)).map(
    ([request, status]): FrameDraft => ({ kind: 'http', phase: 'response', link, request, status, statusText: '', headers }),
  ),
  fc.constant(everyKind[0]!),
  fc.constantFrom(...signInKinds),
  fc.constantFrom(...everyKind),
).chain((draft) => links.map((other): FrameDraft => ({ ...draft, link: other }))) // prettier-ignore

/** A trace whose clock advances 1 ms per reading, with its projections. */
export const source = (names: (link: string) => string = (of) => of): RowSource & { trace: Trace } => {
  let now = 0
  const trace = new Trace({ now: () => now++ })
  return {
    trace,
    exchanges: new Projection(trace, exchanges),
    runs: new Projection(trace, httpExchanges),
    signIns: new Projection(trace, signIns),
    names,
  }
}

export const aroundOf = ({ exchanges: of, runs, signIns: steps, names }: RowSource): Surroundings => ({
  exchanges: of.current,
  runs: runs.current,
  signIns: steps.current,
  names,
})

/** Appends a draft; a request or step that it refers to is replaced by an existing one, if there is any. */
export const append = (trace: Trace, draft: FrameDraft): void => {
  const all = [...trace]
  const near = (named: number, fits: (frame: Frame) => boolean): number => {
    const meant = all.filter(fits)
    return meant.length === 0 ? named : meant[named % meant.length]!.seq
  }
  const isStep = (frame: Frame) => frame.kind === 'auth' && frame.event === 'step'
  const isHead = (frame: Frame) => frame.kind === 'http' && frame.phase === 'request'
  const isRequest = (frame: Frame) => frame.kind === 'message' && frame.type === 'request'
  // Some dangling references stay, depending on the number of frames.
  if ('begun' in draft) trace.append({ ...draft, begun: near(all.length, isStep) })
  else if (draft.kind === 'http' && draft.phase === 'request' && draft.step !== undefined) {
    trace.append({ ...draft, step: near(all.length, isStep), again: near(all.length, isHead) })
  } else if ('request' in draft) {
    trace.append({ ...draft, request: near(draft.request ?? 0, draft.kind === 'session' ? isRequest : isHead) })
  } else trace.append(draft)
}
