/** Recordings on this machine: reading them, and writing them so that no half of a file is ever there. */
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { collectionFrom, type Collection } from '../../web/replay/index.ts'
import { readSession, SessionFileError, type Damage, type OpenedSession } from '../../web/session-file/index.ts'

/** It could not be done, and nothing was compared: exit code 2. The message says what to do. */
export class CannotRun extends Error {}

export interface Recording extends OpenedSession, Pick<Collection, 'steps' | 'rules'> {
  readonly file: string
}

/** @throws {CannotRun} there is no such file, or it is no recording */
export async function readRecording(file: string, signal?: AbortSignal): Promise<Recording> {
  try {
    const opened = await readSession(createReadStream(file), signal ? { signal } : {})
    return { ...opened, ...collectionFrom(opened), file }
  } catch (error) {
    if (error instanceof SessionFileError) {
      throw new CannotRun(`\`${file}\` is no recording of Periscope: ${error.message}.`)
    }
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new CannotRun(`There is no file \`${file}\`. Give the path of a recording.`)
    if (code === 'EISDIR') throw new CannotRun(`\`${file}\` is a directory. Give the path of a recording in it.`)
    if (code === undefined) throw error
    throw new CannotRun(`\`${file}\` cannot be read: ${message}.`)
  }
}

/** What is wrong with the file, one line each; the rest of it is there. */
export function describeDamage({ damage, damaged }: OpenedSession): string[] {
  const lines = damage.map(damageLine)
  return damaged > damage.length ? [...lines, `${damaged - damage.length} more faults`] : lines
}

function damageLine(damage: Damage): string {
  switch (damage.code) {
    case 'truncated':
      return `it ends at line ${damage.line} without its last line: what came after is lost`
    case 'holes':
      return `${damage.missing} frames are missing`
    case 'newer-version':
      return `it is of version ${damage.version}, newer than this program knows`
    case 'too-many-frames':
    case 'too-large':
      return `it goes on beyond ${damage.limit}, and the rest was not read`
    default:
      return `line ${damage.line} was left out: ${damage.why}`
  }
}

/**
 * Writes beside the file and takes its place at the end: whoever reads meanwhile, and after a crash, finds the old or the new.
 * @throws {CannotRun} it cannot be written
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
    throw new CannotRun(`\`${file}\` cannot be written: ${(error as Error).message}.`)
  }
}
