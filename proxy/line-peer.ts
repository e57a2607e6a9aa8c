/** What a page exchanges lines with: a child process, a socket, or the transport of a module. */
import type { Line } from './lines.ts'
import type { PageEvent } from './wire.ts'

type WithoutChild<E> = E extends { readonly child: string } ? Omit<E, 'child'> : never
/** A peer's events, before the page adds its name. Lines are still bytes. `exit` or `closed` comes last. */
export type ChildEvent =
  | { readonly type: 'line' | 'stderr'; readonly line: Line }
  | WithoutChild<Exclude<PageEvent, { readonly type: 'line' | 'stderr' }>>

export interface LinePeer {
  /** Resolves once it is connected. Rejects with a Refusal that explains why it isn't. */
  readonly started: Promise<void>
  /** Resolves once nothing of it is left. Never rejects. */
  readonly gone: Promise<void>
  /** Of a process. */
  readonly pid?: number
  /** Names of the proxy's own variables that a process has. */
  readonly inherited?: readonly string[]
  /** Bytes written but not yet accepted. */
  readonly unread: number
  /** Resolves once the bytes were accepted. @returns false if it no longer reads */
  write(bytes: Uint8Array): Promise<boolean>
  /** Ends it in order, once. Resolves as `gone`. */
  end(): Promise<void>
  /** Ends it at once. */
  kill(): void
  /** Stops reading, because the page lags behind (rule 9). */
  pause(): void
  resume(): void
}
