/** Serves the page and its proxy until the process is asked to end. */
import { stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { createApp, type SharedFile } from './app.ts'
import type { ServeOptions } from './cli.ts'
import { type ClientCertificate, ClientCertificateError, readClientCertificate } from './client-certificate.ts'
import { DEFAULT_PORT } from './commands/options.ts'
import { ServerWatch, WatchError } from './file-watch.ts'
import { bracketed, createToken, hostsFor, interfaces, isLoopback, isWildcard } from './guard.ts'
import { CODE_LIFETIME, firstUrl, LaunchCodes, type LaunchContext, openBrowser, printOnEnter } from './launch.ts'
import { watchParent, watchStdin } from './lifetime.ts'
import { IDLE_CONNECTION } from './limits.ts'
import { Pages } from './pages.ts'
import type { LoadedTransport } from './transport-module.ts'

/** The bundle is in `dist/proxy` and the page in `dist/web`, also when running from the sources. */
const DIST = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist/web' : '../web', import.meta.url))

/** @param own what starts this program again (`ownCommand`) */
export async function serve(options: ServeOptions, own: string): Promise<void> {
  const recording = options.recording === undefined ? undefined : await fileAt(options.recording, 'recording')
  const config = options.config === undefined ? undefined : await fileAt(options.config.file, 'configuration')
  if (recording === null || config === null) {
    process.exitCode = 2
    return
  }
  const transports = await transportsOf(options.transports ?? [])
  if (transports === null) {
    process.exitCode = 2
    return
  }
  const clientCertificate = await clientCertificateOf(options)
  if (clientCertificate === null) {
    process.exitCode = 2
    return
  }
  const pages = new Pages({}, transports)
  const watch = options.watch && startWatch(options.watch, pages)
  if (watch === null) {
    process.exitCode = 2
    return
  }
  const server = createServer({ keepAliveTimeout: IDLE_CONNECTION })
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
  const app = createApp({
    token,
    codes,
    allowedHosts: hostsFor(options.host, port),
    pages,
    dist: DIST,
    own,
    launch: options.launch,
    watch,
    recording,
    clientCertificate,
    config: config && { ...config, server: options.config?.server },
  })
  const listener = getRequestListener(app.fetch)
  server.on('request', (request, response) => void listener(request, response))
  const end = endInOrder(server, pages)
  watchParent(end)
  void watchStdin(end)

  if (!isLoopback(options.host)) warnOfHost(options.host, port)
  if (!options.portRequired && port !== DEFAULT_PORT) say(`Port ${DEFAULT_PORT} is in use, so Periscope uses ${port}.`)
  const origin = `http://${isWildcard(options.host) ? '127.0.0.1' : bracketed(options.host)}:${port}`
  const launchContext: LaunchContext = { origin, codes, say }
  say(`Periscope ${__VERSION__} is ready: ${firstUrl(launchContext)}`)
  say(`Relative paths and commands start in ${process.cwd()}.`)
  say(`Each URL works once. Press Enter for another, which expires after ${CODE_LIFETIME / 1000} s.`)
  say('Press Ctrl+C to stop Periscope and the servers it started.')
  printOnEnter(launchContext)
  if (options.open && process.stdout.isTTY && !process.env['CI']) await openBrowser(launchContext)
}

/** @returns null if the files can't be watched, which is reported */
function startWatch(globs: readonly string[], pages: Pages): ServerWatch | null {
  const warn = (message: string) => process.stderr.write(`periscope: ${message}\n`)
  try {
    return new ServerWatch(globs, process.cwd(), (change) => pages.filesChanged(change), warn)
  } catch (error) {
    if (!(error instanceof WatchError)) throw error
    warn(error.message)
    return null
  }
}

/** @returns null if it can't be used, which is reported */
async function clientCertificateOf({
  clientCertificate: files,
  launch,
}: ServeOptions): Promise<ClientCertificate | undefined | null> {
  if (!files || !launch || !('url' in launch)) return undefined
  try {
    return await readClientCertificate(files, launch.url)
  } catch (error) {
    if (!(error instanceof ClientCertificateError)) throw error
    process.stderr.write(`periscope: ${error.message}\n`)
    return null
  }
}

/** The modules' transports; reports the first that can't be used. */
async function transportsOf(files: readonly string[]): Promise<readonly LoadedTransport[] | null> {
  if (files.length === 0) return []
  const { loadTransport } = await import('./transport-module.ts')
  const loaded: LoadedTransport[] = []
  try {
    for (const file of files) {
      const transport = await loadTransport(file)
      if (loaded.some(({ name }) => name === transport.name)) {
        throw new Error(`Two modules have the transport ${transport.name}.`)
      }
      loaded.push(transport)
    }
  } catch (error) {
    process.stderr.write(`periscope: ${(error as Error).message} Correct the module, or remove --transport.\n`)
    return null
  }
  return loaded
}

/** Checks only that the file exists, and reports it if not. The page reads the content. */
async function fileAt(file: string, what: 'recording' | 'configuration'): Promise<SharedFile | null> {
  const path = resolve(file)
  const report = (why: string) =>
    process.stderr.write(`periscope${what === 'recording' ? ' open' : ''}: ${why} Enter the path of a ${what}.\n`)
  try {
    const found = await stat(path)
    if (found.isFile()) return { path, name: basename(path), size: found.size }
    report(`\`${file}\` isn't a file.`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    report(code === 'ENOENT' ? `The file \`${file}\` doesn't exist.` : `Can't read \`${file}\`: ${message}.`)
  }
  return null
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
      return `Port ${port} on ${host} is in use by another program. Stop that program, use another port (--port ${port === 65535 ? 8080 : port + 1}), or leave --port out to get a free port.`
    case 'EACCES':
      return `This user isn't allowed to open port ${port}: ports below 1024 are reserved. Use a higher one, such as --port ${DEFAULT_PORT}.`
    case 'EADDRNOTAVAIL':
      return `This machine doesn't have the address ${host}. Use one of its own: ${['127.0.0.1', ...interfaces()].join(', ')}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `This machine can't resolve the host name ${host}. Use one of its addresses: ${['127.0.0.1', ...interfaces()].join(', ')}.`
    default:
      return `Can't listen on ${host} port ${port}: ${error.message}. Try another --host or --port.`
  }
}

/**
 * The first signal shuts the children down (stdin, SIGTERM, SIGKILL); a second kills them at once (rule 5).
 * @returns a function that starts the same shutdown for other reasons
 */
function endInOrder(server: Server, pages: Pages): () => void {
  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    server.close()
    if (pages.children > 0) say(`Stopping ${pages.children === 1 ? 'one server' : `${pages.children} servers`}…`)
    void pages.close().then(() => process.exit(0))
  }
  const signalled = (): void => (ending ? pages.kill() : end())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, signalled)
  // Covers every other way to exit, including our own crash.
  process.on('exit', () => pages.kill())
  // A closed terminal breaks stdout. Without these listeners the error would end us before the children.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  return end
}

function warnOfHost(host: string, port: number): void {
  const others = isWildcard(host) ? interfaces().map((address) => `${address}:${port}`) : [`${bracketed(host)}:${port}`]
  process.stderr.write(
    `Warning: --host ${host} lets other machines reach Periscope (${others.join(', ')}). Anyone who opens one of its URLs first can run programs here, and the connection isn't encrypted.\n`,
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
