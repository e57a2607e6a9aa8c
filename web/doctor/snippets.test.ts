import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { expect, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { pythonSdk } from '../../tests/python-sdk.ts'
import { listen } from '../../tests/servers/listening.ts'
import type { HeaderList } from '../mcp/index.ts'
import { corsFaults, corsPolicy, preflightHeaders, type RefusedRequest } from './cors.ts'
import { corsSnippet, FRAMEWORKS, type Framework } from './snippets.ts'

/** Express, as the official SDK brings it. */
const express = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/server'))(
  'express',
) as () => RequestListener & {
  use(handle: (request: unknown, response: ServerResponse) => void): void
}

const refused: RefusedRequest = {
  origin: 'http://localhost:6274',
  method: 'POST',
  headers: ['content-type', 'authorization', 'mcp-protocol-version'],
}
const policy = corsPolicy([], refused, 'handshake')

/** Runs a snippet with the names that it uses. */
const run = (framework: Framework, names: Readonly<Record<string, unknown>>, end = ''): unknown => {
  const code = `${corsSnippet(framework, policy)
    .replace(/^import .*$/m, '')
    .replace('export default', 'return')}\n${end}`
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the snippet is ours
  return (new Function(...Object.keys(names), code) as (...values: unknown[]) => unknown)(...Object.values(names))
}

interface Refusing {
  readonly url: string
  close(): Promise<void>
}

/** Starts a program that prints its port first. */
const started = async (
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Refusing> => {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${command} ended`)))
    child.stdout.once('data', (bytes: Buffer) => resolve(String(bytes).trim()))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () =>
      await new Promise((done) => {
        child.removeAllListeners('exit').once('exit', () => done())
        child.kill()
      }),
  }
}

/** Serves `app` with uvicorn, which the SDK brings. */
const UVICORN = `
import socket, uvicorn
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
print(listener.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
`
const PYTHON = await pythonSdk(join(import.meta.dirname, '../..'), patient)
const HAS_GO = (() => {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const inPython = async (program: string): Promise<Refusing> =>
  await started('python3', ['-c', program + UVICORN], { PYTHONPATH: 'path' in PYTHON ? PYTHON.path : '' })

/** Starts a server with the snippet in it, which refuses everything that it gets to see. */
const SERVERS: Readonly<Partial<Record<Framework, () => Promise<Refusing>>>> = {
  'typescript-sdk': async () => {
    const app = run('typescript-sdk', { createMcpExpressApp }, 'return app') as ReturnType<typeof createMcpExpressApp>
    app.use((_, response) => void response.writeHead(401).end())
    return await listen(createServer(app as RequestListener))
  },
  'python-sdk': async () =>
    await inPython(`from mcp.server.mcpserver import MCPServer
mcp = MCPServer("x")
${corsSnippet('python-sdk', policy)}
`),
  starlette: async () =>
    await inPython(`from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
app = Starlette(routes=[Route("/", lambda request: Response(status_code=401), methods=["POST"])])
${corsSnippet('starlette', policy)}
`),
  go: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'periscope-snippet-'))
    const source = join(folder, 'main.go')
    writeFileSync(
      source,
      `package main

import (
	"fmt"
	"net"
	"net/http"
)

${corsSnippet('go', policy)}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, allowPage(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(401) }))))
}
`,
    )
    const env = { GO111MODULE: 'off', GOFLAGS: '', GOCACHE: join(tmpdir(), 'periscope-go-cache') }
    const built = join(folder, 'built')
    await promisify(execFile)('go', ['build', '-o', built, source], { env: { ...process.env, ...env } })
    const { url, close } = await started(built, [], {})
    return { url, close: async () => (await close(), rmSync(folder, { recursive: true, force: true })) }
  },
  express: async () => {
    const app = express()
    run('express', { app })
    app.use((_, response) => void response.writeHead(401).end())
    return await listen(createServer(app))
  },
  hono: async () => {
    const app = new Hono()
    run('hono', { app, cors })
    app.all('*', (context) => context.text('', 401))
    return await new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve({
          url: `http://127.0.0.1:${port}`,
          close: async () => await new Promise((done) => server.close(() => done())),
        }),
      )
    })
  },
  workers: async () => {
    const worker = run('workers', { server: { fetch: async () => new Response('', { status: 401 }) } }) as {
      fetch(request: Request): Promise<Response>
    }
    const app = new Hono()
    app.all('*', (context) => worker.fetch(context.req.raw))
    return await listen(
      createServer((request, response) => {
        const head = new Request('http://h/', { method: request.method ?? 'GET', headers: request.headers as never })
        void worker.fetch(head).then(({ status, headers }) => response.writeHead(status, [...headers].flat()).end())
      }),
    )
  },
}

/** What of this machine a framework needs, and lacks. */
const MISSING: Readonly<Partial<Record<Framework, string>>> = {
  ...('missing' in PYTHON ? { starlette: PYTHON.missing, 'python-sdk': PYTHON.missing } : {}),
  ...(HAS_GO ? {} : { go: 'there is no go' }),
}

for (const [name, start] of Object.entries(SERVERS)) {
  const missing = MISSING[name as Framework]
  const title = `${name}: the code lets the page in, before any sign-in`
  test.skipIf(missing !== undefined)(
    missing === undefined ? title : `${title} (${missing})`,
    { timeout: patient(120_000) },
    async () => {
      const { url, close } = await start()
      try {
        const asked = await fetch(url, { method: 'OPTIONS', headers: preflightHeaders(refused) })
        const found: HeaderList = [...asked.headers]
        expect(corsFaults(refused, { status: asked.status, headers: found })).toEqual([{ kind: 'response' }])
        const answer = await fetch(url, { method: 'POST', headers: { origin: refused.origin } })
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.headers.get('access-control-allow-origin')).toBe(refused.origin)
        expect(answer.headers.get('access-control-expose-headers')).toMatch(/Mcp-Session-Id/)
      } finally {
        await close()
      }
    },
  )
}

test('every framework gets this origin and these headers, and nothing broader', () => {
  for (const [framework] of FRAMEWORKS) {
    const code = corsSnippet(framework, policy)
    expect(code, framework).toContain(refused.origin)
    for (const name of policy.headers) expect(code, framework).toContain(name)
    expect(code.replace('"/**"', '').replace('*http.Request', ''), framework).not.toContain('*')
  }
})

test('names from the server that could end a string stay out of the code', () => {
  const allowed = [`X-Good`, `x'); process.exit(1); ('`, `a"b`, 'c\nd', '`e`']
  const { headers } = corsPolicy([{ kind: 'headers', missing: ['mcp-method'], allowed }], refused, 'stateless')
  expect(headers).toContain('X-Good')
  expect(headers.every((name) => /^[\w-]+$/.test(name))).toBe(true)
})
