/**
 * The 401 challenge: how the server rejects a request without a token (RFC 6750 section 3, RFC 9110 section 11.6.1).
 */
import { refusedBy, type Refused } from '../../../mcp/index.ts'
import type { Port, Step } from '../../wire/index.ts'

/** Has no side effects on any server: those that require no sign-in respond, or say that they don't know the sender. */
const HARMLESS = JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' })

export const challenge: Step = {
  id: 'challenge',
  rules: ['AU-GEN-05', 'AU-GEN-06', 'AU-PRM-02', 'RFC 6750'],
  async run({ server, refused }, port) {
    if (refused) {
      describe(refused, (check) => port.check(check))
      return { refused }
    }
    const answer = await port.send({
      method: 'POST',
      url: server,
      headers: [
        ['content-type', 'application/json'],
        ['accept', 'application/json, text/event-stream'],
      ],
      body: HARMLESS,
    })
    // Whatever happens to its body, only the head matters here.
    const head = answer.answered ? answer : answer.head
    if (head?.status === 401) {
      const found = refusedBy(head.status, head.headers.get('www-authenticate'), !head.relayed)
      describe(found, (check) => port.check(check))
      return { refused: found }
    }
    // Nothing secret was sent, so a redirect is harmless: to a login page, or to the same URL with a slash.
    if (answer.answered || answer.fault.code === 'redirected') {
      port.check({
        rule: 'AU-GEN-05',
        keyword: 'MUST',
        say: 'not-challenged',
        values: { status: head?.status ?? '3xx' },
      })
      return {}
    }
    // The sign-in may still be possible, because metadata has its own URLs.
    await port.stop(answer.fault, ['go-on'])
    return {}
  },
}

const describe = (refused: Refused, check: Port['check']): void => {
  const { status, header, challenge: found, hidden } = refused
  if (header === undefined) {
    check({
      rule: 'RFC 9110 section 11.6.1',
      keyword: 'MUST',
      ...(hidden ? {} : { ok: false }),
      say: hidden ? 'challenge-hidden' : 'challenge-missing',
      values: { status },
    })
    return
  }
  const malformed = found?.all.flatMap(({ malformed: what }) => (what === undefined ? [] : [what])) ?? []
  check({
    rule: 'AU-PRM-02',
    keyword: 'MUST',
    ok: found !== undefined && malformed.length === 0,
    say: found ? (malformed.length > 0 ? 'challenge-malformed' : 'challenge-read') : 'challenge-not-bearer',
    values: {
      header: header.slice(0, 500),
      ...(malformed.length > 0 ? { malformed: malformed.join('; ').slice(0, 300) } : {}),
    },
  })
}
