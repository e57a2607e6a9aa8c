/** Periscope's own proxy in this process: it serves the page of the conformance client and relays its requests. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createApp } from '../../proxy/app.ts'
import { createToken, hostsFor } from '../../proxy/guard.ts'
import { Pages } from '../../proxy/pages.ts'
import { root } from '../command.ts'
import type { Origin } from './origin.ts'

/** @param folder holds `index.html` and its script */
export const serveProxy = async (folder: string): Promise<Origin> => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  // The build would define it.
  Object.assign(globalThis, { __VERSION__: version })
  const server = createServer({ keepAliveTimeout: 120_000 })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  const token = createToken()
  const pages = new Pages()
  const app = createApp({ token, allowedHosts: hostsFor('localhost', port), pages, dist: folder })
  const listener = getRequestListener(app.fetch)
  server.on('request', (request, response) => void listener(request, response))
  return {
    address: `http://localhost:${port}`,
    token,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await pages.close()
    },
  }
}
