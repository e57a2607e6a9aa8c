/** A server with heavy responses: a thousand tools, and one tool for each size of response. */

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly name?: string; readonly protocolVersion?: unknown }
}

const MB = 1_000_000

/** About 5 MB of JSON in about 200,000 nodes. */
const table = (nameOf = (id: number): unknown => `row number ${id}`): { rows: object[] } => {
  const rows = Array.from({ length: 25_000 }, (_, id) => ({
    id,
    name: nameOf(id),
    ok: id % 2 === 0,
    price: id * 1.37,
    tags: ['a', `b${id}`],
    note: `${'x'.repeat(90)} ${id}`,
  }))
  return { rows }
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

const row = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: { type: 'string' }, ok: { type: 'boolean' }, price: { type: 'number' } },
  required: ['id', 'name'],
}
const output = { type: 'object', properties: { rows: { type: 'array', items: row } }, required: ['rows'] }

/** Produces the text of each tool's result. */
const weights: Readonly<Record<string, () => string>> = {
  'text-5mb': () => text('The quick brown fox jumps over the lazy dog.\n'.repeat(5 * MB).slice(0, 5 * MB)),
  'json-structured-5mb': () => `{"content":[],"structuredContent":${JSON.stringify(table())}}`,
  'json-text-5mb': () => text(JSON.stringify(table())),
  'misfit-5mb': () => `{"content":[],"structuredContent":${JSON.stringify(table((id) => (id === 0 ? 'right' : id)))}}`,
  'line-10mb': () => text('x'.repeat(10 * MB)),
  'blocks-million': () => `{"content":[${Array(MB).fill('{"type":"text","text":"x"}').join()}]}`,
  'deep-10000': () => `{"content":[],"structuredContent":{"deep":${nested(10_000)}}}`,
  'deep-5mb': () => `{"content":[],"structuredContent":{"deep":[${Array(500).fill(nested(5_000)).join()}]}}`,
  'wide-million': () =>
    `{"content":[],"structuredContent":{${Array.from({ length: MB }, (_, at) => `"k${at}":${at}`).join()}}}`,
  'list-million': () =>
    `{"content":[],"structuredContent":{"list":[${Array.from({ length: MB }, (_, at) => at).join()}]}}`,
  'keys-twice': () =>
    `{"content":[],"structuredContent":{${Array(100_000).fill('"a":[1,2.0,9007199254740993]').join()}}}`,
  'lone-surrogates': () => text('\\ud800x\\udc00'.repeat(400_000)).replaceAll('\\\\u', '\\u'),
  'not-json-5mb': () => `{"content":[${'{"type":"text","text":"x"},'.repeat(200_000)}`,
}

const text = (value: string): string => `{"content":[{"type":"text","text":${JSON.stringify(value)}}]}`

/** @returns the response as JSON text; `undefined` if none is due */
export const heavyAnswer = (message: Message): string | undefined => {
  const { id, method, params } = message
  if (id === undefined || method === undefined) return undefined
  const answer = (result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
  switch (method) {
    case 'initialize':
      return answer(
        JSON.stringify({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'heavy', version: '1' },
        }),
      )
    case 'ping':
      return answer('{}')
    case 'tools/list':
      return answer(JSON.stringify({ tools: [...Object.keys(weights).map(weighty), ...manyTools()] }))
    case 'tools/call':
      return answer(weights[params?.name ?? '']?.() ?? '{"content":[]}')
    default:
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":-32601,"message":"Method not found"}}`
  }
}

const weighty = (name: string): object => ({
  name,
  inputSchema: { type: 'object' },
  ...(name === 'json-structured-5mb' || name === 'misfit-5mb' ? { outputSchema: output } : {}),
})

/** A thousand tools of forty fields each, using the usual kinds of schema. */
const manyTools = (): object[] => {
  const kinds = (at: number): object => {
    switch (at % 5) {
      case 0:
        return { type: 'string', description: `Field ${at}, as people write it`, examples: ['one', 'two'] }
      case 1:
        return { type: 'integer', minimum: 0, maximum: 1000, default: at }
      case 2:
        return { type: 'boolean', default: false }
      case 3:
        return { enum: ['red', 'green', 'blue'], description: 'One of three' }
      default:
        return {
          type: 'array',
          items: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
        }
    }
  }
  const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field_${at}`, kinds(at)]))
  return Array.from({ length: 1000 }, (_, at) => ({
    name: `${['read', 'write', 'find', 'delete'][at % 4]}_thing_${at}`,
    title: `Thing ${at}`,
    description: `Does what number ${at} does. `.repeat(4),
    inputSchema: { type: 'object', properties, required: ['field_0', 'field_1'] },
    ...(at % 4 === 0 ? { annotations: { readOnlyHint: true } } : {}),
  }))
}
