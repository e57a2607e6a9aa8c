/**
 * The architecture rules, checked by parsing the sources: who may import what, what runs where, how large a file may
 * be.
 * README describes them in prose; this file checks what a machine can.
 */
import { parseSource, type Import, type Source } from './source.ts'

/** Bottom up: a file may import only from a lower rank or from its own folder. */
const RANKS: Readonly<Record<string, number>> = {
  json: 0,
  secrets: 1,
  ui: 1,
  mcp: 2,
  environments: 2,
  oauth: 3,
  faults: 3,
  lint: 3,
  forms: 3,
  trace: 3,
  content: 3,
  sample: 3,
  doctor: 3,
  'session-file': 3,
  replay: 4,
  compare: 5,
  share: 6,
  features: 7,
  app: 8,
  'main.ts': 9,
}

/**
 * A room's doors: `index.ts` for code that runs anywhere, `index.svelte.ts` for user interface, `lazy.ts` for code
 * fetched as a separate chunk. A folder that has a door may be entered only through its doors.
 */
const DOORS = ['index.ts', 'index.svelte.ts', 'lazy.ts']

/**
 * More doors: the message shapes are loaded when a connection settles; `url.ts` and `web-crypto.ts` need no kernel; the
 * code that masks frames is loaded with the first connection, and the code that redacts with sharing.
 */
const MORE_DOORS: ReadonlySet<string> = new Set([
  'web/mcp/schema/schema.ts',
  'web/mcp/url.ts',
  'web/mcp/web-crypto.ts',
  'web/ui/base.css',
  'web/ui/tokens.css',
  'web/secrets/capture.ts',
  'web/secrets/redaction.ts',
])

/** A feature's lint rules. They import no panel, so the command line can bundle them. */
const RULES_DOOR = /^web\/features\/[^/]+\/lint\.ts$/

/** Floors whose folders are rooms. A floor has no door of its own, except `oauth`, which is one room to the rest. */
const FLOORS = ['web', 'web/features', 'web/app', 'web/oauth']
const OPEN_FLOORS: ReadonlySet<string> = new Set(['web/features', 'web/app'])
/** Subfolders that belong to the floor itself: its texts and the files that the build copies. */
const NO_ROOMS: ReadonlySet<string> = new Set(['text'])

/** Rooms shared by several features. */
const SHARED_BY_FEATURES: ReadonlySet<string> = new Set([
  'calls',
  'completion',
  'context',
  'elicitation',
  'findings',
  'lists',
  'prompt-commands',
  'server-features',
  'saved-calls',
  'server-requests',
  'tasks',
  'tool-safety',
])

/** Hard limits. A `.ts` file over 400 lines or a component over 250 deserves a second look. */
const LINES = { svelte: 350, ts: 600, test: 600 }

/** Names that say something is done, but not what. */
const EMPTY_NAME = /(Manager|Service|Helper)s?$|^[uU]til(s|ity|ities)?$/
/** Finds all texts with such a name, because parsing every test takes seconds. */
const EMPTY_WORD = /(Manager|Service|Helper)s?\b|\b[uU]til(s|ity|ities)?\b/
const EMPTY_FILE_NAME = /(^|[-.])(manager|service|helper|util)s?(?=[-.]|$)|(Manager|Service|Helper|Utils?)(?=\.|$)/

/** The only file of the page that creates sessions and transports: it gives each session the gate before calls of tools. */
const CONNECTS = 'web/app/server/transport-for.ts'
const CONNECTION = /\bnew (Session|\w*Transport)\(/
/** The only files of the kernel that send: the first passes the gate, the others send responses and the handshake. */
const SENDS: ReadonlySet<string> = new Set(['web/mcp/outgoing-requests.ts', 'web/mcp/session.ts', 'web/mcp/opening.ts'])
const SENDING = /[tT]ransport(\(\))?\s*\.send\(/

/** User interface packages. A file that imports one can't run in Node. Svelte's compiler is the exception. */
const INTERFACE_PACKAGE = /^(svelte(?!\/compiler$)|paneforge)(\/|$)|^@lucide\/svelte|^virtua(\/|$)|^@codemirror\//

/**
 * @param tree path from the project's root, with forward slashes -> text
 * @returns one line per violation, starting with the path; empty if there are none
 */
export const breaches = (tree: ReadonlyMap<string, string>): string[] => {
  const found: string[] = []
  const imports = new Map<string, readonly string[]>()
  for (const [path, text] of tree) {
    const say = (breach: string) => found.push(`${path}: ${breach}`)
    checkNames(path, say)
    if (!/\.(ts|svelte)$/.test(path)) continue
    checkLength(path, text, say)
    const inTests = isTest(path) || path.startsWith('tests/')
    if (!isTest(path)) checkGate(path, text, say)
    checkSilencers(text, say)
    checkHooks(path, text, say)
    if (inTests && !EMPTY_WORD.test(text)) continue
    const source = parseSource(path, text)
    if (source.rawHtml) say('{@html} renders text as markup, so its author could run code in the page')
    for (const name of source.declares) if (EMPTY_NAME.test(name)) say(`"${name}" does not say what it does`)
    if (inTests) continue
    imports.set(path, importedBy(path, source))
    if (isHeadless(path)) for (const name of source.mutable) say(`"${name}" is mutable state of the module`)
    for (const link of source.imports) checkImport(path, link, tree, say)
  }
  checkCatalogues(tree, found)
  checkRooms(tree, found)
  checkCycles(imports, found)
  return found
}

type Say = (breach: string) => void

const isTest = (path: string) => /\.(test|case|bench)\.ts$/.test(path)

/** Suffix rule: every plain `.ts` file in web/ runs in Node, except `main.ts`, which mounts the page. */
const isHeadless = (path: string) =>
  path.startsWith('web/') && path.endsWith('.ts') && !/\.(svelte|d)\.ts$/.test(path) && path !== 'web/main.ts'

const isInterface = (path: string) => /\.svelte(\.ts)?$/.test(path)

const folderOf = (path: string) => path.split('/')[1] ?? ''

const checkNames = (path: string, say: Say) => {
  for (const part of path.split('/')) if (EMPTY_FILE_NAME.test(part)) say(`"${part}" does not say what is in it`)
}

const checkLength = (path: string, text: string, say: Say) => {
  const kind = path.endsWith('.svelte') ? 'svelte' : isTest(path) ? 'test' : 'ts'
  const lines = text.replace(/\n$/, '').split('\n').length
  if (lines > LINES[kind]) say(`${lines} lines, over the limit of ${LINES[kind]}: a file is one idea`)
}

/** A session without the gate, or a message beside it, could call any tool without asking. */
const checkGate = (path: string, text: string, say: Say) => {
  if (!path.startsWith('web/')) return
  const inKernel = path.startsWith('web/mcp/')
  const [made] = CONNECTION.exec(text) ?? []
  if (made && !inKernel && path !== CONNECTS) say(`${made}…) makes a connection without the gate: only ${CONNECTS} may`)
  if (SENDING.test(text) && !SENDS.has(path)) say('sends beside the gate before calls of tools (mcp/call-gate.ts)')
}

const checkSilencers = (text: string, say: Say) => {
  for (const silencer of ['ignore', 'nocheck'].map((word) => `@ts-${word}`)) {
    if (text.includes(silencer))
      say(`${silencer} silences the compiler; @ts-expect-error with a reason says when it is stale`)
  }
}

/** Test files of one worker or page load a shared module once, so only the first of them would have its hooks. */
const checkHooks = (path: string, text: string, say: Say) => {
  const [, hook] = /^((?:before|after)(?:All|Each))\(/m.exec(text) ?? []
  if (hook && !path.endsWith('.test.ts'))
    say(`${hook} of a shared module runs for the first test file only: call onTestFinished inside the test`)
}

/** Imports modules of the user, whose paths are on the command line. */
const LOADER = 'proxy/transport-module.ts'

const checkImport = (from: string, link: Import, tree: ReadonlyMap<string, string>, say: Say) => {
  const { specifier } = link
  if (specifier === './(computed)' && from === LOADER) return
  if (!specifier.startsWith('.')) return checkPackage(from, link, say)
  const to = resolve(from, specifier.replace(/\?.*$/, ''))
  if (!tree.has(to))
    return say(`imports ${specifier}, and there is no such file (imports are written with their extension)`)
  if (to.startsWith('tests/')) say(`imports ${to}: only tests import from tests/`)
  else if (from.startsWith('proxy/') && to.startsWith('web/')) checkProxyImport(from, to, say)
  else if (from.startsWith('web/') && to.startsWith('proxy/')) {
    if (to !== 'proxy/wire.ts' || !link.typeOnly)
      say(`imports ${to}: the page may import only types, and only from proxy/wire.ts`)
  } else if (from.startsWith('web/') && to.startsWith('web/')) checkPageImport(from, to, link, say)
}

const checkPackage = (from: string, { specifier, typeOnly }: Import, say: Say) => {
  if (from.startsWith('web/') && specifier.startsWith('node:')) say(`imports ${specifier}, which no browser has`)
  if (isHeadless(from) && !typeOnly && INTERFACE_PACKAGE.test(specifier)) {
    say(`imports ${specifier}, but a plain .ts is headless: name it .svelte.ts if it is user interface`)
  }
}

const checkProxyImport = (from: string, to: string, say: Say) => {
  if (!from.startsWith('proxy/commands/')) say(`imports ${to}: the proxy knows nothing of the page`)
  else if (isInterface(to)) say(`imports ${to}: commands may use only what is headless`)
}

const checkPageImport = (from: string, to: string, link: Import, say: Say) => {
  const [mine, theirs] = [folderOf(from), folderOf(to)]
  const [rank, theirRank] = [RANKS[mine], RANKS[theirs]]
  if (mine !== theirs) {
    if (rank === undefined) return say(`"${mine}" has no rank: give it one in tests/architecture.ts`)
    if (theirRank === undefined) return say(`imports ${to}, and "${theirs}" has no rank`)
    if (theirRank >= rank) say(`imports ${to}: rank ${rank} may import only from lower ranks, and that is ${theirRank}`)
  } else if (mine === 'features') checkFeatureImport(from, to, say)
  checkDoors(from, to, say)
  const lazyPanel = link.lazy && mine === 'features' && /(Panel|Request)\.svelte$/.test(to)
  const throughLazyDoor = link.lazy && from.endsWith('/lazy.ts')
  if (isHeadless(from) && isInterface(to) && !link.typeOnly && !lazyPanel && !throughLazyDoor) {
    say(`imports ${to}, but a plain .ts is headless: name it .svelte.ts if it is user interface`)
  }
}

/** Features may use their own folder, the shared rooms, and the files directly in web/features. */
const checkFeatureImport = (from: string, to: string, say: Say) => {
  const featureOf = (path: string) => path.split('/').slice(2, -1)[0]
  const [mine, theirs] = [featureOf(from), featureOf(to)]
  if (mine === undefined || mine === theirs || theirs === 'text') return
  if (theirs !== undefined && !SHARED_BY_FEATURES.has(theirs)) say(`imports ${to}: a feature never imports a feature`)
  else if (to === 'web/features/index.ts') say(`imports ${to}: that imports all features`)
}

const isRoom = (folder: string) => {
  const floor = folder.slice(0, folder.lastIndexOf('/'))
  return FLOORS.includes(floor) && !OPEN_FLOORS.has(folder) && !NO_ROOMS.has(folder.slice(floor.length + 1))
}

/** The rooms that contain a file, outermost first. */
const roomsOf = (path: string): string[] => {
  const parts = path.split('/')
  return parts.slice(0, -1).flatMap((_, index) => {
    const folder = parts.slice(0, index + 1).join('/')
    return isRoom(folder) ? [folder] : []
  })
}

/** An import from outside must go through a door of the outermost room that doesn't contain the importing file. */
const checkDoors = (from: string, to: string, say: Say) => {
  const room = roomsOf(to).find((folder) => !from.startsWith(`${folder}/`))
  if (room === undefined || MORE_DOORS.has(to) || RULES_DOOR.test(to) || DOORS.some((door) => to === `${room}/${door}`))
    return
  say(`imports ${to}: enter ${room} through ${DOORS.join(', ')}`)
}

/** Each door's first comment must describe the room behind it. */
const checkRooms = (tree: ReadonlyMap<string, string>, found: string[]) => {
  const rooms = new Set([...tree.keys()].flatMap((path) => (/\.(ts|svelte)$/.test(path) ? roomsOf(path) : [])))
  for (const room of rooms) {
    const doors = DOORS.map((door) => `${room}/${door}`).filter((door) => tree.has(door))
    if (doors.length === 0) found.push(`${room}: has no door (${DOORS.join(', ')})`)
    for (const door of doors) {
      if (!/^\/\*\*/.test(tree.get(door)!)) found.push(`${door}: its first comment must say what lives behind it`)
    }
  }
}

/**
 * Files that import each other, directly or indirectly, including types: none of them can be read, tested or moved
 * alone.
 */
const checkCycles = (imports: ReadonlyMap<string, readonly string[]>, found: string[]) => {
  for (const cycle of cyclesOf(imports)) found.push(`${cycle[0]}: import cycle: ${cycle.join(' -> ')}`)
}

/** The paths of the files that a file imports when it is loaded. */
const importedBy = (path: string, { imports }: Source): string[] => {
  const links = imports.filter(({ specifier, lazy }) => specifier.startsWith('.') && !lazy)
  return [...new Set(links.map(({ specifier }) => resolve(path, specifier.replace(/\?.*$/, ''))))]
}

/** The strongly connected components with more than one file (Tarjan), each sorted. */
const cyclesOf = (imports: ReadonlyMap<string, readonly string[]>): string[][] => {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (path: string) => {
    order.set(path, order.size)
    lowest.set(path, order.get(path)!)
    stack.push(path)
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue
      if (!order.has(next)) {
        visit(next)
        lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!))
      } else if (stack.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, order.get(next)!))
    }
    if (lowest.get(path) !== order.get(path)) return
    const component = stack.splice(stack.indexOf(path))
    if (component.length > 1) cycles.push(component.sort())
  }
  for (const path of imports.keys()) if (!order.has(path)) visit(path)
  return cycles
}

const checkCatalogues = (tree: ReadonlyMap<string, string>, found: string[]) => {
  for (const [path, text] of tree) {
    const [, folder, language] = /^(web\/.*\/)(en|zh-CN)\.ts$/.exec(path) ?? []
    if (folder === undefined) continue
    const other = folder + (language === 'en' ? 'zh-CN.ts' : 'en.ts')
    const otherText = tree.get(other)
    if (otherText === undefined) {
      found.push(`${path}: there is no ${other}`)
      continue
    }
    if (language === 'en') continue
    const [keys, source] = [parseSource(path, text).defaultKeys, parseSource(other, otherText).defaultKeys]
    if (!keys || !source) {
      found.push(`${keys ? other : path}: its default export is no plain object`)
      continue
    }
    for (const key of source) if (!keys.has(key)) found.push(`${path}: "${key}" is not translated`)
    for (const key of keys) if (!source.has(key)) found.push(`${path}: "${key}" is not in ${other}`)
  }
}

const resolve = (from: string, specifier: string): string => {
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/')
}
