/** Programs for the official Go SDK. */
import { isRecord, NumberText, stringify, type Value } from '../../json/index.ts'
import {
  type CodeOrNot,
  environmentOf,
  methodOfRequest,
  needsTools,
  ownHeaders,
  paramsOf,
  type SentRequest,
  usesTasks,
} from './request.ts'
import { hasLoneSurrogate, type Parts, partsOf, plainText, quotedText, wideEscape, wordParts } from './text.ts'
import { bracketed, type Member, type Notation, valueCode } from './value-code.ts'

/** Go's strings are UTF-8 text: half of a surrogate pair is lost, unless it stays within JSON. */
const quoted = (text: string): string => quotedText(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'), wideEscape)

/** @param plus as `gofmt` writes it: without blanks among several arguments of a call */
const text = (parts: Parts, plus = ' + '): string =>
  plainText(parts) === undefined
    ? parts.map((part) => (typeof part === 'string' ? quoted(part) : `os.Getenv("${part.variable}")`)).join(plus)
    : quoted(plainText(parts)!)

const raw = (json: string): string => `json.RawMessage(${quotedText(json, wideEscape)})`

/** A constant must fit into an `int`, and Go's `-0` is 0. */
const number = (value: number | NumberText): string => {
  const written = value instanceof NumberText ? value.text : String(value)
  const isPlain = typeof value === 'number' && !Object.is(value, -0) && (!Number.isInteger(value) || Math.abs(value) < 2 ** 53) // prettier-ignore
  return isPlain ? written : `json.Number("${Object.is(value, -0) ? '-0' : written}")`
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/**
 * The members of a literal in lines of their own, with their values below one another where `gofmt` has them so: up to
 * a value of several lines, or to a key of a quite different length than those before it.
 */
const aligned = (members: readonly Member[]): string[] => {
  const groups: Member[][] = []
  let sizes: number[] = []
  for (const member of members) {
    const size = member[1].includes('\n') ? 0 : bytesOf(member[0])
    const previous = sizes.at(-1) ?? 0
    const mean = Math.exp(sizes.reduce((sum, each) => sum + Math.log(each), 0) / sizes.length)
    const isLike = (previous <= 40 && size <= 40) || (size * 2.5 > mean && size < mean * 2.5)
    if (previous > 0 && size > 0 && isLike) groups.at(-1)!.push(member)
    else {
      groups.push([member])
      sizes = []
    }
    sizes.push(size)
  }
  return groups.flatMap((group) => {
    const widest = Math.max(...group.map(([key]) => [...key].length))
    return group.map(([key, code]) => `${key}:${' '.repeat(widest - [...key].length + 1)}${code}`)
  })
}

const NOTATION: Notation = {
  text: (parts) => {
    const plain = plainText(parts)
    return plain !== undefined && hasLoneSurrogate(plain) ? raw(JSON.stringify(plain)) : text(parts)
  },
  key: quoted,
  number,
  words: ['true', 'false', 'nil'],
  list: ['[]any{', '}'],
  object: ['map[string]any{', '}'],
  step: '\t',
  parsed: raw,
  lines: aligned,
}

/** @param brackets of a literal with keys */
const literalOf = (brackets: readonly [string, string], members: readonly Member[], margin: string): string => {
  const items = members.map(([key, code]) => `${key}: ${code}`)
  return bracketed(brackets, items, margin, `${margin}\t`, aligned(members))
}

/** A JSON value as a Go expression that marshals to it. */
export const goValue = (value: Value, margin = ''): string =>
  // A key with half of a surrogate pair can only be written as JSON.
  hasBrokenKey(value) ? raw(stringify(value)) : valueCode(value, NOTATION, margin)

const hasBrokenKey = (value: Value): boolean => {
  if (Array.isArray(value)) return (value as readonly Value[]).some(hasBrokenKey)
  return isRecord(value) && Object.entries(value).some(([key, each]) => hasLoneSurrogate(key) || hasBrokenKey(each))
}

type Field = readonly [field: string, code: (value: Value, margin: string) => string | undefined]

const ANY: Field[1] = (value, margin) => goValue(value, margin)
const STRING: Field[1] = (value) => (typeof value === 'string' ? text(partsOf(value, 'value')) : undefined)
/** Arguments of prompts are strings. */
const STRINGS: Field[1] = (value, margin) => {
  if (!isRecord(value) || Object.values(value).some((each) => typeof each !== 'string')) return undefined
  const members = Object.entries(value as Readonly<Record<string, string>>)
  return literalOf(
    ['map[string]string{', '}'],
    members.map(([key, each]) => [quoted(key), text(partsOf(each, key))]),
    margin,
  )
}
/** A constant: what comes from the environment has another type. */
const LEVEL: Field[1] = (value) =>
  typeof value === 'string' && plainText(partsOf(value, 'level')) !== undefined ? quoted(value) : undefined

type Fields = Readonly<Record<string, Field>>

/** The members as fields; undefined if any has none. */
const fieldsOf = (value: Value, fields: Fields, margin: string): Member[] | undefined => {
  if (!isRecord(value)) return undefined
  const members = Object.entries(value).map(([key, each]) => {
    const [field, code] = Object.hasOwn(fields, key) ? fields[key]! : []
    return [field, code?.(each, margin)] as const
  })
  return members.every(([, code]) => code !== undefined) ? (members as Member[]) : undefined
}

const struct =
  (type: string, fields: Fields): Field[1] =>
  (value, margin) => {
    const members = fieldsOf(value, fields, `${margin}\t`)
    return members && literalOf([`${type}{`, '}'], members, margin)
  }

const ARGUMENT = struct('mcp.CompleteParamsArgument', { name: ['Name', STRING], value: ['Value', STRING] })
const CONTEXT = struct('&mcp.CompleteContext', { arguments: ['Arguments', STRINGS] })
const REFERENCE = struct('&mcp.CompleteReference', { type: ['Type', STRING], name: ['Name', STRING], uri: ['URI', STRING] }) // prettier-ignore
/** Of a request's `_meta`, which must be a map there. */
const META: Field[1] = (value, margin) => {
  const code = goValue(value, margin)
  return code.startsWith('map[string]any{') ? code.replace('map[string]any', 'mcp.Meta') : undefined
}

/** The function of a method, the type of its parameters, and their fields. */
const FUNCTIONS: Readonly<Record<string, readonly [name: string, fields: Fields]>> = {
  'tools/list': ['ListTools', { cursor: ['Cursor', STRING] }],
  'tools/call': ['CallTool', { name: ['Name', STRING], arguments: ['Arguments', ANY] }],
  'resources/list': ['ListResources', { cursor: ['Cursor', STRING] }],
  'resources/templates/list': ['ListResourceTemplates', { cursor: ['Cursor', STRING] }],
  'resources/read': ['ReadResource', { uri: ['URI', STRING] }],
  'prompts/list': ['ListPrompts', { cursor: ['Cursor', STRING] }],
  'prompts/get': ['GetPrompt', { name: ['Name', STRING], arguments: ['Arguments', STRINGS] }],
  'completion/complete': ['Complete', { ref: ['Ref', REFERENCE], argument: ['Argument', ARGUMENT], context: ['Context', CONTEXT] }], // prettier-ignore
  'resources/subscribe': ['Subscribe', { uri: ['URI', STRING] }],
  'resources/unsubscribe': ['Unsubscribe', { uri: ['URI', STRING] }],
  'logging/setLevel': ['SetLoggingLevel', { level: ['Level', LEVEL] }],
  ping: ['Ping', {}],
}

/** Functions that return nothing but an error: the result is empty. */
const WITHOUT_RESULT = ['Subscribe', 'Unsubscribe', 'SetLoggingLevel', 'Ping']

/** Adds headers to every request, which the SDK leaves to its HTTP client. */
const ROUND_TRIPPER = `
type withHeaders map[string]string

func (headers withHeaders) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(request)
}
`

export const goOf = (sent: SentRequest): CodeOrNot => {
  const { http, process } = sent
  const method = methodOfRequest(sent)
  const [name, fields] = Object.hasOwn(FUNCTIONS, method) ? FUNCTIONS[method]! : []
  if (usesTasks(sent)) return { notes: ['tasks'] }
  if (name === undefined || fields === undefined) return { notes: ['method'] }
  if (!http && !process) return { notes: ['transport'] }

  const params = fieldsOf(paramsOf(sent), { ...fields, _meta: ['Meta', META] }, '\t\t')
  if (!params) return { notes: ['method'] }
  const given =
    params.length > 0
      ? `&mcp.${name}Params{\n${aligned(params)
          .map((each) => `\t\t${each},\n`)
          .join('')}\t}`
      : 'nil'
  const call = `session.${name}(ctx, ${given})`
  const failed = 'if err != nil {\n\t\tlog.Fatal(err)\n\t}'
  const printing = WITHOUT_RESULT.includes(name)
    ? `
	err = ${call}
	${failed}
	fmt.Println("{}")
`
    : `
	result, err := ${call}
	${failed}
	output, err := json.MarshalIndent(result, "", "  ")
	${failed}
	fmt.Println(string(output))
`

  const headers = ownHeaders(sent)
  const body = `
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, transport, nil)
	${failed}
	defer session.Close()
${needsTools(sent) ? '\n\t// Its schemas say which arguments are repeated in headers.\n\tif _, err := session.ListTools(ctx, nil); err != nil {\n\t\tlog.Fatal(err)\n\t}\n' : ''}${printing}`
  const transport = transportLines(sent, headers)
  const code = `${transport.join('\n')}\n${body}`
  const imports = [
    'context',
    ...(/\bjson\./.test(withoutStrings(code)) ? ['encoding/json'] : []),
    'fmt',
    'log',
    ...(headers.length > 0 ? ['net/http'] : []),
    ...(/\bos\./.test(withoutStrings(code)) ? ['os'] : []),
    ...(http ? [] : ['os/exec']),
  ]
  return {
    notes: [],
    text: `// go mod init example && go get github.com/modelcontextprotocol/go-sdk/mcp && go run .
package main

import (
${imports.map((path) => `\t"${path}"\n`).join('')}
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx := context.Background()

${code}}
${headers.length > 0 ? ROUND_TRIPPER : ''}`,
  }
}

const withoutStrings = (code: string): string => code.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')

const transportLines = (sent: SentRequest, headers: readonly (readonly [string, string])[]): string[] => {
  const { http, process } = sent
  if (!http) {
    const plus = process!.args.length > 0 ? '+' : ' + '
    const words = wordParts([process!.command, ...process!.args]).map((parts) => text(parts, plus))
    const env = environmentOf(sent).map(([name, value]) => text([`${name}=`, ...partsOf(value, name, true)], '+'))
    return [
      `\tcommand := exec.Command(${words.join(', ')})`,
      ...(env.length > 0 ? [`\tcommand.Env = append(os.Environ(), ${env.join(', ')})`] : []),
      ...(process!.cwd === undefined ? [] : [`\tcommand.Dir = ${text(partsOf(process!.cwd, 'directory'))}`]),
      '\tcommand.Stderr = os.Stderr',
      '\ttransport := &mcp.CommandTransport{Command: command}',
    ]
  }
  const url = text(partsOf(http.stream ?? http.url, 'url', true))
  const type = http.stream === undefined ? 'StreamableClientTransport' : 'SSEClientTransport'
  if (headers.length === 0) return [`\ttransport := &mcp.${type}{Endpoint: ${url}}`]
  const members = headers.map(([name, value]) => [quoted(name), text(partsOf(value, name, true))] as const)
  return [
    `\theaders := ${literalOf(['withHeaders{', '}'], members, '\t')}`,
    `\ttransport := &mcp.${type}{`,
    `\t\tEndpoint:   ${url},`,
    '\t\tHTTPClient: &http.Client{Transport: headers},',
    '\t}',
  ]
}
