/** The versed servers over stdio; started by `versed-stdio.mjs`. */
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { makeState } from './versed/tools.ts'
import { connect, makeServer as makeV1 } from './versed/v1.ts'
import { makeServer as makeV2 } from './versed/v2.ts'

/** @param newest the newest supported protocol version; with 2026-07-28, the only one */
export const serve = async (newest = '2025-11-25'): Promise<void> => {
  const state = makeState()
  if (newest < '2026') return connect(makeV1(state), new StdioServerTransport(unbatched(newest)), newest)
  const makeOne = (): Server => {
    const server = makeV2(state, {
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
