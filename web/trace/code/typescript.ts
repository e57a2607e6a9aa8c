/** Programs for the official TypeScript SDK, versions 1 and 2. They are JavaScript as well. */
import { NumberText, type Value, type ValueObject } from '../../json/index.ts'
import {
  type CodeNote,
  type CodeOrNot,
  environmentOf,
  isInexact,
  isStateless,
  methodOfRequest,
  needsTools,
  ownHeaders,
  paramsOf,
  type SentRequest,
  someScalar,
  usesTasks,
} from './request.ts'
import { jsonEscape, type Parts, partsOf, plainText, quotedText, wordParts } from './text.ts'
import { bracketed, type Notation, valueCode } from './value-code.ts'

const quoted = (text: string): string => quotedText(text, jsonEscape)

/** Within a template, a backquote would end it and `${` would be code. */
const inTemplate = (text: string): string => quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(/`|\$(?=\{)/g, '\\$&') // prettier-ignore

/** A string of JavaScript, perhaps with variables. */
export const javascriptText = (parts: Parts): string => {
  const plain = plainText(parts)
  if (plain !== undefined) return quoted(plain)
  const inner = parts.map((part) => (typeof part === 'string' ? inTemplate(part) : `\${process.env.${part.variable}}`))
  return `\`${inner.join('')}\``
}

const NOTATION: Notation = {
  text: javascriptText,
  // Unquoted or quoted, `__proto__` would set the prototype.
  key: (name) => (name === '__proto__' ? '["__proto__"]' : /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  number: (value) => (value instanceof NumberText ? value.text : Object.is(value, -0) ? '-0' : String(value)),
  words: ['true', 'false', 'null'],
  list: ['[', ']'],
  object: ['{ ', ' }'],
  step: '  ',
  parsed: (json) => `JSON.parse(${quoted(json)})`,
}

/** A JSON value as JavaScript. @param margin the indentation of the line on which it begins */
export const javascriptValue = (value: Value, margin = ''): string => valueCode(value, NOTATION, margin)

/** Functions of the SDK, which take the parameters as one object. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  'tools/list': 'listTools',
  'tools/call': 'callTool',
  'resources/list': 'listResources',
  'resources/templates/list': 'listResourceTemplates',
  'resources/read': 'readResource',
  'prompts/list': 'listPrompts',
  'prompts/get': 'getPrompt',
  'completion/complete': 'complete',
}

const object = (pairs: readonly (readonly [string, Parts])[], margin: string): string =>
  bracketed(
    NOTATION.object,
    pairs.map(([name, parts]) => `${NOTATION.key(name)}: ${javascriptText(parts)}`),
    margin,
    `${margin}  `,
  )

/** The class of the transport, the path of its module in version 1, and the arguments of its constructor. */
const transportOf = (sent: SentRequest): readonly [name: string, module: string, given: string] | undefined => {
  const { http, process, webSocket } = sent
  if (webSocket !== undefined)
    return ['WebSocketClientTransport', 'websocket', `new URL(${javascriptText(partsOf(webSocket, 'url', true))})`]
  if (http) {
    const headers = ownHeaders(sent).map(([name, value]) => [name, partsOf(value, name, true)] as const)
    const given = [
      `new URL(${javascriptText(partsOf(http.stream ?? http.url, 'url', true))})`,
      ...(headers.length > 0 ? [`{\n  requestInit: { headers: ${object(headers, '  ')} },\n}`] : []),
    ]
    return http.stream === undefined
      ? ['StreamableHTTPClientTransport', 'streamableHttp', given.join(', ')]
      : ['SSEClientTransport', 'sse', given.join(', ')]
  }
  if (!process) return undefined
  const [command, ...args] = wordParts([process.command, ...process.args])
  const env = environmentOf(sent).map(([name, value]) => [name, partsOf(value, name, true)] as const)
  const members = [
    `command: ${javascriptText(command!)}`,
    `args: ${bracketed(NOTATION.list, args.map(javascriptText), '  ', '    ')}`,
    ...(env.length > 0 ? [`env: ${object(env, '  ')}`] : []),
    ...(process.cwd === undefined ? [] : [`cwd: ${javascriptText(partsOf(process.cwd, 'directory'))}`]),
  ]
  return ['StdioClientTransport', 'stdio', `{\n${members.map((each) => `  ${each},\n`).join('')}}`]
}

const hasMembers = (value: ValueObject): boolean => Object.keys(value).length > 0

/** The call itself, and what it needs to be imported. @param schema accepts any result */
const callOf = (sent: SentRequest, schema: string): readonly [call: string, needsSchema: boolean] => {
  const [method, params] = [methodOfRequest(sent), paramsOf(sent)]
  const name = usesTasks(sent) ? undefined : Object.hasOwn(FUNCTIONS, method) ? FUNCTIONS[method] : undefined
  if (name !== undefined) return [`client.${name}(${hasMembers(params) ? javascriptValue(params) : ''})`, false]
  const request = { method, ...(hasMembers(params) ? { params } : {}) }
  return [`client.request(${javascriptValue(request)}, ${schema})`, true]
}

const notesOf = (sent: SentRequest): CodeNote[] => (someScalar(paramsOf(sent), isInexact) ? ['numbers'] : [])

const NUMBERS = '// Some numbers are beyond what JavaScript can hold: they are sent rounded.\n'

const WEB_SOCKET = '// Node.js before version 22 has no WebSocket: run it with --experimental-websocket there.\n'

/** Version 1: `@modelcontextprotocol/sdk`. */
export const typescript1Of = (sent: SentRequest): CodeOrNot => {
  const transport = transportOf(sent)
  if (!transport) return { notes: ['transport'] }
  const [name, module, given] = transport
  const [call, needsSchema] = callOf(sent, 'ResultSchema')
  const notes = [...(isStateless(sent) ? (['version'] as const) : []), ...notesOf(sent)]
  return {
    notes,
    text: `// npm install @modelcontextprotocol/sdk && node call.mjs
${notes.includes('version') ? "// This version of the SDK doesn't support protocol version 2026-07-28, so the server must also support an older one.\n" : ''}${notes.includes('numbers') ? NUMBERS : ''}${sent.webSocket === undefined ? '' : WEB_SOCKET}import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { ${name} } from "@modelcontextprotocol/sdk/client/${module}.js"
${needsSchema ? 'import { ResultSchema } from "@modelcontextprotocol/sdk/types.js"\n' : ''}
const transport = new ${name}(${given})
const client = new Client({ name: "example", version: "1.0.0" })
await client.connect(transport)
const result = await ${call}
console.log(JSON.stringify(result, null, 2))
await client.close()
`,
  }
}

/** Version 2: `@modelcontextprotocol/client`, which has no WebSocket anymore. */
export const typescript2Of = (sent: SentRequest): CodeOrNot => {
  const transport = sent.webSocket === undefined ? transportOf(sent) : undefined
  if (!transport) return { notes: ['transport'] }
  const [name, module, given] = transport
  const [call, needsSchema] = callOf(sent, 'ResultSchema')
  const notes = notesOf(sent)
  const options = isStateless(sent) ? `, { versionNegotiation: { mode: "auto" } }` : ''
  const imports =
    module === 'stdio'
      ? `import { Client } from "@modelcontextprotocol/client"\nimport { ${name} } from "@modelcontextprotocol/client/stdio"`
      : `import { Client, ${name} } from "@modelcontextprotocol/client"`
  return {
    notes,
    text: `// npm install @modelcontextprotocol/client${needsSchema ? ' @modelcontextprotocol/core' : ''} && node call.mjs
${notes.includes('numbers') ? NUMBERS : ''}${imports}
${needsSchema ? 'import { ResultSchema } from "@modelcontextprotocol/core"\n' : ''}
const transport = new ${name}(${given})
const client = new Client({ name: "example", version: "1.0.0" }${options})
await client.connect(transport)
${needsTools(sent) ? 'await client.listTools() // Its schemas say which arguments are repeated in headers.\n' : ''}const result = await ${call}
console.log(JSON.stringify(result, null, 2))
await client.close()
`,
  }
}
