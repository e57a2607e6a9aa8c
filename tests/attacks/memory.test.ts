/** Output of child processes must not make the proxy grow, no matter how many there are and who reads. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import { patient } from '../patience.ts'
import { readEvents } from '../../proxy/fixtures/peer.ts'
import type { PageEvent } from '../../proxy/wire.ts'
import { buildPeriscope, run, type Bundle, type Running } from './periscope.ts'

const LIMIT = 300
const MB = 1024 * 1024

const script = (code: string) => ({ command: process.execPath, args: ['-e', code] })
/** Prints without a line break, as fast as it is read, then keeps running. */
const unfinished = (mb: number) =>
  script(`let n = 0; const block = Buffer.alloc(65536, 120); setInterval(() => {}, 1000)
    const go = () => { while (n++ < ${mb * 16}) if (!process.stdout.write(block)) return process.stdout.once('drain', go) }; go()`)

/** The process's peak resident set, in MB. */
const peak = (pid: number): number =>
  Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024

describe.runIf(process.platform === 'linux')('the proxy stays under 300 MB', { timeout: patient(120_000) }, () => {
  let bundle: Bundle
  let proxy: Running
  beforeAll(async () => {
    bundle = await buildPeriscope()
  }, patient(200_000))
  afterAll(() => bundle?.remove())
  beforeEach(async () => {
    proxy = await run([process.execPath, bundle.file, '--port', '0', '--no-open'])
  })
  afterEach(async () => {
    proxy.process.kill('SIGKILL')
    await proxy.ended
  })
  const events = (page = 'p') => proxy.ask('GET', `/api/pages/${page}/events`)
  /** Reads a page's events until `enough` returns true. */
  const read = async (page: string, enough: (event: PageEvent) => boolean): Promise<void> => {
    for await (const { event } of readEvents(await events(page))) if (enough(event)) return
  }
  const expectSmall = () => expect(peak(proxy.process.pid!)).toBeLessThan(LIMIT)

  test('with 16 lines of 60 MB that never end; and a server that says little is heard all the while', async () => {
    let lost = 0
    const many = Array.from({ length: 16 }, () => proxy.spawn(unfinished(60)))
    await Promise.all(many)
    const { child } = await proxy.spawn(script(`setInterval(() => console.log('here'), 200)`))
    let heard = 0
    await read('p', (event) => {
      if (event.type === 'line' && event.child === child) heard++
      if (event.type === 'lost') lost += event.size
      return heard === 30
    })
    expectSmall()
    // Losses are reported when a line ends, and these lines never do.
    expect(lost).toBe(0)
  })

  test('with 6 lines of 40 MB at once, each of which arrives whole', async () => {
    const code = `process.stdout.write(Buffer.alloc(${40 * MB}, 120)); process.stdout.write('\\n'); setInterval(() => {}, 1000)`
    const arrived: number[] = []
    const reading = read('p', (event) => {
      if (event.type === 'lost') throw new Error('A line was lost')
      if (event.type === 'line') arrived.push(event.text.length)
      return arrived.length === 6
    })
    await Promise.all(Array.from({ length: 6 }, () => proxy.spawn(script(code))))
    await reading
    expect(arrived).toEqual(Array.from({ length: 6 }, () => 40 * MB))
    expectSmall()
  })

  test('with lines of control characters, with 8 last lines of stderr of 60 MB each', async () => {
    const code = `const line = Buffer.alloc(${60 * MB}, 1); line[line.length - 1] = 10
      let n = 0; const go = () => { if (n++ < 8) process.stderr.write(line, go); else process.exit(3) }; go()`
    let exit: PageEvent | undefined
    const reading = read('p', (event) => {
      if (event.type === 'exit') exit = event
      return event.type === 'exit'
    })
    await proxy.spawn(script(code))
    await reading
    expect(exit).toMatchObject({ code: 3 })
    expectSmall()
  })

  test('with 16 pages that never read, whose servers never stop', async () => {
    const code = `const block = Buffer.alloc(65536, 120); block[65535] = 10
      const go = () => { while (process.stdout.write(block)); process.stdout.once('drain', go) }; go()`
    await Promise.all(Array.from({ length: 16 }, (_, n) => proxy.spawn(script(code), `page${n}`)))
    // Other pages still work, however much these hold.
    await proxy.spawn(script(`setInterval(() => console.log('here'), 100)`), 'reader')
    let heard = 0
    await read('reader', () => ++heard === 50)
    expectSmall()
  })
})
