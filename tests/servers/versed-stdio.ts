/** The versed servers over stdio; started by `versed-stdio.mjs`. */
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { makeState } from './versed/tools.ts'

/**
 * Loads only the SDK it needs, because each takes half a second.
 *
 * @param newest the newest supported protocol version; with 2026-07-28, the only one
 */
export const serve = (newest = '2025-11-25'): Promise<void> => (newest < '2026' ? serveV1(newest) : serveV2())

const serveV1 = async (newest: string): Promise<void> => {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { connect, makeServer } = await import('./versed/v1.ts')
  return connect(makeServer(makeState()), new StdioServerTransport(unbatched(newest)), newest)
}

const serveV2 = async (): Promise<void> => {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const { makeServer } = await import('./versed/v2.ts')
  const state = makeState()
  const makeOne = (): Server => {
    const server = makeServer(state, {
      toolsChanged: () => void server.sendToolListChanged(),
      resourceUpdated: (uri) => void server.sendResourceUpdated({ uri }),
    })
    return server
  }
  serveStdio(makeOne, { legacy: 'reject' })
}

/** The SDK doesn't support batches on stdio: at 2025-03-26 it receives their messages line by line. */
const unbatched = (newest: string): PassThrough => {
  const lines = new PassThrough()
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const parts = newest === '2025-03-26' && line.startsWith('[') ? (JSON.parse(line) as unknown[]) : undefined
      lines.write(parts ? parts.map((part) => `${JSON.stringify(part)}\n`).join('') : `${line}\n`)
    })
    .on('close', () => lines.end())
  return lines
}
