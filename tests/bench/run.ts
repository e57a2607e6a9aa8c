/**
 * `npm run bench [name…]`: measures every budget and prints one line for each: `NAME VALUE UNIT LIMIT ok|OVER`.
 *
 * A budget is a file `tests/bench/*.bench.ts` whose default export is a `Bench`. Exits with 1 if any budget is over or
 * fails.
 *
 * Limits in ms hold for the reference machine of `speed.ts`. This one is measured before and after each budget, and
 * each value in ms is divided by how much slower it is, so a printed value is what the reference machine would take.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { measureSlowness } from '../speed.ts'

export interface Measure {
  /** No spaces. */
  readonly name: string
  readonly value: number
  readonly unit: string
  /** The largest acceptable value. */
  readonly limit: number
}

/** @throws {Error} if it can't measure, which counts as over */
export type Bench = () => Promise<readonly Measure[]>

const round = (value: number): string => String(Number(value.toPrecision(4)))

const wanted = process.argv.slice(2)
const folder = import.meta.dirname
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
  .sort()

if (files.length === 0) {
  console.error(`There is no budget ${wanted.join(' or ')} in tests/bench.`)
  process.exitCode = 1
}
for (const file of files) {
  try {
    const { default: bench } = (await import(pathToFileURL(join(folder, file)).href)) as { default: Bench }
    const before = measureSlowness()
    const measures = await bench()
    const slowness = (before + measureSlowness()) / 2
    console.log(`(this machine takes ${round(slowness)} times as long as the reference)`)
    if (measures.length === 0) throw new Error('it measured nothing')
    for (const { name, value: measured, unit, limit } of measures) {
      const value = unit === 'ms' ? measured / slowness : measured
      // NaN must count as over.
      const over = !(value <= limit)
      console.log(`${name} ${round(value)} ${unit} ${limit} ${over ? 'OVER' : 'ok'}`)
      if (over) process.exitCode = 1
    }
  } catch (error) {
    console.error(`${file} could not measure: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
