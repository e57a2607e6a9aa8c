/** The command as shipped: the single bundled file, run as a separate process, away from any `node_modules`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { expectAtMost, patient } from '../tests/patience.ts'
import { makeCertificate } from './fixtures/certificate.ts'
import { readEvents, runs } from './fixtures/peer.ts'
import { askRelay, drain, refusal } from './fixtures/relaying.ts'
import type { Hello } from './wire.ts'

const ROOT = join(import.meta.dirname, '..')
const STUBBORN = join(import.meta.dirname, 'fixtures/stubborn.mjs')
const POSIX = process.platform !== 'win32'
let folder: string
const running: ChildProcess[] = []

interface Run {
  readonly process: ChildProcess
  readonly done: Promise<{ code: number | null; stdout: string; stderr: string }>
  /** The URL it prints, once printed. */
  readonly address: Promise<URL>
}

function run(file: string, args: string[], env: NodeJS.ProcessEnv = {}): Run {
  const { VITEST: _, NODE_ENV: __, ...own } = process.env
  const child = spawn(process.execPath, [file, ...args], {
    cwd: ROOT,
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let stdout = ''
  let stderr = ''
  child.stderr.on('data', (piece) => (stderr += String(piece)))
  const address = new Promise<URL>((resolve) => {
    child.stdout.on('data', (piece) => {
      stdout += String(piece)
      const url = /http:\/\/\S+#launch=\S+(?=\s)/.exec(stdout)?.[0]
      if (url) resolve(new URL(url))
    })
  })
  const done = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }))
  return { process: child, done, address }
}

/** What the page does with its launch URL. */
async function tokenOf({ origin, hash }: URL): Promise<string> {
  const body = JSON.stringify({ code: hash.replace('#launch=', '') })
  const response = await fetch(`${origin}/api/launch`, { method: 'POST', body })
  const answer = (await response.json()) as { token: string; error?: { code: string } }
  if (!response.ok) throw new Error(answer.error?.code)
  return answer.token
}

const periscope = (...args: string[]) => run(join(folder, 'proxy/periscope.js'), args)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-main-'))
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const args = [
    'build',
    '--ssr',
    '--mode',
    'proxy',
    '--outDir',
    join(folder, 'proxy'),
    '--emptyOutDir',
    '--logLevel',
    'warn',
  ]
  const { code, stderr } = await run(vite, args).done
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
}, patient(200_000))
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'close')
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the command periscope', () => {
  test('prints its URL once, with a code behind #, which is exchanged for the token once', async () => {
    const { process: child, address, done } = periscope('--port', '0', '--', 'npx', '-y', 'server')
    const url = await address
    const { origin } = url
    const token = await tokenOf(url)
    expect(token).toMatch(/^[\w-]{43}$/)
    await expect(tokenOf(url)).rejects.toThrow('code-used')
    const hello = await fetch(`${origin}/api/hello`, { headers: { 'Periscope-Token': token } })
    expect((await hello.json()) as Hello).toMatchObject({
      name: 'periscope',
      cwd: ROOT,
      launch: { command: 'npx', args: ['-y', 'server'] },
    })
    expect((await fetch(`${origin}/api/hello`)).status).toBe(403)
    expect(await (await fetch(origin)).text()).toContain('npm run build')
    child.kill('SIGTERM')
    const { code, stdout, stderr } = await done
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.match(/http:/g)).toHaveLength(1)
  })

  test('keeps a connection that is idle for two minutes, so that a client that reuses one loses no request', async () => {
    const { address } = periscope('--port', '0', '--no-open')
    const response = await fetch((await address).origin)
    expect(response.headers.get('keep-alive')).toBe('timeout=120')
    await response.body?.cancel()
  })

  test('trusts the certificates of a private CA that NODE_EXTRA_CA_CERTS names, but not in place of a trusted one', async () => {
    const authority = makeCertificate({ host: 'authority.example', authority: true })
    const file = join(folder, 'ca.pem')
    writeFileSync(file, authority.cert)
    const server = createSecureServer(makeCertificate({ issuer: authority }), (_, response) => response.end('hello'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const url = `https://localhost:${(server.address() as AddressInfo).port}/`
      const program = join(folder, 'proxy/periscope.js')
      const launched = await run(program, ['--port', '0', '--no-open'], { NODE_EXTRA_CA_CERTS: file }).address
      const proxy = { base: `${launched.origin}/`, token: await tokenOf(launched) }
      expect((await drain(await askRelay(proxy, { url }))).body.toString()).toBe('hello')
      const certificate = new X509Certificate(authority.cert).fingerprint256
      expect(await refusal(await askRelay(proxy, { url, certificate }))).toMatchObject({ code: 'certificate-changed' })
    } finally {
      server.close()
    }
  })

  test('names a busy port, why, and what to do, and ends with 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stdout, stderr } = await periscope('--port', String(port)).done
    other.close()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`^periscope: Port ${port} on 127.0.0.1 is in use .* --port .*\n$`))
  })

  test('takes a free port where the default one is busy, and says so', async () => {
    const other = createServer().listen(6275, '127.0.0.1')
    // If another process already uses the port, that works just as well.
    await new Promise<unknown>((resolve) => other.once('listening', resolve).once('error', resolve))
    const { address, process: child, done } = periscope()
    expect((await address).port).not.toBe('6275')
    child.kill('SIGTERM')
    expect((await done).stdout).toMatch(/^Port 6275 is in use, so Periscope uses \d+\.\n/)
    other.close()
  })

  test('ends with 2 where the configuration of --config is no file', async () => {
    for (const [file, why] of [
      ['none.json', "doesn't exist"],
      ['proxy', "isn't a file"],
    ] as const) {
      const { code, stdout, stderr } = await periscope('--config', file).done
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(new RegExp(`^periscope: .*${file}.*${why}\\. Enter the path of a configuration\\.\n$`))
    }
  })

  test('ends with 2 where --watch names no folder', async () => {
    const { code, stdout, stderr } = await periscope('--watch', 'sources/**', '--', 'node', 'server.js').done
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^periscope: `--watch sources\/\*\*`: .*sources doesn't exist\. Name an existing folder\.\n$/,
    )
  })

  test('names an address that is not of this machine', async () => {
    const { code, stderr } = await periscope('--host', '192.0.2.1').done
    expect(code).toBe(1)
    expect(stderr).toMatch(/^periscope: This machine doesn't have the address 192\.0\.2\.1/)
  })

  test('warns where others can reach it', async () => {
    const { address, process: child, done } = periscope('--host', '0.0.0.0', '--port', '0')
    expect((await address).hostname).toBe('127.0.0.1')
    child.kill('SIGTERM')
    expect((await done).stderr).toMatch(/^Warning: --host 0\.0\.0\.0 lets other machines reach/)
  })

  test('records what passes between it and a server, and ends as the server does', async () => {
    const out = join(folder, 'recorded.periscope.jsonl')
    const script = 'process.stdout.write(`{"jsonrpc":"2.0","method":"hello"}\\n`); process.exitCode = 3'
    const { code, stdout } = await periscope('record', '--out', out, '--', process.execPath, '-e', script).done
    expect({ code, stdout }).toEqual({ code: 3, stdout: '{"jsonrpc":"2.0","method":"hello"}\n' })
    expect(await periscope('verify', out, '--', process.execPath).done).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no steps'),
    })
  })

  test('ends with 2 and a remedy when it is called wrongly, and with 0 for --help and --version', async () => {
    const runs = [periscope('npx', 'server'), periscope('--help'), periscope('--version')].map(({ done }) => done)
    const [wrong, help, version] = await Promise.all(runs)
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: /put `--` before it/ })
    expect(help).toMatchObject({ code: 0, stdout: /^Usage: periscope/, stderr: '' })
    expect(version).toMatchObject({ code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
  })

  /** Starts Periscope with a child that ignores signals. Returns the pids of the child and its own child. */
  async function withStubbornChild(): Promise<Run & { pids: number[] }> {
    const started = periscope('--port', '0')
    const url = await started.address
    const { origin } = url
    const headers = { 'Periscope-Token': await tokenOf(url) }
    const body = JSON.stringify({ command: process.execPath, args: [STUBBORN] })
    const spawned = await fetch(`${origin}/api/pages/p/children`, { method: 'POST', headers, body })
    expect(spawned.status).toBe(201)
    for await (const { event } of readEvents(await fetch(`${origin}/api/pages/p/events`, { headers }))) {
      if (event.type === 'line') return { ...started, pids: (JSON.parse(event.text) as { pids: number[] }).pids }
    }
    throw new Error('The child said nothing')
  }

  test.runIf(POSIX)('SIGTERM, SIGINT, SIGHUP and SIGQUIT leave no child behind, however stubborn', async () => {
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const
    const ended = signals.map(async (signal) => {
      const { process: child, pids, done } = await withStubbornChild()
      child.kill(signal)
      const { code } = await done
      return { signal, code, left: await Promise.all(pids.map(runs)) }
    })
    expect(await Promise.all(ended)).toEqual(signals.map((signal) => ({ signal, code: 0, left: [false, false] })))
  })

  test.runIf(POSIX)('a second signal does not wait', async () => {
    await expectAtMost(1_500, async () => {
      const { process: child, pids, done } = await withStubbornChild()
      const heard = once(child.stdout!, 'data')
      child.kill('SIGINT')
      expect(String(await heard)).toMatch(/Stopping one server/)
      const begun = performance.now()
      child.kill('SIGINT')
      expect((await done).code).toBe(0)
      const took = performance.now() - begun
      expect(await Promise.all(pids.map(runs))).toEqual([false, false])
      return took
    })
  })
})
