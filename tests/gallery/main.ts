/** `npm run gallery`: see `run.ts`. */
import { ensureBrowser } from '../browser.ts'
import { buildIfStale } from '../build.ts'
import { endWithUs } from '../command.ts'
import { judged, summaryLine } from '../summary.ts'
import { gallery, readOptions } from './run.ts'

endWithUs()
ensureBrowser(console.log)
const built = await buildIfStale()
if (built?.problem) throw new Error(`${built.problem}\n${built.output}`)
// One that examined nothing hasn't passed.
const tally = judged('gallery', await gallery(readOptions(process.argv.slice(2))), undefined)
for (const line of tally.failed) console.log(line)
console.log(`\n${summaryLine(tally)}`)
process.exitCode = tally.failed.length > 0 ? 1 : 0
