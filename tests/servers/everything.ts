/** The published reference server over Streamable HTTP. It allows pages of any origin. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import type { Peer } from './listening.ts'

const ENTRY = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')

/** How to run it over stdio. */
export const everythingStdio = { command: process.execPath, args: [ENTRY, 'stdio'] }

/** ms from start to the first response. */
const START_LIMIT = 60_000

const freePort = async (): Promise<number> => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/**
 * @param wanted the port of a closed server, to restart it at the same URL
 * @throws {Error} with its output if it doesn't respond in time
 */
export const start = async (wanted?: number): Promise<Peer> => {
  const port = wanted ?? (await freePort())
  const child = spawn(process.execPath, [ENTRY, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  // In case the tests end without closing it, by Ctrl+C or a crash.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => void (words = (words + chunk.toString()).slice(-4000)))
  const url = `http://127.0.0.1:${port}/mcp`
  const close = async () => {
    kill()
    process.off('exit', kill)
    await exited
  }
  const deadline = Date.now() + START_LIMIT
  while (!(await fetch(url, { method: 'OPTIONS' }).catch(() => undefined))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      await close()
      throw new Error(`server-everything did not begin to listen on port ${port}. It said:\n${words}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { url, close }
}
