/** A session with any number of frames, for budgets. */
import type { Frame } from '../../web/mcp/index.ts'
import { headOf } from '../../web/session-file/write.ts'
import { Frames } from '../sessions/frames.ts'

export const HEAD = headOf({
  begunAt: '2026-01-01T00:00:00.000Z',
  tool: { name: 'mcp-periscope', version: '0.1.0' },
  servers: [{ link: 's1', name: 'bench', target: { kind: 'url', url: 'http://127.0.0.1/mcp', headers: [] } }],
})

/** Calls over HTTP with their responses, five frames each; no two are the same. */
export const longSession = (length: number): readonly Frame[] => {
  const frames = new Frames()
  for (let id = 1; frames.all.length < length; id++) {
    const text = `row ${id}: ${'the quick brown fox '.repeat(id % 8)}`
    frames.call(id, { name: `tool-${id % 20}`, arguments: { city: `city ${id}`, limit: id % 50 } }, frames.say(text))
  }
  return frames.all
}
