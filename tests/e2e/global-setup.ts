/**
 * Starts the built proxy as a user does, and the peers; tells the tests where they are through the environment.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { startAll } from '../servers/index.ts'

const root = join(import.meta.dirname, '../..')
const BUNDLE = join(root, 'dist/proxy/periscope.js')

/** ms from start to the line with the address. */
const START_LIMIT = 15_000

export default async (): Promise<() => Promise<void>> => {
  if (!existsSync(BUNDLE)) throw new Error(`There is no ${BUNDLE}. Build it first: npm run build`)
  const [peers, proxy] = await Promise.all([startAll(), startPeriscope([])])
  process.env['PERISCOPE_ADDRESS'] = proxy.address
  for (const [name, value] of Object.entries(peers)) {
    if (typeof value === 'string') process.env[`PERISCOPE_PEER_${name}`] = value
  }
  return async () => void (await Promise.all([peers.close(), proxy.close()]))
}

interface Periscope {
  /** With its token, as printed. */
  readonly address: string
  /** Ends it as Ctrl+C does. */
  close(): Promise<void>
}

/**
 * Runs the built command on a free port.
 * @param args what a user would write, such as `['--', 'node', 'server.js']`
 * @param command what comes before all options, such as `['open', 'FILE']`
 * @throws {Error} with its output when it does not become ready
 */
export const startPeriscope = async (args: readonly string[], command: readonly string[] = []): Promise<Periscope> => {
  const child = spawn(process.execPath, [BUNDLE, ...command, '--port', '0', '--no-open', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { address: await readAddress(child), close }
}

const readAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = ''
    const fail = (why: string) => reject(new Error(`Periscope ${why}. It said:\n${output}`))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(`printed no address within ${START_LIMIT / 1000} s`)
    }, START_LIMIT)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /http:\/\/\S+#\S+/.exec(output)?.[0]
      if (!address || !output.includes(`${address}\n`)) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('close', (code) => {
      clearTimeout(timer)
      fail(`ended with exit code ${code}`)
    })
  })
