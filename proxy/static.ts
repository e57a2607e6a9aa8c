/** Serves the built page: compressed if the build has a compressed file, cacheable if the name contains a hash. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'

/** Its URL contains the authorization response, so it must not be cached. */
export const CALLBACK = '/oauth/callback.html'

const NOT_BUILT = `Periscope's page is not built yet.

Run \`npm run build\` in the project, then reload. (\`npm start\` builds it automatically.)
`

/** @param root the folder with `index.html`; checked on each request, so that a later build is found */
export function servePage(root: string): MiddlewareHandler {
  let serve: MiddlewareHandler | undefined
  return async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return next()
    if (!existsSync(join(root, 'index.html'))) return c.text(NOT_BUILT, 503, { 'Cache-Control': 'no-store' })
    serve ??= serveStatic({ root, precompressed: true })
    let found = true
    const response = await serve(c, () => {
      found = false
      return next()
    })
    if (!found || !response) return
    // Set on the response: serveStatic reports a found file only after it has created the response.
    const hashed = c.req.path.startsWith('/assets/')
    response.headers.set('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : unhashed(c.req.path))
    // Also on the uncompressed form: a shared cache must not serve either form to everyone.
    response.headers.set('Vary', 'Accept-Encoding')
    return response
  }
}

const unhashed = (path: string) => (path === CALLBACK ? 'no-store' : 'no-cache')
