/** Serves the page and its proxy until it is told to end. */
import { stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { createApp, type SharedRecording } from './app.ts'
import type { ServeOptions } from './cli.ts'
import { DEFAULT_PORT } from './commands/options.ts'
import { bracketed, createToken, hostsFor, interfaces, isLoopback, isWildcard } from './guard.ts'
import { LaunchCodes } from './launch-codes.ts'
import { firstUrl, openBrowser, printOnEnter, type LaunchContext } from './launch.ts'
import { watchParent, watchStdin } from './lifetime.ts'
import { Pages } from './pages.ts'

/** The bundle lies in `dist/proxy`, the page in `dist/web`; run from the sources it is found there as well. */
const DIST = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist/web' : '../web', import.meta.url))

export async function serve(options: ServeOptions): Promise<void> {
  let recording: SharedRecording | undefined
  if (options.recording !== undefined) {
    recording = await recordingAt(options.recording)
    if (!recording) {
      process.exitCode = 2
      return
    }
  }
  const server = createServer()
  try {
    await listen(server, options)
  } catch (error) {
    process.stderr.write(`periscope: ${listenMessage(options, error as NodeJS.ErrnoException)}\n`)
    process.exitCode = 1
    return
  }
  const { port } = server.address() as AddressInfo
  const token = createToken()
  const codes = new LaunchCodes()
  const pages = new Pages()
  const app = createApp({
    token,
    codes,
    allowedHosts: hostsFor(options.host, port),
    pages,
    dist: DIST,
    launch: options.launch,
    ...(recording && { recording }),
  })
  const listener = getRequestListener(app.fetch)
  server.on('request', (request, response) => void listener(request, response))
  const end = endInOrder(server, pages)
  watchParent(end)
  void watchStdin(end)

  if (!isLoopback(options.host)) warnOfHost(options.host, port)
  if (!options.portRequired && port !== DEFAULT_PORT) say(`Port ${DEFAULT_PORT} is in use, so Periscope took ${port}.`)
  const origin = `http://${isWildcard(options.host) ? '127.0.0.1' : bracketed(options.host)}:${port}`
  const launchContext: LaunchContext = { origin, codes, say }
  say(`Periscope ${__VERSION__} is ready: ${firstUrl(launchContext)}`)
  say('This URL works once. Press Enter for another, Ctrl+C to end Periscope and the servers it started.')
  printOnEnter(launchContext)
  if (options.open && process.stdout.isTTY && !process.env['CI']) await openBrowser(launchContext)
}

/** What is in it the page finds out; here it must only be there. Says what is wrong when it is not. */
async function recordingAt(file: string): Promise<SharedRecording | undefined> {
  const path = resolve(file)
  try {
    const found = await stat(path)
    if (found.isFile()) return { path, name: basename(path), size: found.size }
    process.stderr.write(`periscope open: \`${file}\` is no file. Give the path of a recording.\n`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? `There is no file \`${file}\`.` : `\`${file}\` cannot be read: ${message}.`
    process.stderr.write(`periscope open: ${why} Give the path of a recording.\n`)
  }
  return undefined
}

/** Listens on the chosen port; a default port that is in use gives way to any free one. */
async function listen(server: Server, options: ServeOptions): Promise<void> {
  try {
    await listenOn(server, options.port, options.host)
  } catch (error) {
    if (options.portRequired || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    await listenOn(server, 0, options.host)
  }
}

function listenOn(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function listenMessage({ host, port }: ServeOptions, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by another program. End that one, give another port (--port ${port === 65535 ? 8080 : port + 1}), or leave --port out to get a free one.`
    case 'EACCES':
      return `Port ${port} may not be opened by this user: ports below 1024 belong to the system. Give a higher one, such as --port ${DEFAULT_PORT}.`
    case 'EADDRNOTAVAIL':
      return `The address ${host} is not one of this machine. Its own are: ${['127.0.0.1', ...interfaces()].join(', ')}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${host} is not known to this machine. Give one of its addresses: ${['127.0.0.1', ...interfaces()].join(', ')}.`
    default:
      return `Could not listen on ${host} port ${port}: ${error.message}. Try another --host or --port.`
  }
}

/**
 * On a signal ends the children in order and waits for them; a second signal hastens (rule 5).
 * @returns does the same for another reason
 */
function endInOrder(server: Server, pages: Pages): () => void {
  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    server.close()
    if (pages.children > 0) say(`Ending ${pages.children === 1 ? 'one server' : `${pages.children} servers`} …`)
    void pages.close().then(() => process.exit(0))
  }
  const signalled = (): void => (ending ? pages.kill() : end())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, signalled)
  // Whatever else ends this process, a fault of ours included, leaves no child behind.
  process.on('exit', () => pages.kill())
  // A terminal that closed takes stdout with it: that is no reason to leave the children alone.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  return end
}

function warnOfHost(host: string, port: number): void {
  const others = isWildcard(host) ? interfaces().map((address) => `${address}:${port}`) : [`${bracketed(host)}:${port}`]
  process.stderr.write(
    `Warning: --host ${host} lets other machines reach Periscope (${others.join(', ')}). Whoever opens one of its URLs first can start programs here, and the connection is not encrypted.\n`,
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
