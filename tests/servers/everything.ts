/** The reference server, as it is published, over Streamable HTTP. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import type { Peer } from './listening.ts'

const ENTRY = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')

/** How to run it over stdio. */
export const everythingStdio = { command: process.execPath, args: [ENTRY, 'stdio'] }

const freePort = async (): Promise<number> => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** @throws when it does not answer within 15 s */
export const start = async (): Promise<Peer> => {
  const port = await freePort()
  const child = spawn(process.execPath, [ENTRY, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}/mcp`
  const deadline = Date.now() + 15_000
  while (!(await fetch(url, { method: 'OPTIONS' }).catch(() => undefined))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      child.kill('SIGKILL')
      throw new Error('server-everything did not begin to listen')
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    close: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}
