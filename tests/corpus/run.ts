/**
 * `npm run corpus`: Periscope's kernel and proxy against published servers, over stdio and over every HTTP mode they
 * support. Prints a Markdown table. Not part of the tests: the servers are third-party and must be installed first.
 *
 *     --corpus FOLDER   its lists and install.sh   (../shared/corpus)
 *     --root FOLDER     where its servers are installed
 *     --only ID,ID      these servers only
 *     --stdio-only      --http-only
 *     --browser         with the kernel in a page of Chromium, instead of in Node with a fetch that obeys CORS
 *     --relay           every HTTP mode through the relay, direct ones too
 *     --json FILE       also write the rows as JSON
 *
 * Exits with 1 if any server doesn't end as expected.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root as project } from '../command.ts'
import { serveProxy } from '../conformance/proxy-origin.ts'
import { messageOf, type Revision } from '../../web/mcp/index.ts'
import { readCorpus, type Server } from './corpus.ts'
import { drive } from './drive.ts'
import { buildPage, openTab } from './in-chromium.ts'
import { killAll } from './processes.ts'
import { summary, tableHead, tableRow } from './table.ts'
import {
  endpointsOf,
  revisionOfHttp,
  revisionOfStdio,
  tryHttp,
  tryStdio,
  type Row,
  type Stage,
  type Way,
} from './trial.ts'

/** ms for all servers together. */
const LIMIT = 40 * 60_000

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: join(project, '../shared/corpus') },
    root: { type: 'string' },
    only: { type: 'string' },
    'stdio-only': { type: 'boolean', default: false },
    'http-only': { type: 'boolean', default: false },
    relay: { type: 'boolean', default: false },
    browser: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})

/** The trials for one server, each with a label in case it can't run. */
const trialsOf = (stage: Stage, server: Server): { way: Way; label?: string; run: () => Promise<Row> }[] => {
  const { expect } = server
  const trials: ReturnType<typeof trialsOf> = []
  if (!values['http-only']) {
    trials.push({ way: 'stdio', run: () => tryStdio(stage, server) })
    // If negotiation picks a newer protocol version than expected, the expected one is tested as well.
    if (expect.fails === undefined && revisionOfStdio(stage.corpus, server) !== expect.protocolVersion) {
      const pinned = expect.protocolVersion as Revision
      trials.push({ way: 'stdio', label: `pinned ${pinned}`, run: () => tryStdio(stage, server, pinned) })
    }
  }
  if (values['stdio-only']) return trials
  const { relay } = values
  for (const endpoint of endpointsOf(server)) {
    const { protocolVersion, brokenAfterInitialize } = endpoint.mode.expect
    const label = endpoint.path
    trials.push({ way: 'relay', label, run: () => tryHttp(stage, server, endpoint, { relay }) })
    if (brokenAfterInitialize !== undefined || revisionOfHttp(stage.corpus, server, endpoint) !== protocolVersion) {
      const pinned = protocolVersion as Revision
      const run = () => tryHttp(stage, server, endpoint, { relay, pinned })
      trials.push({ way: 'relay', label: `${label} pinned ${pinned}`, run })
    }
  }
  return trials
}

const main = async (): Promise<void> => {
  if (values.root === undefined) throw new Error('Where are the servers installed? Say it with --root FOLDER')
  const root = resolve(values.root)
  const corpus = readCorpus(resolve(values.corpus))
  const only = values.only?.split(',')
  const unknown = only?.filter((id) => corpus.servers.every((server) => server.id !== id)) ?? []
  if (unknown.length > 0) throw new Error(`The corpus has no server ${unknown.join(', ')}`)
  const servers = corpus.servers.filter(({ id }) => only?.includes(id) ?? true)
  const missing = servers.filter(({ dir }) => !existsSync(join(root, dir)))
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id).join(', ')
    throw new Error(`Not installed in ${root}: ${ids}. Install with ${join(values.corpus, 'install.sh')} ${root} [id]`)
  }

  const folder = mkdtempSync(join(tmpdir(), 'periscope-corpus-page-'))
  if (values.browser) await buildPage(folder)
  const proxy = await serveProxy(folder)
  const base = `${proxy.address}/`
  const tab = values.browser ? await openTab(base) : undefined
  const stage: Stage = {
    corpus,
    root,
    drive: tab?.drive ?? drive,
    inPage: tab !== undefined,
    proxy: { base, token: proxy.token!, origin: proxy.address },
  }
  const rows: Row[] = []
  const until = Date.now() + LIMIT
  try {
    console.log(tableHead())
    for (const server of servers) {
      for (const { way, label, run } of trialsOf(stage, server)) {
        const row = Date.now() < until ? await run().catch((error: unknown) => untried(error)) : untried('no time left')
        rows.push({
          ...row,
          id: server.id,
          way: row.way ?? way,
          ...(row.label === undefined && label ? { label } : {}),
        })
        console.log(tableRow(rows.at(-1)!))
      }
    }
  } finally {
    await tab?.close()
    await proxy.close()
    rmSync(folder, { recursive: true, force: true })
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`)
  console.log(`\n${summary(rows)}`)
  if (rows.some(({ differences }) => differences.length > 0)) process.exitCode = 1
}

const untried = (error: unknown): Omit<Row, 'id' | 'way'> & { way?: Way } => ({
  expected: '',
  ended: '',
  how: '',
  openMs: 0,
  noted: [],
  closed: '',
  differences: [messageOf(error)],
})

process.on('exit', killAll)
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => process.exit(1))
try {
  await main()
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
