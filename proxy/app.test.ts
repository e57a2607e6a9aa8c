import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { patient } from '../tests/patience.ts'
import { createApp } from './app.ts'
import { framesFrom, readEvents, readEventsUntil, isExit, runs } from './fixtures/peer.ts'
import { FRAME } from './event-log.ts'
import { hostsFor } from './guard.ts'
import { LaunchCodes } from './launch.ts'
import type { Limits } from './limits.ts'
import { Pages } from './pages.ts'
import type { Hello, PageEvent, ProcessUsage, Spawned } from './wire.ts'

const HOST = '127.0.0.1:6275'
const TOKEN = 'the-token-of-this-launch'
const OWN = { Host: HOST, 'Periscope-Token': TOKEN }
const NODE = process.execPath
const ECHO = join(import.meta.dirname, 'fixtures/echo.mjs')

const opened: Pages[] = []
afterEach(async () => {
  await Promise.all(opened.map((pages) => (pages.kill(), pages.close())))
  opened.length = 0
})

function start(limits: Partial<Limits> = {}, dist?: string) {
  const pages = new Pages({ stdinGrace: 200, termGrace: 200, ...limits })
  opened.push(pages)
  const codes = new LaunchCodes()
  const allowedHosts = hostsFor('127.0.0.1', 6275)
  const app = createApp({ token: TOKEN, allowedHosts, pages, codes, ...(dist && { dist }) })
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    app.request(`http://${HOST}${path}`, {
      method,
      headers: { ...OWN, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const spawn = async (args: string[], page = 'p'): Promise<Spawned> => {
    const response = await ask('POST', `/api/pages/${page}/children`, { command: NODE, args })
    expect(response.status).toBe(201)
    return (await response.json()) as Spawned
  }
  const events = (page = 'p', after?: number) =>
    ask('GET', `/api/pages/${page}/events`, undefined, after === undefined ? {} : { 'Last-Event-ID': String(after) })
  return { pages, app, codes, ask, spawn, events }
}

const text = (event: PageEvent): string => ('text' in event ? event.text : '')

describe('the guard', () => {
  const routes: [string, string][] = [
    ['GET', '/'],
    ['GET', '/assets/index-abc.js'],
    ['GET', '/nothing'],
    ['GET', '/api'],
    ['GET', '/api/hello'],
    ['GET', '/api/config'],
    ['GET', '/api/clients'],
    ['GET', '/api/pages/p/events'],
    ['POST', '/api/pages/p/children'],
    ['POST', '/api/pages/p/children/c1/stdin'],
    ['DELETE', '/api/pages/p/children/c1'],
    ['DELETE', '/api/pages/p'],
    ['OPTIONS', '/api/hello'],
    ['GET', '/api/launch'],
  ]

  test.each(routes)('refuses a foreign Host and a foreign Origin on %s %s', async (method, path) => {
    const { ask } = start()
    for (const host of [
      'evil.example',
      'evil.example:6275',
      '127.0.0.1',
      '127.0.0.1:6276',
      '127.0.0.1.evil.example:6275',
      '',
    ]) {
      expect((await ask(method, path, undefined, { Host: host })).status, host).toBe(403)
    }
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1:6276',
      'https://127.0.0.1:6275',
      `http://${HOST}.evil`,
    ]) {
      const response = await ask(method, path, undefined, { Origin: origin })
      expect(response.status, origin).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test.each(routes.filter(([, path]) => path.startsWith('/api')))('wants the token on %s %s', async (method, path) => {
    const { ask, pages } = start()
    for (const token of ['', 'wrong', `${TOKEN}x`, TOKEN.slice(1)]) {
      const response = await ask(method, path, undefined, {
        'Periscope-Token': token,
        Authorization: `Bearer ${TOKEN}`,
      })
      expect(response.status).toBe(403)
      const { error } = (await response.json()) as { error: Record<string, string> }
      expect(error).toMatchObject({ code: 'forbidden', message: /token/i, remedy: /URL/ })
    }
    expect(pages.children).toBe(0)
  })

  describe('for a launch code', () => {
    const none = { 'Periscope-Token': '' }

    test('gives the token once', async () => {
      const { codes, ask } = start()
      const code = codes.issue()
      const first = await ask('POST', '/api/launch', { code }, none)
      expect([first.status, await first.json()]).toEqual([200, { token: TOKEN }])
      expect(first.headers.get('cache-control')).toBe('no-store')
      const again = await ask('POST', '/api/launch', { code }, none)
      expect([again.status, await again.json()]).toMatchObject([403, { error: { code: 'code-used' } }])
    })

    test('gives it to no other site and no other host, whatever code they have', async () => {
      const { codes, ask } = start()
      const code = codes.issue()
      for (const [name, value] of [
        ['Origin', 'https://evil.example'],
        ['Origin', 'null'],
        ['Host', 'evil.example:6275'],
      ] as const) {
        const response = await ask('POST', '/api/launch', { code }, { ...none, [name]: value })
        expect([response.status, await response.json()]).toMatchObject([403, { error: { code: 'forbidden' } }])
      }
      expect((await ask('POST', '/api/launch', { code }, none)).status).toBe(200)
    })

    test('reads little of what anybody may send, and tires of guesses', async () => {
      const { codes, ask } = start()
      const code = codes.issue()
      const status = async (body: unknown) => (await ask('POST', '/api/launch', body, none)).status
      expect(await status('{')).toBe(400)
      expect(await status({ code: 7 })).toBe(400)
      expect(await status({ code: 'x'.repeat(2000) })).toBe(413)
      for (let guess = 0; guess < 20; guess++) expect(await status({ code: `${guess}` })).toBe(403)
      expect(await status({ code })).toBe(429)
    })
  })

  test('lets every spelling of this machine in, and the page’s own origin', async () => {
    const { ask } = start()
    for (const host of ['127.0.0.1:6275', 'localhost:6275', 'LOCALHOST:6275', '[::1]:6275']) {
      expect(
        (await ask('GET', '/api/hello', undefined, { Host: host, Origin: `http://${host.toLowerCase()}` })).status,
      ).toBe(200)
    }
  })
})

describe('the page', () => {
  let dist: string
  const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))})`

  beforeAll(() => {
    dist = mkdtempSync(join(tmpdir(), 'periscope-page-'))
    mkdirSync(join(dist, 'assets'))
    mkdirSync(join(dist, 'oauth'))
    writeFileSync(join(dist, 'oauth/callback.html'), '<!doctype html><title>Sign-in</title>')
    writeFileSync(join(dist, 'index.html'), '<!doctype html><title>Periscope</title>')
    writeFileSync(join(dist, 'assets/index-abc.js'), SCRIPT)
    writeFileSync(join(dist, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT))
    writeFileSync(join(dist, 'assets/index-abc.js.gz'), gzipSync(SCRIPT))
  })
  afterAll(() => rmSync(dist, { recursive: true }))

  test('is asked for again each time, and what has a hash in its name never', async () => {
    const { ask } = start({}, dist)
    const index = await ask('GET', '/')
    expect(index.status).toBe(200)
    expect(index.headers.get('content-type')).toMatch(/^text\/html/)
    expect(index.headers.get('cache-control')).toBe('no-cache')
    const script = await ask('GET', '/assets/index-abc.js')
    expect(await script.text()).toBe(SCRIPT)
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  test.each([
    ['br', 'gzip, deflate, br, zstd'],
    ['gzip', 'gzip, deflate'],
    [null, 'identity'],
  ])('comes as %s to who accepts %s, as the type it is, and says that this varies', async (encoding, accepts) => {
    const { ask } = start({}, dist)
    const { headers } = await ask('GET', '/assets/index-abc.js', undefined, { 'Accept-Encoding': accepts })
    expect(headers.get('content-encoding')).toBe(encoding)
    expect(headers.get('content-type')).toMatch(/^text\/javascript/)
    expect(headers.get('vary')).toBe('Accept-Encoding')
  })

  test('and everything else is served under the strict policy, refusals too', async () => {
    const { ask } = start({}, dist)
    const asked = [
      ask('GET', '/'),
      ask('GET', '/nothing'),
      ask('GET', '/api/hello'),
      ask('GET', '/', undefined, { Host: 'evil' }),
    ]
    for (const { headers } of await Promise.all(asked)) {
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
      expect(headers.get('strict-transport-security')).toBeNull()
    }
  })

  test('keeps no copy of the page that an answer came back to, and does not cut off the window it stands in', async () => {
    const { ask } = start({}, dist)
    const { status, headers } = await ask('GET', '/oauth/callback.html?code=secret&state=s')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/html/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
  })

  test('an asset that is not there is 404 and not the page', async () => {
    const { ask } = start({}, dist)
    for (const path of ['/assets/old.js', '/..%2f..%2fpackage.json', '/assets/..%5c..%5cindex.html']) {
      const response = await ask('GET', path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    }
  })

  test('says how to build it where it is not built', async () => {
    const { ask } = start({}, join(dist, 'nowhere'))
    const response = await ask('GET', '/')
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm run build')
  })
})

describe('a page and its children', () => {
  test('the configuration of the command line is named in hello, and read when the page asks for it', async () => {
    const without = createApp({ token: TOKEN, allowedHosts: [HOST], pages: new Pages() })
    const get = (from: typeof without, path: string) => from.request(`http://${HOST}${path}`, { headers: OWN })
    expect((await get(without, '/api/config')).status).toBe(404)
    const path = join(mkdtempSync(join(tmpdir(), 'periscope-config-')), 'mcp.json')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, '{"mcpServers":{}}')
    const pages = new Pages()
    const config = { path, name: 'mcp.json', size: 17, server: 'a' }
    const clientFiles = () => Promise.resolve([{ client: 'zed', path: '/x', text: '{}' } as const])
    const app = createApp({ token: TOKEN, allowedHosts: [HOST], pages, config, clientFiles })
    expect(await (await get(app, '/api/hello')).json()).toMatchObject({
      config: { name: 'mcp.json', size: 17, server: 'a' },
    })
    const response = await get(app, '/api/config')
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(await response.text()).toBe('{"mcpServers":{}}')
    expect(await (await get(app, '/api/clients')).json()).toEqual({ files: await clientFiles() })
  })

  test('hello says who answers, and what the command line named', async () => {
    const { pages } = start()
    const launch = { command: 'npx', args: ['-y', 'x'] }
    const app = createApp({ token: TOKEN, allowedHosts: [HOST], pages, launch })
    const hello = (await (await app.request(`http://${HOST}/api/hello`, { headers: OWN })).json()) as Hello
    expect(hello).toEqual({
      name: 'periscope',
      version: expect.stringMatching(/^\d/),
      platform: process.platform,
      cwd: process.cwd(),
      launch,
    })
  })

  test('lines go in by POST and come back as events, numbered from 1', async () => {
    // This test covers the graceful exit, so even a busy machine must have time for it.
    const { ask, spawn, events } = start({ stdinGrace: 10_000 })
    const { child, pid } = await spawn([ECHO])
    expect(pid).toBeGreaterThan(0)
    expect((await ask('POST', `/api/pages/p/children/${child}/stdin`, 'one\ntwo €\n')).status).toBe(204)
    expect((await ask('DELETE', `/api/pages/p/children/${child}`)).status).toBe(202)
    const heard = await readEventsUntil(await events(), isExit)
    expect(heard.map(({ id }) => id)).toEqual(heard.map((_, index) => index + 1))
    expect(heard.map(({ event }) => event).filter((event) => event.type !== 'ending')).toEqual([
      { type: 'line', child, text: 'one' },
      { type: 'line', child, text: 'two €' },
      { type: 'exit', child, code: 0, signal: null, stderr: [] },
    ])
    expect((await ask('POST', `/api/pages/p/children/${child}/stdin`, 'late\n')).status).toBe(410)
    expect((await ask('POST', '/api/pages/p/children/c999/stdin', 'x\n')).status).toBe(404)
    expect((await ask('POST', '/api/pages/other/children/c1/stdin', 'x\n')).status).toBe(404)
  })

  test('a stream that is cut again and again loses nothing and repeats nothing', async () => {
    const { spawn, events } = start()
    await spawn([
      '-e',
      'let n = 0; const t = setInterval(() => { for (let i = 0; i < 40; i++) console.log(++n); if (n === 2000) clearInterval(t) }, 1)',
    ])
    const seen: string[] = []
    let after = 0
    for (let over = false; !over;) {
      let count = 0
      for await (const { id, event } of readEvents(await events('p', after))) {
        expect(id).toBe(after + 1)
        after = id
        if (event.type === 'line') seen.push(event.text)
        if ((over = isExit(event)) || ++count === 97) break
      }
    }
    expect(seen).toEqual(Array.from({ length: 2000 }, (_, index) => String(index + 1)))
  })

  test('a second stream takes over from the first, which ends', async () => {
    const { ask, spawn, events } = start()
    const first = readEvents(await events())
    const { child } = await spawn([ECHO])
    await ask('POST', `/api/pages/p/children/${child}/stdin`, 'a\n')
    expect((await first.next()).value).toMatchObject({ id: 1, event: { text: 'a' } })
    const second = readEvents(await events('p', 1))
    expect((await first.next()).done).toBe(true)
    await ask('POST', `/api/pages/p/children/${child}/stdin`, 'b\n')
    expect((await second.next()).value).toMatchObject({ id: 2, event: { text: 'b' } })
    await second.return(undefined)
  })

  test('a page that does not read stops its child instead of losing lines, and one that reads late gets them all', async () => {
    const { pages, spawn, events } = start({ queue: 256 * 1024, replay: 64 * 1024 })
    const size = 1000
    const script = `
      let n = 0; process.on('exit', () => console.error('written ' + n))
      const go = () => { while (n < 4000) { n++; if (!process.stdout.write(String(n).padEnd(${size}, '.') + '\\n')) return process.stdout.once('drain', go) } }; go()`
    await spawn(['-e', script])
    // The child has 4 MB to write. It is still running only because the pipe is full.
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(pages.children).toBe(1)
    const heard = await readEventsUntil(await events(), isExit)
    const lines = heard.filter(({ event }) => event.type === 'line').map(({ event }) => Number.parseInt(text(event)))
    expect(lines).toEqual(Array.from({ length: 4000 }, (_, index) => index + 1))
  })

  test('children that do not read hold no request of their page, and get all in order when they do', async () => {
    const { ask, spawn, events } = start({ stdinAnswer: 50, stdinGrace: 10_000 })
    const script = `process.on('SIGUSR2', () => process.stdin.pipe(process.stdout)); console.log('ready')`
    const { child, pid } = await spawn(['-e', `${script}; setInterval(() => {}, 1000)`])
    const heard = readEvents(await events())
    expect((await heard.next()).value).toMatchObject({ event: { text: 'ready' } })
    const line = (letter: string) => `${letter.repeat(300_000)}\n`
    for (const letter of ['a', 'b']) {
      expect((await ask('POST', `/api/pages/p/children/${child}/stdin`, line(letter))).status).toBe(202)
    }
    process.kill(pid!, 'SIGUSR2')
    for (const letter of ['a', 'b']) {
      const { value } = (await heard.next()) as { value: { event: PageEvent } }
      expect(text(value.event) === line(letter).trim()).toBe(true)
    }
    await heard.return(undefined)
  })

  test('a page without its stream has its children ended after a while, and one that comes back in time keeps them', async () => {
    const { ask, spawn, events } = start({ lease: 300 })
    // Read before the spawn: a busy machine may start a child for longer than the lease.
    const stream = readEvents(await events())
    const first = stream.next()
    const { child } = await spawn([ECHO])
    await new Promise((resolve) => setTimeout(resolve, 450))
    expect((await ask('POST', `/api/pages/p/children/${child}/stdin`, 'still here\n')).status).toBe(204)
    expect((await first).value).toMatchObject({ event: { text: 'still here' } })
    await stream.return(undefined)
    await expect.poll(async () => (await ask('POST', `/api/pages/p/children/${child}/stdin`, '\n')).status).toBe(410)
    // The page receives the missed events when it reconnects.
    const missed = await readEventsUntil(await events('p', 1), isExit)
    expect(missed.map(({ event }) => event.type)).toEqual(expect.arrayContaining(['ending', 'exit']))
  })

  test('a page that opens its stream and never reads it has its children ended after a while', async () => {
    const { app, spawn } = start({ lease: 300 })
    const { pid } = await spawn([
      '-e',
      'const block = Buffer.alloc(65536, 120); block[65535] = 10; const go = () => { while (process.stdout.write(block)); process.stdout.once("drain", go) }; go()',
    ])
    const server = createServer()
    const listener = getRequestListener(app.fetch)
    server.on('request', (request, response) => void listener(request, response))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.pause()
    const head = Object.entries(OWN).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET /api/pages/p/events HTTP/1.1\r\n${head.join('')}\r\n`)
    // First, the buffers at both ends fill up.
    await expect.poll(() => runs(pid!)).toBe(false)
    socket.destroy()
    server.close()
  })

  test('a page that reads slowly keeps its children, also in the middle of a long line', async () => {
    const lease = 60_000
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { pages, spawn, events } = start({ lease })
      await spawn(['-e', 'process.stdout.write("x".repeat(3_000_000) + "\\n"); setInterval(() => {}, 1000)'])
      const reader = (await events()).body!.getReader()
      let waited = 0
      for (let bytes = 0; bytes < 3_000_000;) {
        bytes += (await reader.read()).value!.length
        waited += lease / 2
        vi.advanceTimersByTime(lease / 2)
        expect(pages.children).toBe(1)
      }
      expect(waited).toBeGreaterThan(2 * lease)
      await reader.cancel()
    } finally {
      vi.useRealTimers()
    }
  })

  test('a spawn that arrives after the end of its page starts nothing, until the page listens again', async () => {
    const { ask, pages, spawn, events } = start()
    const request = { command: NODE, args: [ECHO] }
    expect((await ask('DELETE', '/api/pages/p')).status).toBe(202)
    const late = await ask('POST', '/api/pages/p/children', request)
    expect([late.status, pages.children]).toEqual([410, 0])
    const stream = readEvents(await events())
    await spawn([ECHO])
    const beside = ask('POST', '/api/pages/p/children', request)
    await ask('DELETE', '/api/pages/p')
    expect([201, 410]).toContain((await beside).status)
    await expect.poll(() => pages.children).toBe(0)
    await stream.return(undefined)
  })

  test('a spawn whose page has gone before the answer ends again', async () => {
    const { app, pages } = start()
    const leaving = new AbortController()
    const body = JSON.stringify({ command: NODE, args: [ECHO] })
    const init = { method: 'POST', headers: OWN, body, signal: leaving.signal }
    const asked = app.request(`http://${HOST}/api/pages/p/children`, init)
    leaving.abort()
    await asked
    await expect.poll(() => pages.children).toBe(0)
  })

  test('a page that is away for good keeps no child that it started last', async () => {
    const { pages, spawn, events } = start({ lease: 200, memory: 60_000 })
    await spawn([ECHO])
    await expect.poll(() => pages.children).toBe(0)
    await spawn([ECHO])
    expect(pages.children).toBe(1)
    await expect.poll(() => pages.children).toBe(0)
    await (await events()).body!.cancel()
  })

  test('a page learns what its child and its descendants use, and nothing of other processes', async () => {
    const { ask, spawn } = start()
    const busy = 'while (process.cpuUsage().user < 300_000); setInterval(() => {}, 1000)'
    const { pid } = await spawn([
      '-e',
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(busy)}]); ${busy}`,
    ])
    const used = async (): Promise<ProcessUsage['processes']> =>
      ((await (await ask('GET', `/api/pages/p/processes/${pid}`)).json()) as ProcessUsage).processes
    await expect
      .poll(async () => (await used()).filter(({ cpu }) => cpu > 0.2).length, { timeout: patient(20_000) })
      .toBe(2)
    const all = await used()
    expect(all.map((one) => one.pid)).toContain(pid)
    for (const { name, memory } of all) {
      expect(name).toMatch(/node/i)
      expect(memory).toBeGreaterThan(1_000_000)
    }
    expect((await ask('GET', `/api/pages/p/processes/${process.pid}`)).status).toBe(404)
    expect((await ask('GET', `/api/pages/other/processes/${pid}`)).status).toBe(404)
  })

  test('DELETE of the page ends its children at once, tells of it, and forgets the page', async () => {
    // This test covers the graceful exit, so even a busy machine must have time for it.
    const { ask, spawn, events, pages } = start({ stdinGrace: 10_000 })
    await spawn([ECHO])
    await spawn([ECHO], 'another')
    const stream = await events()
    expect((await ask('DELETE', '/api/pages/p')).status).toBe(202)
    const heard = []
    for await (const { event } of readEvents(stream)) heard.push(event.type)
    expect(heard).toEqual(['ending', 'exit'])
    expect(pages.children).toBe(1)
    expect((await ask('POST', '/api/pages/p/children/c1/stdin', 'x\n')).status).toBe(404)
    expect((await readEvents(await events('p', 2)).next()).value).toMatchObject({ event: { type: 'gap', reset: true } })
  })

  test.each([
    ['not JSON', '{', 400, 'bad-request'],
    ['no object', [], 400, 'bad-request'],
    ['no command', { args: [] }, 400, 'bad-request'],
    ['a shell string for arguments', { command: 'x', args: '-y foo' }, 400, 'bad-request'],
    ['a NUL', { command: 'x', args: ['a\0b'] }, 400, 'bad-request'],
    ['an impossible variable', { command: 'x', args: [], env: { 'A=B': 'c' } }, 400, 'bad-request'],
    ['a variable that is no string', { command: 'x', args: [], env: { A: 1 } }, 400, 'bad-request'],
    ['a body over the bound', { command: 'x', args: ['y'.repeat(2_000_000)] }, 413, 'too-large'],
  ])('a spawn with %s is refused with its reason', async (_, body, status, code) => {
    const { ask } = start()
    const response = await ask('POST', '/api/pages/p/children', body)
    expect(response.status).toBe(status)
    const { error } = (await response.json()) as { error: object }
    expect(error).toMatchObject({ code, message: expect.any(String), remedy: expect.any(String) })
  })

  test('bounds hold and say so: children, pages, ids, bodies', async () => {
    const { ask, spawn } = start({ childrenPerPage: 1, children: 2, pages: 2, stdin: 1000 })
    const { child } = await spawn([ECHO], 'a')
    const again = await ask('POST', '/api/pages/a/children', { command: NODE, args: [] })
    expect([again.status, await again.json()]).toMatchObject([429, { error: { code: 'too-many' } }])
    await spawn([ECHO], 'b')
    expect((await ask('GET', '/api/pages/c/events')).status).toBe(429)
    expect((await ask('GET', '/api/pages/a%20b/events')).status).toBe(400)
    expect((await ask('GET', '/api/pages/a/events', undefined, { 'Last-Event-ID': 'x' })).status).toBe(400)
    expect((await ask('POST', `/api/pages/a/children/${child}/stdin`, 'x'.repeat(1001))).status).toBe(413)
  })
})

describe('over a real connection', () => {
  let server: Server
  let base: string
  let pages: Pages

  beforeAll(async () => {
    server = createServer({ keepAliveTimeout: 120_000 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    base = `http://127.0.0.1:${port}`
    // 20 MB may take a slow machine longer than a child gets to read its stdin.
    pages = new Pages({ heartbeat: 50, stdinAnswer: patient(30_000) })
    const app = createApp({ token: TOKEN, allowedHosts: hostsFor('127.0.0.1', port), pages })
    const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
    server.on('request', (request, response) => void listener(request, response))
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await pages.close()
  })
  const headers = { 'Periscope-Token': TOKEN }

  test('the head of the event stream comes at once, forbids buffering, and a quiet stream has a heartbeat', async () => {
    const response = await fetch(`${base}/api/pages/quiet/events`, { headers })
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    let idle = 0
    for await (const { type, id, payload } of framesFrom(response)) {
      expect([type, id, payload.length]).toEqual([FRAME.idle, 0, 0])
      if (++idle === 3) break
    }
  })

  test('a line of 20 MB goes in and comes back whole', async () => {
    const spawned = await fetch(`${base}/api/pages/big/children`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ command: NODE, args: [ECHO] }),
    })
    const { child } = (await spawned.json()) as Spawned
    const line = JSON.stringify({ text: 'aé€😀'.repeat(2_000_000) })
    const events = await fetch(`${base}/api/pages/big/events`, { headers })
    const [heard, posted] = await Promise.all([
      readEventsUntil(events, (event) => event.type === 'line'),
      fetch(`${base}/api/pages/big/children/${child}/stdin`, { method: 'POST', headers, body: `${line}\n` }),
    ])
    expect(posted.status).toBe(204)
    expect(Buffer.byteLength(line)).toBeGreaterThan(20_000_000)
    expect(text(heard[0]!.event) === line).toBe(true)
    await fetch(`${base}/api/pages/big`, { method: 'DELETE', headers })
  })

  test('a reader that vanishes leaves no stream behind', async () => {
    const gone = new AbortController()
    const response = await fetch(`${base}/api/pages/leaves/events`, { headers, signal: gone.signal })
    await response.body!.getReader().read()
    expect(pages.find('leaves')!.idle).toBe(false)
    gone.abort()
    await expect.poll(() => pages.find('leaves')!.idle).toBe(true)
  })
})
