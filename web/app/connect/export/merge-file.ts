/** Merges servers with a file off the main thread: a file may have 16 million characters. */
import type { ClientId } from '../../../../proxy/wire.ts'
import type { ExportedServer, Values } from './client-entry.ts'
import { partEnd } from '../../../ui/index.ts'
import { textOf } from '../configs/file-text.ts'
import { MergeError, mergeInto, type Merged } from './merge.ts'

interface MergeRequest {
  readonly client: ClientId
  /** Of the file; empty for a new one. */
  readonly text: string
  readonly servers: readonly ExportedServer[]
  readonly values: Values
  readonly directory: string | undefined
}

type MergeResult = Merged | { readonly problem: MergeError['code'] }

const mergeResult = ({ client, text, servers, values, directory }: MergeRequest): MergeResult => {
  try {
    return mergeInto(client, text, servers, values, directory)
  } catch (error) {
    if (error instanceof MergeError) return { problem: error.code }
    throw error
  }
}

/** Blobs are passed without a copy, and strings aren't: the page gets only what it shows. */
export interface FileRequest extends Omit<MergeRequest, 'text'> {
  readonly file: Blob
}

export type FileResult =
  | {
      readonly notes: Merged['notes']
      /** All of it, if it is longer than what is shown. */
      readonly file?: Blob
      /** The beginning of the file. */
      readonly text: string
      /** Of the whole file, in UTF-16 units. */
      readonly length: number
    }
  | Exclude<MergeResult, Merged>

/** UTF-16 units of a file that are shown. */
const SHOWN = 100_000

/** For the worker. */
export const fileResult = async ({ file, ...request }: FileRequest): Promise<FileResult> => {
  const result = mergeResult({ ...request, text: await textOf(file) })
  if ('problem' in result) return result
  const { text, notes } = result
  const shown = text.slice(0, partEnd(text, 0, SHOWN))
  return { notes, text: shown, length: text.length, ...(shown === text ? {} : { file: new Blob([text]) }) }
}

/** The servers alone. */
export const newFile = (request: Omit<MergeRequest, 'text'>): FileResult => {
  const result = mergeResult({ ...request, text: '' })
  return 'problem' in result ? result : { ...result, length: result.text.length }
}

/** @param signal terminates the worker, and the promise stays pending */
export const mergeInWorker = (request: FileRequest, signal: AbortSignal): Promise<FileResult> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./merge.worker.ts', import.meta.url), { type: 'module' })
    const end = (result: FileResult) => {
      worker.terminate()
      resolve(result)
    }
    signal.addEventListener('abort', () => worker.terminate(), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<FileResult>) => end(data))
    // Out of memory, for example.
    worker.addEventListener('error', () => end({ problem: 'unsafe' }))
    worker.postMessage(request)
  })
