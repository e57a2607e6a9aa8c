/** The error response to a request that the proxy refuses or can't serve. */
import type { ProxyError } from './wire.ts'

export type RefusalStatus = 400 | 403 | 404 | 410 | 413 | 422 | 429 | 502 | 503 | 504

export class Refusal extends Error {
  readonly status: RefusalStatus
  readonly error: ProxyError

  constructor(status: RefusalStatus, error: ProxyError) {
    super(error.message)
    this.name = 'Refusal'
    this.status = status
    this.error = error
  }
}

export function badRequest(message: string, remedy: string): Refusal {
  return new Refusal(400, { code: 'bad-request', message, remedy })
}

/** A size for display, such as `64 MB`. */
export function size(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`
  if (bytes >= 1024) return `${Math.round((bytes / 1024) * 10) / 10} KB`
  return `${bytes} bytes`
}

export function endedRefusal(): Refusal {
  return new Refusal(410, { code: 'gone', message: 'This page was closed.', remedy: 'Reload it.' })
}
