/**
 * What the versed servers offer, the same for both SDKs: one tool for each thing that every transport and protocol
 * version must carry.
 */
export interface VersedState {
  /** `add-tool` adds one more. */
  extraTools: number
  /** `touch` changes `mem://counter`. */
  counter: number
  /** How many calls of `never` and `late` have arrived, and how many of them the client has cancelled. */
  begun: number
  cancelled: number
}

export const makeState = (): VersedState => ({ extraTools: 0, counter: 0, begun: 0, cancelled: 0 })

export const COUNTER = 'mem://counter'

const integer = { type: 'integer' } as const

const TOOLS = [
  { name: 'echo', description: 'Answers with the text', properties: { text: { type: 'string' } } },
  { name: 'fail', description: 'Answers with isError', properties: {} },
  { name: 'slow-count', description: 'A progress per step, ms before each', properties: { n: integer, ms: integer } },
  { name: 'never', description: 'Has no answer, and ends when it is cancelled', properties: {} },
  { name: 'late', description: 'Answers after it was cancelled, as no server may', properties: {} },
  { name: 'waiting', description: 'How many calls of these two came, and were cancelled', properties: {} },
  { name: 'ask-model', description: 'Asks for a completion of the model', properties: {} },
  { name: 'ask-user', description: 'Asks the user for a name', properties: {} },
  { name: 'ask-roots', description: 'Asks for the roots', properties: {} },
  { name: 'ask-ping', description: 'Pings the client', properties: {} },
  { name: 'touch', description: `Changes ${COUNTER}`, properties: {} },
  { name: 'add-tool', description: 'Adds one more tool, and says so', properties: {} },
].map(({ properties, ...tool }) => ({
  ...tool,
  inputSchema: { type: 'object' as const, properties, required: Object.keys(properties) },
}))

const PAGE = 5

/** @throws {RangeError} for a cursor that was never issued */
export const pageOf = (cursor: string | undefined, { extraTools }: VersedState) => {
  const extra = Array.from({ length: extraTools }, (_, index) => ({
    name: `extra-${index + 1}`,
    description: 'Was not always here',
    inputSchema: { type: 'object' as const, properties: {}, required: [] as string[] },
  }))
  const all = [...TOOLS, ...extra]
  const start = cursor === undefined ? 0 : Number(/^after (\d+)$/.exec(cursor)?.[1])
  if (!(start >= 0 && start < all.length)) throw new RangeError(`No cursor ${cursor}`)
  const end = start + PAGE
  return { tools: all.slice(start, end), ...(end < all.length ? { nextCursor: `after ${end}` } : {}) }
}

export const resourcesOf = ({ counter }: VersedState) => ({
  list: { resources: [{ uri: COUNTER, name: 'counter' }] },
  contents: { contents: [{ uri: COUNTER, mimeType: 'text/plain', text: String(counter) }] },
})

export const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })

export const QUESTION = {
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'The capital of France?' } }],
  maxTokens: 100,
}

export const FORM = {
  message: 'Who are you?',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const, title: 'Name' } },
    required: ['name'],
  },
}

export const stepText = (step: number): string => `Schritt ${step} · 第${step}步`
