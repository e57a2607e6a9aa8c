/** Reads recordings, and writes them atomically. */
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { collectionFrom, type Collection } from '../../web/replay/index.ts'
import { readSession, SessionFileError, type Damage, type OpenedSession } from '../../web/session-file/index.ts'

/** The command can't run: exit code 2. The message says what to do. */
export class CannotRun extends Error {}

export interface Recording extends OpenedSession, Pick<Collection, 'steps' | 'rules'> {
  readonly file: string
}

/** @throws {CannotRun} the file is missing or isn't a recording */
export async function readRecording(file: string, signal?: AbortSignal): Promise<Recording> {
  try {
    const opened = await readSession(createReadStream(file), signal ? { signal } : {})
    return { ...opened, ...collectionFrom(opened), file }
  } catch (error) {
    if (error instanceof SessionFileError) {
      throw new CannotRun(`\`${file}\` isn't a Periscope recording: ${error.message}.`)
    }
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CannotRun(`The file \`${file}\` doesn't exist. Enter the path of a recording.`)
    if (code === 'EISDIR') throw new CannotRun(`\`${file}\` is a directory. Enter the path of a recording in it.`)
    if (code === undefined) throw error
    throw new CannotRun(`Can't read \`${file}\`: ${message}.`)
  }
}

/** One line per problem of the file. The rest of the recording is usable. */
export function describeDamage({ damage, damaged }: OpenedSession): string[] {
  const lines = damage.map(damageLine)
  return damaged > damage.length ? [...lines, `${damaged - damage.length} more problems`] : lines
}

function damageLine(damage: Damage): string {
  switch (damage.code) {
    case 'truncated':
      return `it is incomplete and ends at line ${damage.line}`
    case 'holes':
      return `${damage.missing} frames are missing`
    case 'checksum':
      return 'its checksum does not match'
    case 'newer-version':
      return `its format version ${damage.version} is newer than this Periscope supports`
    case 'too-many-frames':
    case 'too-large':
      return `it exceeds ${damage.limit}; the rest wasn't read`
    default:
      return `line ${damage.line} was skipped: ${damage.why}`
  }
}

/**
 * Writes a temporary file and renames it, so that a reader, or a crash, never finds half a file.
 * @throws {CannotRun} the file can't be written
 */
export async function writeAtomically(file: string, pieces: Iterable<string>): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    const handle = await open(beside, 'w')
    try {
      for (const piece of pieces) await handle.writeFile(piece)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, file)
  } catch (error) {
    await rm(beside, { force: true })
    throw new CannotRun(`Can't write \`${file}\`: ${(error as Error).message}.`)
  }
}
