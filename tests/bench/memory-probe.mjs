/**
 * Runs in the proxy with `node --import`: on SIGUSR2, collects garbage and writes the memory in use to the file that
 * `PERISCOPE_MEMORY` names.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const file = process.env.PERISCOPE_MEMORY

if (file !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  process.on('SIGUSR2', () => {
    // Twice: finalizers of the first release more.
    collect()
    setTimeout(() => {
      collect()
      // Renamed, so that it is never read before it is complete.
      writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()))
      renameSync(`${file}.new`, file)
    }, 50)
  })
}
