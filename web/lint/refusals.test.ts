/**
 * Servers that require a token: findings about how they reject requests without one, and none about correct servers.
 */
import { describe, expect, inject, test } from 'vitest'
import { inPage } from '../../tests/in-page.ts'
import { worldOf } from '../../tests/servers/hostile-oauth/control.ts'
import { kinds } from '../../tests/servers/hostile-oauth/kinds.ts'
import { issuerKinds } from '../../tests/servers/oauth/names.ts'
import { foldAll, Session, StreamableHttpTransport, Trace } from '../mcp/index.ts'
import { listed, rulesAndShapes } from './talk.case.ts'

const refusedBy = async (url: string): Promise<string[]> => {
  const trace = new Trace()
  const clientInfo = { name: 'test', version: '0' }
  const session = new Session({ trace, link: 's1', transport: new StreamableHttpTransport({ url }), clientInfo })
  await expect(session.open()).rejects.toThrow()
  return listed(foldAll(rulesAndShapes, trace)).map(({ rule, keyword }) => `${rule} ${keyword}`)
}

/** A page can read less, because these servers are on another origin. */
const hidden = inPage ? ['BR-03 MAY'] : []
/** Each is wrong in one way; all other kinds here are readable, or are judged by the steps of a sign-in. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  'challenge-page': inPage ? ['BR-03 MAY'] : ['AU-GEN-05 MUST'],
  'challenge-page-nothing': inPage ? ['BR-03 MAY'] : ['AU-GEN-05 MUST'],
  'challenge-hidden': hidden,
  'challenge-403': ['AU-GEN-05 MUST'],
  'challenge-empty': ['AU-GEN-05 MUST'],
  'challenge-commas': ['AU-GEN-05 MUST'],
  'challenge-no-scheme': ['AU-GEN-05 MUST'],
  'challenge-open-escape': ['RFC 6750 section 3.1 SHOULD'],
  // RFC 6750 section 3: an error_description contains neither quotes nor letters outside ASCII. Section 3.1: a request
  // without a token gets none.
  'challenge-escaped-quotes': ['RFC 6750 section 3 MUST', 'RFC 6750 section 3.1 SHOULD'],
  'challenge-latin1': ['RFC 6750 section 3 MUST', 'RFC 6750 section 3.1 SHOULD'],
  // Clients understand it, but RFC 6750 section 3 requires a parameter.
  'good-bare-challenge': ['RFC 6750 section 3 MUST'],
  'challenge-no-value': ['AU-PRM-02 MUST'],
  'challenge-single-quotes': ['AU-PRM-02 MUST'],
  'challenge-file': ['AU-PRM-02 MUST'],
  'challenge-javascript': ['AU-PRM-02 MUST'],
  'challenge-data': ['AU-PRM-02 MUST'],
  'challenge-relative': ['AU-PRM-02 MUST'],
}
/** These don't reject, or not within a test's time. */
const OTHERS = new Set(['challenge-200-error', 'challenge-login-page', 'challenge-dies', 'challenge-endless'])

const refusing = Object.entries(kinds).flatMap(([name, { slow, root }]) =>
  (name.startsWith('challenge-') || name.startsWith('good')) && !slow && !root && !OTHERS.has(name) ? [name] : [],
)

describe('a server that wants a token', () => {
  test.each(refusing)('%s', async (kind) => {
    const { mcp } = await worldOf(inject('hostileOauthUrl'), kind, 'lint')
    expect(await refusedBy(mcp)).toEqual(WRONG[kind] ?? [])
  })

  test('nothing is said that names no kind', () => {
    for (const name of Object.keys(WRONG)) expect(refusing).toContain(name)
  })

  test.each(Object.keys(issuerKinds))('nothing is said of a real one, as-%s', async (kind) => {
    expect(await refusedBy(`${inject('oauthUrl')}/v1/as-${kind}/lint`)).toEqual([])
  })
})
