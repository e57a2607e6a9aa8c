/** How the servers behind the wires are asked: `tests/servers/versed`, and the sample server of the page. */
import type { Speech, ToolCall } from './wire.case.ts'

const plain = (name: string): ToolCall => ({ name, arguments: {} })

export const VERSED: Speech = {
  tools: 12,
  echo: (text) => ({ name: 'echo', arguments: { text } }),
  fail: plain('fail'),
  count: (n, ms) => ({ name: 'slow-count', arguments: { n, ms } }),
  never: plain('never'),
  cancelled: plain('cancelled'),
  addTool: plain('add-tool'),
}

export const SAMPLE: Speech = {
  tools: 12,
  echo: (message) => ({ name: 'echo', arguments: { message } }),
  fail: plain('fail'),
  count: (steps, ms) => ({ name: 'count-slowly', arguments: { steps, duration: (steps * ms) / 1000 } }),
  never: { name: 'count-slowly', arguments: { steps: 1, duration: 600 } },
  addTool: plain('add-tool'),
}
