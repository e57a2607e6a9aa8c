/** One server over one transport: started, driven, stopped, judged. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Revision } from '../../web/mcp/index.ts'
import {
  commandOf,
  environmentOf,
  fill,
  revisionDue,
  setUp,
  type Corpus,
  type Count,
  type HttpMode,
  type Places,
  type Server,
} from './corpus.ts'
import type { Seen, Wish } from './drive.ts'
import { judgeHttp, judgeStdio } from './judge.ts'
import { LISTS, type ListName } from './lists.ts'
import { pageFetch, preflight } from './page-fetch.ts'
import { endStrays, freePort, groupLives, listenOn, type Command } from './processes.ts'
import { endOf, evidenceOf, httpSight, oddities, processesOf } from './sights.ts'

export interface Stage {
  readonly corpus: Corpus
  /** Where the servers are installed. */
  readonly root: string
  /** Runs the kernel in this process, or in a browser page, which doesn't need our `direct` fetch. */
  readonly drive: (wish: Wish, direct?: typeof fetch) => Promise<Seen>
  readonly inPage: boolean
  /** The running proxy, and the origin of its page. */
  readonly proxy: { readonly base: string; readonly token: string; readonly origin: string }
}

export type Way = 'stdio' | 'direct' | 'relay'

export interface Row {
  readonly id: string
  readonly way: Way
  /** Which of several modes, and how it was requested. */
  readonly label?: string
  readonly expected: string
  readonly ended: string
  readonly how: string
  readonly openMs: number
  readonly noted: readonly string[]
  readonly closed: string
  readonly differences: readonly string[]
}

/** ms: for one whole trial, for the first response of a process, and for the port of an HTTP server. */
const LIMITS = { all: 60_000, answer: 25_000 }
const PORT_LIMIT = 30_000

/** The name of a mode in the table. */
export interface Endpoint {
  readonly mode: HttpMode
  readonly index: number
  readonly path: string
}

/** A mode may have an endpoint of each kind. */
export const endpointsOf = ({ http = [] }: Server): Endpoint[] =>
  http.flatMap((mode, index) => [
    ...(mode.path === undefined ? [] : [{ mode, index, path: mode.path }]),
    ...(mode.ssePath === undefined ? [] : [{ mode, index, path: mode.ssePath }]),
  ])

/** @param pinned the protocol version of the expectations, if negotiation picks a newer one */
export const tryStdio = async (stage: Stage, server: Server, pinned?: Revision): Promise<Row> =>
  await within(stage, '', async (places) => {
    setUp(server, places)
    const seen = await stage.drive(wishFor(stage, { kind: 'stdio', spawn: own(server, places) }, places, pinned))
    const truth = stage.corpus.truth[server.id]
    const expected = server.expect
    const revision = pinned ?? revisionOfStdio(stage.corpus, server)
    const differences = judgeStdio(expected, revision, truth?.stdio ?? {}, seen)
    return {
      ...rowOf(server.id, 'stdio', seen, pinned),
      expected:
        expected.fails === undefined
          ? `${revision} ${LISTS.map((list) => expected[list]).join('/')}`
          : `fails: ${expected.fails}`,
      differences: [...differences, ...(await leftBehind(places.TMP, seen))],
    }
  })

const wishFor = (
  { proxy: { base, token } }: Stage,
  target: Wish['target'],
  { TMP }: Places,
  pinned: Revision | undefined,
): Wish => ({
  target,
  proxy: { base, token },
  rootUri: pathToFileURL(TMP).href,
  ...(pinned ? { pinned } : {}),
  limits: LIMITS,
})

/** '' if it fails before a version is known. */
export const revisionOfStdio = ({ truth }: Corpus, { id, expect }: Server): string =>
  expect.fails === undefined ? revisionDue(expect.protocolVersion, truth[id]?.stdio.discover?.supportedVersions) : ''

export const revisionOfHttp = ({ truth }: Corpus, { id }: Server, { mode, index }: Endpoint): string =>
  revisionDue(mode.expect.protocolVersion, truth[id]?.http?.[index]?.discoverFirst?.discover?.supported)

/** Direct if CORS allows it, otherwise through the relay. */
export const tryHttp = async (
  stage: Stage,
  server: Server,
  endpoint: Endpoint,
  { pinned, relay = false }: { pinned?: Revision; relay?: boolean } = {},
): Promise<Row> => {
  if (!relay) {
    const direct = await tryHttpBy('direct', stage, server, endpoint, pinned)
    if (typeof direct !== 'string') return direct
    const row = await tryHttpBy('relay', stage, server, endpoint, pinned)
    if (typeof row !== 'string') return { ...row, noted: [`no page may: ${direct}`, ...row.noted] }
  }
  return (await tryHttpBy('relay', stage, server, endpoint, pinned)) as Row
}

/** @returns why a page may not, in words */
const tryHttpBy = async (
  way: 'direct' | 'relay',
  stage: Stage,
  server: Server,
  endpoint: Endpoint,
  pinned: Revision | undefined,
): Promise<Row | string> => {
  const port = await freePort()
  return await within(stage, `${port}`, async (places) => {
    setUp(server, places)
    const { mode, path } = endpoint
    // The URL a user would type. Some servers accept this host name only.
    const url = `http://localhost:${port}${path}`
    const process = await listenOn(
      own({ ...server, ...mode, env: { ...server.env, ...mode.env } }, places),
      port,
      PORT_LIMIT,
    )
    let row: Row
    try {
      const { origin } = stage.proxy
      const headers = Object.entries(mode.headers ?? {})
      const needed = [
        'content-type',
        ...(path === mode.path ? ['mcp-protocol-version'] : []),
        ...headers.map(([name]) => name),
      ]
      const why = await preflight(fetch, url, origin, 'POST', needed.sort())
      if (way === 'direct' && why) return why
      const page = pageFetch(origin)
      const wish = wishFor(stage, { kind: 'http', url, headers, relayed: way === 'relay' }, places, pinned)
      const seen = await stage.drive(wish, page.fetch)
      const { code, details } = seen.failure ?? {}
      if (way === 'direct' && details?.sessionIdHidden && isRefusal(details.status))
        return 'the session id is hidden from it'
      if (way === 'direct' && code === 'unreachable') return 'the browser let nothing through'
      const exposed = way === 'direct' && stage.inPage ? undefined : page.exposed
      const sight = httpSight(seen.frames, !why, exposed)
      const revision = pinned ?? revisionOfHttp(stage.corpus, server, endpoint)
      const differences = judgeHttp(mode.expect, revision, countsOf(stage.corpus, server, endpoint), seen, sight)
      const drafted = rowOf(server.id, way, seen, pinned, mode.label)
      row = {
        ...drafted,
        label: [path, drafted.label].filter(Boolean).join(' '),
        expected: `${revision} ${mode.expect.brokenAfterInitialize ? `then HTTP ${mode.expect.brokenAfterInitialize}` : mode.expect.tools}`,
        noted: [
          ...drafted.noted,
          ...page.refused.map((refusal) => `refused to the page: ${refusal}`),
          ...factsOf(sight),
        ],
        differences,
      }
    } finally {
      await process.stop()
    }
    const strays = await endStrays(places.TMP)
    return { ...row, differences: [...row.differences, ...strays.map(({ command }) => `left running: ${command}`)] }
  })
}

/** A request without its session ID gets 400 or 404; any other failure has a different cause. */
const isRefusal = (status: unknown): boolean => status === 400 || status === 404

const factsOf = ({ session, get }: ReturnType<typeof httpSight>): string[] => [
  ...(session ? ['session id'] : []),
  ...(get === undefined ? [] : [`GET ${get}`]),
]

const own = (
  {
    command,
    args,
    env,
  }: { readonly command: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> },
  places: Places,
): Command => ({
  command: commandOf(command, places),
  args: args.map((text) => fill(text, places)),
  cwd: places.TMP,
  env: environmentOf(env, places),
})

/** Runs it in a new folder and removes the folder afterwards. */
const within = async <Result>(
  { root, corpus }: Stage,
  PORT: string,
  run: (places: Places) => Promise<Result>,
): Promise<Result> => {
  const TMP = realpathSync(mkdtempSync(join(tmpdir(), 'periscope-corpus-')))
  try {
    return await run({ ROOT: root, FIXTURES: corpus.fixtures, TMP, PORT })
  } finally {
    rmSync(TMP, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The counts over HTTP, which may differ from stdio. */
const countsOf = (
  { truth }: Corpus,
  { id }: Server,
  { index, mode, path }: Endpoint,
): Partial<Record<ListName, Count>> => {
  const counted = path === mode.path ? (truth[id]?.http?.[index]?.streamable ?? {}) : {}
  return Object.fromEntries(
    LISTS.flatMap((list) => {
      const count = counted[list]
      return count === undefined ? [] : [[list, typeof count === 'number' ? count : 'ERR']]
    }),
  )
}

const rowOf = (id: string, way: Way, seen: Seen, pinned?: Revision, label?: string) => {
  const { peer, failure, lists, transport, frames, openMs, ping, unknownTool } = seen
  const counts = LISTS.map((list) => {
    const one = lists[list]
    return !one ? 0 : 'error' in one ? `ERR ${one.status ?? one.code}` : one.names.length
  })
  const labels = [label, pinned && `pinned ${pinned}`].filter(Boolean)
  return {
    id,
    way,
    ...(labels.length > 0 ? { label: labels.join(', ') } : {}),
    ended: failure ? `${failure.code}: ${failure.message}` : `${peer!.revision} ${counts.join('/')}`,
    how: peer ? [transport === 'stdio' ? '' : transport, evidenceOf(peer.evidence)].filter(Boolean).join(', ') : '',
    openMs,
    noted: [
      ...(ping === undefined || ping === 'ok' ? [] : [`ping: ${ping}`]),
      ...(unknownTool === undefined ? [] : [`unknown tool: ${unknownTool}`]),
      ...oddities(frames),
    ],
    closed: endOf(frames),
  }
}

/** Processes that a stdio server left running. */
const leftBehind = async (home: string, { frames }: Seen): Promise<string[]> => {
  const { pids, ended } = processesOf(frames)
  const strays = await endStrays(home)
  return [
    ...(ended < pids.length ? [`the end of ${pids.length - ended} of ${pids.length} processes was not told`] : []),
    ...pids.filter((pid) => groupLives(pid)).map((pid) => `its process group ${pid} still lives`),
    ...strays.map(({ command }) => `left running: ${command}`),
  ]
}
