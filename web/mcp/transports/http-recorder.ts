/**
 * Records an HTTP exchange: request head, response head, end or failure, each as a frame. The transports and the
 * sign-in requests send differently, but produce the same frames.
 */
import type { HeaderList, HttpDraft, Seq } from '../frame.ts'
import type { Tap } from './tap.ts'

/** Masks secrets in a response. */
export interface HttpMasks {
  url(url: string): string
  headers(headers: Headers): HeaderList
}

export type HttpRequestHead = Omit<Extract<HttpDraft, { phase: 'request' }>, 'kind' | 'phase'>

export class HttpRecorder {
  readonly #tap: Pick<Tap, 'append'>
  readonly #masks: HttpMasks

  constructor(tap: Pick<Tap, 'append'>, masks: HttpMasks) {
    this.#tap = tap
    this.#masks = masks
  }

  /** @param head with its secrets masked; @returns the frame that all others of this exchange refer to */
  request(head: HttpRequestHead): Seq {
    return this.#tap.append({ kind: 'http', phase: 'request', ...head })
  }

  /** It waits for a connection because `open` older requests occupy them. */
  queued(request: Seq, open: number): void {
    this.#tap.append({ kind: 'http', phase: 'queued', request, open })
  }

  response(request: Seq, { status, statusText, headers, type, redirected, url }: Response): void {
    this.#tap.append({
      kind: 'http',
      phase: 'response',
      request,
      status,
      statusText,
      headers: this.#masks.headers(headers),
      ...(type === 'cors' ? { crossOrigin: true } : {}),
      ...(redirected ? { redirectedTo: this.#masks.url(url) } : {}),
    })
  }

  /** @param body if no message frame contains it, with secrets masked */
  end(request: Seq, size: number, body = '', cut = false): void {
    const kept = { ...(body === '' ? {} : { body }), ...(cut ? { cut } : {}) }
    this.#tap.append({ kind: 'http', phase: 'end', request, size, ...kept })
  }

  /** @param more `aborted`: why we ended it ourselves; `size`: bytes of the body that had arrived */
  failed(
    request: Seq,
    stage: 'headers' | 'body',
    error: string,
    more: { readonly aborted?: string | undefined; readonly size?: number | undefined } = {},
  ): void {
    const { aborted, size } = more
    this.#tap.append({
      ...{ kind: 'http', phase: 'failed', request, stage, error },
      ...(aborted === undefined ? {} : { aborted }),
      ...(size === undefined ? {} : { size }),
    })
  }
}
