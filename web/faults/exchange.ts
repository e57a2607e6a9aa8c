/** Disturbs HTTP exchanges, whichever way they take: direct, through the relay, or by the older transport. */
import type { DisturbedRequest } from '../mcp/index.ts'
import { maskOf } from '../secrets/index.ts'
import { disturbedEvents } from './events.ts'
import { cutError, originalOf } from './alter.ts'
import type { FaultChooser } from './chooser.ts'

/** @throws like `fetch` */
export const disturbedExchange = async (request: DisturbedRequest, faults: FaultChooser): Promise<Response> => {
  const { fetch, url, init, body, mark } = request
  // The end of a session always goes through, otherwise faults would leave sessions behind at the server.
  if (init.method === 'DELETE' || !faults.isOn) return fetch(url, init)
  const { run } = faults
  const methods = body === undefined ? [] : faults.sent(body)
  const late = faults.choose('delay', methods)
  if (late) mark({ fault: 'delay', ms: late.ms })
  const delay = late && faults.pause(late.ms, init.signal ?? undefined)
  const instead = faults.choose('status', methods)
  if (instead) {
    await delay
    init.signal?.throwIfAborted()
    // They may have been switched off meanwhile.
    if (run === faults.run) {
      mark({ fault: 'status', status: instead.status })
      return refusal(instead.status, url)
    }
  }
  const [response] = await Promise.all([fetch(url, withoutHeaders(request, methods, faults)), delay])
  if (init.signal?.aborted) {
    await response.body?.cancel().catch(() => {})
    init.signal.throwIfAborted()
  }
  return disturbedResponse(response, request, methods, faults)
}

const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  404: 'Not Found',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

const refusal = (status: number, url: string): Response => {
  const headers = new Headers({ 'content-type': 'text/plain' })
  // As for a token that was revoked; without it, a client can't know that another one would help.
  if (status === 401) headers.set('www-authenticate', 'Bearer error="invalid_token"')
  const text = `An injected fault responded with ${status} ${REASONS[status] ?? ''}`.trim()
  return responseLike(new Response(text), {
    status,
    statusText: REASONS[status] ?? '',
    ok: false,
    headers,
    url,
    type: 'basic',
    redirected: false,
  })
}

type Looks = Partial<
  Record<'status' | 'statusText' | 'headers' | 'url' | 'type' | 'redirected' | 'ok' | 'relay', unknown>
>

/** A constructed Response has no URL, and browsers refuse some statuses and headers: all of it is set as properties. */
const responseLike = (response: Response, looks: Looks): Response =>
  Object.defineProperties(
    response,
    Object.fromEntries(Object.entries(looks).map(([name, value]) => [name, { value, configurable: true }])),
  )

const withoutHeaders = (
  { init, mark }: DisturbedRequest,
  methods: readonly string[],
  faults: FaultChooser,
): RequestInit => {
  const missing = faults.choose('missing-headers', methods, ({ of }) => of === 'request')
  if (!missing) return init
  const { kept, removed } = withoutNamed(new Headers(init.headers), missing.names)
  if (removed.length > 0) mark({ fault: 'missing-headers', of: 'request', removed })
  return { ...init, headers: kept }
}

/** No value is recorded: any header that the user named may be how the server authenticates them. */
const withoutNamed = (headers: Headers, names: readonly string[]) => {
  const kept = new Headers(headers)
  const removed = names.flatMap((name): [string, string][] => {
    const value = headers.get(name)
    kept.delete(name)
    return value === null ? [] : [[name, maskOf(value.length)]]
  })
  return { kept, removed }
}

const disturbedResponse = (
  response: Response & { readonly relay?: unknown },
  request: DisturbedRequest,
  methods: readonly string[],
  faults: FaultChooser,
): Response => {
  const { mark, init } = request
  let { headers } = response
  const missing = faults.choose('missing-headers', methods, ({ of }) => of === 'response')
  if (missing) {
    const { kept, removed } = withoutNamed(headers, missing.names)
    if (removed.length > 0) mark({ fault: 'missing-headers', of: 'response', removed })
    headers = kept
  }
  let { body } = response
  const isStream = /^\s*text\/event-stream\s*(;|$)/i.test(response.headers.get('content-type') ?? '')
  if (body && isStream) body = disturbedEvents(body, request, methods, faults)
  else if (body) body = disturbedBody(body, request, methods, faults)
  const slow = body && faults.choose('slow-body', methods)
  if (body && slow) {
    mark({ fault: 'slow-body', rate: slow.rate })
    body = slowed(body, slow.rate, faults, init.signal ?? undefined)
  }
  if (body === response.body && headers === response.headers) return response
  const { status, statusText, url, type, redirected, ok, relay } = response
  const looks = { status, statusText, url, type, redirected, ok, headers }
  return responseLike(new Response(body), relay === undefined ? looks : { ...looks, relay })
}

/** A body that isn't an event stream: a message, or an error page. What may be altered is its first piece. */
const disturbedBody = (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { mark, masked }: DisturbedRequest,
  methods: readonly string[],
  faults: FaultChooser,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const broken = faults.choose('corrupt', methods)
  const cut = faults.choose('cut', methods)
  if (!broken && !cut) return body
  const reader = body.getReader()
  let isFirst = true
  let isOver = false
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        if (isOver) {
          mark({ fault: 'cut' })
          await reader.cancel().catch(() => {})
          return controller.error(cutError())
        }
        const { done, value } = await reader.read()
        if (done) return controller.close()
        let piece = value
        if (isFirst && broken && value.length > 0) {
          // More may follow this piece.
          mark({ fault: 'corrupt', ...originalOf(masked(new TextDecoder().decode(value))), cut: true })
          piece = corruptedBytes(value, broken.random)
        }
        if (isFirst && cut) {
          isOver = true
          piece = piece.slice(0, Math.floor(piece.length / 2))
        }
        isFirst = false
        controller.enqueue(piece)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const corruptedBytes = (bytes: Uint8Array<ArrayBuffer>, random: () => number): Uint8Array<ArrayBuffer> => {
  const copy = bytes.slice()
  let at = Math.min(1 + Math.floor(random() * Math.max(0, copy.length - 1)), copy.length - 1)
  // Within a character of several bytes, it would be another fault.
  while (at < copy.length - 1 && (copy[at]! > 0x7e || copy[at]! < 0x20)) at++
  copy[at] = 1
  return copy
}

/** Pieces per second of a slow body. */
const PIECES = 4

const slowed = (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  rate: number,
  faults: FaultChooser,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const reader = body.getReader()
  const { run } = faults
  const most = Math.max(1, Math.ceil(rate / PIECES))
  let rest: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        while (rest.length === 0) {
          const { done, value } = await reader.read()
          if (done) return controller.close()
          rest = value
        }
        // All the rest at once, also of a piece that waits when they are switched off.
        if (run === faults.run) await faults.pause((Math.min(rest.length, most) / rate) * 1000, signal)
        const size = run === faults.run ? most : rest.length
        const piece = rest.slice(0, size)
        rest = rest.slice(size)
        controller.enqueue(piece)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
