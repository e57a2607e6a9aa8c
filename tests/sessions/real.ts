/**
 * Sessions with the real peers of `tests/servers`: requests every list, and calls everything that needs no arguments.
 */
import {
  isObject,
  Session,
  StreamableHttpTransport,
  Trace,
  type Answers,
  type Frame,
  type Json,
  type JsonObject,
} from '../../web/mcp/index.ts'

/** Tools that depend on the machine's environment or take long. */
const LEFT_OUT = /env|long|slow|sleep|never|late|toggle|async|simulate/i

const ANSWERS: Answers = {
  'sampling/createMessage': () =>
    Promise.resolve({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Grüße' }, stopReason: 'endTurn' }),
  'elicitation/create': () => Promise.resolve({ action: 'decline' }),
  'roots/list': () => Promise.resolve({ roots: [{ uri: 'file:///work', name: 'work' }] }),
}

export const recordReal = async (url: string): Promise<readonly Frame[]> => {
  const session = new Session({
    trace: new Trace(),
    link: 's1',
    transport: new StreamableHttpTransport({ url }),
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({ sampling: {}, elicitation: { form: {}, url: {} }, roots: {} }),
    answers: ANSWERS,
  })
  await session.open()
  const ask = (method: string, params?: JsonObject): Promise<JsonObject> =>
    session.request(method, params, { idle: 2000, total: 2000 }).catch(() => ({}))
  const listed = (value: Json | undefined): readonly JsonObject[] =>
    (Array.isArray(value) ? (value as readonly Json[]) : []).filter(isObject)
  const { tools } = await ask('tools/list')
  const { resources } = await ask('resources/list')
  await ask('resources/templates/list')
  const { prompts } = await ask('prompts/list')
  await ask('tools/call', { name: 'no-such-tool', arguments: {} })
  for (const tool of listed(tools)) {
    if (LEFT_OUT.test(textOf(tool.name))) continue
    await ask('tools/call', { name: textOf(tool.name), arguments: argumentsFor(tool.inputSchema) })
  }
  for (const resource of listed(resources).slice(0, 4)) await ask('resources/read', { uri: textOf(resource.uri) })
  for (const prompt of listed(prompts).slice(0, 4)) {
    const names = listed(prompt.arguments).map(({ name }) => [textOf(name), 'Grüße'])
    await ask('prompts/get', { name: textOf(prompt.name), arguments: Object.fromEntries(names) as JsonObject })
  }
  await session.close()
  return [...session.trace]
}

const argumentsFor = (schema: Json | undefined): JsonObject => {
  if (!isObject(schema) || !isObject(schema.properties)) return {}
  const required = Array.isArray(schema.required) ? (schema.required as readonly Json[]) : []
  return Object.fromEntries(
    Object.entries(schema.properties).flatMap(([name, property]) => {
      if (!required.includes(name) || !isObject(property)) return []
      const { type, enum: options } = property
      const value = Array.isArray(options)
        ? (options as readonly Json[])[0]!
        : type === 'string'
          ? 'Grüße'
          : type === 'boolean'
            ? true
            : type === 'array'
              ? []
              : type === 'object'
                ? {}
                : 3
      return [[name, value] as const]
    }),
  )
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
