/** Parses Markdown beside the page, which can end it when it takes too long. Runs only as a worker. */
import { renderMarkdown, TooDeep, type RenderedMarkdown } from './markdown.ts'

/** `broken`: the parser has a fault of its own. */
export type MarkdownReply = RenderedMarkdown | { readonly fault: 'deep' | 'broken' }

const reply = (text: string): MarkdownReply => {
  try {
    return renderMarkdown(text)
  } catch (error) {
    return { fault: error instanceof TooDeep ? 'deep' : 'broken' }
  }
}

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(reply(data)))
