/** Starts the built proxy like a user does, and the peers; passes their URLs to the tests through the environment. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startAll } from '../servers/index.ts'
import { slowness } from '../speed.ts'

const root = join(import.meta.dirname, '../..')
const BUNDLE = join(root, 'dist/proxy/periscope.js')

/** ms from start to the line with the URL. */
const START_LIMIT = 15_000 * slowness()

export default async (): Promise<() => Promise<void>> => {
  if (!existsSync(BUNDLE)) throw new Error(`There is no ${BUNDLE}. Build it first: npm run build`)
  const [peers, proxy] = await Promise.all([startAll(), startPeriscope([])])
  // A URL works once, and the tests run in other processes: each test gets its own URL from here.
  const urls = createServer((_, response) => void proxy.fresh().then((url) => response.end(url)))
  await new Promise<void>((resolve) => urls.listen(0, '127.0.0.1', resolve))
  process.env['PERISCOPE_URLS'] = `http://127.0.0.1:${(urls.address() as AddressInfo).port}/`
  process.env['PERISCOPE_ORIGIN'] = new URL(proxy.address).origin
  for (const [name, value] of Object.entries(peers)) {
    if (typeof value === 'string') process.env[`PERISCOPE_PEER_${name}`] = value
  }
  return async () => {
    urls.close()
    await Promise.all([peers.close(), proxy.close()])
  }
}

/** A URL of the shared Periscope, for one page to open. */
export const freshUrl = async (): Promise<string> => {
  const urls = process.env['PERISCOPE_URLS']
  if (!urls) throw new Error('PERISCOPE_URLS is not set: tests/e2e/global-setup.ts did not run')
  return await (await fetch(urls)).text()
}

interface Periscope {
  /** The URL printed at the start. It opens one page. */
  readonly address: string
  /** Another URL, as printed after pressing Enter. */
  fresh(): Promise<string>
  readonly pid: number
  /** Ends it as Ctrl+C does. */
  close(): Promise<void>
}

/**
 * Runs the built command on a free port.
 * @param args a user's arguments, such as `['--', 'node', 'server.js']`
 * @param command comes before all options, such as `['open', 'FILE']`
 * @param env added to its environment
 * @throws {Error} with its output if it doesn't become ready
 */
export const startPeriscope = async (
  args: readonly string[],
  command: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Periscope> => {
  const child = spawn(process.execPath, [BUNDLE, ...command, '--port', '0', '--no-open', ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const address = await readAddress(child)
  const waiting: ((url: string) => void)[] = []
  child.stdout?.on('data', (chunk: Buffer) => {
    for (const [url] of chunk.toString().matchAll(URL_PRINTED)) waiting.shift()?.(url)
  })
  const fresh = () =>
    new Promise<string>((resolve) => {
      waiting.push(resolve)
      child.stdin?.write('\n')
    })
  return { address, fresh: inTurn(fresh), pid: child.pid!, close }
}

const URL_PRINTED = /http:\/\/\S+#launch=\S+/g

/** One after the other: two lines at once would be read as one. */
const inTurn = (work: () => Promise<string>): (() => Promise<string>) => {
  let last: Promise<unknown> = Promise.resolve()
  return () => {
    const next = last.then(work)
    last = next
    return next
  }
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
