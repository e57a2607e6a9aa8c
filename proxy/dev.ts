/** Runs the proxy inside Vite's development server, so that the page with hot reload has the API on its own origin. */
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Plugin } from 'vite'
import { createApp } from './app.ts'
import { bracketed, createToken, hostsFor, isWildcard } from './guard.ts'
import { firstUrl, LaunchCodes, printOnEnter } from './launch.ts'
import { Pages } from './pages.ts'

export function devProxy(): Plugin {
  return {
    name: 'periscope-proxy',
    apply: 'serve',
    configureServer(server) {
      const { httpServer } = server
      // Vitest also starts a Vite server, but opens no page.
      if (!httpServer || process.env['VITEST']) return
      const token = createToken()
      const codes = new LaunchCodes()
      const pages = new Pages()
      let listener: ReturnType<typeof getRequestListener> | undefined

      server.middlewares.use((request, response, next) => {
        if (!listener || !/^\/api(\/|$|\?)/.test(request.url ?? '')) return next()
        void listener(request, response)
      })
      httpServer.once('listening', () => {
        const { address, port } = httpServer.address() as AddressInfo
        const named = typeof server.config.server.host === 'string' ? server.config.server.host : address
        const app = createApp({ token, codes, allowedHosts: hostsFor(named, port), pages })
        // Vite's middleware shares this process, so keep its Request and Response.
        listener = getRequestListener(app.fetch, { overrideGlobalObjects: false })
        const origin = `http://${isWildcard(named) ? 'localhost' : bracketed(named)}:${port}`
        const launching = { origin, codes, say: (line: string) => server.config.logger.info(`  ${line}`) }
        // Print after Vite's own output, which follows once `listen` has resolved.
        setTimeout(() => {
          launching.say(`Periscope with its proxy: ${firstUrl(launching)}\n`)
          printOnEnter(launching)
        }, 50)
      })
      httpServer.once('close', () => void pages.close())
      process.once('exit', () => pages.kill())
      process.once('SIGINT', () => void pages.close().then(() => process.exit()))
    },
  }
}
