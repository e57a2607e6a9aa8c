/** How the server refuses whoever is not signed in (RFC 6750 section 3, RFC 9110 section 11.6.1). */
import { bearerChallenge } from '../challenges.ts'
import type { Refused } from '../known.ts'
import type { Port, Step } from '../port.ts'

/** Changes nothing at any server: those that need no sign-in answer, or say that they do not know the sender. */
const HARMLESS = JSON.stringify({ jsonrpc: '2.0', id: 'sign-in', method: 'ping' })

/** @param refusal an answer of the server, as a page may see it */
export const refusedBy = (status: number, header: string | null, crossOrigin: boolean): Refused => {
  const challenge = bearerChallenge(header)
  return {
    status,
    ...(header === null ? {} : { header: header.slice(0, 4000) }),
    ...(challenge ? { challenge } : {}),
    ...(header === null && crossOrigin ? { hidden: true } : {}),
  }
}

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
    if (!answer.answered) {
      // The sign-in itself may still be possible: metadata stands at addresses of its own.
      await port.stop(answer.fault, ['go-on'])
      return {}
    }
    const found = refusedBy(answer.status, answer.headers.get('www-authenticate'), !answer.relayed)
    if (answer.status === 401) {
      describe(found, (check) => port.check(check))
      return { refused: found }
    }
    port.check({ rule: 'AU-GEN-06', keyword: 'MUST', say: 'not-challenged', values: { status: answer.status } })
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
