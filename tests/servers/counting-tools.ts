/** The tools behind the cut streams. Their responses show whether part of a stream was lost or duplicated. */
import { setTimeout as pause } from 'node:timers/promises'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js'

const number = { type: 'number' } as const

const TOOLS = [
  {
    name: 'slow-count',
    description: 'Counts to n: a progress and a log message per step, ms before each',
    properties: { n: number, ms: number },
  },
  { name: 'notify', description: 'Sends n numbered log messages on the GET stream', properties: { n: number } },
  {
    name: 'big',
    description: 'Answers with a text of n bytes, most of them two to a character',
    properties: { n: number },
  },
  { name: 'echo', description: 'Answers with the text', properties: { text: { type: 'string' } } },
].map(({ properties, ...tool }) => ({
  ...tool,
  inputSchema: { type: 'object' as const, properties, required: Object.keys(properties) },
}))

/**
 * @param afterSecond called at every second step of a count, with the request that counts
 * @param before awaited before each step of a count
 */
export const makeServer = (
  afterSecond: (request: RequestId) => void,
  before: (step: number) => Promise<void> = async () => {},
): Server => {
  const server = new Server({ name: 'cutting', version: '1.0.0' }, { capabilities: { logging: {}, tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params }, { _meta, requestId, sendNotification, signal }) => {
      const { n = 0, ms = 0, text = '' } = (params.arguments ?? {}) as { n?: number; ms?: number; text?: string }
      const say = (answer: string) => ({ content: [{ type: 'text' as const, text: answer }] })
      switch (params.name) {
        case 'slow-count': {
          const progressToken = _meta?.progressToken
          for (let step = 1; step <= n; step++) {
            await pause(ms, undefined, { signal })
            await before(step)
            if (progressToken !== undefined) {
              // Non-ASCII, so that a cut can split a character.
              const message = `Schritt ${step} · 第${step}步`
              const progress = { progressToken, progress: step, total: n, message }
              await sendNotification({ method: 'notifications/progress', params: progress })
            }
            const log = { level: 'info' as const, logger: 'slow-count', data: `step ${step}` }
            await sendNotification({ method: 'notifications/message', params: log })
            if (step % 2 === 0) afterSecond(requestId)
          }
          return say(`counted to ${n}`)
        }
        case 'notify':
          for (let data = 1; data <= n; data++) {
            await server.notification({ method: 'notifications/message', params: { level: 'info', data } })
            await pause(5, undefined, { signal })
          }
          return say(`sent ${n}`)
        case 'big':
          return say('é'.repeat(Math.floor(n / 2)) + '.'.repeat(n % 2))
        case 'echo':
          return say(text)
        default:
          return { ...say(`There is no tool ${params.name}`), isError: true }
      }
    },
  )
  return server
}
