/**
 * A server that responds with garbage (tests/servers/garbage-kinds.ts): the session continues, nothing is lost, nothing
 * hangs.
 */
import { describe, expect, inject, test } from 'vitest'
import { onlyWhatBrowsersChange } from '../../tests/in-page.ts'
import { patient } from '../../tests/patience.ts'
import { texts } from '../../tests/servers/garbage/texts.ts'
import { garbageKinds } from '../../tests/servers/garbage-kinds.ts'
import { exchanges, foldAll, Session, StreamableHttpTransport, Trace, TransportError, ProtocolError } from './index.ts'
import type { Frame, SessionOptions } from './index.ts'

const opened = async (query: string, options: Partial<SessionOptions> = {}) => {
  const trace = new Trace()
  const url = `${inject('garbageUrl')}/${crypto.randomUUID()}?${query}`
  const session = new Session({
    trace,
    link: 's1',
    transport: new StreamableHttpTransport({ url }),
    clientInfo: { name: 'test', version: '0' },
    autoListen: false,
    ...options,
  })
  await session.open()
  return { session, trace }
}

/** The outcome of a call; a call that never ends fails the test by its time limit. */
const settle = async (session: Session, method: string, idle = patient(20_000)): Promise<string> => {
  try {
    await session.request(method, { name: 't' }, { idle })
    return 'ok'
  } catch (error) {
    if (error instanceof ProtocolError) return 'error'
    if (error instanceof TransportError) return error.code
    throw error
  }
}

/** In a page, only malformed texts: browsers decode bytes themselves, but every message is then read by our code. */
const names = Object.keys(onlyWhatBrowsersChange ? texts : garbageKinds)

describe.each(['handshake', 'modern'] as const)('garbage in the %s era', (era) => {
  test(
    'no kind ends the session, throws past it, or leaves a call without an end',
    { timeout: patient(300_000) },
    async () => {
      expect(names.length).toBeGreaterThan(20)
      const oddEnds: string[] = []
      for (const name of names) {
        const { session, trace } = await opened(`kind=${name}&era=${era}&then=answer`)
        const ends = await Promise.all([settle(session, 'tools/list'), settle(session, 'tools/call')])
        if (session.state !== 'open') oddEnds.push(`${name}: the session is ${session.state}`)
        await session.close()
        if (foldAll(exchanges, trace).pending > 0) oddEnds.push(`${name}: calls are pending after the end`)
        if (ends.includes('timeout')) oddEnds.push(`${name}: ${ends.join()}`)
        for (const frame of trace) {
          const text = JSON.stringify(frame)
          if (JSON.stringify(JSON.parse(text)) !== text) oddEnds.push(`${name}: a frame is no JSON`)
        }
      }
      expect(oddEnds).toEqual([])
    },
  )
})

test(
  'whatever arrives is a frame with its text, or with the value that the text stands for',
  { timeout: patient(300_000) },
  async () => {
    for (const name of names) {
      const { session, trace } = await opened(`kind=${name}&era=handshake`)
      await settle(session, 'tools/call', 200)
      await session.close()
      const kept = (frame: Frame) =>
        frame.kind !== 'message' ||
        frame.raw !== undefined ||
        frame.message !== undefined ||
        frame.released !== undefined
      expect([...trace].every(kept), name).toBe(true)
    }
  },
)
