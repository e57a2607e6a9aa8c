/**
 * `npm run --silent conformance:client -- URL`: the kernel in Node as a client command of the conformance suite.
 *
 *     --detect   negotiate the protocol version, which must match MCP_CONFORMANCE_PROTOCOL_VERSION
 */
import { runConformance } from './client.ts'
import { readCommandLine } from './command-line.ts'

/** ms a finished client may take to exit: anything that still keeps the process alive is a leak. */
const LINGER = 10_000

try {
  const { run } = readCommandLine(process.argv.slice(2), process.env)
  await runConformance(run)
  console.log('done')
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
setTimeout(() => {
  console.error(`The session is over, and something still runs after ${LINGER / 1000} s.`)
  process.exit(1)
}, LINGER).unref()
