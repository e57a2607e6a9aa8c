/** Requests as code: what a shell, Node and Python make of it is the request that was recorded, whatever it contains. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import {
  exchanges,
  httpExchanges,
  Projection,
  Session,
  signIns,
  StreamableHttpTransport,
  Trace,
  type Json,
  type JsonObject,
} from '../mcp/index.ts'
import { curlOf, fetchOf, framesOfRequest, pythonOf, sentRequest, typescriptOf, type SentRequest } from './copy-as.ts'

const run = promisify(execFile)
const has = (program: string) => spawnSync(program, ['--version']).status === 0

const HOSTILE = `'; touch x #\`id\` $(id) $HOME "\\ \n\r\u0000 -o x \u202e`

/** A header can't hold the others. */
const ASCII = HOSTILE.replace(/[^ -~]/g, '').trim()

const call = (args: JsonObject): SentRequest => ({
  message: { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'echo', arguments: args, _meta: { progressToken: 7 } } },
  http: {
    url: 'http://127.0.0.1:1/mcp',
    headers: [
      ['content-type', 'application/json'],
      ['accept', 'application/json, text/event-stream'],
      ['authorization', 'Bearer •••• (40 characters)'],
      ['x-note', ASCII],
    ],
  },
}) // prettier-ignore

/** A server that records what arrives. */
const recorder = async () => {
  const seen: { headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part)).on('end', () => {
      seen.push({ headers: request.headers, body })
      response.end('{}')
    }) // prettier-ignore
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  return { seen, url, close: () => new Promise((resolve) => server.close(resolve)) }
}

describe('a cURL line', () => {
  test.runIf(has('curl'))('sends exactly the recorded request, whatever is in it', async () => {
    const server = await recorder()
    try {
      const sent = call({ message: HOSTILE })
      const script = curlOf({ ...sent, http: { ...sent.http!, url: `${server.url}?a=1&b=%20` } })!
      await run('sh', ['-c', script], { env: { ...process.env, AUTHORIZATION: 'secret-token' } })
      expect(JSON.parse(server.seen[0]!.body)).toEqual(sent.message)
      expect(server.seen[0]!.headers).toMatchObject({ 'authorization': 'Bearer secret-token', 'x-note': ASCII }) // prettier-ignore
    } finally {
      await server.close()
    }
  })

  test.runIf(has('curl'))(
    'gets from a real server the response that was recorded, through a session of its own',
    async () => {
      const url = inject('everythingUrl')
      const trace = new Trace()
      const [all, runs, steps] = [new Projection(trace, exchanges), new Projection(trace, httpExchanges), new Projection(trace, signIns)] // prettier-ignore
      const session = new Session({ trace, link: 's1', transport: new StreamableHttpTransport({ url }), clientInfo: { name: 'test', version: '0' } }) // prettier-ignore
      await session.open()
      await session.request('tools/call', { name: 'echo', arguments: { message: "it's $HOME" } })
      await session.close()
      const around = {
        exchanges: all.current,
        runs: runs.current,
        signIns: steps.current,
        names: (link: string) => link,
      }
      const exchange = around.exchanges.all.find(({ method }) => method === 'tools/call')!
      const script = curlOf(sentRequest(framesOfRequest(exchange.request, trace, around))!)!
      const { stdout } = await run('sh', ['-c', script], { timeout: patient(20_000) })
      expect(stdout).toContain("Echo: it's $HOME")
    },
    patient(40_000),
  )

  test('has a variable for each secret', () => {
    const script = curlOf(call({}))!
    expect(script).toContain('"authorization: Bearer $AUTHORIZATION"')
    expect(script).not.toContain('•')
  })
})

test('as fetch it is JavaScript that sends the same', async () => {
  const server = await recorder()
  try {
    const sent = call({ message: HOSTILE })
    const code = fetchOf({
      message: sent.message,
      http: { ...sent.http!, url: server.url, headers: sent.http!.headers.slice(0, 3) },
    })!
    await run(process.execPath, ['--input-type=module', '-e', `const AUTHORIZATION = 'secret'\n${code}`])
    expect(JSON.parse(server.seen[0]!.body)).toEqual(sent.message)
    expect(server.seen[0]!.headers).toMatchObject({ authorization: 'Bearer secret' })
  } finally {
    await server.close()
  }
})

test(
  'for the TypeScript SDK it is a program that gets the response',
  async () => {
    const code = typescriptOf({
      ...call({ message: 'from the SDK' }),
      http: { url: inject('everythingUrl'), headers: [] },
    })!
    // Within the project, whose packages it imports.
    const folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.snippet-'))
    try {
      await writeFile(join(folder, 'snippet.mjs'), code)
      const { stdout } = await run(process.execPath, [join(folder, 'snippet.mjs')], { timeout: patient(20_000) })
      expect((JSON.parse(stdout) as { content: Json }).content).toEqual([{ type: 'text', text: 'Echo: from the SDK' }])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
  patient(40_000),
)

describe('for the Python SDK', () => {
  const code = pythonOf(call({ message: HOSTILE, list: [1, true, null] }))!

  test('it calls the function of the method with its parameters', () => {
    expect(code).toContain('session.call_tool("echo", {"message": ')
    expect(code).toContain('"list": [1, True, None]')
    expect(pythonOf({ ...call({}), message: { jsonrpc: '2.0', id: 1, method: 'own/method' } })).toBeUndefined()
  })

  test.runIf(has('python3'))('it is valid Python', () => {
    const { status, stderr } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: code,
    })
    expect([status, stderr.toString()]).toEqual([0, ''])
  })
})

test('a request over stdio has no HTTP form, and its process in the code of the SDKs', () => {
  const sent: SentRequest = {
    message: call({}).message,
    process: { command: 'node', args: ['server.js', '--name=it\'s "x"'] },
  }
  expect([curlOf(sent), fetchOf(sent)]).toEqual([undefined, undefined])
  expect(typescriptOf(sent)).toContain(JSON.stringify('--name=it\'s "x"'))
  expect(pythonOf(sent)).toContain('stdio_client')
})
