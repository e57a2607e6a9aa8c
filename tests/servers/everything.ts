/** The published reference server over Streamable HTTP. It allows pages of any origin. */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Peer } from './listening.ts'

const ENTRY = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')

/** How to run it over stdio. */
export const everythingStdio = { command: process.execPath, args: [ENTRY, 'stdio'] }

/** ms from start until it listens. */
const START_LIMIT = 60_000

/**
 * Sends the port to this process: another program could take one that is chosen before the server starts. And as
 * `listening.ts` does, leaves it to clients to close idle connections.
 */
const PRELOAD = `data:text/javascript,${encodeURIComponent(`
  import http from 'node:http'
  const { createServer } = http
  http.createServer = (...args) => {
    const server = createServer(...args)
    server.keepAliveTimeout = 120_000
    return server.once('listening', () => process.send(server.address().port))
  }`)}`

/**
 * @param wanted the port of a closed server, to restart it at the same URL
 * @throws {Error} with its output if it doesn't respond in time
 */
export const start = async (wanted?: number): Promise<Peer> => {
  const child = spawn(process.execPath, ['--import', PRELOAD, ENTRY, 'streamableHttp'], {
    env: { ...process.env, PORT: String(wanted ?? 0) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  // In case the tests end without closing it, by Ctrl+C or a crash.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  let words = ''
  child.stderr!.on('data', (chunk: Buffer) => void (words = (words + chunk.toString()).slice(-4000)))
  const listening: { port?: number } = {}
  child.once('message', (port) => (listening.port = port as number))
  const close = async () => {
    kill()
    process.off('exit', kill)
    await exited
  }
  const deadline = Date.now() + START_LIMIT
  while (listening.port === undefined) {
    if (Date.now() > deadline || child.exitCode !== null) {
      await close()
      throw new Error(`server-everything did not begin to listen. It said:\n${words}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { url: `http://127.0.0.1:${listening.port}/mcp`, close }
}
