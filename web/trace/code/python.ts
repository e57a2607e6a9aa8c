/** Programs for the official Python SDK, version 2. */
import { isRecord, NumberText, type Value, type ValueObject } from '../../json/index.ts'
import {
  type CodeOrNot,
  environmentOf,
  methodOfRequest,
  needsTools,
  ownHeaders,
  paramsOf,
  type SentRequest,
  someScalar,
  usesTasks,
} from './request.ts'
import { hasLoneSurrogate, type Parts, partsOf, plainText, quotedText, wideEscape, wordParts } from './text.ts'
import { bracketed, type Notation, valueCode } from './value-code.ts'

const quoted = (text: string): string => quotedText(text, wideEscape)

const text = (parts: Parts): string =>
  plainText(parts) === undefined
    ? parts.map((part) => (typeof part === 'string' ? quoted(part) : `os.environ["${part.variable}"]`)).join(' + ')
    : quoted(plainText(parts)!)

/** Python reads `-0` as 0, and has integers of any size. */
const number = (value: number | NumberText): string => {
  const written = value instanceof NumberText ? value.text : Object.is(value, -0) ? '-0' : String(value)
  return written === '-0' ? '-0.0' : written
}

const NOTATION: Notation = {
  text,
  key: quoted,
  number,
  words: ['True', 'False', 'None'],
  list: ['[', ']'],
  object: ['{', '}'],
  step: '    ',
  parsed: (json) => `json.loads(${quoted(json)})`,
}

/** A JSON value as a Python literal. */
export const pythonValue = (value: Value, margin = ''): string => valueCode(value, NOTATION, margin)

/** The function of a method, and the parameters that it takes in this order; `name=` is given by name. */
const FUNCTIONS: Readonly<Record<string, readonly [name: string, ...params: string[]]>> = {
  'tools/list': ['list_tools', 'cursor='],
  'tools/call': ['call_tool', 'name', 'arguments'],
  'resources/list': ['list_resources', 'cursor='],
  'resources/templates/list': ['list_resource_templates', 'cursor='],
  'resources/read': ['read_resource', 'uri'],
  'prompts/list': ['list_prompts', 'cursor='],
  'prompts/get': ['get_prompt', 'name', 'arguments'],
  'resources/subscribe': ['subscribe_resource', 'uri'],
  'resources/unsubscribe': ['unsubscribe_resource', 'uri'],
  'logging/setLevel': ['set_logging_level', 'level'],
  ping: ['send_ping'],
  'completion/complete': ['complete', 'ref', 'argument', 'context_arguments='],
}

/** What can be completed: its model in `mcp.types`, and the members that it has. */
const REFERENCES: Readonly<Record<string, readonly [model: string, ...members: string[]]>> = {
  'ref/prompt': ['PromptReference', 'name', 'title'],
  'ref/resource': ['ResourceTemplateReference', 'uri'],
}

/** The reference of a completion as an object of the SDK; undefined if the SDK has none like it. */
const referenceOf = (ref: Value | undefined, margin: string): readonly [code: string, model: string] | undefined => {
  if (!isRecord(ref) || typeof ref.type !== 'string' || !Object.hasOwn(REFERENCES, ref.type)) return undefined
  const [model, ...known] = REFERENCES[ref.type]!
  const members = Object.entries(ref).filter(([key]) => key !== 'type')
  if (members.some(([key]) => !known.includes(key))) return undefined
  return [
    `${model}(${members.map(([key, each]) => `${key}=${valueCode(each, NOTATION, margin, key)}`).join(', ')})`,
    model,
  ]
}

/** The parameters by the names that the SDK gives them; it takes the arguments of a completion's context alone. */
const namedParams = (sent: SentRequest): ValueObject => {
  const { context, ...rest } = paramsOf(sent)
  const only = methodOfRequest(sent) === 'completion/complete' && isRecord(context) ? Object.entries(context) : []
  const isArguments = only.length === 1 && only[0]![0] === 'arguments'
  return { ...rest, ...(context === undefined ? {} : isArguments ? { context_arguments: only[0]![1] } : { context }) }
}

/** Python has infinities for such numbers, which JSON has not. */
const isInfinite = (scalar: Value): boolean => scalar instanceof NumberText && !Number.isFinite(scalar.number)
const isBroken = (scalar: Value): boolean => typeof scalar === 'string' && hasLoneSurrogate(scalar)

export const pythonOf = (sent: SentRequest): CodeOrNot => {
  const { http, process } = sent
  const method = methodOfRequest(sent)
  const [name, ...wanted] = Object.hasOwn(FUNCTIONS, method) ? FUNCTIONS[method]! : []
  if (usesTasks(sent)) return { notes: ['tasks'] }
  if (name === undefined) return { notes: ['method'] }
  if (!http && !process) return { notes: ['transport'] }

  const params = namedParams(sent)
  const isCompletion = name === 'complete'
  // What its function doesn't take would be left out of the request.
  const taken = [...wanted.map((key) => key.replace('=', '')), ...(isCompletion ? [] : ['_meta'])]
  if (Object.keys(params).some((key) => !taken.includes(key))) return { notes: ['method'] }

  const headers = ownHeaders(sent)
  const depth = headers.length > 0 && http?.stream === undefined ? 3 : 2
  const margin = '    '.repeat(depth)
  const reference = isCompletion ? referenceOf(params.ref, margin) : undefined
  if (isCompletion && !reference) return { notes: ['method'] }
  const given = wanted.flatMap((key) => {
    if (key === 'ref' && reference) return reference[0]
    const value = params[key.replace('=', '')]
    if (value === undefined) return []
    return `${key.endsWith('=') ? key : ''}${valueCode(value, NOTATION, margin, key)}`
  })
  if (params._meta !== undefined) given.push(`meta=${valueCode(params._meta, NOTATION, margin)}`)
  const call = `client.${name}(${given.join(', ')})`
  const body = [
    ...(needsTools(sent) ? ['await client.list_tools()  # Its schemas say which arguments are repeated in headers.'] : []), // prettier-ignore
    `result = await ${call}`,
    'print(result.model_dump_json(by_alias=True, exclude_none=True, indent=2))',
  ].map((line) => `${margin}${line}`)

  const [imports, opened] = connection(sent, headers)
  const code = [...opened, ...body].join('\n')
  const standard = ['asyncio', ...(code.includes('json.loads(') ? ['json'] : []), ...(code.includes('os.environ[') ? ['os'] : [])] // prettier-ignore
  return {
    notes: [
      ...(someScalar(params, isInfinite) ? (['numbers'] as const) : []),
      ...(someScalar(params, isBroken) ? (['strings'] as const) : []),
    ],
    text: `# pip install "mcp>=2" && python call.py
${standard.map((module) => `import ${module}\n`).join('')}
${[...imports, ...(reference ? [`from mcp.types import ${reference[1]}`] : [])].join('\n')}


async def main():
${code}


asyncio.run(main())
`,
  }
}

const dictionary = (pairs: readonly (readonly [string, string])[], margin: string): string =>
  bracketed(
    NOTATION.object,
    pairs.map(([name, value]) => `${quoted(name)}: ${text(partsOf(value, name, true))}`),
    margin,
    `${margin}    `,
  )

/** The imports of a connection, and the lines that open it. */
const connection = (
  sent: SentRequest,
  headers: readonly (readonly [string, string])[],
): readonly [imports: string[], opened: string[]] => {
  const { http, process } = sent
  if (!http) {
    const [command, ...args] = wordParts([process!.command, ...process!.args])
    const env = environmentOf(sent)
    const members = [
      `command=${text(command!)}`,
      `args=${bracketed(NOTATION.list, args.map(text), '        ', '            ')}`,
      ...(env.length > 0 ? [`env=${dictionary(env, '        ')}`] : []),
      ...(process!.cwd === undefined ? [] : [`cwd=${text(partsOf(process!.cwd, 'directory'))}`]),
    ]
    return [
      ['from mcp import Client, StdioServerParameters'],
      [
        '    server = StdioServerParameters(',
        ...members.map((member) => `        ${member},`),
        '    )',
        '    async with Client(server) as client:',
      ],
    ]
  }
  const url = text(partsOf(http.stream ?? http.url, 'url', true))
  if (http.stream !== undefined) {
    const given = headers.length > 0 ? `${url}, headers=${dictionary(headers, '    ')}` : url
    return [
      ['from mcp import Client', 'from mcp.client.sse import sse_client'],
      [`    async with Client(sse_client(${given})) as client:`],
    ]
  }
  if (headers.length === 0) return [['from mcp import Client'], [`    async with Client(${url}) as client:`]]
  return [
    ['import httpx2', 'from mcp import Client', 'from mcp.client.streamable_http import streamable_http_client'],
    [
      `    headers = ${dictionary(headers, '    ')}`,
      '    timeout = httpx2.Timeout(30, read=300)',
      '    async with httpx2.AsyncClient(headers=headers, timeout=timeout, follow_redirects=True) as http:',
      `        async with Client(streamable_http_client(${url}, http_client=http)) as client:`,
    ],
  ]
}
