import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../../../proxy/app.ts'
import { ServerWatch } from '../../../proxy/file-watch.ts'
import { hostsFor } from '../../../proxy/guard.ts'
import { Pages } from '../../../proxy/pages.ts'
import type { FilesChanged } from '../../../proxy/wire.ts'
import { until } from '../../../tests/patience.ts'
import { Bridge, Session, Signal, StdioBridgeTransport, Trace } from '../../mcp/index.ts'
import { FileRestarts } from './file-restarts.svelte.ts'

const change = (...files: string[]): FilesChanged => ({ files, count: files.length })

/** With fake time. The test finishes each restart. */
const started = () => {
  const files = new Signal<[FilesChanged]>()
  let users = 0
  const clock = { now: 0 }
  const running: { readonly change: FilesChanged; end(): void }[] = []
  const paused: FilesChanged[] = []
  const restarts = new FileRestarts({
    channel: {
      use: () => (users++, () => void users--),
      watchFiles: files.subscribe,
      send: () => Promise.reject(new Error('gone')),
    },
    restart: (of) => new Promise<void>((end) => running.push({ change: of, end })),
    onPause: (of) => paused.push(of),
    now: () => clock.now,
  })
  restarts.begin()
  const finish = async () => {
    running.at(-1)!.end()
    await new Promise(setImmediate)
  }
  return { restarts, files, clock, running, paused, finish, users: () => users }
}

describe('restarts when files change', () => {
  test('follow each other: changes during one lead to one more, which names them all', async () => {
    const { files, running, finish } = started()
    files.emit(change('a'))
    files.emit(change('b'))
    files.emit(change('c', 'b'))
    expect(running.map((one) => one.change)).toEqual([change('a')])
    await finish()
    expect(running[1]!.change).toEqual(change('b', 'c'))
    await finish()
    expect(running).toHaveLength(2)
  })

  test('stop after five in a row that a server may have caused itself, until the user restarts it', async () => {
    const { restarts, files, running, paused, finish } = started()
    for (let time = 0; time < 7; time++) {
      files.emit(change('data.json'))
      if (!restarts.isPaused) await finish()
    }
    expect(running).toHaveLength(5)
    expect(paused).toEqual([change('data.json')])
    restarts.begin()
    expect(restarts.isPaused).toBe(false)
    files.emit(change('server.js'))
    expect(running).toHaveLength(6)
  })

  test('don’t stop however many there are, if a person makes them', async () => {
    const { clock, files, running, finish } = started()
    for (let time = 0; time < 30; time++) {
      clock.now += time % 3 === 0 ? 60_000 : 2_000
      files.emit(change('server.js'))
      await finish()
    }
    expect(running).toHaveLength(30)
  })

  test('end with the connection, and let the channel go', async () => {
    const { restarts, files, running, finish, users } = started()
    files.emit(change('a'))
    files.emit(change('b'))
    restarts.stop()
    await finish()
    files.emit(change('c'))
    expect(running).toHaveLength(1)
    expect(users()).toBe(0)
  })

  test('replace the process when its file is saved, also after it failed to start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'periscope-restarts-'))
    const file = join(folder, 'server.mjs')
    const save = (version: string) =>
      writeFileSync(
        file,
        `import { createInterface } from 'node:readline'
         ${version === 'broken' ? "throw new Error('typo')" : ''}
         for await (const line of createInterface({ input: process.stdin })) {
           const { id, method } = JSON.parse(line)
           const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'saved', version: '${version}' } }
           if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
         }`,
      )
    save('1')
    const server = createServer({ keepAliveTimeout: 120_000 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const pages = new Pages()
    const report = (of: FilesChanged) => pages.filesChanged(of)
    const watch = new ServerWatch(['*.mjs'], tmpdir(), report, () => {}, { quiet: 50 })
    const app = createApp({ token: 't', allowedHosts: hostsFor('127.0.0.1', port), pages, watch })
    const listener = getRequestListener(app.fetch)
    server.on('request', (request, response) => void listener(request, response))
    const bridge = new Bridge({ base: `http://127.0.0.1:${port}/`, token: 't' })
    onTestFinished(async () => {
      watch.close()
      bridge.leave()
      await pages.close()
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true })
    })

    const trace = new Trace()
    const seen: unknown[] = []
    let session: Session | undefined
    const open = async () => {
      await session?.close()
      const spawn = { command: process.execPath, args: [file] }
      const transport = new StdioBridgeTransport({ bridge, spawn })
      const clientInfo = { name: 'test', version: '0' }
      session = new Session({ trace, link: 's1', transport, clientInfo, remembered: 'handshake' })
      seen.push(
        await session.open().then(
          ({ info }) => info['version'],
          () => 'failed',
        ),
      )
    }
    const restarts = new FileRestarts({ channel: bridge.channel, restart: open, onPause: () => {} })
    await open()
    restarts.begin()
    // Its globs are relative to the server's working directory.
    await restarts.follow(folder)
    expect(restarts.watched).toEqual({ directory: folder, count: 1 })
    onTestFinished(() => restarts.stop())
    for (const version of ['2', 'broken', '3']) {
      const before = seen.length
      save(version)
      await until(() => seen.length > before)
    }
    expect(seen).toEqual(['1', '2', 'failed', '3'])
    // Whatever ran before has ended.
    const events = [...trace].flatMap((frame) => (frame.kind === 'process' ? [frame.event] : []))
    const count = (event: string) => events.filter((each) => each === event).length
    expect(count('exit')).toBe(count('spawn') - 1)
  })
})
