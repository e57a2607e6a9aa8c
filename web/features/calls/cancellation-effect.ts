/** What a cancelled or timed-out request means for the server, by transport and protocol version. */
import { eraOf, LINGER, type Revision } from '../../mcp/index.ts'

/** How the server is notified, and whether a late response can still arrive. */
export type CancellationEffect =
  /** TR-HTTP-10: closing the response stream is the cancellation. */
  | 'stream-closed'
  /** TR-HTTP-09: a notification was sent; the response stream is closed shortly after. */
  | 'notified-then-closed'
  /** A notification was sent over a connection that stays open. */
  | 'notified'

/** @param transport the transport's name for itself; `undefined` if unknown */
export const cancellationEffect = (
  revision: Revision | undefined,
  transport: string | undefined,
): CancellationEffect => {
  if (transport !== 'Streamable HTTP') return 'notified'
  return revision !== undefined && eraOf(revision) === 'stateless' ? 'stream-closed' : 'notified-then-closed'
}

interface CancellationTexts {
  readonly afterStreamClosed: string
  readonly afterNotifiedThenClosed: (seconds: string) => string
  readonly afterNotified: string
}

export const cancellationText = (
  {
    peer,
    transport,
  }: { readonly peer?: { readonly revision: Revision } | undefined; readonly transport?: string | undefined },
  words: CancellationTexts,
): string => {
  switch (cancellationEffect(peer?.revision, transport)) {
    case 'stream-closed':
      return words.afterStreamClosed
    case 'notified-then-closed':
      return words.afterNotifiedThenClosed(String(LINGER / 1000))
    case 'notified':
      return words.afterNotified
  }
}
