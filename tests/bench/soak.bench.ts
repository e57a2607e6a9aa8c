/**
 * Servers are started and ended in every way, over and over: over HTTP as a page does it, in tabs of a real Chromium, and by
 * the end of the proxy. Ten seconds later no process may be left, no descriptor of the proxy open, and its memory the same.
 *
 * 60 starts by default; `PERISCOPE_STARTS=500 npm run bench -- soak` for the long run. Only on Linux, because of `/proc`.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { LIMITS } from '../../proxy/limits.ts'
import type { SpawnRequest } from '../../proxy/wire.ts'
import { startPeriscope } from '../e2e/global-setup.ts'
import { measureSlowness } from '../speed.ts'
import { connectTo, Http } from './bridge-client.ts'
import { openBrowser } from './page.ts'
import { childrenOf, descriptorsOf, processesOf, timeUntil, VARIABLE } from './processes-left.ts'
import { launch, proxyPage, type Proxy, type ProxyPage } from './proxy-page.ts'
import type { Bench } from './run.ts'

const STARTS = Number(process.env['PERISCOPE_STARTS'] ?? 60)
/** Of the starts: in tabs, and in proxies that are ended. The rest are over HTTP. */
const IN_TABS = Math.ceil(STARTS * 0.06)
const IN_ENDED_PROXIES = Math.ceil(STARTS * 0.2)
const AT_ONCE = 6
/** ms for a step in a tab, which only ends a run that hangs. */
const PATIENCE = 120_000
/** Starts that fail, in addition. */
const FAILING = Math.ceil(STARTS * 0.05)

/** ms after the end until no process may be left, on the reference machine. */
const ALLOWED = 10_000
/** The same on this one, which is rarely idle. */
const LIMIT = ALLOWED * measureSlowness()
/** ms until a proxy has closed the connections of clients that are gone. */
const SETTLED = 10_000
/** MB, however many starts: compiled code, the IDs of ended pages, and pages whose lease has expired, are bounded. */
const HEAP = 3
/** Starts before the first measurement, until most code has run. */
const WARM_UP = 35

const SERVER = join(import.meta.dirname, '../servers/hostile-stdio.mjs')
const behaving = (behaviour: string) => ({ command: process.execPath, args: [SERVER, behaviour] })

/** What is started. Each one speaks MCP. */
const kinds = (folder: string): Readonly<Record<string, SpawnRequest>> => ({
  node: behaving('good'),
  // A shell connects what runs in the background to /dev/null, so it gets a copy of stdin.
  shell: {
    command: 'sh',
    args: ['-c', `exec 3<&0; "$0" "$1" good <&3 & exec 3<&-; wait`, process.execPath, SERVER],
  },
  'shell that ignores SIGTERM': {
    command: 'sh',
    args: ['-c', `trap '' TERM; sleep 290 & "$0" "$1" good; wait`, process.execPath, SERVER],
  },
  npx: { command: 'npx', args: ['--no', 'soak-server'], cwd: folder },
  'ignores SIGTERM': behaving('ignores-end'),
  'ignores SIGTERM, like its child': behaving('ignores-end-with-child'),
  'ends late': behaving('slow-exit'),
})

/** A package that is installed already, so that npx needs no network. */
const makePackage = (folder: string): void => {
  const bin = join(folder, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "soak", "version": "1.0.0", "private": true }')
  const file = join(bin, 'soak-server')
  writeFileSync(file, `#!/bin/sh\n"${process.execPath}" "${SERVER}" good\n`)
  chmodSync(file, 0o755)
}

/** How a start ends over HTTP, as a page does it. `close` breaks the page's connections off. */
const ENDS: Readonly<Record<string, (page: ProxyPage, http: Http, close: () => void) => Promise<void>>> = {
  disconnect: (page, http) => page.disconnect(http),
  'page ended': (page, http) => page.leave(http),
  'page ended and connections closed': async (page, http, close) => {
    const leaving = page.leave(http)
    close()
    await leaving
  },
  'stream resumed, then disconnect': async (page, http, close) => {
    close()
    await page.resume(http)
    await page.disconnect(http)
  },
  'process killed': async (page) => void process.kill(page.pid, 'SIGKILL'),
  'connections closed': async (_, __, close) => close(),
}

/** How a start ends in a tab. */
const TAB_ENDS: Readonly<Record<string, (tab: Page) => Promise<unknown>>> = {
  'tab closed': (tab) => tab.close(),
  'tab reloaded': (tab) => tab.reload(),
  'tab crashed': async (tab) => {
    const session = await tab.context().newCDPSession(tab)
    const crashed = tab.waitForEvent('crash')
    // Never gets a response.
    session.send('Page.crash').catch(() => {})
    await crashed
  },
}

/** Ways in which nothing tells the proxy that the page is gone: the lease must expire first (rule 4). */
const BY_LEASE = new Set(['connections closed', 'tab crashed'])

class Soak {
  /** Marks every process of this run. */
  readonly run = randomBytes(8).toString('hex')
  readonly #ways = new Map<string, { count: number; longest: number; left: string[] }>()
  readonly #leases: Promise<void>[] = []
  #marks = 0

  newMark(): string {
    return `${this.run}/${++this.#marks}`
  }

  /** Waits until nothing is left of `count` starts that ended in this way. Doesn't wait for a lease, so that others start. */
  async watch(way: string, mark: string, leaders: readonly number[], count = 1): Promise<void> {
    const watching = this.#watch(way, mark, leaders, count)
    if (BY_LEASE.has(way)) this.#leases.push(watching)
    else await watching
  }

  /** Waits for the leases. */
  async settled(): Promise<void> {
    await Promise.all(this.#leases)
  }

  async #watch(way: string, mark: string, leaders: readonly number[], count: number): Promise<void> {
    const limit = LIMIT + (BY_LEASE.has(way) ? LIMITS.lease : 0)
    const left = () => [...processesOf(mark), ...leaders.flatMap((leader) => processesOf(mark, leader))]
    const took = await timeUntil(limit, () => left().length === 0)
    const known = this.#ways.get(way) ?? { count: 0, longest: 0, left: [] }
    known.count += count
    known.longest = Math.max(known.longest, took ?? limit)
    known.left.push(...left().map(({ pid, command }) => `${pid} ${command}`))
    this.#ways.set(way, known)
  }

  get left(): number {
    return [...this.#ways.values()].reduce((sum, { left }) => sum + left.length, 0)
  }

  /** ms, without the lease. */
  get longest(): number {
    return Math.max(...Array.from(this.#ways, ([way, { longest }]) => longest - (BY_LEASE.has(way) ? LIMITS.lease : 0)))
  }

  print(): void {
    for (const [way, { count, longest, left }] of this.#ways) {
      console.log(
        `${way.padEnd(34)} ${String(count).padStart(4)} starts, none left after ${(longest / 1000).toFixed(1)} s`,
      )
      for (const process of left) console.log(`    left: ${process}`)
    }
  }
}

/** The items in turn, as often as needed. */
const inTurn = <Item>(items: readonly Item[], number: number): Item => items[number % items.length]!

const overHttp = async (soak: Soak, proxy: Proxy, request: SpawnRequest, way: string) => {
  const mark = soak.newMark()
  const page = proxyPage(proxy, { ...request, env: { [VARIABLE]: mark } })
  const client = await connectTo(page)
  await client.call('t', {})
  if ((await timeUntil(5_000, () => processesOf(mark).length > 0)) === undefined)
    throw new Error(`no process with the mark ${mark} was found`)
  const http = new Http(() => {})
  await ENDS[way]!(page, http, () => client.close())
  await soak.watch(way, mark, [page.pid])
  // Its lease would otherwise count on.
  if (!BY_LEASE.has(way)) await page.leave(http)
  client.close()
  http.close()
}

const httpStarts = async (
  soak: Soak,
  proxy: Proxy,
  requests: readonly SpawnRequest[],
  count: number,
  ways: readonly string[],
) => {
  let number = 0
  const work = async (): Promise<void> => {
    while (number < count) {
      const own = number++
      // Each way meets each kind, because their numbers have no common divisor.
      await overHttp(soak, proxy, inTurn(requests, own), inTurn(ways, own))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const failingStarts = async (proxy: Proxy): Promise<void> => {
  for (let number = 0; number < FAILING; number++) {
    const page = proxyPage(proxy, { command: 'a-command-that-nobody-has', args: [] })
    const http = new Http(() => {})
    const said = await page.open(http).then(
      () => 'it started',
      (error: Error) => error.message,
    )
    if (!said.includes('not-found')) throw new Error(`a command that does not exist: ${said}`)
    await page.leave(http)
    http.close()
  }
}

const inTabs = async (soak: Soak, browser: Browser, fresh: () => Promise<string>, count: number) => {
  for (let number = 0; number < count; number++) {
    const mark = soak.newMark()
    const way = inTurn(Object.keys(TAB_ENDS), number)
    const context = await browser.newContext()
    context.setDefaultTimeout(PATIENCE)
    const tab = await context.newPage()
    await tab.goto(await fresh())
    await tab.getByTestId('connect-input').fill(`env ${VARIABLE}=${mark} '${process.execPath}' '${SERVER}' good`)
    await tab.getByTestId('connect-input').press('Enter')
    await tab.getByTestId('tool-item').first().waitFor()
    const isThere = await timeUntil(5_000, () => processesOf(mark).length > 0)
    const started = processesOf(mark).map(({ pid }) => pid)
    if (isThere === undefined) throw new Error(`no process with the mark ${mark} was found`)
    await TAB_ENDS[way]!(tab)
    await soak.watch(way, mark, started)
    await context.close()
  }
}

/** Starts one server of each kind in a proxy of their own, and ends the proxy. */
const inEndedProxy = async (soak: Soak, requests: readonly SpawnRequest[], number: number): Promise<void> => {
  const signal = inTurn(['SIGTERM', 'SIGKILL'] as const, number)
  const mark = soak.newMark()
  const periscope = await startPeriscope([])
  try {
    const proxy = await launch(periscope.address)
    const pages = requests.map((request, kind) =>
      proxyPage(proxy, { ...request, env: { [VARIABLE]: `${mark}/${kind}` } }),
    )
    const clients = await Promise.all(pages.map((page) => connectTo(page)))
    // The watchdog has no mark, so it is found by its process group.
    const children = childrenOf(periscope.pid)
    process.kill(periscope.pid, signal)
    await soak.watch(`proxy ended by ${signal}`, mark, children, requests.length)
    for (const client of clients) client.close()
  } finally {
    await periscope.close()
  }
}

const inEndedProxies = async (soak: Soak, requests: readonly SpawnRequest[]) => {
  const rounds = Math.max(2, Math.round(IN_ENDED_PROXIES / requests.length))
  for (let round = 0; round < rounds; round++) await inEndedProxy(soak, requests, round)
}

interface Held {
  readonly descriptors: readonly string[]
  /** Bytes, after a collection of garbage. */
  readonly heap: number
  readonly resident: number
}

const held = async (pid: number, file: string): Promise<Held> => {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  let memory: NodeJS.MemoryUsage | undefined
  await timeUntil(LIMIT, () => {
    try {
      memory = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.MemoryUsage
      return true
    } catch {
      return false
    }
  })
  if (!memory) throw new Error('the proxy did not report its memory')
  return { descriptors: descriptorsOf(pid), heap: memory.heapUsed, resident: memory.rss }
}

/** Ends what a failed run leaves. */
const endAll = (mark: string): void => {
  for (const { pid } of processesOf(mark)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has already ended.
    }
  }
}

const bench: Bench = async () => {
  if (process.platform !== 'linux')
    throw new Error('it counts processes and descriptors in /proc, which only Linux has')
  const folder = mkdtempSync(join(tmpdir(), 'periscope-soak-'))
  makePackage(folder)
  const requests = Object.values(kinds(folder))
  const soak = new Soak()
  const memory = join(folder, 'memory.json')
  const probe = `--import=${pathToFileURL(join(import.meta.dirname, 'memory-probe.mjs')).href}`
  const env = { NODE_OPTIONS: probe, PERISCOPE_MEMORY: memory }
  const [periscope, browser] = await Promise.all([startPeriscope([], [], env), openBrowser()])
  try {
    const proxy = await launch(periscope.address)
    const ways = Object.keys(ENDS)
    await httpStarts(
      soak,
      proxy,
      requests,
      WARM_UP,
      ways.filter((way) => !BY_LEASE.has(way)),
    )
    await inTabs(soak, browser, periscope.fresh, 1)
    const before = await held(periscope.pid, memory)

    const count = STARTS - IN_TABS - IN_ENDED_PROXIES
    await Promise.all([
      httpStarts(soak, proxy, requests, count, ways),
      inTabs(soak, browser, periscope.fresh, IN_TABS),
      inEndedProxies(soak, requests),
    ])
    await failingStarts(proxy)
    await soak.settled()
    await browser.close()

    await timeUntil(SETTLED, () => descriptorsOf(periscope.pid).length <= before.descriptors.length)
    const after = await held(periscope.pid, memory)
    soak.print()
    const added = after.descriptors.filter((one) => !before.descriptors.includes(one))
    if (added.length > 0) console.log(`new descriptors: ${added.join(', ')}`)
    const mb = (bytes: number) => bytes / 1024 / 1024
    console.log(`resident memory: ${mb(before.resident).toFixed()} MB before, ${mb(after.resident).toFixed()} MB after`)
    return [
      { name: 'soak-processes-left', value: soak.left, unit: 'processes', limit: 0 },
      { name: 'soak-longest-end', value: soak.longest, unit: 'ms', limit: ALLOWED },
      { name: 'soak-descriptors', value: after.descriptors.length - before.descriptors.length, unit: 'more', limit: 0 },
      { name: 'soak-heap', value: mb(after.heap - before.heap), unit: 'MB-more', limit: HEAP },
    ]
  } finally {
    await Promise.all([browser.close(), periscope.close()])
    endAll(soak.run)
    rmSync(folder, { recursive: true, force: true })
  }
}

export default bench
