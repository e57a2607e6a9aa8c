/**
 * A stdio server that can change between runs: `node greeter.mjs [changed | broken | silent | exits | unlucky]`.
 * Written without an SDK, so that only the variant differs.
 */
import { createInterface } from 'node:readline'

const variant = process.argv[2] ?? 'plain'
if (variant === 'exits') {
  process.stderr.write('I do not want to\n')
  process.exit(3)
}

/** @param {object} message */
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const greeting = variant === 'changed' ? 'Good day' : 'Hello'
const inputSchema = { type: 'object', properties: { name: { type: 'string' } } }
const tools = [
  ...['greet', 'clock', 'fail', 'slow', 'ask', 'lot'].map((name) => ({ name, inputSchema })),
  { name: 'dice', inputSchema, annotations: { readOnlyHint: true } },
]
/** @type {Map<unknown, (answer: any) => void>} */
const asked = new Map()
let ids = 0
const word = () => Array.from({ length: 8 }, () => 'abcdefgh'[Math.floor(Math.random() * 8)]).join('')

/** @type {Record<string, (params: any, id: unknown) => unknown>} */
const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion === '2025-06-18' ? protocolVersion : '2025-11-25',
    capabilities: { tools: {}, logging: {} },
    serverInfo: { name: 'greeter', version: variant === 'changed' ? '2.0.0' : '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools }),
  'tools/call': async (params, id) => {
    const { name, arguments: given = {}, _meta } = params
    const text = (/** @type {string} */ words, more = {}) => ({ content: [{ type: 'text', text: words }], ...more })
    switch (name) {
      case 'greet':
        process.stderr.write(`greeting ${given.name}\n`)
        // Violates the specification: `text` must be a string.
        if (variant === 'broken') return { content: [{ type: 'text', text: 5 }] }
        return text(`${greeting}, ${given.name}`)
      case 'clock':
        return text(`It is ${new Date().toISOString()}, call ${crypto.randomUUID()}`)
      case 'dice':
      case 'lot':
        // Random words that no rule knows, beside what is promised.
        return text(`${word()} won ${word()} of ${variant === 'unlucky' ? 300 : 30} prizes in ${word()}`, {
          structuredContent: { winner: word(), prizes: variant === 'unlucky' ? 300 : 30 },
        })
      case 'fail':
        return text('It did not work', { isError: true })
      case 'slow':
        for (const progress of [1, 2]) {
          if (_meta?.progressToken === undefined) break
          send({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, progress, total: 2 } })
        }
        send({ method: 'notifications/message', params: { level: 'info', data: `call ${String(id)}` } })
        return text('At last')
      case 'ask': {
        const question = `q${++ids}`
        const schema = { type: 'object', properties: { name: { type: 'string' } } }
        send({ id: question, method: 'elicitation/create', params: { message: 'Who?', requestedSchema: schema } })
        const answer = await new Promise((resolve) => asked.set(question, resolve))
        return text(`${greeting}, ${answer.result?.content?.name ?? 'nobody'}`)
      }
      default:
        throw Object.assign(new Error(`Unknown tool: ${name}`), { code: -32602 })
    }
  },
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {}, ...rest } = JSON.parse(line)
  if (method === undefined) return void asked.get(id)?.(rest)
  if (id === undefined) return
  if (variant === 'silent' && method === 'initialize') return
  const handler = methods[method]
  if (!handler) return send({ id, error: { code: -32601, message: `Method not found: ${method}` } })
  Promise.resolve()
    .then(() => handler(params, id))
    .then(
      (result) => send({ id, result }),
      ({ code = -32603, message }) => send({ id, error: { code, message } }),
    )
})
