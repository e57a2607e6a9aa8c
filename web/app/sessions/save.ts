/** Saves a stored session as a file. */
import { loadRedaction } from '../../share/lazy.ts'
import { loadSessionWriter } from '../../session-file/lazy.ts'
import { EXTENSION } from '../../session-file/index.ts'
import { download } from '../../ui/index.ts'
import type { Sessions } from './sessions.svelte.ts'

/** A file name that is valid on any system. */
const fileNameOf = (name: string): string =>
  `${
    name
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[-.]+|[-.]+$/g, '')
      .slice(0, 80) || 'session'
  }${EXTENSION}`

/**
 * Downloads it, redacted by the rules for sharing.
 * @throws {Error} it no longer exists, or can't be read
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
