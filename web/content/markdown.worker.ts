/** Parses Markdown off the main thread, so the page can terminate it if it takes too long. Runs only as a worker. */
import { renderMarkdown, TooDeep, type RenderedMarkdown } from './markdown-to-html.ts'

/** `broken`: the parser itself failed. */
export type MarkdownReply = RenderedMarkdown | { readonly fault: 'deep' | 'broken' }

const reply = (text: string): MarkdownReply => {
  try {
    return renderMarkdown(text)
  } catch (error) {
    return { fault: error instanceof TooDeep ? 'deep' : 'broken' }
  }
}

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(reply(data)))
