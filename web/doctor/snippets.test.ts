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
import { corsFaults, corsPolicy, corsRemedy, preflightHeaders, type CorsPolicy, type RefusedRequest } from './cors.ts'
import { corsSnippet, FRAMEWORKS, remedySnippet, replacesOrigins, type Framework } from './snippets.ts'

/** Express, as the official SDK brings it. */
const express = createRequire(createRequire(import.meta.url).resolve('@modelcontextprotocol/sdk/server'))(
  'express',
) as () => RequestListener & {
  use(handle: (request: unknown, response: ServerResponse) => void): void
}

interface Fastify {
  all(path: string, handle: (request: unknown, reply: { code(status: number): { send(): unknown } }) => unknown): void
  listen(at: { readonly port: number; readonly host: string }): Promise<string>
  close(): Promise<void>
}

/** Too large to install for one test, so it runs where it happens to be. */
const FASTIFY = (() => {
  try {
    const load = createRequire(import.meta.url)
    return { fastify: load('fastify') as () => Fastify, cors: load('@fastify/cors') as unknown }
  } catch {
    return undefined
  }
})()

const refused: RefusedRequest = {
  origin: 'http://localhost:6274',
  method: 'POST',
  headers: ['content-type', 'authorization', 'mcp-protocol-version'],
}
const policy = corsPolicy(refused, 'handshake')

/** Runs a snippet with the names that it uses. */
const run = (framework: Framework, names: Readonly<Record<string, unknown>>, end = ''): unknown =>
  evaluate(corsSnippet(framework, policy), names, end)

const evaluate = (snippet: string, names: Readonly<Record<string, unknown>>, end = ''): unknown => {
  const code = `${snippet.replace(/^import .*$/m, '').replace('export default', 'return')}\n${end}`
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
  fastify: async () => {
    const { fastify: createFastify, cors: fastifyCors } = FASTIFY!
    const fastify = createFastify()
    await evaluate(`return (async () => {\n${corsSnippet('fastify', policy).replace(/^import .*$/m, '')}\n})()`, { fastify, cors: fastifyCors }) // prettier-ignore
    fastify.all('/', (_, reply) => reply.code(401).send())
    const url = await fastify.listen({ port: 0, host: '127.0.0.1' })
    return { url, close: async () => await fastify.close() }
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
  ...(FASTIFY ? {} : { fastify: "fastify and @fastify/cors aren't installed" }),
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

/** The name of the setting on a line. */
const settingOn = (line: string): string =>
  /^(?:response\.setHeader\('[\w-]+'|'[\w-]+':|w\.Header\(\)\.Set\("[\w-]+"|add_header [\w-]+|[\w-]+ (?=")|\w+: |\w+=|\.\w+\(|cors\.\w+\()/.exec(
    line.trim(),
  )?.[0] ?? line

/** What a server's author does: replaces each setting by the line for it. */
const applied = (code: string, replacement: string): string => {
  const lines = new Map(replacement.split('\n').map((line) => [settingOn(line), line]))
  const next = code.split('\n').map((line) => {
    const own = lines.get(settingOn(line))
    if (own === undefined) return line
    lines.delete(settingOn(line))
    const end = /(?:\)\);|;)?$/.exec(line.trim())![0]
    const [setting] = own.split(/ (?:\/\/|#) new: /)
    return `${/^\s*/.exec(line)![0]}${setting}${setting!.endsWith(end) ? '' : end}`
  })
  expect([...lines.keys()]).toEqual([])
  return next.join('\n')
}

/** A server that has CORS settings already, but for another client. */
const existing: CorsPolicy = { ...policy, methods: ['GET', 'POST'], headers: ['Content-Type', 'X-Tenant'], expose: ['X-Request-Id'] } // prettier-ignore
const remedyOf = ({ origin, methods, headers }: CorsPolicy) => {
  const lines: HeaderList = [
    ['access-control-allow-origin', origin],
    ['access-control-allow-methods', methods.join(', ')],
    ['access-control-allow-headers', headers.join(', ')],
  ]
  const response = { status: 204, headers: lines }
  const exposure = { exposed: ['x-request-id'], hidden: ['Mcp-Session-Id'] }
  return corsRemedy(corsFaults(refused, response), refused, response, { era: 'handshake', exposure })
}

test.each(FRAMEWORKS)(
  '%s: where a server has CORS settings, only what changes is shown, with what is new',
  (framework) => {
    const remedy = remedyOf(existing)
    const code = remedySnippet(framework, remedy)
    expect(code.split('\n')).toHaveLength(3)
    for (const names of [['DELETE'], ['Authorization', 'MCP-Protocol-Version', 'Mcp-Session-Id', 'Last-Event-ID']])
      expect(code).toMatch(new RegExp(`(?://|#) new: ${names.join(', ')}$`, 'm'))
    expect(code).not.toContain(policy.origin)
    expect(applied(corsSnippet(framework, existing), code)).toBe(
      corsSnippet(framework, { ...remedy.policy, expose: ['x-request-id', 'Mcp-Session-Id'] }),
    )
    expect(remedySnippet(framework, { ...remedy, isWhole: true })).toBe(corsSnippet(framework, remedy.policy))
  },
)

test('the lines that change, put into the settings of a Hono app, let the page in', async () => {
  const before = corsSnippet('hono', existing)
  const faultsAfter = async (code: string) => {
    const app = new Hono()
    evaluate(code, { app, cors })
    const { status, headers } = await app.request('/', { method: 'OPTIONS', headers: preflightHeaders(refused) })
    return corsFaults(refused, { status, headers: [...headers] })
  }
  expect(await faultsAfter(before)).toMatchObject([{ kind: 'headers' }])
  expect(await faultsAfter(applied(before, remedySnippet('hono', remedyOf(existing))))).toEqual([{ kind: 'response' }])
})

/** A server that lets another page in. */
const forAnother = (() => {
  const headers: HeaderList = [
    ['access-control-allow-origin', 'https://app.example'],
    ['access-control-allow-methods', '*'],
    ['access-control-allow-headers', '*, authorization'],
  ]
  const response = { status: 204, headers }
  const exposure = { exposed: ['mcp-session-id', 'www-authenticate'], hidden: [] }
  return corsRemedy(corsFaults(refused, response), refused, response, { era: 'handshake', exposure })
})()

test.each(FRAMEWORKS)(
  '%s: an origin that a server allows already is kept, or named where a line would replace it',
  (framework) => {
    const code = remedySnippet(framework, forAnother)
    expect(code.split('\n')).toHaveLength(1)
    expect(code).toContain(refused.origin)
    expect(code).toContain('https://app.example')
    const line = code.split(/ (?:\/\/|#) /)[0]!
    expect(line.includes('https://app.example')).toBe(!replacesOrigins(framework, forAnother))
    // A server that allows no other origin needs no such note.
    expect(replacesOrigins(framework, remedyOf({ ...existing, origin: 'null' }))).toBe(false)
  },
)

test('with the origins that a Hono app allows, and what it lacks, both pages are let in', async () => {
  const before = corsSnippet('hono', { ...policy, origin: 'https://app.example', headers: ['*'] })
  const withToken: RefusedRequest = { ...refused, headers: [...refused.headers, 'x-tenant'] }
  const allowedBy = async (code: string, request: RefusedRequest) => {
    const app = new Hono()
    evaluate(code, { app, cors })
    const { status, headers } = await app.request('/', { method: 'OPTIONS', headers: preflightHeaders(request) })
    return { status, headers: [...headers] as HeaderList }
  }
  // As other middleware responds, Hono names no origin to a page that it doesn't allow.
  const found = await allowedBy(before, { ...withToken, origin: 'https://app.example' })
  const remedy = corsRemedy(corsFaults(withToken, found), withToken, found)
  expect(Object.keys(remedy.additions)).toEqual(['origin', 'headers', 'expose'])
  const after = applied(before, remedySnippet('hono', remedy))
  for (const origin of [refused.origin, 'https://app.example'])
    for (const header of ['x-tenant', 'x-other']) {
      const request = { ...withToken, origin, headers: ['authorization', header] }
      expect(corsFaults(request, await allowedBy(after, request))).toEqual([{ kind: 'response' }])
    }
})

test('names from the server that could end a string stay out of the code', () => {
  const allowed = [`X-Good`, `x'); process.exit(1); ('`, `a"b`, 'c\nd', '`e`']
  const response: Parameters<typeof corsRemedy>[2] = {
    status: 204,
    headers: [
      ['access-control-allow-origin', refused.origin],
      ['access-control-allow-headers', allowed.join(',')],
    ],
  }
  const { headers } = corsRemedy(corsFaults(refused, response), refused, response).policy
  expect(headers).toContain('X-Good')
  expect(headers.every((name) => /^[\w-]+$/.test(name))).toBe(true)
})
