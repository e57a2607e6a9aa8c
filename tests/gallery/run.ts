/**
 * `npm run gallery [-- [--without-proxy] [--remedies] [--out FILE] ID|GROUP…]`: opens every target of `tests/servers/gallery/` in
 * Chromium, as a user does, and compares what the page says with the cause. Prints one line per target: whether the cause
 * was named, whether anything misleads or blames somebody else, and the seconds until the page said so; then a summary per group.
 *
 * `--without-proxy` opens a static copy of the page, and leaves out what needs a proxy. `--remedies` then clicks the first
 * button that the page offers, or adds the header lines that it shows to the server, and reports what leads to a connection. `--out` writes what was said, as
 * JSON. Exits with 1 if a cause wasn't named, something misleads, a button doesn't help, a healthy server didn't connect, the Overview
 * of one gives advice, or Chromium's console speaks of another mistake in CORS than the Overview.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Browser } from '@playwright/test'
import { openBrowser } from '../bench/page.ts'
import { startPeriscope } from '../e2e/global-setup.ts'
import { start as startCopy } from '../servers/copy.ts'
import { caFile, GROUPS, targets, type Target } from '../servers/gallery/index.ts'
import { slowness } from '../speed.ts'
import type { Tally } from '../summary.ts'
import { disagreement, listenToConsole, namedFaults } from './console.ts'
import { listensTo, type Heard } from './listen.ts'
import { openPage, type Places } from './pages.ts'
import { applyLines, applyRemedy, type Applied } from './remedies.ts'

export interface Options {
  readonly withoutProxy?: boolean
  readonly remedies?: boolean
  /** Ids and groups; all by default. */
  readonly only?: readonly string[]
  readonly out?: string
}

interface Row extends Heard {
  readonly target: Target
  readonly line: string
  readonly named: boolean
  readonly misled: boolean
  /** The Overview of a healthy server gives advice, or not the advice that is due. */
  readonly advised: boolean
  /** What Chromium's console says of CORS, and the page doesn't. */
  readonly disagrees?: string
  /** Who can fix it isn't among those who are named. */
  readonly blamed: boolean
  readonly applied?: Applied
}

/** ms to the verdict: the median, and the longest. */
const MEDIAN_LIMIT = 2_000
const LIMIT = 5_000
/** Whether something is explained. How long a healthy server takes to connect is its own matter. */
const isVerdict = ({ target }: Row) => target.group !== 'healthy' && target.names.source !== '^CONNECTED'

const isWanted = (target: Target, { withoutProxy = false, only = [] }: Options): boolean => {
  if (only.length > 0 && !only.includes(target.id) && !only.includes(target.group)) return false
  if (!withoutProxy) return true
  // A copy starts no processes, and the page of these targets is their own.
  return target.page === undefined && target.bare !== 'none' && target.group !== 'process'
}

/** What must be named, and what must not be said. */
const expected = ({ names, misleads, heading, bare }: Target, withoutProxy: boolean) => {
  const isBare = withoutProxy && bare && bare !== 'none'
  return { heading: isBare ? undefined : heading, ...(isBare ? bare : { names, misleads }) }
}

/** Who fixes it, as the page says it: what a client is set to is up to its user. */
const FIXERS = { server: 'server', user: 'you', client: 'you', network: 'network' } as const

const examine = async (
  browser: Browser,
  target: Target,
  places: Places,
  { withoutProxy = false, remedies = false }: Options,
): Promise<Row> => {
  const { names, misleads, heading } = expected(target, withoutProxy)
  const started = await target.start()
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 1000 } })
  try {
    const { page, close } = await openPage(context, target.page ?? (withoutProxy ? 'static' : undefined), places)
    try {
      const said = listenToConsole(page)
      const heard = await listensTo(page, started.line, {
        names,
        overview: target.group === 'healthy' ? 'advice-only' : target.group === 'cors' || target.overview === true,
      })
      // Without the proxy, the requests of the diagnosis are refused as well.
      const compared = target.group === 'cors' && !withoutProxy && heard.words.startsWith('CONNECTED')
      const disagrees = compared ? disagreement(await namedFaults(page), said) : undefined
      const misled = misleads?.test(heard.words) ?? false
      const openAnother = async () => (await openPage(context, undefined, places)).page
      const applied = remedies ? ((await applyRemedy(page)) ?? (await applyLines(page, started.line, openAnother))) : undefined // prettier-ignore
      const row = {
        ...heard,
        target,
        line: started.line,
        named: names.test(heard.words) && (heading?.test(heard.heading) ?? true),
        misled,
        ...(disagrees === undefined ? {} : { disagrees }),
        advised: target.group === 'healthy' && !(target.advice ?? /^$/).test(heard.advice),
        // Without the proxy, a page can't tell a server that lets no page in from one that isn't there.
        blamed: !withoutProxy && heard.fixers !== '' && !heard.fixers.split(' ').includes(FIXERS[target.by]),
      }
      return applied ? { ...row, applied } : row
    } finally {
      await close()
    }
  } finally {
    await context.close()
    await started.close()
  }
}

/** Why what was tried can't help, as the table says. */
const cannotHelp = ({ noButton, noLines }: Target, { button }: Applied): string | undefined =>
  button === 'cors-lines' ? noLines : noButton

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const medianOf = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const isRight = ({ named, misled, blamed, advised, disagrees }: Row): boolean =>
  named && !misled && !blamed && !advised && disagrees === undefined

const lineOf = (row: Row): string => {
  const { target, named, misled, blamed, advised, advice, disagrees, fixers, ms, words, applied } = row
  const state = isRight(row) ? 'ok  ' : 'FAIL'
  const click = applied ? `, ${applied.button} ${applied.works ? 'works' : "doesn't work"}` : ''
  const how = `${named ? 'named' : 'not named'}${misled ? ', misled' : ''}${blamed ? `, to be fixed by ${fixers}` : ''}${advised ? `, advised: ${advice}` : ''}${disagrees === undefined ? '' : `, but Chromium says: ${disagrees}`}${click}`
  return `${state}  ${target.group.padEnd(8)} ${target.id.padEnd(32)} ${seconds(ms).padStart(7)}  ${how}: ${words.slice(0, 90)}`
}

const summarize = (rows: readonly Row[]): void => {
  console.log('\ngroup     targets  named  misled  median  longest')
  for (const group of [...GROUPS, 'all'] as const) {
    const of = rows.filter(({ target }) => group === 'all' || target.group === group)
    if (of.length === 0) continue
    const verdicts = of.filter(isVerdict).map(({ ms }) => ms)
    const counts = [of.length, of.filter(({ named }) => named).length, of.filter(({ misled }) => misled).length]
    const times = verdicts.length > 0 ? [seconds(medianOf(verdicts)), seconds(Math.max(...verdicts))] : ['', '']
    const [total, named, misled] = counts.map(String) as [string, string, string]
    console.log(`${group.padEnd(9)} ${total.padStart(7)}${named.padStart(7)}${misled.padStart(8)}${times[0]!.padStart(8)}${times[1]!.padStart(9)}`) // prettier-ignore
  }
}

/** What is too slow, on this machine. */
const tooSlow = (rows: readonly Row[]): string[] => {
  const verdicts = rows.filter(isVerdict)
  if (verdicts.length === 0) return []
  const factor = slowness()
  const median = medianOf(verdicts.map(({ ms }) => ms))
  const late = verdicts.filter(({ ms }) => ms > LIMIT * factor)
  return [
    ...(median > MEDIAN_LIMIT * factor ? [`gallery: the median of all verdicts is ${seconds(median)}`] : []),
    ...late.map(({ target, ms }) => `gallery: ${target.id} took ${seconds(ms)}`),
  ]
}

/** Examines the targets in turn, because each is timed. */
export const gallery = async (options: Options = {}): Promise<Tally> => {
  const wanted = targets.filter((target) => isWanted(target, options))
  const ca = caFile()
  const [browser, copy, proxy] = await Promise.all([
    openBrowser(),
    startCopy(),
    // The authority of the gallery is trusted, so that each certificate has one fault only.
    startPeriscope([], [], { NODE_EXTRA_CA_CERTS: ca.file }),
  ])
  const rows: Row[] = []
  const broken: string[] = []
  try {
    for (const target of wanted) {
      try {
        const row = await examine(browser, target, { copy: copy.url, fresh: proxy.fresh }, options)
        rows.push(row)
        console.log(lineOf(row))
      } catch (error) {
        broken.push(`gallery: ${target.id} could not be examined: ${String(error).slice(0, 500)}`)
        console.log(broken.at(-1))
      }
      if (options.out !== undefined)
        writeFileSync(options.out, JSON.stringify(rows.map(({ target: { id, group, cause }, ...row }) => ({ id, group, cause, ...row })), null, 2)) // prettier-ignore
    }
  } finally {
    await Promise.all([browser.close(), copy.close(), proxy.close(), ca.close()])
  }
  summarize(rows)
  if (options.remedies) {
    const offered = rows.filter(({ applied }) => applied)
    const able = offered.filter(({ target, applied }) => cannotHelp(target, applied!) === undefined)
    const working = able.filter(({ applied }) => applied?.works)
    console.log(`\n${working.length} of ${able.length} remedies work; ${offered.length - able.length} can't`)
  }
  const failed = rows.filter((row) => !isRight(row))
  // A target that no button can help says so in its table.
  const useless = rows.filter(
    ({ target, applied }) => applied && applied.works === (cannotHelp(target, applied) !== undefined),
  )
  return {
    passed: rows.length - failed.length,
    failed: [
      ...broken,
      ...useless.map(({ target, applied }) => `gallery: ${target.id}: ${applied!.button} ${applied!.works ? 'works, but the table says that nothing can' : "doesn't work"}`), // prettier-ignore
      ...failed.map(
        ({ target, words, advice }) =>
          `gallery: ${target.id}: ${target.cause}\n    The page said: ${words}${advice === '' ? '' : `\n    Its advice: ${advice}`}`,
      ),
      ...tooSlow(rows),
    ],
    skipped: [],
  }
}

/** @throws {TypeError} for an unknown option */
export const readOptions = (args: readonly string[]): Options => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'without-proxy': { type: 'boolean' }, remedies: { type: 'boolean' }, out: { type: 'string' } },
  })
  const unknown = positionals.filter((name) => !targets.some(({ id, group }) => id === name || group === name))
  if (unknown.length > 0) throw new TypeError(`The gallery has no target or group ${unknown.join(', ')}`)
  return {
    ...(values['without-proxy'] ? { withoutProxy: true } : {}),
    ...(values.remedies ? { remedies: true } : {}),
    ...(values.out === undefined ? {} : { out: values.out }),
    only: positionals,
  }
}
