/** Long Markdown is split into parts, and each is parsed in a worker that is terminated if it takes too long. */
import type { MarkdownReply } from './markdown.worker.ts'

/** ms after which the worker is terminated: the text was probably made to be slow. */
const LIMIT = 5_000

/**
 * Never rejects.
 * @param signal terminates the worker
 */
export const parseMarkdown = (
  text: string,
  signal: AbortSignal,
): Promise<MarkdownReply | { readonly fault: 'slow' | 'stopped' }> =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./markdown.worker.ts', import.meta.url), { type: 'module' })
    const end = (reply: MarkdownReply | { readonly fault: 'slow' | 'stopped' }) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(reply)
    }
    const timer = setTimeout(() => end({ fault: 'slow' }), LIMIT)
    signal.addEventListener('abort', () => end({ fault: 'stopped' }), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<MarkdownReply>) => end(data))
    worker.addEventListener('error', () => end({ fault: 'broken' }))
    worker.postMessage(text)
  })
