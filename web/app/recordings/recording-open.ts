/** Reads a recording from a file, a text or a link, without side effects. */
import { loadImporters } from '../../session-file/lazy.ts'
import { sessionFrom, readSession, SessionFileError, type OpenedSession } from '../../session-file/index.ts'
import { fragmentOf, type Source } from './recording-source.ts'

export { forgetLink, linkKey, linkOfKey, rememberLink } from './opened-links.ts'

interface Reading {
  /** From 0 to 1. */
  readonly progress?: (part: number) => void
  readonly signal?: AbortSignal
}

/**
 * Maximum number of frames for which all views can be computed in an acceptable time; the command line accepts more.
 */
const MOST_FRAMES = 150_000
/** Maximum bytes of a file in another format, because those are read as a whole. */
const LARGEST_FOREIGN = 256 * 1024 * 1024

/**
 * @throws {SessionFileError | ShareLinkError} it contains nothing that can be opened; or the abort reason of `signal`
 */
export const readSource = async (source: Source, reading: Reading = {}): Promise<OpenedSession> => {
  const options = { most: MOST_FRAMES, ...(reading.signal ? { signal: reading.signal } : {}) }
  switch (source.kind) {
    case 'link':
      return await sessionFrom(fragmentOf(source.text))
    case 'text':
      return await orForeign(
        () => readSession(source.text, options),
        () => Promise.resolve(source.text),
        source.name,
      )
    case 'file': {
      const { blob, name } = source
      const read = () => readSession(chunksOf(blob, reading), options)
      return await orForeign(read, () => blob.slice(0, LARGEST_FOREIGN).text(), name)
    }
  }
}

/** A file that isn't a Periscope session may come from another tool. */
const orForeign = async (
  read: () => Promise<OpenedSession>,
  text: () => Promise<string>,
  name: string,
): Promise<OpenedSession> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SessionFileError) || error.code !== 'not-a-session') throw error
    const foreign = await foreignSession(await text(), name)
    if (foreign) return foreign
    throw error
  }
}

const foreignSession = async (text: string, name: string): Promise<OpenedSession | undefined> => {
  const { importFrom } = await loadImporters()
  return await importFrom(text, name)
}

async function* chunksOf(blob: Blob, { progress }: Reading): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader()
  let read = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      read += value.length
      progress?.(read / Math.max(1, blob.size))
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
