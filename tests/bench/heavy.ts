/** The heavy server over Streamable HTTP: `/json` answers with bodies, `/sse` with event streams. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { allowPages, bodyOf, listen, type Peer } from '../servers/listening.ts'
import { heavyAnswer } from './heavy-answers.ts'

export const startHeavy = (): Promise<Peer> => {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (allowPages(request, response)) return
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const answer = heavyAnswer(JSON.parse(await bodyOf(request)) as Parameters<typeof heavyAnswer>[0])
    if (answer === undefined) return void response.writeHead(202).end()
    const events = request.url === '/sse'
    response.writeHead(200, { 'content-type': events ? 'text/event-stream' : 'application/json' })
    response.end(events ? `event: message\ndata: ${answer}\n\n` : answer)
  }
  return listen(createServer((request, response) => void handle(request, response)))
}
