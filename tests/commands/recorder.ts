/**
 * `periscope record` as a separate process, from the sources: `node --import tsx recorder.ts --out FILE -- COMMAND`.
 */
import { runCommand } from '../../proxy/commands/run.ts'
import { readCommand, type RecordOptions } from '../../proxy/cli.ts'

Object.assign(globalThis, { __VERSION__: '0.0.0' })
await runCommand(readCommand('record', process.argv.slice(2)) as RecordOptions)
