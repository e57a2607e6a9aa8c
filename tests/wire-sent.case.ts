/** Everything a client sent during a session: only what its protocol version defines. */
import { expect, test } from 'vitest'
import {
  eraOf,
  isObject,
  judge,
  type Frame,
  type JsonObject,
  type MessageFrame,
  type Revision,
  type Trace,
} from '../web/mcp/index.ts'

/** The prefix of the `_meta` keys that the protocol defines. */
export const PREFIX = 'io.modelcontextprotocol/'

export const isMessage = (frame: Frame): frame is MessageFrame => frame.kind === 'message'

export const messages = (frames: Iterable<Frame>, direction: 'sent' | 'received'): JsonObject[] =>
  [...frames]
    .filter(isMessage)
    .filter((frame) => frame.direction === direction)
    .flatMap(({ message }) => (isObject(message) ? [message] : []))

/** Registers tests that read a complete trace. */
export const sentCase = (revision: Revision, trace: Trace): void => {
  const stateless = eraOf(revision) === 'stateless'
  const sent = () => [...trace].filter(isMessage).filter(({ direction, byHand }) => direction === 'sent' && !byHand)
  const partsSent = () =>
    sent().flatMap(({ message }) => (Array.isArray(message) ? message : [message])) as readonly JsonObject[]

  test('BP-01, BP-02, BP-03, BP-10, TR-STDIO-04: all that was sent, but by hand, are messages, each on one line', () => {
    expect(sent().length).toBeGreaterThan(70)
    for (const { raw = '' } of sent()) expect(raw).not.toContain('\n')
    for (const part of partsSent()) {
      const { type, findings } = judge(part)
      expect(findings).toEqual([])
      if (type === 'notification') expect(Object.keys(part)).not.toContain('id')
    }
    // A client has nothing else to notify about, least of all progress (UT-PROG-08).
    const told = partsSent().filter((part) => judge(part).type === 'notification')
    const notices = ['notifications/initialized', 'notifications/cancelled']
    for (const { method } of told) expect(notices).toContain(method)
  })

  test('BP-04, BP-05: no id was used twice', () => {
    const ids = partsSent().flatMap((part) => (judge(part).type === 'request' ? [part.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('BP-11, BP-13: each question of the server got one answer, and nothing else did', () => {
    const questions = messages(trace, 'received').filter((message) => judge(message).type === 'request')
    const answers = partsSent().filter((part) => ['result', 'error'].includes(judge(part).type))
    expect(answers.map(({ id }) => id)).toEqual(questions.map(({ id }) => id))
    if (stateless) expect(answers).toEqual([])
  })

  test('META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision', () => {
    const reserved = ['protocolVersion', 'clientInfo', 'clientCapabilities'].map((key) => PREFIX + key)
    const begun = sent().findIndex(({ message }) => isObject(message) && message.method === 'initialize')
    for (const frame of sent().slice(Math.max(begun, 0))) {
      for (const { id, method, params } of (Array.isArray(frame.message)
        ? frame.message
        : [frame.message]) as JsonObject[]) {
        const keys = isObject(params) && isObject(params._meta) ? Object.keys(params._meta) : []
        const own = keys.filter((key) => key !== 'progressToken')
        // No keys of our own, and only those that the protocol version defines: no stateless keys after a handshake.
        if (!stateless) expect(own).toEqual([])
        else if (id !== undefined) expect(own.sort()).toEqual([...reserved].sort())
        const request = frame.carrier === undefined ? undefined : trace.at(frame.carrier)
        if (request?.kind !== 'http' || request.phase !== 'request' || Array.isArray(frame.message)) continue
        const headers = Object.fromEntries(request.headers)
        // MRTR-13: set again on every round.
        expect(headers['mcp-method']).toBe(stateless ? method : undefined)
        const name = isObject(params) ? (params.name ?? params.uri) : undefined
        if (method === 'tools/call' || method === 'resources/read')
          expect(headers['mcp-name']).toBe(stateless ? name : undefined)
        if (stateless) expect(headers['mcp-protocol-version']).toBe(revision)
      }
    }
  })
}
