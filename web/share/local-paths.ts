/** Folders that tell whose machine a session was recorded on: the working directory and the home directory. */
import type { Frame } from '../mcp/index.ts'
import type { SessionHead } from '../session-file/index.ts'

/** `/home/ada`, `/Users/ada`, `C:\Users\ada`, as the beginning of a path or of a file URI. */
const HOME =
  /(?:\/(?:home|Users|usr\/home|var\/home)\/[^/\s"'<>:;,]{1,64}|\b[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/)[^\\/\s"'<>:;,]{1,64})/g
/** Homes of nobody in particular. */
const SHARED = /[\\/](?:Shared|Public|Default)$/i
/** Texts searched per session: a home directory is in the first ones, or in none. */
const MOST_TEXTS = 20_000

/** The longest first, so that what is left of a removed one isn't searched for another. */
export const localPaths = (head: SessionHead, frames: Iterable<Frame>): readonly string[] => {
  const found = new Set<string>()
  const add = (text: string | undefined): void => {
    for (const [home] of text?.matchAll(HOME) ?? []) if (!SHARED.test(home)) found.add(home)
  }
  const folder = (path: string | undefined): void => {
    add(path)
    // The root and the folders of a system name nobody.
    if (path !== undefined && path.split(/[\\/]/).filter(Boolean).length > 1) found.add(path)
  }
  for (const { target } of head.servers) {
    if (target?.kind !== 'command') continue
    folder(target.cwd)
    for (const word of [target.command, ...target.args]) add(word)
  }
  let count = 0
  for (const frame of frames) {
    if (frame.kind === 'process' && (frame.event === 'spawn' || frame.event === 'spawn-failed')) {
      if ('cwd' in frame) folder(frame.cwd)
      if ('args' in frame) for (const word of [frame.command, ...frame.args]) add(word)
    } else if (frame.kind === 'process' && frame.event === 'stderr' && count++ < MOST_TEXTS) add(frame.text)
    else if (frame.kind === 'message' && frame.raw !== undefined && frame.raw.length < 10_000 && count++ < MOST_TEXTS)
      add(frame.raw)
  }
  return [...found].toSorted((one, other) => other.length - one.length)
}
