/** The log beside what a user really did: 30 calls with the gate of tool safety, to servers of several kinds. */
import { expect, inject, onTestFinished, test } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import {
  exchanges,
  foldAll,
  isObject,
  LoopbackTransport,
  messagesIn,
  Session,
  StreamableHttpTransport,
  Trace,
  type CallOrigin,
  type Frame,
  type Json,
  type JsonObject,
  type Link,
  type SessionOptions,
} from '../../mcp/index.ts'
import { createSampleServer } from '../../sample/index.ts'
import { headOf, readSession, sessionText } from '../../session-file/index.ts'
import { Approvals } from '../tool-safety/approvals.ts'
import { ToolSafety } from '../tool-safety/index.ts'
import { CallQuestions, type Decision } from '../tool-safety/questions.ts'
import { executionLogFold, resultOf } from './log-fold.ts'

/** A call as its user knows it: where it began, how it was allowed or why it was held back, and what became of it. */
type Row = readonly [tool: string | undefined, origin: CallOrigin, by: string, outcome: string]

interface Call {
  readonly seq: number
  readonly link: Link
  readonly tool: string | undefined
  readonly origin: CallOrigin | undefined
  readonly by: string | undefined
  readonly outcome: string
}

const guarded = async (
  trace: Trace,
  link: Link,
  options: Pick<SessionOptions, 'transport'> & Partial<SessionOptions>,
) => {
  const questions = new CallQuestions()
  let listed: readonly JsonObject[] = []
  const stored = new Map<string, string>()
  const safety = new ToolSafety({
    server: link,
    name: () => link,
    tools: {
      named: (tool) => listed.filter(({ name }) => name === tool),
      names: () => listed.map(({ name }) => name as string),
      subscribe: () => () => {},
    },
    fallback: 'unless-read-only',
    approvals: new Approvals({
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    }),
    questions,
  })
  const session = new Session({
    trace,
    link,
    clientInfo: { name: 'test', version: '0' },
    autoListen: false,
    gate: safety,
    ...options,
  })
  await session.open()
  onTestFinished(() => session.close())
  for (let cursor: Json | undefined, more = true; more; more = cursor !== undefined) {
    const page = await session.request('tools/list', cursor === undefined ? {} : { cursor })
    listed = [...listed, ...(page.tools as readonly JsonObject[])]
    cursor = page.nextCursor
  }
  /** The user's next decisions; without one, a question stays open. */
  const decisions: Decision[] = []
  questions.subscribe(() => {
    const [question] = questions.current
    if (!question || decisions.length === 0) return
    const decision = decisions.shift()!
    queueMicrotask(() => questions.decide(question.id, decision))
  })
  const call = async (name: string, args: JsonObject = {}, decision?: Decision, origin: CallOrigin = 'form') => {
    if (decision) decisions.push(decision)
    await session.request('tools/call', { name, arguments: args }, { origin }).catch(() => {})
    expect(decisions).toEqual([])
  }
  return { session, safety, questions, decisions, call }
}

const ORDER = { id: 'o-1' }

/** Everything that can happen to a call, one after another. @returns what the user knows of each */
const thirtyCalls = async () => {
  const trace = new Trace({ begunAt: Date.UTC(2026, 0, 2) })
  const rows: Row[] = []
  const sample = await guarded(trace, 's1', { transport: new LoopbackTransport(createSampleServer(), 'in this page'), pinned: '2025-03-26' }) // prettier-ignore
  const { session, safety, questions, decisions, call } = sample
  const did = async (work: Promise<unknown>, ...row: Row[]) => {
    await work
    rows.push(...row)
  }

  // The policy doesn't ask for tools that only read.
  await did(call('echo', { message: 'a' }), ['echo', 'form', 'policy', 'ok'])
  await did(call('echo', { message: 'b' }, undefined, 'test'), ['echo', 'test', 'policy', 'ok'])
  await did(call('fail', {}, undefined, 'page'), ['fail', 'page', 'policy', 'tool-error'])
  await did(call('break'), ['break', 'form', 'policy', 'error'])
  // It asks for the others, and the user decides.
  await did(call('cancel-order', ORDER, 'decline'), ['cancel-order', 'form', 'declined', 'held-back'])
  await did(call('cancel-order', { id: 'none' }, 'run'), ['cancel-order', 'form', 'user', 'error'])
  await did(call('no such tool', {}, 'run'), ['no such tool', 'form', 'user', 'error'])
  await did(call('put-object', {}, 'decline', 'test'), ['put-object', 'test', 'declined', 'held-back'])
  await did(call('add-tool', { name: 'own' }, 'approve'), ['add-tool', 'form', 'user', 'ok'])
  await did(call('add-tool', { name: 'own-2' }), ['add-tool', 'form', 'approved', 'ok'])
  await did(call('add-tool', { name: 'own-3' }, undefined, 'page'), ['add-tool', 'page', 'approved', 'ok'])
  safety.withdraw('add-tool')
  await did(call('add-tool', { name: 'own-4' }, 'decline'), ['add-tool', 'form', 'declined', 'held-back'])
  safety.switchOff('echo', true)
  await did(call('echo', { message: 'c' }), ['echo', 'form', 'switched-off', 'held-back'])
  safety.switchOff('echo', false)
  await did(call('echo', { message: 'd' }), ['echo', 'form', 'policy', 'ok'])

  // Cancelled while the question was open, and while the server worked.
  const unasked = session.call('tools/call', { name: 'cancel-order', arguments: ORDER }, { origin: 'form' })
  await eventually(() => expect(questions.current).toHaveLength(1))
  unasked.cancel()
  await unasked.result.catch(() => {})
  await did(
    eventually(() => expect(logOf([...trace]).at(-1)?.outcome).toBe('held-back')),
    ['cancel-order', 'form', 'withdrawn', 'held-back'],
  )
  const slow = session.call('tools/call', { name: 'count-slowly', arguments: { n: 50, ms: 1000 } }, { origin: 'form' })
  slow.cancel()
  await did(
    slow.result.catch(() => {}),
    ['count-slowly', 'form', 'policy', 'cancelled'],
  )

  // A run of tests whose tools the user approved, and the same call after it.
  const over = new AbortController()
  safety.approveForRun(['cancel-order'], over.signal)
  await did(call('cancel-order', { id: 'none' }, undefined, 'test'), ['cancel-order', 'test', 'run', 'error'])
  await did(call('cancel-order', ORDER, 'decline'), ['cancel-order', 'form', 'declined', 'held-back'])
  over.abort()
  await did(call('cancel-order', ORDER, 'decline', 'test'), ['cancel-order', 'test', 'declined', 'held-back'])

  // Several in one message, one without response, and by hand.
  const echo = { method: 'tools/call', params: { name: 'echo', arguments: { message: 'e' } } }
  const batch = session.batch([echo, { method: 'ping' }, { ...echo, params: { name: 'fail', arguments: {} } }])
  await did(Promise.all(batch.map(({ result }) => result.catch(() => {}))), ['echo', 'page', 'policy', 'ok'], ['fail', 'page', 'policy', 'tool-error']) // prettier-ignore
  await did(session.notify('tools/call', echo.params, 'page'), ['echo', 'page', 'policy', 'no-response'])
  await did(session.raw(JSON.stringify({ jsonrpc: '2.0', id: 901, ...echo })), ['echo', 'console', 'policy', 'ok'])
  decisions.push('run')
  const twice = '{"jsonrpc":"2.0","id":902,"method":"tools/call","params":{"name":"echo","name":"fail"}}'
  await did(session.raw(twice), [undefined, 'console', 'user', 'tool-error'])
  await eventually(() => expect(foldAll(exchanges, trace).pending).toBe(0))

  // Two more rounds, because the server asks twice.
  const answers = { 'elicitation/create': () => ({ action: 'accept', content: { name: 'a', colour: 'b' } }) }
  const url = (root: string, path = '') => new StreamableHttpTransport({ url: `${root}${path}/${crypto.randomUUID()}` })
  const capabilities = () => ({ elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } })
  const asking = await guarded(trace, 's2', { transport: url(inject('modernUrl')), answers, capabilities })
  await did(asking.call('ask-twice', {}, 'run'), ['ask-twice', 'form', 'user', 'ok'], ['ask-twice', 'form', 'retry', 'ok'], ['ask-twice', 'form', 'retry', 'ok']) // prettier-ignore
  // Sent again by itself: the data behind a header was outdated.
  const stale = await guarded(trace, 's3', { transport: url(inject('erasUrl'), '/stale-header'), pinned: '2026-07-28' })
  await did(stale.call('t', { a: 'x', b: 'y' }, 'run'), ['t', 'form', 'user', 'error'], ['t', 'form', 'retry', 'ok'])
  // The server makes a task of it.
  const tasks = await guarded(trace, 's4', { transport: url(inject('erasUrl'), '/tasks'), pinned: '2026-07-28', capabilities }) // prettier-ignore
  await did(tasks.call('slow', {}, 'run'), ['slow', 'form', 'user', 'ok'])
  return { rows, frames: [...trace] }
}

/** The calls in a trace with what became of each, read from the frames alone. */
const callsIn = (frames: readonly Frame[]) => {
  const after = (sent: Frame, found: (frame: Frame) => string | undefined) => {
    for (const frame of frames) {
      const outcome = frame.seq > sent.seq && frame.link === sent.link ? found(frame) : undefined
      if (outcome !== undefined) return outcome
    }
    return 'no-response'
  }
  return frames.flatMap((frame): Call[] => {
    if (frame.kind === 'session' && frame.phase === 'held-back') {
      const { seq, link, tool, origin, why } = frame
      return [{ seq, link, tool, origin, by: why, outcome: 'held-back' }]
    }
    if (frame.kind !== 'message' || frame.direction !== 'sent') return []
    const calls = messagesIn(frame.message).filter(({ method }) => method === 'tools/call')
    return calls.map(({ id }, at) => {
      const { tool, origin, by } = frame.cleared![at]!
      const outcome = after(frame, (next) => {
        if (next.kind !== 'message' || id === undefined) return undefined
        for (const { id: responded, method, params, result, error } of messagesIn(next.message)) {
          if (next.direction === 'sent' && method === 'notifications/cancelled' && isObject(params) && params.requestId === id) return 'cancelled' // prettier-ignore
          if (next.direction !== 'received' || responded !== id || method !== undefined) continue
          if (error !== undefined) return 'error'
          return isObject(result) && result.isError === true ? 'tool-error' : 'ok'
        }
        return undefined
      })
      return { seq: frame.seq, link: frame.link, tool, origin, by, outcome }
    })
  })
}

const logOf = (frames: readonly Frame[]) => {
  const state = foldAll(exchanges, frames)
  return [...foldAll(executionLogFold, frames)]
    .flatMap(([link, calls]) =>
      calls.map((call) => ({ seq: call.seq, link, tool: call.tool, origin: call.origin, by: call.held ?? call.by, outcome: resultOf(call, state).outcome })),
    )
    .toSorted((one, other) => one.seq - other.seq) // prettier-ignore
}

test('the log of 30 calls says of each who made it, how it was allowed and what became of it, also after reopening', async () => {
  const { rows, frames } = await thirtyCalls()
  const log = logOf(frames)
  expect(log).toHaveLength(30)
  expect(log.map(({ tool, origin, by, outcome }) => [tool, origin, by, outcome])).toEqual(rows)
  expect(log).toEqual(callsIn(frames))

  const head = headOf({ begunAt: '2026-01-02T00:00:00.000Z', tool: { name: 'x', version: '0' }, servers: [] })
  const reopened = await readSession([...sessionText(head, frames)].join(''))
  expect(logOf(reopened.frames)).toEqual(log)
})
