/**
 * The page that runs the client in a browser: one script, built when it is missing or older than what it is made of.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../command.ts'

/** Holds the page, and the list of files it is made of. */
const FOLDER = join(root, 'node_modules/.cache/periscope-conformance-page')
const SCRIPT = 'page.js'
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
 * @throws {Error} when it cannot be built
 */
export const buildPage = async (): Promise<string> => {
  if (isFresh()) return FOLDER
  // Here, because a client whose page is fresh need not wait for it.
  const { build } = await import('vite')
  const sources = new Set([join(root, 'package-lock.json'), import.meta.filename])
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
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
      write: false,
      minify: false,
      target: 'es2023',
      reportCompressedSize: false,
      lib: { entry: join(import.meta.dirname, 'page.ts'), formats: ['es'] },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((each) => ('output' in each ? each.output : []))
  const script = outputs.find((output) => output.type === 'chunk' && output.isEntry)
  if (script?.type !== 'chunk') throw new Error('The page of the conformance client was not built: no script came out')
  mkdirSync(FOLDER, { recursive: true })
  put('index.html', PAGE)
  put(SCRIPT, script.code)
  put(SOURCES, JSON.stringify([...sources].sort()))
  return FOLDER
}

/** Whole or not at all: several clients may build at once. */
const put = (name: string, text: string) => {
  const draft = join(FOLDER, `${name}.${process.pid}`)
  writeFileSync(draft, text)
  renameSync(draft, join(FOLDER, name))
}

/** The list of sources is written last: it is as old as all of it. */
const isFresh = (): boolean => {
  const list = join(FOLDER, SOURCES)
  if (!existsSync(list)) return false
  const { mtimeMs } = statSync(list)
  const sources = JSON.parse(readFileSync(list, 'utf8')) as readonly string[]
  return sources.every((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) <= mtimeMs)
}
