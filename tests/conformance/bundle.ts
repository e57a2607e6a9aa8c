/**
 * The conformance client and the official suite as one script each: for the page that runs the client in a browser, and
 * for Node, where each scenario starts both, and loading hundreds of modules takes longer than the scenario. Built if it
 * is missing or older than its sources.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildOptions } from 'vite'
import { root } from '../command.ts'

/** Each entry holds a script and the list of its source files. */
const CACHE = join(root, 'node_modules/.cache')
const PAGE_FOLDER = join(CACHE, 'periscope-conformance-page')
const NODE_FOLDER = join(CACHE, 'periscope-conformance-node')
const SCRIPT = 'client.js'
const SOURCES = 'sources.json'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><title>Conformance</title><link rel="icon" href="data:,">
<script type="module" src="${SCRIPT}"></script>
</head>
<body></body>
</html>
`

/**
 * @returns the folder with `index.html`
 * @throws {Error} if the build fails
 */
export const buildPage = async (): Promise<string> => {
  if (isFresh(PAGE_FOLDER)) return PAGE_FOLDER
  const lib: BuildOptions = { lib: { entry: join(import.meta.dirname, 'page.ts'), formats: ['es'] }, target: 'es2023' }
  return await write(PAGE_FOLDER, lib, { 'index.html': PAGE })
}

/**
 * @returns the script, for `node`
 * @throws {Error} if the build fails
 */
export const buildForNode = async (): Promise<string> => {
  // `import.meta` paths differ between the sources and the bundled script, so no source may use them.
  const ssr: BuildOptions = { ssr: join(import.meta.dirname, 'node.ts'), target: 'node20' }
  if (!isFresh(NODE_FOLDER)) await write(NODE_FOLDER, ssr, { 'package.json': '{"type":"module"}' })
  return join(NODE_FOLDER, SCRIPT)
}

/**
 * Bundles a program of a package, with all that it imports.
 *
 * @param folder receives `client.js`
 * @returns the script, for `node`
 * @throws {Error} if the build fails
 */
export const bundleProgram = async (entry: string, folder: string): Promise<string> => {
  if (!isFresh(folder)) await write(folder, { ssr: entry, target: 'node20' }, {})
  return join(folder, SCRIPT)
}

const write = async (folder: string, how: BuildOptions, beside: Readonly<Record<string, string>>): Promise<string> => {
  // Imported here, because an up-to-date client doesn't need it.
  const { build } = await import('vite')
  const sources = new Set([join(root, 'package-lock.json'), import.meta.filename])
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    plugins: [
      {
        name: 'periscope:sources',
        generateBundle() {
          for (const id of this.getModuleIds()) {
            const file = id.replace(/[?#].*$/, '')
            if (existsSync(file)) sources.add(file)
          }
        },
      },
    ],
    build: {
      ...how,
      write: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) => ('output' in each ? each.output : []))
  const script = outputs.find((output) => output.type === 'chunk' && output.isEntry)
  if (script?.type !== 'chunk') throw new Error('The conformance client was not built: no script came out')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(beside)) put(folder, name, text)
  put(folder, SCRIPT, script.code)
  put(folder, SOURCES, JSON.stringify([...sources].sort()))
  return folder
}

/** Write atomically, because several clients may build at once. */
const put = (folder: string, name: string, text: string) => {
  const draft = join(folder, `${name}.${process.pid}`)
  writeFileSync(draft, text)
  renameSync(draft, join(folder, name))
}

/** The list of sources is written last, so its time covers the whole build. */
const isFresh = (folder: string): boolean => {
  const list = join(folder, SOURCES)
  if (!existsSync(list)) return false
  const { mtimeMs } = statSync(list)
  const sources = JSON.parse(readFileSync(list, 'utf8')) as readonly string[]
  return sources.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= mtimeMs)
}
