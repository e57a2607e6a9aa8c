/**
 * Run with tsx: the proxy as a separate process that measures itself during an attack. It sends its URL, then responds
 * to each message with the measurements since the last one.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '../../proxy/app.ts'
import { createToken, hostsFor } from '../../proxy/guard.ts'
import { Pages } from '../../proxy/pages.ts'

/**
 * `blocked`: the longest time the event loop computed without a pause, in ms. `memory`: the peak resident set, in MB.
 *
 * On Linux the first is CPU time of the main thread, so a busy machine, which pauses every process, does not count.
 */
export interface Measured {
  readonly blocked: number
  readonly memory: number
}

const MB = 1024 * 1024

/** ms. */
const EVERY = 10

/** ms the main thread has computed for; elsewhere than on Linux, ms that have passed without its timer's interval. */
const computed = (): number => {
  if (process.platform !== 'linux') return performance.now() - EVERY
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
}

let memory = 0
let blocked = 0
let before = computed()
const sample = (): void => {
  memory = Math.max(memory, process.memoryUsage.rss() / MB)
  const now = computed()
  blocked = Math.max(blocked, now - before)
  before = now
}

Object.assign(globalThis, { __VERSION__: '0.0.0' })
const server = createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const token = createToken()
  const app = createApp({ token, allowedHosts: hostsFor('127.0.0.1', port), pages: new Pages() })
  const listener = getRequestListener(app.fetch)
  server.on('request', (request, response) => void listener(request, response))
  setInterval(sample, EVERY).unref()
  process.send?.({ base: `http://127.0.0.1:${port}/`, token })
})
process.on('message', () => {
  sample()
  const measured: Measured = { blocked, memory }
  memory = 0
  blocked = 0
  process.send?.(measured)
})
process.on('disconnect', () => process.exit())
