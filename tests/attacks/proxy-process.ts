/**
 * Run with tsx: the proxy as a separate process that measures itself during an attack. It sends its URL, then responds
 * to each message with the measurements since the last one.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '../../proxy/app.ts'
import { createToken, hostsFor } from '../../proxy/guard.ts'
import { Pages } from '../../proxy/pages.ts'

/** `blocked`: the longest time the event loop was blocked, in ms. `memory`: the peak resident set, in MB. */
export interface Measured {
  readonly blocked: number
  readonly memory: number
}

const MB = 1024 * 1024

const delay = monitorEventLoopDelay({ resolution: 10 })
let memory = 0
const sample = (): void => void (memory = Math.max(memory, process.memoryUsage.rss() / MB))

Object.assign(globalThis, { __VERSION__: '0.0.0' })
const server = createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const token = createToken()
  const app = createApp({ token, allowedHosts: hostsFor('127.0.0.1', port), pages: new Pages() })
  const listener = getRequestListener(app.fetch)
  server.on('request', (request, response) => void listener(request, response))
  delay.enable()
  setInterval(sample, 20).unref()
  process.send?.({ base: `http://127.0.0.1:${port}/`, token })
})
process.on('message', () => {
  sample()
  const measured: Measured = { blocked: Math.max(0, delay.max / 1e6 - 10), memory }
  delay.reset()
  memory = 0
  process.send?.(measured)
})
process.on('disconnect', () => process.exit())
