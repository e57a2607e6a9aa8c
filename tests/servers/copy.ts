/** The built page on a plain file host, without a proxy. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { listen, type Peer } from './listening.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}

export const start = (): Promise<Peer> => {
  const root = join(import.meta.dirname, '../../dist/web')
  return listen(
    createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://h')
      const name = pathname === '/' ? '/index.html' : pathname
      readFile(join(root, name)).then(
        (bytes) => response.writeHead(200, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' }).end(bytes),
        () => response.writeHead(404).end(),
      )
    }),
  )
}
