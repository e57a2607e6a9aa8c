/**
 * JavaScript loaded before anything is connected: the page's script and all its static imports, in KB (1000 bytes)
 * after gzip, and how much of it is data about protocol versions. The message shapes must not be part of it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench } from './run.ts'

const page = join(import.meta.dirname, '../../dist/web')

/** What only the message shapes contain, `web/mcp/schema/`: a text of `verdict.ts`, a field of `params-and-results.ts`. */
const IN_SHAPES = [/no responses from a client/, /lastUpdatedAt:\w+\(/]

/** The part of Vite's manifest read here: source -> output. */
type Manifest = Record<
  string,
  { readonly file: string; readonly isEntry?: boolean; readonly imports?: readonly string[] }
>

const bench: Bench = async () => {
  const manifestFile = join(page, '../build/manifest.json')
  if (!existsSync(manifestFile)) throw new Error('the page is not built: npm run build')
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as Manifest
  const html = readFileSync(join(page, 'index.html'), 'utf8')
  // Scripts and preloads, by their path in the page.
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
  const shapes = IN_SHAPES.map((pattern) =>
    builtFiles().filter((file) => pattern.test(readFileSync(join(page, file), 'utf8'))),
  )
  if (shapes.some((files) => files.length === 0)) throw new Error('the message shapes were not found in the build')
  return [
    { name: 'first-screen-javascript', value: total / 1000, unit: 'KB', limit: 77.3 },
    { name: 'first-screen-revision-data', value: revisionData([...loaded]) / 1000, unit: 'KB', limit: 2 },
    {
      name: 'first-screen-message-shapes',
      value: new Set(shapes.flat().filter((file) => loaded.has(file))).size,
      unit: 'chunks',
      limit: 0,
    },
  ]
}

/** All scripts of the page, by their path in it. */
const builtFiles = (): readonly string[] =>
  readdirSync(join(page, 'assets')).flatMap((name) => (name.endsWith('.js') ? [`assets/${name}`] : []))

/** Bytes, after gzip, of the list of protocol versions and the kernel's table of methods. */
const revisionData = (files: readonly string[]): number => {
  // Most of this data loads with the first connection. If none is found here, make sure the pattern still matches.
  const all = dataIn(builtFiles())
  if (all.tables.length === 0 || all.lists.length === 0)
    throw new Error('the data about revisions was not found in the build')
  const { lists, tables } = dataIn(files)
  return lists.length + tables.length === 0 ? 0 : gzipSync([...lists, ...tables].join('\n'), { level: 9 }).length
}

const dataIn = (files: readonly string[]) => {
  const texts = files.map((file) => readFileSync(join(page, file), 'utf8'))
  return {
    tables: texts.flatMap((text) => [...text.matchAll(/\{initialize:\[/g)].map(({ index }) => objectAt(text, index))),
    lists: texts.flatMap((text) => /\[[`"']2024-11-05[`"'][^\]]*\]/.exec(text)?.[0] ?? []),
  }
}

/** The source of an object, from its opening brace to the closing one. */
const objectAt = (text: string, from: number): string => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return text.slice(from, at + 1)
  }
  throw new Error('a table of methods does not end')
}

export default bench
