import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { expect, test } from 'vitest'
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
const run = (framework: Framework, names: Readonly<Record<string, unknown>>): unknown => {
  const code = corsSnippet(framework, policy)
    .replace(/^import .*$/m, '')
    .replace('export default', 'return')
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the snippet is ours
  return (new Function(...Object.keys(names), code) as (...values: unknown[]) => unknown)(...Object.values(names))
}

/** Starts a server with the snippet in it, which refuses everything that it gets to see. */
const SERVERS: Readonly<Partial<Record<Framework, () => Promise<{ url: string; close(): Promise<void> }>>>> = {
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

test.each(Object.keys(SERVERS) as Framework[])('%s: the code lets the page in, before any sign-in', async (name) => {
  const { url, close } = await SERVERS[name]!()
  try {
    const asked = await fetch(url, { method: 'OPTIONS', headers: preflightHeaders(refused) })
    const found: HeaderList = [...asked.headers]
    expect(corsFaults(refused, { status: asked.status, headers: found })).toEqual([{ kind: 'response' }])
    const answer = await fetch(url, { method: 'POST', headers: { origin: refused.origin } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe(refused.origin)
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/Mcp-Session-Id/)
  } finally {
    await close()
  }
})

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
