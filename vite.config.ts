/**
 * Build, development and tests.
 *
 *     vite                           the page with hot reload, and the proxy's API beside it
 *     vite build                     web/ -> dist/web, a static page that works in any folder
 *     vite build --ssr --mode proxy  proxy/ -> dist/proxy/periscope.js, one file that needs no package
 *     PERISCOPE_COMPRESS=no vite build   without compressed copies of the files, as `npm start` does
 *     PERISCOPE_BASE=https://… vite build   for a copy that is hosted there: writes its client id metadata document
 *     vitest run [--project node|chromium]
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { playwright } from '@vitest/browser-playwright'
import { build, normalizePath, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import { BROWSER_ARGUMENTS, findBrowser } from './tests/browser.ts'
import { depth, slowness } from './tests/speed.ts'
import { markTexts } from './web/ui/mark-texts.ts'
import { clientDocumentText } from './web/oauth/wire/client-document.ts'

const root = import.meta.dirname
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
// A function, because Vitest empties the object it receives.
const define = () => ({ __VERSION__: JSON.stringify(version) })

export default defineConfig(async ({ command, mode }): Promise<UserConfig> => {
  // For sources that run unbundled in this process: the proxy beside the development page, and the proxy in tests.
  Object.assign(globalThis, { __VERSION__: version })
  if (process.env['VITEST']) return tests()
  if (mode === 'proxy') return await proxy()
  return command === 'serve'
    ? await page({ serving: true })
    : await page({ serving: false, stages: await findStages() })
})

/**
 * The page's code in the order in which it loads. Each stage is one chunk, listed by its entries: the page, then modules
 * that are imported dynamically. A module belongs to the first stage that needs it, so no stage imports a later one. By
 * default, the bundler makes a chunk for each combination of entries: more than a hundred requests for a connection.
 */
const STAGES: Readonly<Record<string, readonly string[]>> = {
  page: ['index.html'],
  /** Before anything is stored. */
  secrets: ['app/storable.ts'],
  /** Prefetched while the user types a URL. */
  connected: ['app/connected.svelte.ts'],
  connection: ['app/server/transport-for.ts', 'app/server/sign-in-browser.ts', 'session-file/store.ts'],
  /** What a new connection shows. */
  workbench: [
    'trace/TraceDock.svelte',
    'features/tools/ToolsPanel.svelte',
    'features/tools/outcome.ts',
    'features/authorization/StepUpBar.svelte',
    'session-file/store-writer.ts',
  ],
  lint: ['lint/run.ts', 'lint/shapes.ts', 'features/lint-rules.ts'],
}

/**
 * The stage of each module, from a first build without stages: only the bundler knows which imports remain after tree
 * shaking.
 *
 * @throws {Error} an entry was moved or renamed, so its chunks would change silently
 */
const findStages = async (): Promise<ReadonlyMap<string, string>> => {
  const config = await page({ serving: false })
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    plugins: [sources()],
    build: { ...config.build, write: false, minify: false, manifest: false },
  })
  const { output } = built as Rolldown.RolldownOutput
  const chunks = new Map(output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each] as const] : [])))
  const stages = new Map<string, string>()
  const seen = new Set<string>()
  const collect = (stage: string, file: string) => {
    const chunk = chunks.get(file)
    if (!chunk || seen.has(file)) return
    seen.add(file)
    for (const module of chunk.moduleIds) stages.set(module, stage)
    for (const next of chunk.imports) collect(stage, next)
  }
  for (const [stage, entries] of Object.entries(STAGES)) {
    for (const entry of entries) {
      const id = normalizePath(join(root, 'web', entry))
      const found = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === id)
      if (!found) throw new Error(`web/${entry} in STAGES isn't imported dynamically. Correct its path, or remove it.`)
      collect(stage, found.fileName)
    }
  }
  return stages
}

/** Without the times of plugins, which a first build on a slow machine would warn about. */
const CHECKS = { bundlerTimings: false }

interface PageOptions {
  /** For development, with hot reload. */
  readonly serving: boolean
  /** The stage of each module, if it has one. */
  readonly stages?: ReadonlyMap<string, string>
  /** Collects the packages in workers. */
  readonly inWorkers?: Set<string>
}

const page = async ({ serving, stages, inWorkers = new Set() }: PageOptions): Promise<UserConfig> => ({
  root: join(root, 'web'),
  publicDir: join(root, 'public'),
  cacheDir: join(root, 'node_modules/.vite'),
  // Relative, so that a copy of dist/web works at any URL.
  base: './',
  define: define(),
  plugins: [
    sources(),
    ...(serving
      ? [await devProxy()]
      : [licences('licences.txt', inWorkers), clientDocument(), manifestBeside(), acyclicChunks(), compressed()]),
  ],
  // Workers are bundled separately, before the page, so the page's bundle doesn't list the packages they contain.
  worker: { plugins: () => [packages(inWorkers)] },
  build: {
    outDir: join(root, 'dist/web'),
    emptyOutDir: true,
    target: ['es2023', 'chrome125', 'edge125', 'firefox128', 'safari18'],
    // The page's CSP forbids inline scripts, and every browser above supports module preload.
    modulePreload: { polyfill: false },
    // Inlined assets would require `data:` in the CSP.
    assetsInlineLimit: 0,
    // tests/bench reads it to find the chunks that the first screen loads. `manifestBeside` moves it.
    manifest: true,
    reportCompressedSize: false,
    // Our modules have no side effects when loaded, so importing from an index file only adds the code that is used.
    rolldownOptions: {
      checks: CHECKS,
      treeshake: { moduleSideEffects: [{ test: /[\\/]web[\\/](?!main\.ts$).*\.(ts|svelte)$/, sideEffects: false }] },
      output: stages
        ? { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: (id) => stages.get(id) }] } }
        : {},
    },
  },
})

const proxy = async (): Promise<UserConfig> => ({
  root,
  publicDir: false,
  define: { ...define(), __WATCHDOG__: JSON.stringify(await watchdogScript()) },
  plugins: [withoutComponents(), licences('licences.txt'), executable()],
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: true,
    outDir: join(root, 'dist/proxy'),
    emptyOutDir: true,
    target: 'node20',
    reportCompressedSize: false,
    rolldownOptions: {
      checks: CHECKS,
      input: join(root, 'proxy/main.ts'),
      output: { entryFileNames: 'periscope.js', codeSplitting: false },
    },
  },
})

/**
 * The watchdog as a single script for `node -e`. Loading the whole proxy would be wasteful, and its
 * file may be gone by then.
 */
const watchdogScript = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    root,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: join(root, 'proxy/watchdog-process.ts'),
      write: false,
      minify: true,
      target: 'node20',
      rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
    },
  })
  const [script] = (built as { output: { type: string; code?: string }[] }).output
  return `/* The watchdog of Periscope: ends its servers if it is killed. */ ${script?.code?.trim()}`
}

/**
 * Rooms that use what a browser has its own version of: fetch and streams, cryptography, storage, text encodings, the
 * JSON parser, workers. Their tests run in Node and in a page. Each `*.node.test.ts` gives its reason for running only
 * in Node in its first lines.
 */
const IN_CHROMIUM = ['json', 'mcp', 'forms', 'oauth', 'secrets', 'session-file', 'share']
/** Headless rooms that only compute. What holds in Node holds in a page, so a page runs them in `test:deep` only. */
const ONLY_COMPUTE = ['trace', 'lint', 'replay', 'compare', 'mcp/schema', 'oauth/model', 'oauth/advice', 'oauth/text']

const testsOf = (rooms: readonly string[]) => rooms.map((room) => `web/${room}/**/*.test.ts`)

/** Generous limits for busy machines: they only end tests that hang. */
const PATIENT = {
  testTimeout: 60_000 * slowness() * depth(),
  hookTimeout: 60_000 * slowness(),
  expect: { poll: { timeout: 15_000 * slowness(), interval: 20 } },
  provide: { slowness: slowness() * depth(), depth: depth() },
}
const DEEP = {
  resolve: {
    alias: depth() > 1 ? [{ find: /^fast-check$/, replacement: join(root, 'tests/deep-fast-check.ts') }] : [],
  },
}

const tests = (): UserConfig => ({
  root,
  publicDir: false,
  test: {
    // Many tests wait for time to pass, so three files at once, and a page, keep two cores busy.
    maxWorkers: 3,
    // Set here rather than in the projects, so that the peers start once for both. `test:quick` may need none.
    globalSetup: process.env['PERISCOPE_PEERS'] === 'none' ? [] : ['tests/global-setup.ts'],
    projects: [
      {
        define: define(),
        plugins: [sources()],
        ...DEEP,
        test: {
          name: 'node',
          include: ['{web,proxy,tests}/**/*.test.ts'],
          exclude: ['tests/{e2e,bench}/**', '**/node_modules/**'],
          ...PATIENT,
          // Reloading the sources for each file would take as long as running its tests.
          isolate: false,
        },
      },
      {
        define: define(),
        plugins: [sources()],
        ...DEEP,
        // A package discovered late makes the running page reload, so list those that headless tests use.
        optimizeDeps: { include: ['eventsource-parser', 'fast-check', '@cfworker/json-schema', 'oauth4webapi'] },
        test: {
          name: 'chromium',
          include: testsOf([...IN_CHROMIUM, ...ONLY_COMPUTE]),
          exclude: ['**/*.node.test.ts', '**/node_modules/**', ...(depth() > 1 ? [] : testsOf(ONLY_COMPUTE))],
          ...PATIENT,
          // As in Node: the page loads them once.
          isolate: false,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { executablePath: findBrowser(), args: BROWSER_ARGUMENTS } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})

const sources = () =>
  svelte({
    configFile: false,
    preprocess: [markTexts()],
    compilerOptions: {
      // A function, because a constant would also apply to components from packages, and some of those don't use runes.
      runes: ({ filename }) => (filename.includes('node_modules') ? undefined : true),
    },
  })

/**
 * The proxy's API on the page's own dev server. Loaded with tsx, because a plain `import()` would make it part of this
 * file: the build and every test would then depend on the whole proxy.
 */
const devProxy = async (): Promise<Plugin> => {
  const { tsImport } = await import('tsx/esm/api')
  const dev = (await tsImport('./proxy/dev.ts', import.meta.url)) as typeof import('./proxy/dev.ts')
  return dev.devProxy()
}

/** The directories of the packages whose code is in a bundle. */
const packagesIn = (bundle: Rolldown.OutputBundle): Set<string> => {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  return new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => packageOf(id) ?? [])))
}

/** Collects the packages of separately built bundles. */
const packages = (found: Set<string>): Plugin => ({
  name: 'periscope:packages',
  generateBundle(_, bundle) {
    for (const folder of packagesIn(bundle)) found.add(folder)
  },
})

/**
 * Writes the licences of all packages whose code is in the bundle, or in a separately built one, to a file beside it.
 */
const licences = (fileName: string, aside: ReadonlySet<string> = new Set()): Plugin => ({
  name: 'periscope:licences',
  generateBundle(_, bundle) {
    const folders = new Set([...packagesIn(bundle), ...aside])
    const notices = [...folders].map(notice).sort((a, b) => (a < b ? -1 : 1))
    const source = `This program contains code of the following packages.\n\n${notices.join('\n\n')}\n`
    this.emitFile({ type: 'asset', fileName, source })
  },
})

/** The package that a module belongs to: the innermost directory whose `package.json` has a name and a version. */
const packageOf = (id: string): string | undefined => {
  const path = id.replace(/^\0/, '').replace(/[?#].*$/, '')
  if (!path.includes('/node_modules/')) return
  for (let folder = dirname(path); folder.includes('/node_modules/'); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json')
    if (existsSync(manifest) && /"version"\s*:/.test(readFileSync(manifest, 'utf8'))) return folder
  }
  return
}

const notice = (folder: string): string => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    [key: string]: string
  }
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  if (files.length === 0 && !license)
    throw new Error(`${name} ${version} is bundled and states no licence; ask its authors, or drop it.`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`--- ${name} ${version} (${license ?? 'see below'})`, ...texts].join('\n\n')
}

/**
 * Writes the URL at which a copy will be hosted into its client id metadata document, replacing the
 * template from `public/`.
 */
const clientDocument = (): Plugin => ({
  name: 'periscope:client-document',
  generateBundle() {
    const base = process.env['PERISCOPE_BASE']
    if (base) this.emitFile({ type: 'asset', fileName: 'oauth/client.json', source: clientDocumentText(base) })
  },
})

/**
 * Fails the build if chunks import each other. Which one is evaluated first would depend on what the page loads first,
 * and a value could be used before it exists, for example only after a reload.
 */
const acyclicChunks = (): Plugin => ({
  name: 'periscope:acyclic-chunks',
  generateBundle(_options, bundle) {
    const done = new Set<string>()
    const follow = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) {
        const cycle = [...path.slice(path.indexOf(file)), file].join(' -> ')
        throw new Error(
          `Chunks import each other: ${cycle}. Move the code that they share to an earlier stage in STAGES.`,
        )
      }
      const chunk = bundle[file]
      if (chunk?.type !== 'chunk' || done.has(file)) return
      for (const next of chunk.imports) follow(next, [...path, file])
      done.add(file)
    }
    for (const file of Object.keys(bundle)) follow(file, [])
  },
})

/** Moves Vite's manifest out of the page's directory, where it would be served and published. */
const manifestBeside = (): Plugin => {
  let folder = ''
  return {
    name: 'periscope:manifest-beside',
    configResolved: (config) => void (folder = config.build.outDir),
    closeBundle() {
      const own = join(folder, '.vite')
      if (!existsSync(own)) return
      const beside = join(root, 'dist/build')
      mkdirSync(beside, { recursive: true })
      renameSync(join(own, 'manifest.json'), join(beside, 'manifest.json'))
      rmdirSync(own)
    },
  }
}

/**
 * Writes `.br` and `.gz` siblings of all text files, so that the proxy (or any static host) can serve
 * them without compressing.
 */
const compressed = (): Plugin => {
  let folder = ''
  return {
    name: 'periscope:compressed',
    configResolved: (config) => void (folder = config.build.outDir),
    closeBundle: {
      order: 'post',
      async handler() {
        // A sixth of a build, which only pages that come over a network get back. `npm start` serves this machine.
        if (!existsSync(folder) || process.env['PERISCOPE_COMPRESS'] === 'no') return
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
        // Together, because each is compressed in a thread of its own.
        const files = readdirSync(folder, { recursive: true, withFileTypes: true }).map(async (entry) => {
          if (!entry.isFile() || !/\.(html|js|css|svg|json|txt|webmanifest)$/.test(entry.name)) return
          const path = join(entry.parentPath, entry.name)
          const text = readFileSync(path)
          // Compressing a file that fits into one packet saves nothing.
          if (text.length < 1400) return
          writeFileSync(`${path}.br`, await promisify(brotliCompress)(text, { params }))
          writeFileSync(`${path}.gz`, await promisify(gzip)(text, { level: 9 }))
        })
        await Promise.all(files)
      },
    },
  }
}

/**
 * Features refer to their panel components, and commands import features. This keeps the names but leaves the
 * components out of the proxy's bundle.
 */
const withoutComponents = (): Plugin => ({
  name: 'periscope:without-components',
  load: (id) => (id.endsWith('.svelte') ? 'export default undefined' : undefined),
})

/** Makes the proxy's bundle executable. */
const executable = (): Plugin => ({
  name: 'periscope:executable',
  writeBundle({ dir }, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type !== 'chunk') continue
      const path = join(dir!, output.fileName)
      if (!output.code.startsWith('#!')) writeFileSync(path, `#!/usr/bin/env node\n${output.code}`)
      chmodSync(path, 0o755)
    }
  },
})
