/** A kept session as a file of its own. */
import { loadRedaction } from '../../share/lazy.ts'
import { loadSessionWriter } from '../../session-file/lazy.ts'
import { EXTENSION } from '../../session-file/index.ts'
import { download } from '../../ui/index.ts'
import type { Sessions } from './sessions.svelte.ts'

/** As a file may be called on any system. */
const fileNameOf = (name: string): string =>
  `${
    name
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 80) || 'session'
  }${EXTENSION}`

/**
 * Offers it for saving, without what the rules of sharing take for a secret.
 * @throws {Error} it is not there any more, or cannot be read
 */
export const saveSession = async (sessions: Sessions, id: string, name: string): Promise<void> => {
  const [{ opened }, { redact }, { sessionText }] = await Promise.all([
    sessions.read(id),
    loadRedaction(),
    loadSessionWriter(),
  ])
  const { head, frames, changes } = await redact(opened.head, opened.frames)
  const removed = [...(head.removed ?? []), ...changes.map(({ seq, pointer, rule }) => ({ seq, pointer, rule }))]
  const whole = removed.length > 0 ? { ...head, removed } : head
  download(fileNameOf(name), [...sessionText(whole, frames)], 'application/jsonl')
}
