import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { Bridge, Session, StdioBridgeTransport, Trace, type Transport } from '../index.ts'
import type { Sink } from './transport.ts'
import { wasActive } from './activity.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
const folder = mkdtempSync(join(tmpdir(), 'periscope-npx-'))
afterAll(() => {
  bridge.leave()
  rmSync(folder, { recursive: true, force: true })
})

/** Stands in for `npx`: does something for a while, then becomes a server. */
const npx = (name: string, before: string): string => {
  const file = join(folder, name)
  const serve = `process.stdin.setEncoding('utf8'); let rest = ''
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, method } = JSON.parse(line)
    if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'late', version: '1' } } }))
    else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))
  }
})`
  writeFileSync(file, `#!${inject('nodePath')}\nconst serve = () => { ${serve} }\n${before}\n`, { mode: 0o755 })
  return file
}

/** ms: the injected limit, which Node needs to start on a busy machine; whatever works takes several times as long. */
const LIMIT = patient(2_000)
const [every, after] = [LIMIT / 10, LIMIT * 2.5]

const open = async (command: string, downloads: boolean) => {
  const transport = new StdioBridgeTransport({
    bridge,
    spawn: { command, args: [] },
    limits: { answer: LIMIT },
    ...(downloads ? { downloads: { interval: LIMIT / 5 } } : {}),
  })
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace: new Trace(), link: 's1', transport, clientInfo, patience: LIMIT / 10 })
  try {
    return (await session.open()).info.name
  } finally {
    await session.close()
  }
}

const printing = `const timer = setInterval(() => console.error('Downloading torch (783.0MiB)'), ${every})
setTimeout(() => { clearInterval(timer); serve() }, ${after})`
const writing = `const { appendFileSync } = require('node:fs')
const timer = setInterval(() => appendFileSync(${JSON.stringify(join(folder, 'package.tgz'))}, Buffer.alloc(100_000)), ${every})
setTimeout(() => { clearInterval(timer); serve() }, ${after})`

test(
  'a command that may be downloading is waited for as long as it prints to stderr',
  async () => {
    expect(await open(npx('npx', printing), true)).toBe('late')
  },
  patient(30_000),
)

test.runIf(process.platform === 'linux')(
  'it is also waited for as long as it writes the package without a word',
  async () => {
    expect(await open(npx('uvx', writing), true)).toBe('late')
  },
  30_000,
)

test(
  'without a sign of activity, and for every other command, the limit ends the attempt',
  async () => {
    const timeout = { code: 'timeout', details: { step: 'waiting-for-answer', limit: LIMIT } }
    const silent = npx('bunx', `setTimeout(serve, ${after})`)
    await expect(open(silent, true)).rejects.toMatchObject(timeout)
    await expect(open(npx('server', printing), false)).rejects.toMatchObject(timeout)
  },
  patient(30_000),
)

test('bytes count where the system counts them, and CPU time only where it does not', () => {
  const totals = (cpu: number, bytes?: number) => new Map([[7, { cpu, bytes }]])
  expect(wasActive(totals(1, 1000), totals(1, 200_000))).toBe(true)
  expect(wasActive(totals(1, 1000), totals(9, 2000))).toBe(false)
  expect(wasActive(totals(1), totals(1.1))).toBe(false)
  expect(wasActive(totals(1), totals(2))).toBe(true)
  // A process that has started since, such as the one that unpacks.
  expect(wasActive(totals(1, 1000), new Map([...totals(1, 1000), [8, { cpu: 0, bytes: 100_000 }]]))).toBe(true)
})

test('no limit of the session ends an attempt while the other side is busy, and the usual ones do afterwards', async () => {
  vi.useFakeTimers()
  try {
    let sink: Sink | undefined
    const transport: Transport = {
      name: 'stdio',
      restarts: true,
      open: async (given) => void (sink = given),
      send: async () => sink?.step('waiting-for-answer', 90_000),
      close: async () => {},
    }
    const session = new Session({
      trace: new Trace(),
      link: 's1',
      transport,
      clientInfo: { name: 'test', version: '0' },
    })
    let ended: unknown
    void session.open().catch((error: unknown) => (ended = error))
    for (let minute = 0; minute < 30; minute++) {
      await vi.advanceTimersByTimeAsync(60_000)
      sink?.busy?.()
    }
    expect([session.state, ended]).toEqual(['opening', undefined])
    await vi.advanceTimersByTimeAsync(91_000)
    expect(ended).toMatchObject({ code: 'timeout', details: { limit: 90_000 } })
  } finally {
    vi.useRealTimers()
  }
})
