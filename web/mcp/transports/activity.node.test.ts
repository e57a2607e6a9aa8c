import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, test, vi } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { Bridge, Session, StdioBridgeTransport, Trace, TransportError, type Transport } from '../index.ts'
import type { Sink } from './transport.ts'
import { NewLines, wasActive, watchActivity } from './activity.ts'

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

/** @param text the code of what is printed, where `at` counts */
const printing = (text: string) => `let at = 0
const timer = setInterval(() => console.error(${text}, at++), ${every})
setTimeout(() => { clearInterval(timer); serve() }, ${after})`
const writing = `const { appendFileSync } = require('node:fs')
const timer = setInterval(() => appendFileSync(${JSON.stringify(join(folder, 'package.tgz'))}, Buffer.alloc(100_000)), ${every})
setTimeout(() => { clearInterval(timer); serve() }, ${after})`

test(
  'a command that may be downloading is waited for as long as it prints to stderr',
  async () => {
    expect(
      await open(
        npx('npx', printing(`'Downloading ' + 'abcdefghijklmnopqrstuvwxyz'[at % 26].repeat(1 + at / 26)`)),
        true,
      ),
    ).toBe('late')
  },
  patient(30_000),
)

test.runIf(process.platform === 'linux')(
  'it is also waited for as long as it writes the package without a word',
  async () => {
    expect(await open(npx('uvx', writing), true)).toBe('late')
  },
  patient(30_000),
)

test(
  'without a sign of activity, and for every other command, the limit ends the attempt',
  async () => {
    const timeout = { code: 'timeout', details: { step: 'waiting-for-answer', limit: LIMIT } }
    const silent = npx('bunx', `setTimeout(serve, ${after})`)
    await expect(open(silent, true)).rejects.toMatchObject(timeout)
    await expect(open(npx('pnpx', printing(`'retrying db, attempt'`)), true)).rejects.toMatchObject(timeout)
    await expect(open(npx('server', printing(`'x'.repeat(at)`)), false)).rejects.toMatchObject(timeout)
  },
  patient(30_000),
)

test('bytes count where the system counts them, and CPU time only where it does not', () => {
  const at = (seconds: number, cpu: number, bytes?: number) => ({ at: seconds * 1000, totals: new Map([[7, { cpu, bytes }]]) }) // prettier-ignore
  expect(wasActive(at(0, 1, 1000), at(5, 1, 200_000))).toBe(true)
  expect(wasActive(at(0, 1, 1000), at(5, 9, 2000))).toBe(false)
  expect(wasActive(at(0, 1), at(5, 1.1))).toBe(false)
  expect(wasActive(at(0, 1), at(5, 2))).toBe(true)
  // In a page in the background, samples are a minute apart.
  expect(wasActive(at(0, 1, 1000), at(60, 1, 200_000))).toBe(false)
  // A process that has started since, such as the one that unpacks.
  const other = new Map([...at(5, 1, 1000).totals, [8, { cpu: 0, bytes: 100_000 }]])
  expect(wasActive(at(0, 1, 1000), { at: 5000, totals: other })).toBe(true)
})

/** Watches processes that have these totals, one sample each: `undefined` is one that fails. @returns signs of activity */
const signsIn = async (...samples: readonly ({ readonly cpu: number; readonly io?: number } | undefined)[]) => {
  vi.useFakeTimers()
  try {
    const watching = new AbortController()
    let [at, signs] = [0, 0]
    const usage = async () => {
      const sample = samples[at++]
      if (at >= samples.length) watching.abort()
      if (!sample) throw new TransportError('no-proxy', 'No response within 10 s')
      return { processes: [{ pid: 7, name: 'node', memory: 0, ...sample }] }
    }
    const watched = watchActivity(usage, () => signs++, watching.signal)
    await vi.advanceTimersByTimeAsync(5_000 * samples.length)
    await watched
    return { signs, samples: at }
  } finally {
    vi.useRealTimers()
  }
}

test('what an idle process does never adds up to activity, however long it is watched', async () => {
  const minutes = Array.from({ length: 121 }, (_, at) => at)
  // Reads its own state from /proc once a second, and where bytes aren't counted, polls.
  expect(await signsIn(...minutes.map((at) => ({ cpu: 0, io: at * 5 * 1_400 })))).toMatchObject({ signs: 0 })
  expect(await signsIn(...minutes.map((at) => ({ cpu: at * 5 * 0.03 })))).toMatchObject({ signs: 0 })
  expect((await signsIn(...minutes.map((at) => ({ cpu: 0, io: at * 5 * 100_000 })))).signs).toBeGreaterThan(100)
})

test('a sample that fails ends nothing', async () => {
  const [before, after] = [{ cpu: 0, io: 0 }, { cpu: 0, io: 10_000_000 }] // prettier-ignore
  expect(await signsIn(undefined, before, undefined, undefined, after, after)).toEqual({ signs: 1, samples: 6 })
})

test('a line is new unless it equals an earlier one apart from its digits', () => {
  const lines = new NewLines()
  const isNew = (...texts: readonly string[]) => texts.map((text) => lines.isNew(text))
  expect(isNew('retrying db (1)', 'retrying db (12)', 'connected', 'retrying db (3)')).toEqual([true, false, true, false]) // prettier-ignore
  expect(isNew(...Array.from({ length: 5_000 }, (_, at) => 'x'.repeat(at % 200)))).toContain(true)
  expect(isNew('connected')).toEqual([false])
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
    // What is said of it isn't that it took 90 s, but how long it was waited for (the probe took 5 s).
    expect(ended).toMatchObject({
      code: 'timeout',
      message: 'Still waiting for response after 1885 s, the last 90 s without activity',
      details: { step: 'waiting-for-answer', limit: 90_000, total: 1_885_000 },
    })
  } finally {
    vi.useRealTimers()
  }
})
