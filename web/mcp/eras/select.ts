/**
 * Chooses the era of a connection, before the first message is sent.
 */
import { UsageError } from '../errors.ts'
import { eraOf, type Revision } from '../revision.ts'
import type { Era } from './era.ts'
import { HandshakeEra, NEWEST_HANDSHAKE } from './handshake.ts'

export interface Choice {
  readonly era: Era
  readonly offer: Revision
  readonly pinned: boolean
}

/**
 * @param pinned the only revision the user allows; absent: whatever both sides speak
 * @throws {UsageError} `invalid-params` for a revision whose era this build does not speak
 */
export const selectEra = (pinned?: Revision): Choice => {
  if (pinned !== undefined && eraOf(pinned) !== 'handshake') {
    throw new UsageError('invalid-params', `Revision ${pinned} begins without a handshake, which is not spoken yet`)
  }
  return { era: new HandshakeEra(), offer: pinned ?? NEWEST_HANDSHAKE, pinned: pinned !== undefined }
}
