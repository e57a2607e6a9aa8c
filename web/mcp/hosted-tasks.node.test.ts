/** The official SDK, whose servers poll tasks of the client. Node only, because it runs in the same process. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CreateMessageResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, expect, test } from 'vitest'
import { levelsOf, loadRequirements } from '../lint/requirements.ts'
import { findings } from '../lint/run.ts'
import { foldAll, LoopbackTransport, ProtocolError, Session, Trace, type Answers } from './index.ts'

const PARIS = { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } }
const ASK = { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'Where?' } }], maxTokens: 9 }
const FORM = {
  message: 'Who?',
  requestedSchema: { type: 'object' as const, properties: { name: { type: 'string' as const } } },
}
const AS_TASK = { task: { ttl: 60_000 } }

const ends: (() => Promise<void>)[] = []
afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))))

/** A server on the SDK, and this client, connected to each other. */
const connect = async (answers: Answers) => {
  const server = new Server({ name: 'sdk', version: '1' }, { capabilities: {} })
  const transport = new LoopbackTransport({
    connect: (reply) => {
      const sdk = {
        onmessage: undefined as ((message: JSONRPCMessage) => void) | undefined,
        start: async () => {},
        send: async (message: JSONRPCMessage) => reply(JSON.stringify(message)),
        close: async () => {},
      }
      void server.connect(sdk)
      return {
        receive: (text) => sdk.onmessage?.(JSON.parse(text) as JSONRPCMessage),
        close: () => void server.close(),
      }
    },
  })
  const trace = new Trace()
  const requests = { sampling: { createMessage: {} }, elicitation: { create: {} } }
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '0' },
    remembered: 'handshake',
    capabilities: () => ({ sampling: {}, elicitation: { form: {} }, tasks: { list: {}, cancel: {}, requests } }),
    answers,
  })
  ends.push(() => session.close())
  await session.open()
  expect(session.peer?.revision).toBe('2025-11-25')
  return { tasks: server.experimental.tasks, trace }
}

const all = async <Message extends { readonly type: string }>(
  stream: AsyncIterable<Message>,
  heard: (message: Message) => void = () => {},
): Promise<Message[]> => {
  const seen: Message[] = []
  for await (const message of stream) {
    seen.push(message)
    heard(message)
  }
  return seen
}

test('TASK-13, TASK-08: a server on the SDK runs sampling and elicitation as tasks of this client, and gets their results', async () => {
  const answer = { action: 'accept', content: { name: 'Ann' } }
  let finish = (_: typeof PARIS): void => {}
  const { tasks, trace } = await connect({
    'sampling/createMessage': () => new Promise<typeof PARIS>((resolve) => (finish = resolve)),
    'elicitation/create': () => answer,
  })
  const [sampled, elicited] = await Promise.all([
    // Over once its state was polled, so the next poll finds it completed.
    all(tasks.createMessageStream(ASK, AS_TASK), ({ type }) => void (type === 'taskStatus' && finish(PARIS))),
    all(tasks.elicitInputStream({ mode: 'form', ...FORM }, AS_TASK)),
  ])
  expect(sampled.map(({ type }) => type)).toEqual(['taskCreated', 'taskStatus', 'taskStatus', 'result'])
  expect(sampled[0]).toMatchObject({ task: { status: 'working', ttl: 60_000 } })
  expect(sampled.at(-1)).toMatchObject({ result: PARIS })
  expect(elicited[0]).toMatchObject({ type: 'taskCreated' })
  expect(elicited.at(-1)).toMatchObject({ type: 'result', result: answer })
  // Nothing that either side sent is reported as a violation.
  const { bySeq } = foldAll(findings({ levels: levelsOf(await loadRequirements()) }), trace)
  expect([...bySeq.values()].flat().map(({ rule, explanation }) => `${rule} ${explanation}`)).toEqual([])
})

test('TASK-08, TASK-11, TASK-12: it lists and cancels them, and gets the error of a task that failed', async () => {
  const { tasks } = await connect({
    'sampling/createMessage': () => Promise.reject(new ProtocolError(-1, 'User rejected')),
    'elicitation/create': () => new Promise(() => {}),
  })
  const rejected = await all(tasks.createMessageStream(ASK, AS_TASK))
  expect(rejected.at(-1)).toMatchObject({ type: 'error' })
  const stream = tasks.elicitInputStream({ mode: 'form', ...FORM }, AS_TASK)
  const created = await stream.next()
  const listed = await tasks.listTasks()
  expect(listed.tasks.map(({ status }) => status)).toEqual(['failed', 'working'])
  const [failed, waits] = listed.tasks
  expect(created.value).toMatchObject({ type: 'taskCreated', task: { taskId: waits!.taskId } })
  await expect(tasks.getTaskResult(failed!.taskId, CreateMessageResultSchema)).rejects.toMatchObject({ code: -1 })
  await tasks.cancelTask(waits!.taskId)
  expect(await tasks.getTask(waits!.taskId)).toMatchObject({ status: 'cancelled' })
  await expect(tasks.cancelTask(waits!.taskId)).rejects.toMatchObject({ code: -32602 })
  await expect(tasks.getTask('unknown')).rejects.toMatchObject({ code: -32602 })
})
