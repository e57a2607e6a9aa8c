/** A stdio server without an SDK, so that what is in front of it dominates a measurement. Tools: `echo` and `burst`. */
import { createInterface } from 'node:readline'

/** Bytes of one write: what a pipe holds. */
const WRITE = 64 * 1024

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

/** Notifications as a server logs them. */
const burst = (count) => {
  let text = ''
  for (let number = 0; number < count; number++) {
    const params = {
      level: 'info',
      logger: 'tiny',
      data: { number, text: `Line ${number} of a log that says little.` },
    }
    text += `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n`
    if (text.length < WRITE) continue
    process.stdout.write(text)
    text = ''
  }
  process.stdout.write(text)
}

const TOOLS = ['echo', 'burst'].map((name) => ({ name, inputSchema: { type: 'object' } }))

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'tiny', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name, arguments: given = {} }) => {
    if (name === 'burst') burst(given.count)
    return { content: [{ type: 'text', text: name === 'echo' ? given.text : 'done' }] }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined || method === undefined) return
  const result = RESULTS[method]
  if (result) send({ id, result: result(params ?? {}) })
  else if (method === 'ping' || method === 'logging/setLevel') send({ id, result: {} })
  else send({ id, error: { code: -32601, message: `There is no ${method}` } })
})
