/** Runs only as a worker. */
import { fileResult, type FileRequest } from './merge-file.ts'

addEventListener('message', ({ data }: MessageEvent<FileRequest>) => {
  const reply = fileResult(data).catch(() => ({ problem: 'unsafe' as const }))
  void reply.then((result) => postMessage(result))
})
