/**
 * A stdio server that misbehaves in one way: `node hostile-stdio.mjs <behaviour> [<ms>]`. Apart from that, its
 * handshake is correct, it lists one tool `t`, and it exits when stdin closes. In any case it exits after a minute.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Name, description, and implementation: `start` runs before anything is read; `on` runs for each message and returns
 * true if it responded.
 */
const behaviours = {
  good: { says: 'Nothing is wrong: what the others are compared with' },
  noise: {
    says: 'Banner, coloured log lines and JSON that is no message on stdout, before and between messages',
    start: () => {
      line('  ╔══════════╗\n  ║ hostile! ║\n  ╚══════════╝\n')
      line('\u001b[32m[info]\u001b[0m listening on stdio {')
    },
    on: () => {
      line('\u001b[33m[debug]\u001b[0m got something')
      line('{"level":30,"time":1760000000000,"msg":"request"}')
    },
  },
  'dies-at-start': {
    says: 'Ends with 1 before it reads anything, after two lines on stderr',
    start: () => {
      process.stderr.write('Error: DATABASE_URL is not set\n    at start (server.js:7:11)\n')
      process.exit(1)
    },
  },
  'dies-in-call': {
    says: 'Ends with 3 during tools/call, after a line on stderr',
    on: ({ method }) => {
      if (method !== 'tools/call') return
      process.stderr.write('out of cheese\n')
      process.exit(3)
    },
  },
  'dies-after': {
    says: 'Never answers, and ends with 1 after <ms> (13,000) without a word',
    start: () => void setTimeout(() => process.exit(1), ms ?? 13_000),
    on: () => true,
  },
  'ignores-end': {
    says: 'Stays when stdin ends, and when SIGTERM comes',
    start: () => {
      stay()
      process.on('SIGTERM', () => {})
    },
  },
  'ignores-end-with-child': {
    says: 'The same, and so does a process it started; both pids are what t answers',
    start: async () => {
      stay()
      process.on('SIGTERM', () => {})
      const deaf = `process.on('SIGTERM', () => {}); setTimeout(() => {}, ${LIFETIME}); process.send('deaf')`
      const child = spawn(process.execPath, ['-e', deaf], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
      await new Promise((resolve) => child.once('message', resolve))
      child.disconnect()
      answerOfT = JSON.stringify({ pids: [process.pid, child.pid] })
    },
  },
  'slow-exit': {
    says: 'Ends <ms> (1,500) after its stdin does',
    start: () => {
      stay()
      input.once('close', () => setTimeout(() => process.exit(0), ms ?? 1500))
    },
  },
  'split-utf8': {
    says: 'Every character of many bytes is split between writes, with a pause',
    on: async (message) => {
      const answer = answerTo(message)
      if (!answer) return true
      const bytes = Buffer.from(`${JSON.stringify(answer)}\n`)
      let from = 0
      for (let at = 1; at < bytes.length; at++) {
        // Continuation bytes are 10xxxxxx, so this one is inside a character.
        if ((bytes[at] & 0xc0) !== 0x80) continue
        process.stdout.write(bytes.subarray(from, at))
        await pause(ms ?? 3)
        from = at
      }
      process.stdout.write(bytes.subarray(from))
      return true
    },
  },
  'huge-line': { says: 't answers with one line of 20 MB', start: () => void (answerOfT = 'x'.repeat(20_000_000)) },
  'crlf-bom': {
    says: 'A BOM first, CRLF at the end of each line',
    start: () => {
      process.stdout.write('\uFEFF')
      lineEnd = '\r\n'
    },
  },
  'no-newline-end': {
    says: 'Ends right after the answer of t, which has no line end',
    on: (message) => {
      if (message.method !== 'tools/call') return
      process.stdout.write(JSON.stringify(answerTo(message)), () => process.exit(0))
      return true
    },
  },
  'id-nobody-sent': {
    says: 'Answers to the ids 999999 and "nobody" come before each answer',
    on: ({ id }) => {
      if (id !== undefined) for (const odd of [999_999, 'nobody']) say({ id: odd, result: {} })
    },
  },
  duplicate: {
    says: 'Every answer comes twice',
    on: (message) => {
      const answer = answerTo(message)
      if (answer) say(answer)
    },
  },
  'never-answers': { says: 'Reads, and never says a word', on: () => true },
  'roots-fifteen': {
    says: 'Asks for the roots fifteen times at once after initialized; t answers how many answers came',
    on: ({ id, method }) => {
      if (method === 'notifications/initialized')
        for (let n = 1; n <= 15; n++) say({ id: `roots-${n}`, method: 'roots/list' })
      if (method === undefined && String(id).startsWith('roots-')) answerOfT = String(++rootsAnswers)
    },
  },
  'early-list-changed': {
    says: 'tools/list_changed right after initialized',
    on: ({ method }) => {
      if (method === 'notifications/initialized') say({ method: 'notifications/tools/list_changed' })
    },
  },
  env: {
    says: 't answers with its environment, arguments and working directory',
    start: () =>
      void (answerOfT = JSON.stringify({ env: process.env, args: process.argv.slice(2), cwd: process.cwd() })),
  },
  'stderr-chatter': {
    says: 'Fifty lines on stderr at the start, one of them half, some coloured; one more for each message',
    start: () => {
      for (let n = 1; n < 50; n++) process.stderr.write(`\u001b[2m${n}\u001b[0m loading module ${n}\n`)
      process.stderr.write('Password: ')
    },
    on: ({ method }) => void process.stderr.write(`got ${method ?? 'an answer'}\n`),
  },
}

/** ms after which even an unresponsive server exits, so that a failed test leaves no process behind. */
const LIFETIME = 60_000

const [name = '', argument] = process.argv.slice(2)
const ms = argument === undefined ? undefined : Number(argument)
const behaviour = Object.hasOwn(behaviours, name) ? behaviours[name] : undefined
if (!behaviour) {
  console.error(`No behaviour ${name}. There are:`)
  for (const [each, { says }] of Object.entries(behaviours)) console.error(`  ${each.padEnd(24)}${says}`)
  process.exit(2)
}

let lineEnd = '\n'
let answerOfT = 'Grüße, 世界 🎈'
let rootsAnswers = 0

const line = (text) => process.stdout.write(text + lineEnd)
const say = (message) => line(JSON.stringify({ jsonrpc: '2.0', ...message }))
const stay = () => setTimeout(() => process.exit(0), LIFETIME)

const answerTo = ({ id, method, params }) => {
  if (id === undefined || method === undefined) return
  const answer = (result) => ({ jsonrpc: '2.0', id, result })
  switch (method) {
    case 'initialize':
      return answer({
        protocolVersion: params?.protocolVersion ?? '2025-11-25',
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: `hostile ${name}`, title: 'Böse 🎈', version: '1.0.0' },
      })
    case 'ping':
      return answer({})
    case 'tools/list':
      return answer({ tools: [{ name: 't', description: `Zeigt „${name}“`, inputSchema: { type: 'object' } }] })
    case 'tools/call':
      return answer({ content: [{ type: 'text', text: answerOfT }] })
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
  }
}

const input = createInterface({ input: process.stdin })
let before = behaviour.start?.()
input.on('line', (text) => {
  // In sequence, however long each takes, so that responses keep the order of the requests.
  before = Promise.resolve(before).then(async () => {
    const message = JSON.parse(text)
    if (await behaviour.on?.(message)) return
    const answer = answerTo(message)
    if (answer) say(answer)
  })
})
