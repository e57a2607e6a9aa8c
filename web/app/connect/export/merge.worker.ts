/** The worker of `merge-file.ts`: a worker's script is a file of its own. */
import { fileResult, type FileRequest } from './merge-file.ts'

addEventListener('message', ({ data }: MessageEvent<FileRequest>) => {
  const reply = fileResult(data).catch(() => ({ problem: 'unsafe' as const }))
  void reply.then((result) => postMessage(result))
})
