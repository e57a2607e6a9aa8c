/** Tasks that this client runs for a server, as the Inbox, the Tasks tab and recordings show them. */
import { afterEach, describe, expect, inject, test } from 'vitest'
import { foldAll, META, ProtocolError, Session, StreamableHttpTransport, Trace } from '../../mcp/index.ts'
import type { Answers, Fold, Frame, FrameDraft, JsonObject, Link } from '../../mcp/index.ts'
import { levelsOf, loadRequirements } from '../../lint/requirements.ts'
import { findings } from '../../lint/run.ts'
import { stepsOf } from '../../replay/index.ts'
import { heldFor, requestsOfCalls } from '../server-requests/request-log.ts'
import { serverRequestsFold } from '../server-requests/server-requests-fold.ts'
import { hostedTasksFold } from './hosted-fold.ts'
import { tasksFold } from './tasks-fold.ts'
import { tasks as feature } from './index.ts'

const PARIS = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }
const ACCEPTED = { action: 'accept', content: { name: 'Ann' } }

const requestsIn = (frames: readonly Frame[]) => [...foldAll(serverRequestsFold, frames).all.values()]
const hostedIn = (frames: readonly Frame[], link: Link = 'a') => [
  ...(foldAll(hostedTasksFold, frames).get(link)?.tasks.values() ?? []),
]

describe('the async tools of the reference server', () => {
  const sessions: Session[] = []
  afterEach(async () => void (await Promise.all(sessions.splice(0).map((session) => session.close()))))

  /** The frames of one call. */
  const called = async (name: string, args: JsonObject, answers: Answers) => {
    const trace = new Trace()
    const session = new Session({
      trace,
      link: 'a',
      transport: new StreamableHttpTransport({ url: inject('everythingUrl') }),
      clientInfo: { name: 'test', version: '1' },
      capabilities: (revision) => ({ sampling: {}, elicitation: { form: {} }, ...feature.declares!(revision) }),
      answers,
    })
    sessions.push(session)
    await session.open()
    const call = session.call('tools/call', { name, arguments: args })
    const result = await call.result
    return { frames: [...trace], call: call.seq!, text: JSON.stringify(result.content) }
  }

  test.each<[string, JsonObject, Answers, JsonObject]>([
    ['trigger-sampling-request-async', { prompt: 'Where?' }, { 'sampling/createMessage': () => PARIS }, PARIS],
    ['trigger-elicitation-request-async', {}, { 'elicitation/create': () => ACCEPTED }, ACCEPTED],
  ])(
    'TASK-13, TASK-16: %s polls this client, and its request has one place with one response',
    async (name, args, answers, result) => {
      const { frames, call, text } = await called(name, args, answers)
      expect(text).toContain('COMPLETED')
      const [method] = Object.keys(answers)
      const [request, ...others] = requestsIn(frames)
      expect(others).toEqual([])
      expect(request).toMatchObject({ method, route: 'request', call, state: 'answered', answered: { result } })
      const [task, ...more] = hostedIn(frames)
      expect(more).toEqual([])
      expect(task).toMatchObject({ id: request!.hosted, request: request!.seq, method, state: 'completed' })
      expect(task!.polls).toBeGreaterThan(0)
      expect(task!.outcome).toBe(request!.answered!.seq)
      // It isn't a task of the server.
      expect(foldAll(tasksFold, frames).get('a')!.tasks.size).toBe(0)
      const levels = levelsOf(await loadRequirements())
      const found = [...foldAll(findings({ levels }), frames).bySeq.values()].flat()
      expect(found).toEqual([])
      // A replay sends the response that the user gave, and not the task of last time.
      const step = stepsOf(frames).find((each) => each.method === 'tools/call')
      expect(step!.answers).toMatchObject([{ method, result }])
      expect(step!.answers![0]!.result).not.toHaveProperty('_meta')
      expect(stepsOf(frames).map((each) => each.method)).not.toContain('notifications/tasks/status')
    },
  )

  test('TASK-08: a rejected request fails its task, and the tool gets the reason', async () => {
    const { frames, text } = await called(
      'trigger-sampling-request-async',
      { prompt: 'Where?' },
      {
        'sampling/createMessage': () => Promise.reject(new ProtocolError(-1, 'User rejected')),
      },
    )
    expect(text).toContain('User rejected')
    expect(requestsIn(frames)).toMatchObject([{ state: 'refused' }])
    expect(hostedIn(frames)).toMatchObject([{ state: 'failed', message: 'User rejected' }])
  })
})

/** Frames as a session writes them, 10 ms apart. */
const script = (...drafts: readonly FrameDraft[]): Frame[] => {
  let now = 0
  const trace = new Trace({ now: () => now })
  for (const draft of drafts) {
    now += 10
    trace.append(draft)
  }
  return [...trace]
}
const said = (direction: 'sent' | 'received', message: JsonObject): FrameDraft => ({
  kind: 'message',
  direction,
  type: 'request',
  message,
  size: 1,
  link: 'a',
})
const call = said('sent', { id: 1, method: 'tools/call', params: { name: 'x' } })
const ask = (params: JsonObject = { task: { ttl: 5 } }) =>
  said('received', { id: 'q', method: 'elicitation/create', params })
const task = (status: string, more: JsonObject = {}) => ({ taskId: 't1', status, ttl: 5, ...more })
const created = said('sent', { id: 'q', result: { task: task('working') } })
const poll = (id: string, method = 'tasks/get') => said('received', { id, method, params: { taskId: 't1' } })
const respond = (id: string, rest: JsonObject) => said('sent', { id, ...rest })
const status = (of: string, more: JsonObject = {}) =>
  said('sent', { method: 'notifications/tasks/status', params: task(of, more) })
const BEGUN = [call, ask(), created] as const

describe('a request that this client runs as a task', () => {
  test('TASK-13: stays open after it got its task and while it is polled, and the call behind it stays held', () => {
    const frames = script(...BEGUN, poll('p1'), respond('p1', { result: task('working') }), poll('p2'))
    const log = foldAll(serverRequestsFold, frames)
    expect([...log.all.values()]).toMatchObject([{ state: 'open', hosted: 't1', call: 0 }])
    expect([...log.open.get('a')!]).toEqual(['1'])
    expect(heldFor(requestsOfCalls(log, [0]), 100)).toBe(80)
    expect(hostedIn(frames)).toMatchObject([{ state: 'working', polls: 1, wantedTtl: 5, ttl: 5 }])
  })

  test('ends with its task, and has its response once the server has loaded it', () => {
    const ended = script(...BEGUN, poll('r', 'tasks/result'), status('completed'))
    const [request] = requestsIn(ended)
    expect(request).toMatchObject({ state: 'answered', ended: 50 })
    expect(request).not.toHaveProperty('answered')
    const result = { ...ACCEPTED, _meta: { [META.relatedTask]: { taskId: 't1' } } }
    const loaded = script(
      ...BEGUN,
      poll('r', 'tasks/result'),
      status('completed'),
      respond('r', { result }),
      poll('s', 'tasks/result'),
      respond('s', { result: { other: 1 } }),
    )
    expect(requestsIn(loaded)).toMatchObject([{ state: 'answered', ended: 50, answered: { seq: 5, result } }])
    // The user took until the task ended; after that the server took its time.
    expect(heldFor(requestsIn(loaded), 999)).toBe(30)
  })

  test.each<[string, readonly FrameDraft[], JsonObject]>([
    ['failed', [status('failed', { statusMessage: 'No' })], { state: 'refused' }],
    [
      'failed and loaded',
      [poll('r', 'tasks/result'), respond('r', { error: { code: -1, message: 'No' } })],
      { state: 'refused', answered: { seq: 4, at: 50, error: { code: -1, message: 'No' } } },
    ],
    [
      'cancelled by the server',
      [poll('c', 'tasks/cancel'), respond('c', { result: task('cancelled', { statusMessage: 'Enough' }) })],
      { state: 'withdrawn', explanation: 'Enough' },
    ],
    ['only seen in a poll', [poll('p'), respond('p', { result: task('completed') })], { state: 'answered' }],
    ['lost', [{ kind: 'session', phase: 'closed', why: 'x', link: 'a' }], { state: 'lost' }],
  ])('is %s', (_, more, expected) => {
    expect(requestsIn(script(...BEGUN, ...more))).toMatchObject([expected])
  })

  test('TASK-09: has one end, whatever comes later', () => {
    const frames = script(
      ...BEGUN,
      status('cancelled'),
      status('completed'),
      poll('r', 'tasks/result'),
      respond('r', { error: { code: -32602, message: 'Cancelled' } }),
    )
    expect(requestsIn(frames)).toMatchObject([{ state: 'withdrawn' }])
    expect(hostedIn(frames)).toMatchObject([{ state: 'cancelled' }])
    expect(hostedIn(frames)[0]).not.toHaveProperty('outcome')
  })

  test('TASK-14: is an ordinary request if its response is one', () => {
    const frames = script(call, ask(), said('sent', { id: 'q', result: ACCEPTED }))
    expect(requestsIn(frames)).toMatchObject([{ state: 'answered', answered: { result: ACCEPTED } }])
    expect(requestsIn(frames)[0]).not.toHaveProperty('hosted')
    expect(hostedIn(frames)).toEqual([])
  })

  test('is the same whatever part of the frames was read first', () => {
    const frames = script(...BEGUN, poll('p1'), respond('p1', { result: task('working') }), status('completed'))
    const cutAnywhere = <State>(fold: Fold<State>) => {
      for (let cut = 0; cut <= frames.length; cut++) {
        const state = foldAll(fold, frames.slice(0, cut))
        for (const frame of frames.slice(cut)) fold.step(state, frame)
        expect(state).toEqual(foldAll(fold, frames))
      }
    }
    cutAnywhere(hostedTasksFold)
    cutAnywhere(serverRequestsFold)
  })
})
