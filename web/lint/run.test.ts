import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { foldAll, nextTask, REVISIONS, Trace, type FrameDraft, type Json } from '../mcp/index.ts'
import { definitions, METHODS } from '../mcp/schema/schema.ts'
import { Following, lint } from './shared.ts'
import { levelsOf } from './requirements.ts'
import { group, tallyKey } from './rule.ts'
import { type Findings, groups, MOST_KEPT } from './run.ts'
import { cites, judged, levels, listed, requirements, rulesAlone, rulesAndShapes, Talk } from './talk.case.ts'
import { titleOf } from './text/titles.case.ts'

const rows = new Map(requirements.map((row) => [row.id, row]))

/** The comparable part of a state: everything but the fold's internals. */
const plain = ({ bySeq, counts, byLink, byRule }: Findings) => ({
  bySeq: [...bySeq],
  counts: { ...counts },
  byLink: [...byLink],
  byRule: [...byRule],
})

/** The ids in definitions: each `rule` is an id, or ids separated by protocol versions. */
const citedIn = (nodes: readonly unknown[]): ReadonlySet<string> => {
  const [ids, seen, left] = [new Set<string>(), new Set<unknown>(), [...nodes]]
  while (left.length > 0) {
    const node = left.pop()
    if (typeof node !== 'object' || node === null || seen.has(node)) continue
    seen.add(node)
    if ('rule' in node && typeof node.rule === 'string')
      for (const part of node.rule.split(' ')) if (!/^\d/.test(part)) ids.add(part)
    left.push(...Object.values(node))
  }
  return ids
}

const word = fc.constantFrom<Json>(
  1, 2, '1', null, 'x', {}, [], 'tools/list', 'initialize', 'notifications/progress', 'notifications/message', '2025-11-25',
  '2026-07-28', 'input_required', 'complete', true, -32022, 'subscriptions/listen',
) // prettier-ignore
const deep = fc.dictionary(
  fc.constantFrom('_meta', 'progressToken', 'progress', 'tools', 'name', 'capabilities', 'protocolVersion', 'resultType', 'task', 'notifications', 'requestId', 'io.modelcontextprotocol/protocolVersion'),
  fc.oneof(word, fc.dictionary(fc.constantFrom('progressToken', 'taskId', 'x/-y'), word, { maxKeys: 2 })),
  { maxKeys: 4 },
) // prettier-ignore
const message: fc.Arbitrary<Json> = fc.record(
  {
    jsonrpc: fc.constant('2.0'),
    id: word,
    method: fc.constantFrom('initialize', 'tools/list', 'tools/call', 'server/discover', 'ping', 'notifications/progress', 'notifications/initialized', 'notifications/cancelled', 'subscriptions/listen'),
    params: deep,
    result: deep,
    error: fc.record({ code: fc.constantFrom(-32601, -32022, -32042, 5), message: fc.constant('x') }),
  },
  { requiredKeys: [] },
) // prettier-ignore
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('sent', 'received'), message: fc.oneof(message, fc.array(message, { maxLength: 3 }), word) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('post', 'get'), message, status: fc.constantFrom(200, 202, 404), type: fc.constantFrom('application/json', 'text/event-stream', '') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('open', 'openModern', 'renewing', 'closed', 'noise', 'endpoint', 'signIn', 'refused') }) },
) // prettier-ignore

const play = (acts: readonly { do: string; message?: Json; status?: number; type?: string }[]): Talk => {
  const talk = new Talk()
  for (const { do: what, message: body = {}, status = 200, type = '' } of acts) {
    if (what === 'sent') talk.sent(body)
    else if (what === 'received') talk.received(body)
    else if (what === 'post') {
      const post = talk.post(body)
      post.head(status, type)
      post.says(body)
      post.end(3)
    } else if (what === 'get') talk.head(talk.http('GET', 'listen'), status, type)
    else if (what === 'open') talk.open('2025-11-25')
    else if (what === 'openModern') talk.open('2026-07-28')
    else if (what === 'renewing') talk.add({ kind: 'session', phase: 'renewing', why: 'x' })
    else if (what === 'closed') talk.add({ kind: 'session', phase: 'closed', why: 'x' })
    else if (what === 'refused') {
      const headers = [['www-authenticate', 'Bearer scope="offline_access", error="invalid_token"']] as const
      talk.head(talk.http('POST', 'message', { url: 'http://h/mcp?access_token=x' }), 403, '', headers)
    } else if (what === 'signIn') {
      talk.flow('2026-07-28')
      const { begun } = talk.step('resource-metadata', 'http://h/prm', '{"scopes_supported":["offline_access"]}')
      talk.done(begun, 'resource-metadata', {}, [{ rule: 'AU-PRM-05', keyword: 'MUST', explanation: 'x' }])
    } else if (what === 'noise') talk.add({ kind: 'process', event: 'stdout-noise', text: '{' })
    else talk.add({ kind: 'stream', event: 'data', request: 0, name: 'endpoint', data: '/m', size: 2 })
  }
  return talk
}

const noRules = () => Promise.resolve([])

describe('the fold', () => {
  test('a prefix and then the rest give the same as all, whatever is in the trace, and nothing throws', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), fc.nat(60), (acts, cut) => {
        const frames = [...play(acts).trace]
        for (const fold of [rulesAlone, rulesAndShapes]) {
          const whole = foldAll(fold, frames)
          const prefix = foldAll(fold, frames.slice(0, cut))
          expect(plain(foldAll(fold, frames.slice(cut), prefix))).toEqual(plain(whole))
          expect(whole.counts.MUST + whole.counts.SHOULD + whole.counts.MAY).toBeGreaterThanOrEqual(
            listed(whole).length,
          )
        }
      }),
    )
  })

  test('nothing is said by a rule that the revision in force does not have, and the keyword is that revision’s', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        for (const { rule, keyword, revision } of listed(judged(play(acts)))) {
          expect(rows.has(rule), rule).toBe(true)
          if (revision !== undefined) expect(levels(rule, revision), `${rule} in ${revision}`).toBe(keyword)
        }
      }),
    )
  })

  test('connections are judged apart', () => {
    const one = new Talk('s1').shakeHands('2025-11-25')
    const two = new Talk('s2', one.trace).shakeHands('2025-03-26')
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }
    one.received([note])
    two.received([note])
    expect(listed(judged(one))).toMatchObject([{ rule: 'BP-25', link: 's1' }])
  })

  test('a connection that is made again begins anew', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.received({ jsonrpc: '2.0', id: 'q', method: 'ping' })
    talk.add({ kind: 'session', phase: 'closed', why: 'x' })
    // A late response from the old one proves nothing.
    talk.answer(4711, {})
    talk.add({ kind: 'session', phase: 'opening', step: 'waiting-for-headers', limit: 1 })
    talk.shakeHands('2025-11-25')
    talk.received({ jsonrpc: '2.0', id: 'q', method: 'ping' })
    expect(cites(talk)).toEqual([])
  })

  test('messages whose bodies were let go prove nothing, neither by themselves nor by being absent', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.add({
      kind: 'message',
      direction: 'sent',
      type: 'request',
      size: 9,
      released: { id: 7, method: 'tools/list' },
    })
    talk.answer(7, { tools: [] })
    talk.tells('notifications/progress', { progressToken: 7, progress: 1 })
    expect(cites(talk)).toEqual([])
  })

  test('what is sent by hand is not judged, and its answer is', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.sent([{ jsonrpc: '2.0', id: 'h', method: 'nonsense' }], { byHand: true })
    expect(cites(talk)).toEqual([])
    talk.answer('h', {})
    talk.answer('h', {})
    expect(cites(talk)).toEqual(['BP-06 MUST'])
  })

  test('a rule that is broken again and again is counted in full and kept in part', () => {
    const talk = new Talk().shakeHands('2025-11-25')
    talk.ask('tools/call', { name: 't', _meta: { progressToken: 1 } })
    for (let index = 0; index < 10_000; index++) talk.tells('notifications/progress', { progressToken: 1, progress: 1 })
    const found = judged(talk)
    expect(found.byRule.get(tallyKey('s1', 'UT-PROG-02'))).toMatchObject({ count: 9_999, kept: MOST_KEPT })
    expect(listed(found).filter(({ rule }) => rule === 'UT-PROG-02')).toHaveLength(MOST_KEPT)
    expect(found.byLink.get('s1')?.MUST).toBe(9_999)
  })

  test('shapes are told where no rule said it already, notes as MAY', () => {
    const talk = new Talk().shakeHands('2025-03-26')
    const tool = { name: 't', inputSchema: { type: 'object' }, title: 'T' }
    talk.answer(talk.ask('tools/list'), { tools: [tool, { name: 7, inputSchema: { type: 'object' } }] })
    expect(cites(talk)).toEqual([])
    const found = listed(judged(talk, rulesAndShapes)).filter(({ pointer }) => pointer?.startsWith('/result/tools'))
    expect(found.map(({ rule, keyword, pointer }) => [rule, keyword, pointer])).toEqual([
      ['SF-TOOL-02', 'MUST', '/result/tools/1/name'],
      ['LC-09', 'MAY', '/result/tools/0/title'],
    ])
  })
})

describe('rules', () => {
  test('every id that a rule may cite is in the list, applies somewhere, and has a title in both languages', () => {
    const ids = new Set(groups.flatMap((each) => each.rules))
    expect(ids.size).toBeGreaterThan(80)
    for (const id of ids) {
      expect(rows.has(id), id).toBe(true)
      expect(
        REVISIONS.some((revision) => levels(id, revision) !== undefined),
        id,
      ).toBe(true)
      for (const language of ['en', 'zh-CN'] as const) expect(titleOf(language, id), `${id} ${language}`).toMatch(/\S/)
    }
  })

  test('every id that the shape of a message may cite has a title in both languages', () => {
    const ids = citedIn([METHODS, definitions])
    expect(ids.size).toBeGreaterThan(40)
    const untitled = [...ids].filter((id) => !titleOf('en', id) || !titleOf('zh-CN', id))
    expect(untitled).toEqual([])
  })

  test('no title is for a rule that does not exist', () => {
    const isSection = (id: string) => /^(RFC \d+|OpenID Connect \w+) (section|appendix) [A-Z]?[\d.]+$/.test(id)
    for (const id of titleOf.ids) expect(rows.has(id) || isSection(id), id).toBe(true)
  })

  test('a level is that of the revision; without one, of the rules that all have, the mildest', () => {
    expect(levels('LC-09', '2025-03-26')).toBe('SHOULD')
    expect(levels('LC-09', '2025-06-18')).toBe('MUST')
    expect(levels('LC-09', '2026-07-28')).toBeUndefined()
    expect(levels('BP-35', undefined)).toBe('SHOULD')
    expect(levels('BP-25', undefined)).toBeUndefined()
    expect(levels('BP-25', '2024-11-05')).toBe('MUST')
    expect(levels('NO-99', '2025-11-25')).toBeUndefined()
    expect(levelsOf([])('BP-01', '2025-11-25')).toBeUndefined()
  })

  test('a group cites what it names alone', () => {
    group(['BP-01'], () => ({
      process: (_, say) => {
        // @ts-expect-error BP-02 is not among the ids of the group
        say('BP-02', 'x')
      },
    }))
  })
})

const ping = (id: number): FrameDraft => ({
  kind: 'message',
  link: 's1',
  direction: 'received',
  type: 'request',
  message: { jsonrpc: '2.0', id, method: 'ping' },
  size: 40,
})

describe('following a trace', () => {
  test('what comes in slices is what comes at once, and nobody who appends waits for it', async () => {
    const trace = new Trace()
    for (let id = 0; id < 2_000; id++) trace.append(ping(id % 7))
    const following = new Following(trace, rulesAlone)
    expect(following.reached).toBe(0)
    let told = 0
    following.subscribe(() => told++)
    for (let id = 0; id < 2_000; id++) trace.append(ping(id % 7))
    await following.settled()
    expect(following.reached).toBe(4_000)
    expect(told).toBeGreaterThan(0)
    expect(plain(following.current)).toEqual(plain(foldAll(rulesAlone, trace)))
    trace.append(ping(1))
    await following.settled()
    expect(following.reached).toBe(4_001)
    following.close()
    trace.append(ping(1))
    await nextTask()
    await following.settled()
    expect(following.reached).toBe(4_001)
  })

  test('a long trace is caught up with in tasks that leave the thread free', { timeout: patient(60_000) }, async () => {
    const trace = new Trace()
    for (let id = 0; id < 50_000; id++) trace.append(ping(id))
    const following = new Following(trace, rulesAndShapes)
    let done = false
    void following.settled().then(() => (done = true))
    let turns = 0
    while (!done) {
      await nextTask()
      turns++
    }
    expect(following.reached).toBe(50_000)
    // A single task would be one turn, however fast the machine. tests/bench measures the time of a task.
    expect(turns).toBeGreaterThan(1)
    following.close()
  })

  test('nothing is loaded and judged before a connection settles, and then all of it', async () => {
    const talk = new Talk()
    const loading = lint(talk.trace, noRules)
    let loaded = false
    void loading.then(() => (loaded = true))
    talk.received({ id: 'x', method: 'ping' })
    for (let turn = 0; turn < 20; turn++) await nextTask()
    expect(loaded).toBe(false)
    talk.add({ kind: 'session', phase: 'failed', code: 'x', explanation: 'x' })
    const following = await loading
    await following.settled()
    expect(following.current.bySeq.get(0)?.map(({ rule }) => rule)).toEqual(['BP-01'])
    following.close()
  })

  test('a step of a sign-in is something to be judged, too', async () => {
    const talk = new Talk()
    const loading = lint(talk.trace, noRules)
    talk.flow('2026-07-28')
    const findings = [{ rule: 'AU-ASM-06', keyword: 'MUST', explanation: 'another issuer' }] as const
    const seq = talk.done(talk.auth({ event: 'step', step: 'server-metadata' }), 'server-metadata', {}, findings)
    const following = await loading
    await following.settled()
    expect(following.current.bySeq.get(seq)?.map(({ rule }) => rule)).toEqual(['AU-ASM-06'])
    following.close()
  })

  test('whoever leaves before anything settles is not kept waiting', async () => {
    const leaving = new AbortController()
    const loading = lint(new Trace(), noRules, leaving.signal)
    leaving.abort(new Error('left'))
    await expect(loading).rejects.toThrow('left')
  })
})
