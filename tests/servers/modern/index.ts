/**
 * A server on the official SDK v2 over HTTP. The first part of the path selects the mode:
 *
 *     /dual/<rest…>       2026-07-28, and older protocol versions without sessions, as the SDK does by default
 *     /modern/<rest…>     2026-07-28 only: `initialize` is rejected with the supported versions
 *     /stream/<rest…>     2026-07-28 only, and every response is an event stream
 *
 * A whole path is a place: `<rest>` is anything and isolates tests. Controls, in Node on what `start` returns and over
 * HTTP as in `control.ts`: `change` {what, uri?} notifies the place's subscribers, `seen`, `reset` (ends its streams).
 *
 * There are two URLs: `url` allows pages of any origin; `bareUrl` sends no CORS headers and doesn't answer preflights.
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
  /** Headers of the requests a place received, in order. */
  seen(place: string): readonly Seen[]
  /** Ends a place's streams and clears its state. */
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
  // Evaluated lazily: the handler creates its servers with this object, but must exist first.
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
