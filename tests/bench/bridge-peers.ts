/** The bridges to compare: Periscope's proxy, and those that npm has. Each runs the same server over stdio. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runNpm } from '../command.ts'
import { startPeriscope } from '../e2e/global-setup.ts'
import { drained, eventReader, Http, text, type Message, type Wire } from './bridge-client.ts'
import { launch, proxyPage } from './proxy-page.ts'

const SERVER = [process.execPath, join(import.meta.dirname, 'tiny-stdio.mjs')] as const

export interface Bridge {
  /** With its version. */
  readonly name: string
  /** A connection of its own, with a process of the server of its own. */
  wire(): Promise<Wire>
  close(): Promise<void>
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
/** The second major version of the inspector has another backend, and needs a newer Node than we do. */
const NEW_INSPECTOR = major > 22 || (major === 22 && minor >= 19)

const VERSIONS = {
  supergateway: '4.0.0',
  'mcp-proxy': '6.7.19',
  '@modelcontextprotocol/inspector': NEW_INSPECTOR ? '2.12.0' : '1.0.3',
} as const
type Package = keyof typeof VERSIONS

/** ms to download and install one package. */
const INSTALL_LIMIT = 180_000
/** ms from start to the first connection. */
const START_LIMIT = 20_000
const END_LIMIT = 5_000

/**
 * Installs a package once, each in a folder of its own, so that none gets the dependencies of another.
 * @returns its folder
 * @throws {Error} if npm can't install it
 */
const installed = async (name: Package): Promise<string> => {
  const folder = join(root, '.cache/bridges', `${name.replace('/', '+')}-${VERSIONS[name]}`)
  const done = join(folder, 'installed')
  if (!existsSync(done)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    // Some ask for a newer Node than they need.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', '--engine-strict=false']
    const { problem, output } = await runNpm(['install', '--prefix', folder, ...options, `${name}@${VERSIONS[name]}`], {
      quiet: true,
      limit: INSTALL_LIMIT,
    })
    const said = output.split('\n').filter((line) => line.trim() !== '' && !line.includes('complete log'))
    if (problem) throw new Error(`npm ${problem}: ${said.at(-1) ?? ''}`)
    writeFileSync(done, '')
  }
  return join(folder, 'node_modules', name)
}

/** None of them takes port 0, so this one may be taken by another program before it is used. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Runs a bridge as the leader of a process group, until `close` ends the whole group. */
const run = (args: readonly string[], env: NodeJS.ProcessEnv = {}): { child: ChildProcess; close(): Promise<void> } => {
  // Whatever it stores goes there.
  const home = mkdtempSync(join(tmpdir(), 'periscope-bridge-'))
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { ...process.env, HOME: home, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const ended = once(child, 'close')
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid!, name)
    } catch {
      // It has already ended.
    }
  }
  process.once('exit', () => signal('SIGKILL'))
  // Ctrl+C reaches only our own group, and ends us without `exit`.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => process.exit(1))
  const close = async (): Promise<void> => {
    signal('SIGTERM')
    const timer = setTimeout(() => signal('SIGKILL'), END_LIMIT)
    await ended
    clearTimeout(timer)
    signal('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
  return { child, close }
}

/** Waits until something listens there. @throws {Error} if the process ends first, or after `START_LIMIT` */
const listening = async (child: ChildProcess, url: string): Promise<void> => {
  const http = new Http(() => {})
  try {
    for (const until = performance.now() + START_LIMIT; ; await new Promise((next) => setTimeout(next, 50))) {
      if (child.exitCode !== null) throw new Error(`It exited with ${child.exitCode}`)
      try {
        await http.ask('HEAD', url)
        return
      } catch (error) {
        // A refusal is a response as well.
        if (/: [45]\d\d /.test((error as Error).message)) return
        if (performance.now() > until) throw error
      }
    }
  } finally {
    http.close()
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** HTTP+SSE: one stream for all messages of the server, whose first event names the URL to send to. */
const legacy = (url: string, headers: Record<string, string> = {}): Wire => {
  let endpoint = ''
  return {
    open: async (http) => {
      const stream = await http.ask('GET', url, { accept: 'text/event-stream', ...headers })
      await new Promise<void>((resolve) => {
        const read = eventReader((name, data) => {
          if (name !== 'endpoint') return http.receive(data)
          endpoint = new URL(data, url).href
          resolve()
        })
        http.follow(stream, read)
      })
    },
    send: async (http, message) => drained(await http.ask('POST', endpoint, { ...JSON_TYPE, ...headers }, message)),
  }
}

/** Streamable HTTP: the response to a POST is a stream of its own; other messages come on another. */
const streamable = (url: string): Wire => {
  const headers: Record<string, string> = { accept: 'application/json, text/event-stream' }
  return {
    send: async (http, message) => {
      const response = await http.ask('POST', url, { ...JSON_TYPE, ...headers }, message)
      const session = response.headers['mcp-session-id']
      if (typeof session === 'string') headers['mcp-session-id'] = session
      if (!/^text\/event-stream/.test(response.headers['content-type'] ?? '')) {
        const said = await text(response)
        if (said !== '') http.receive(said)
        return
      }
      response.on(
        'data',
        eventReader((_, data) => http.receive(data)),
      )
      await new Promise((resolve, reject) => response.once('end', resolve).once('error', reject))
    },
    initialized: async (http) => {
      headers['mcp-protocol-version'] = '2025-06-18'
      const stream = await http.ask('GET', url, { ...headers, accept: 'text/event-stream' })
      http.follow(
        stream,
        eventReader((_, data) => http.receive(data)),
      )
    },
  }
}

const periscope = async (): Promise<Bridge> => {
  const { address, close } = await startPeriscope([])
  const [command, ...args] = SERVER
  const proxy = await launch(address)
  return { name: 'periscope', close, wire: async () => proxyPage(proxy, { command, args }) }
}

const supergateway = async (transport: 'sse' | 'streamableHttp'): Promise<Bridge> => {
  const folder = await installed('supergateway')
  const port = await freePort()
  const output = transport === 'sse' ? ['sse'] : ['streamableHttp', '--stateful']
  const command = SERVER.map((word) => `"${word}"`).join(' ')
  const options = ['--stdio', command, '--port', String(port), '--logLevel', 'none', '--outputTransport', ...output]
  const { child, close } = run([join(folder, 'dist/index.js'), ...options])
  const url = `http://127.0.0.1:${port}`
  await listening(child, `${url}/healthz`)
  return {
    name: `supergateway ${VERSIONS.supergateway} (${transport === 'sse' ? 'SSE' : 'Streamable HTTP'})`,
    close,
    wire: async () => (transport === 'sse' ? legacy(`${url}/sse`) : streamable(`${url}/mcp`)),
  }
}

const mcpProxy = async (transport: 'sse' | 'stream'): Promise<Bridge> => {
  const folder = await installed('mcp-proxy')
  const port = await freePort()
  const options = ['--host', '127.0.0.1', '--port', String(port), '--server', transport]
  const { child, close } = run([join(folder, 'dist/bin/mcp-proxy.mjs'), ...options, '--', ...SERVER])
  const url = `http://127.0.0.1:${port}`
  await listening(child, `${url}/ping`)
  return {
    name: `mcp-proxy ${VERSIONS['mcp-proxy']} (${transport === 'sse' ? 'SSE' : 'Streamable HTTP'})`,
    close,
    wire: async () => (transport === 'sse' ? legacy(`${url}/sse`) : streamable(`${url}/mcp`)),
  }
}

const inspector = async (): Promise<Bridge> => {
  const name = '@modelcontextprotocol/inspector'
  const folder = await installed(name)
  const port = await freePort()
  const token = randomBytes(16).toString('hex')
  const [command, ...args] = SERVER
  const url = `http://127.0.0.1:${port}`
  if (!NEW_INSPECTOR) {
    const file = join(folder, '../inspector-server/build/index.js')
    const { child, close } = run([file], { SERVER_PORT: String(port), MCP_PROXY_AUTH_TOKEN: token, HOST: '127.0.0.1' })
    await listening(child, `${url}/health`)
    const query = new URLSearchParams({ transportType: 'stdio', command, args: args.join(' ') })
    const headers = { 'x-mcp-proxy-auth': `Bearer ${token}` }
    return {
      name: `inspector ${VERSIONS[name]}`,
      close,
      wire: async () => legacy(`${url}/stdio?${query.toString()}`, headers),
    }
  }
  const env = {
    CLIENT_PORT: String(port),
    HOST: '127.0.0.1',
    MCP_AUTO_OPEN_ENABLED: 'false',
    MCP_SANDBOX_PORT: '0',
    MCP_INSPECTOR_API_TOKEN: token,
  }
  const { child, close } = run([join(folder, 'clients/launcher/build/index.js')], env)
  await listening(child, `${url}/api/config`)
  const headers = { ...JSON_TYPE, 'x-mcp-remote-auth': `Bearer ${token}` }
  return { name: `inspector ${VERSIONS[name]}`, close, wire: async () => remote(url, headers, command, args) }
}

/** The backend of the inspector's second major version. */
const remote = (url: string, headers: Record<string, string>, command: string, args: readonly string[]): Wire => {
  let sessionId = ''
  return {
    open: async (http) => {
      const config = { type: 'stdio', command, args }
      const connected = await http.ask('POST', `${url}/api/mcp/connect`, headers, JSON.stringify({ config }))
      sessionId = (JSON.parse(await text(connected)) as { sessionId: string }).sessionId
      const stream = await http.ask('GET', `${url}/api/mcp/events?sessionId=${sessionId}`, headers)
      const read = eventReader((name, data) => {
        if (name === 'message') http.deliver((JSON.parse(data) as { data: Message }).data)
      })
      http.follow(stream, read)
    },
    send: async (http, message) => {
      const body = `{"sessionId":${JSON.stringify(sessionId)},"message":${message}}`
      await drained(await http.ask('POST', `${url}/api/mcp/send`, headers, body))
    },
  }
}

/** In the order of the table. Each starts, or says why it can't. */
export const BRIDGES: Readonly<Record<string, () => Promise<Bridge>>> = {
  periscope,
  inspector,
  'supergateway (SSE)': () => supergateway('sse'),
  'supergateway (Streamable HTTP)': () => supergateway('streamableHttp'),
  'mcp-proxy (SSE)': () => mcpProxy('sse'),
  'mcp-proxy (Streamable HTTP)': () => mcpProxy('stream'),
}
