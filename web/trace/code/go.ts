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
import { bracketed, type Notation, valueCode } from './value-code.ts'

/** Go's strings are UTF-8 text: half of a surrogate pair is lost, unless it stays within JSON. */
const quoted = (text: string): string => quotedText(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'), wideEscape)

const text = (parts: Parts): string =>
  plainText(parts) === undefined
    ? parts.map((part) => (typeof part === 'string' ? quoted(part) : `os.Getenv("${part.variable}")`)).join(' + ')
    : quoted(plainText(parts)!)

const raw = (json: string): string => `json.RawMessage(${quotedText(json, wideEscape)})`

/** A constant must fit into an `int`, and Go's `-0` is 0. */
const number = (value: number | NumberText): string => {
  const written = value instanceof NumberText ? value.text : String(value)
  const isPlain = typeof value === 'number' && !Object.is(value, -0) && (!Number.isInteger(value) || Math.abs(value) < 2 ** 53) // prettier-ignore
  return isPlain ? written : `json.Number("${Object.is(value, -0) ? '-0' : written}")`
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
  return bracketed(
    ['map[string]string{', '}'],
    members.map(([key, each]) => `${quoted(key)}: ${text(partsOf(each, key))}`),
    margin,
    `${margin}\t`,
  )
}

/** The function of a method, the type of its parameters, and their fields. */
const FUNCTIONS: Readonly<Record<string, readonly [name: string, fields: Readonly<Record<string, Field>>]>> = {
  'tools/list': ['ListTools', { cursor: ['Cursor', STRING] }],
  'tools/call': ['CallTool', { name: ['Name', STRING], arguments: ['Arguments', ANY] }],
  'resources/list': ['ListResources', { cursor: ['Cursor', STRING] }],
  'resources/templates/list': ['ListResourceTemplates', { cursor: ['Cursor', STRING] }],
  'resources/read': ['ReadResource', { uri: ['URI', STRING] }],
  'prompts/list': ['ListPrompts', { cursor: ['Cursor', STRING] }],
  'prompts/get': ['GetPrompt', { name: ['Name', STRING], arguments: ['Arguments', STRINGS] }],
}

/** As `gofmt` aligns fields: those in lines after one another, up to a value of several lines. */
const aligned = (fields: readonly (readonly [field: string, code: string])[]): string[] => {
  const isLong = ([, code]: readonly [string, string]) => code.includes('\n')
  const widest = Math.max(0, ...fields.filter((each) => !isLong(each)).map(([field]) => field.length))
  return fields.map((each) => `${`${each[0]}:`.padEnd(isLong(each) ? 0 : widest + 1)} ${each[1]}`)
}

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

  const params: (readonly [field: string, code: string])[] = []
  for (const [key, value] of Object.entries(paramsOf(sent))) {
    if (key === '_meta') {
      params.push(['Meta', `mcp.Meta${goValue(value, '\t\t').replace(/^map\[string\]any/, '')}`])
      continue
    }
    const [field, code] = Object.hasOwn(fields, key) ? fields[key]! : []
    const written = field && code?.(value, '\t\t')
    if (written === undefined) return { notes: ['method'] }
    params.push([field!, written])
  }
  const given =
    params.length > 0
      ? `&mcp.${name}Params{\n${aligned(params)
          .map((each) => `\t\t${each},\n`)
          .join('')}\t}`
      : 'nil'

  const headers = ownHeaders(sent)
  const body = `
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1.0.0"}, nil)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()
${needsTools(sent) ? '\n\t// Its schemas say which arguments are repeated in headers.\n\tif _, err := session.ListTools(ctx, nil); err != nil {\n\t\tlog.Fatal(err)\n\t}\n' : ''}
	result, err := session.${name}(ctx, ${given})
	if err != nil {
		log.Fatal(err)
	}
	output, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(output))
`
  const transport = transportLines(sent, headers)
  const code = `${transport.join('\n')}\n${body}`
  const imports = [
    'context',
    'encoding/json',
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
    const words = wordParts([process!.command, ...process!.args]).map(text)
    const env = environmentOf(sent).map(([name, value]) => text([`${name}=`, ...partsOf(value, name, true)]))
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
  const members = headers.map(([name, value]) => `${quoted(name)}: ${text(partsOf(value, name, true))}`)
  return [
    `\theaders := ${bracketed(['withHeaders{', '}'], members, '\t', '\t\t')}`,
    `\ttransport := &mcp.${type}{`,
    `\t\tEndpoint:   ${url},`,
    '\t\tHTTPClient: &http.Client{Transport: headers},',
    '\t}',
  ]
}
