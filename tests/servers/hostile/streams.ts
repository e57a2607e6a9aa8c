/** Response streams to `tools/call` that are hard to read, never end, or end too soon. */
import type { ServerResponse } from 'node:http'
import { pause } from '../listening.ts'
import type { Behaviour } from './behaviours.ts'
import {
  beginEvents,
  event,
  logMessage,
  progress,
  result,
  write,
  type Exchange,
  type Fault,
  type Json,
  type Place,
} from './wire.ts'

/** ms for the client to read what was sent: a broken stream loses its unread data. */
const READING_TIME = 600

/** ms to wait for a client's responses, which may never come. */
const PATIENCE = 20_000

export const streamFaults: Partial<Record<Behaviour, Fault>> = {
  'one-byte-chunks': async (exchange) => {
    beginEvents(exchange)
    const { response, message } = exchange
    const first = event(progress(exchange, 1), undefined, '\r')
    const text = `\uFEFF: hello\r\r${first}${event(result(message.id), undefined, '\r\n')}`
    for (const byte of Buffer.from(text)) {
      response.write(Uint8Array.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  },
  'split-utf8': async (exchange) => {
    beginEvents(exchange)
    const bytes = Buffer.from(event(result(exchange.message.id, '🎈')))
    const inside = bytes.indexOf(Buffer.from('🎈')) + 2
    exchange.response.write(bytes.subarray(0, inside))
    await pause(20, exchange.response)
    exchange.response.end(bytes.subarray(inside))
  },
  'huge-line': async (exchange) => {
    beginEvents(exchange)
    // 100 bytes each.
    const text = `é${'x'.repeat(98)}`.repeat(200_000)
    await write(exchange.response, event(result(exchange.message.id, text)))
    exchange.response.end()
  },
  'no-headers': () => {},
  'no-first-event': (exchange) => beginEvents(exchange),
  'endless-stream': async (exchange) => {
    beginEvents(exchange)
    for (let batch = 0; batch < 1000; batch++) {
      const events = Array.from({ length: 100 }, (_, index) => event(progress(exchange, batch * 100 + index + 1)))
      if (!(await write(exchange.response, events.join('')))) return
      await pause(100, exchange.response)
    }
    exchange.response.end(event(result(exchange.message.id)))
  },
  'cut-no-ids': async (exchange) => {
    beginEvents(exchange)
    exchange.response.write(event(progress(exchange, 1)))
    await breakOff(exchange.response)
  },
  'progress-decreasing': (exchange) => {
    beginEvents(exchange)
    for (const value of [3, 2, 1]) exchange.response.write(event(progress(exchange, value)))
    exchange.response.end(event(result(exchange.message.id)))
  },
  'progress-flood': (exchange) => flood(exchange, 10_000, (index) => progress(exchange, index)),
  'burst-20000': (exchange) =>
    flood(exchange, 20_000, (index) =>
      logMessage({ index, text: 'a line of ordinary length, as servers write them' }, 'burst'),
    ),
  'server-request-in-stream': async (exchange) => {
    const { place, response } = exchange
    const settled = place.answers.length + 3
    beginEvents(exchange)
    for (const [index, method] of ['ping', 'roots/list', 'no/such/method'].entries())
      response.write(event({ jsonrpc: '2.0', id: `s${index}`, method }))
    // The responses arrive on separate POST requests.
    for (let waited = 0; waited < PATIENCE && place.answers.length < settled; waited += 5) await pause(5, response)
    response.end(event(result(exchange.message.id)))
  },
  'priming-empty': async (exchange) => {
    beginEvents(exchange)
    exchange.place.waiting = result(exchange.message.id)
    exchange.response.write('id: e-1\ndata: \n\n')
    await breakOff(exchange.response)
  },
  'retry-short': (exchange) => endAndAsk(exchange, 80),
  'retry-huge': (exchange) => endAndAsk(exchange, 2 ** 32),
}

/** The response that waits for a GET with the last event ID. */
export const resume = (place: Place, lastEventId: string, response: ServerResponse): void => {
  const { waiting } = place
  if (lastEventId !== 'e-1' || waiting === undefined)
    return void response.writeHead(400).end('Nothing waits behind this event id')
  beginEvents({ response })
  response.end(event(waiting, 'e-2'))
}

const breakOff = async (response: ServerResponse): Promise<void> => {
  await pause(READING_TIME, response)
  response.destroy()
}

const endAndAsk = (exchange: Exchange, retry: number): void => {
  beginEvents(exchange)
  exchange.place.waiting = result(exchange.message.id)
  exchange.response.end(`retry: ${retry}\nid: e-1\ndata: \n\n`)
}

/** As fast as the connection accepts them, in writes of about 64 kB. */
const flood = async ({ response, message }: Exchange, count: number, make: (index: number) => Json): Promise<void> => {
  beginEvents({ response })
  let burst = ''
  for (let index = 1; index <= count; index++) {
    burst += event(make(index))
    if (burst.length < 64_000 && index < count) continue
    if (!(await write(response, burst))) return
    burst = ''
  }
  response.end(event(result(message.id)))
}
