/**
 * A server on the official SDK v2 over HTTP. The first part of the path says how:
 *
 *     /dual/<rest…>       2026-07-28, and older revisions without sessions, as the SDK does by itself
 *     /modern/<rest…>     2026-07-28 alone: `initialize` is refused with the versions it speaks
 *     /stream/<rest…>     2026-07-28 alone, and every answer is a stream of events
 *
 * A whole path is a place: `<rest>` is anything and keeps tests apart. Controls, in Node on what `start` returns and over
 * HTTP as in `control.ts`: `change` {what, uri?} tells all who listen to the place, `seen`, `reset` (ends its streams).
 *
 * There are two addresses: `url` allows pages of any origin, `bareUrl` has not one CORS header and no preflight.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server'
import { answerControl, record, type Seen } from '../control.ts'
import { allowPages, listen, type Peer } from '../listening.ts'
import { makeServer, makeState } from './make-server.ts'
import type { Changes } from './tools.ts'

export interface ModernPeer extends Peer {
  readonly bareUrl: string
  change(place: string, what: Change, uri?: string): void
  /** Headers of what a place got, in order. */
  seen(place: string): readonly Seen[]
  /** Ends the streams of a place and forgets all about it. */
  reset(place: string): Promise<void>
}

type Change = 'tools' | 'prompts' | 'resources' | 'resource'

interface Place {
  readonly handler: McpHttpHandler
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  readonly seen: Seen[]
}

const MODES = {
  dual: {},
  modern: { legacy: 'reject' },
  stream: { legacy: 'reject', responseMode: 'sse' },
} as const

export const start = async (): Promise<ModernPeer> => {
  const places = new Map<string, Place>()
  const placeAt = (path: string): Place => {
    const known = places.get(path) ?? makePlace(path)
    if (!known) throw new Error(`No place ${path}: it begins with /${Object.keys(MODES).join('/, /')}/`)
    places.set(path, known)
    return known
  }
  const controls: Omit<ModernPeer, keyof Peer | 'bareUrl'> = {
    change: (path, what, uri = 'mem://counter') => {
      const { notify } = placeAt(path).handler
      if (what === 'resource') notify.resourceUpdated(uri)
      else notify[`${what}Changed`]()
    },
    seen: (path) => placeAt(path).seen,
    reset: async (path) => {
      await places.get(path)?.handler.close()
      places.delete(path)
    },
  }

  const handle = async (request: IncomingMessage, response: ServerResponse, open: boolean): Promise<void> => {
    const known = await answerControl(request, response, {
      change: (path, { what, uri }) => controls.change(path, what as Change, uri as string | undefined),
      seen: (path) => controls.seen(path),
      reset: (path) => controls.reset(path),
    })
    if (known || (open && allowPages(request, response))) return
    if (open) response.setHeader('Access-Control-Expose-Headers', '*')
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (!modeOf(path)) return void response.writeHead(404).end()
    const place = placeAt(path)
    if (request.method !== 'OPTIONS') record(place.seen, request)
    await place.serve(request, response)
  }

  const listening = (open: boolean) =>
    listen(
      createServer((request, response) => {
        handle(request, response, open).catch((error: unknown) => {
          if (!response.headersSent) response.writeHead(500)
          response.end(String(error))
        })
      }),
      async () => void (await Promise.all([...places.keys()].map((path) => controls.reset(path)))),
    )
  const [peer, bare] = await Promise.all([listening(true), listening(false)])
  const close = async () => void (await Promise.all([peer.close(), bare.close()]))
  return { url: peer.url, bareUrl: bare.url, close, ...controls }
}

const modeOf = (path: string) => {
  const [, mode] = path.split('/')
  return mode !== undefined && Object.hasOwn(MODES, mode) ? MODES[mode as keyof typeof MODES] : undefined
}

const makePlace = (path: string): Place | undefined => {
  const mode = modeOf(path)
  if (!mode) return
  const state = makeState()
  // Asked for late: the handler makes its servers with it, and is made before it.
  const changes: Changes = {
    toolsChanged: () => handler.notify.toolsChanged(),
    promptsChanged: () => handler.notify.promptsChanged(),
    resourcesChanged: () => handler.notify.resourcesChanged(),
    resourceUpdated: (uri) => handler.notify.resourceUpdated(uri),
  }
  const handler = createMcpHandler(() => makeServer(state, changes), { ...mode, keepAliveMs: 1000 })
  const serve = getRequestListener((request) => handler.fetch(request))
  return { handler, serve: async (request, response) => void (await serve(request, response)), seen: [] }
}
