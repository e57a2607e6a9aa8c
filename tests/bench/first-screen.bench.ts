/**
 * JavaScript that a visitor loads before anything is connected: the page's script and all that it imports at once,
 * in KB (1000 bytes) as gzip sends them.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench } from './run.ts'

const page = join(import.meta.dirname, '../../dist/web')

/** The part of Vite's manifest that is read here: sources -> what became of them. */
type Manifest = Record<
  string,
  { readonly file: string; readonly isEntry?: boolean; readonly imports?: readonly string[] }
>

const bench: Bench = async () => {
  const manifestFile = join(page, '.vite/manifest.json')
  if (!existsSync(manifestFile)) throw new Error('the page is not built: npm run build')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const html = readFileSync(join(page, 'index.html'), 'utf8')
  // Scripts, and what is fetched ahead of its time, both by their place in the page.
  const named = [...html.matchAll(/(?:src|href)="\.?\/?([^"]+\.js)"/g)].flatMap(([, file]) => (file ? [file] : []))
  if (named.length === 0) throw new Error('dist/web/index.html names no script')

  const byFile = new Map(Object.values(manifest).map((chunk) => [chunk.file, chunk]))
  const loaded = new Set<string>()
  const load = (file: string) => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const source of byFile.get(file)?.imports ?? []) load(manifest[source]!.file)
  }
  named.forEach(load)

  const sizes = [...loaded].map((file) => gzipSync(readFileSync(join(page, file)), { level: 9 }).length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return [{ name: 'first-screen-javascript', value: total / 1000, unit: 'KB', limit: 90 }]
}

export default bench
