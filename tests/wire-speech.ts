/** The tool calls for the servers behind the wires: `tests/servers/versed`, and the sample server of the page. */
import { SAMPLE_TOOLS } from '../web/sample/tools.ts'
import type { Speech, ToolCall } from './wire.case.ts'

const plain = (name: string): ToolCall => ({ name, arguments: {} })

export const VERSED: Speech = {
  tools: 12,
  echo: (text) => ({ name: 'echo', arguments: { text } }),
  fail: plain('fail'),
  count: (n, ms) => ({ name: 'slow-count', arguments: { n, ms } }),
  never: plain('never'),
  waiting: plain('waiting'),
  addTool: plain('add-tool'),
  askModel: plain('ask-model'),
  askUser: plain('ask-user'),
  askRoots: plain('ask-roots'),
  touch: { call: plain('touch'), uri: 'mem://counter' },
}

export const SAMPLE: Speech = {
  tools: SAMPLE_TOOLS.length,
  echo: (message) => ({ name: 'echo', arguments: { message } }),
  fail: plain('fail'),
  // It takes 1000 steps at most.
  count: (steps, ms) => ({
    name: 'count-slowly',
    arguments: { steps: Math.min(1000, steps), duration: (Math.min(1000, steps) * ms) / 1000 },
  }),
  never: { name: 'count-slowly', arguments: { steps: 1, duration: 600 } },
  addTool: plain('add-tool'),
  askModel: plain('ask-a-model'),
  askUser: plain('ask-you'),
  askRoots: plain('ask-for-roots'),
  touch: { call: plain('count-visit'), uri: 'sample://visits' },
}
