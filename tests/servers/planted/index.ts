/**
 * The unmodified rich server (`../rich`), with characters planted in every string it sends: `/v1/<key>`, `/v2/<key>`.
 * They are removed from what a client sends back, so that names, URLs and arguments still match.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { allowPages, bodyOf, listen, type Peer } from '../listening.ts'
import { start as startRich } from '../rich/index.ts'
import { clean, plant } from './plant.ts'

export const start = async (): Promise<Peer> => {
  const rich = await startRich()
  const server = createServer((request, response) => {
    if (allowPages(request, response)) return
    forward(rich.url, request, response).catch(() => response.destroy())
  })
  return listen(server, () => rich.close())
}

/** Headers that apply to one hop only, or describe the original body. */
const OWN = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding', 'accept-encoding'])

const forward = async (to: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const leave = new AbortController()
  response.once('close', () => leave.abort())
  const headers = Object.entries(request.headers).filter(([name]) => !OWN.has(name)) as [string, string][]
  const body = request.method === 'POST' ? JSON.stringify(clean(JSON.parse(await bodyOf(request)))) : undefined
  const answer = await fetch(`${to}${request.url ?? '/'}`, {
    method: request.method ?? 'GET',
    headers: headers.map(([name, value]): [string, string] => [
      name,
      /^mcp-name$/i.test(name) ? (clean(value) as string) : value,
    ]),
    ...(body === undefined ? {} : { body }),
    signal: leave.signal,
  })
  for (const [name, value] of answer.headers) {
    if (!OWN.has(name) && !name.startsWith('access-control-')) response.setHeader(name, value)
  }
  response.writeHead(answer.status)
  response.flushHeaders()
  const isStream = /^text\/event-stream/.test(answer.headers.get('content-type') ?? '')
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of answer.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    if (!isStream) continue
    const end = rest.lastIndexOf('\n') + 1
    response.write(rest.slice(0, end).replace(/^data: (.+)$/gm, (_, data: string) => `data: ${planted(data)}`))
    rest = rest.slice(end)
  }
  response.end(isStream || rest === '' ? rest : planted(rest))
}

const planted = (text: string): string => {
  try {
    return JSON.stringify(plant(JSON.parse(text)))
  } catch {
    return text
  }
}
