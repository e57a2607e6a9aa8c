/** A stored session as a file, redacted by the rules for sharing. */
import { loadSessionWriter } from '../../session-file/lazy.ts'
import type { SessionHead } from '../../session-file/index.ts'
import { loadOutgoing, loadRedaction } from '../../share/lazy.ts'
import type { Sessions } from './sessions.svelte.ts'

/** @throws {Error} it no longer exists, or can't be read */
export const redactedFile = async (
  sessions: Pick<Sessions, 'read'>,
  id: string,
): Promise<{ readonly head: SessionHead; readonly pieces: readonly string[] }> => {
  const [{ opened }, { redactInWorker }, { outgoing }, { sessionText }] = await Promise.all([
    sessions.read(id),
    loadRedaction(),
    loadOutgoing(),
    loadSessionWriter(),
  ])
  const redacted = await redactInWorker(opened.head, opened.frames)
  const { head, frames } = await outgoing(redacted, { part: 'session' })
  return { head, pieces: [...sessionText(head, frames)] }
}
