/** Serves the built page: compressed where the build left a compressed sibling, cacheable where the name holds a hash. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'

/** Its address holds the answer of an authorization server, so that no copy of it may be kept under that name. */
export const CALLBACK = '/oauth/callback.html'

const NOT_BUILT = `Periscope's page is not built yet.

Run \`npm run build\` in the project, then reload. (\`npm start\` builds it by itself.)
`

/** @param root the folder with `index.html`; looked at for each request, so a build made meanwhile counts */
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
    // Set on the answer itself: serveStatic tells of a file it found only once its answer is made.
    const hashed = c.req.path.startsWith('/assets/')
    response.headers.set('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : unhashed(c.req.path))
    // Also on the plain form: a shared cache must not hand it, or the other one, to everybody.
    response.headers.set('Vary', 'Accept-Encoding')
    return response
  }
}

const unhashed = (path: string) => (path === CALLBACK ? 'no-store' : 'no-cache')
