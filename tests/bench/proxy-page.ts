/** A page of the local proxy without a browser: its stream, and one server over stdio. */
import { randomBytes } from 'node:crypto'
import { FRAME } from '../../proxy/event-log.ts'
import { framesIn } from '../../proxy/fixtures/peer.ts'
import type { Launched, Spawned, SpawnRequest } from '../../proxy/wire.ts'
import { drained, Http, text, type Wire } from './bridge-client.ts'

export interface Proxy {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
}

/** Exchanges the code in a printed URL for the token. */
export const launch = async (address: string): Promise<Proxy> => {
  const { origin, hash } = new URL(address)
  const http = new Http(() => {})
  const body = JSON.stringify({ code: hash.replace('#launch=', '') })
  const { token } = JSON.parse(await text(await http.ask('POST', `${origin}/api/launch`, {}, body))) as Launched
  http.close()
  return { origin, headers: { 'periscope-token': token } }
}

export interface ProxyPage extends Wire {
  /** 0 before the server runs. */
  readonly pid: number
  /** Opens the stream and starts the server. */
  open(http: Http): Promise<void>
  /** Opens the stream again after what it has received. */
  resume(http: Http): Promise<void>
  /** Ends the server. */
  disconnect(http: Http): Promise<void>
  /** Ends the page. */
  leave(http: Http): Promise<void>
}

export const proxyPage = ({ origin, headers }: Proxy, request: SpawnRequest): ProxyPage => {
  const page = `${origin}/api/pages/${randomBytes(16).toString('hex')}`
  let child = ''
  let pid = 0
  let last = 0
  const follow = async (http: Http): Promise<void> => {
    const resumed: Record<string, string> = last === 0 ? {} : { 'last-event-id': String(last) }
    let rest: Buffer = Buffer.alloc(0)
    http.follow(await http.ask('GET', `${page}/events`, { ...headers, ...resumed }), (chunk) => {
      const read = framesIn(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]))
      rest = read.rest
      for (const { type, id, payload } of read.frames) {
        if (id > 0) last = id
        if (type === FRAME.line) http.receive(payload.toString())
      }
    })
  }
  const ask = async (http: Http, method: string, url: string, body?: string) =>
    drained(await http.ask(method, url, headers, body))
  return {
    get pid() {
      return pid
    },
    open: async (http) => {
      await follow(http)
      const started = await http.ask('POST', `${page}/children`, headers, JSON.stringify(request))
      const spawned = JSON.parse(await text(started)) as Spawned
      child = `${page}/children/${spawned.child}`
      pid = spawned.pid ?? 0
    },
    send: (http, message) => ask(http, 'POST', `${child}/stdin`, `${message}\n`),
    resume: follow,
    disconnect: (http) => ask(http, 'DELETE', child),
    leave: (http) => ask(http, 'DELETE', page),
  }
}
