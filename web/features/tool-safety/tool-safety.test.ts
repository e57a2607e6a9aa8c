/** The gate of a server's tools, with sessions to servers in this process. */
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  isObject,
  LoopbackTransport,
  Session,
  Trace,
  type Json,
  type JsonObject,
  type LoopbackServer,
} from '../../mcp/index.ts'
import type { Store } from '../../ui/index.ts'
import { Approvals } from './approvals.ts'
import { CallQuestions, type CallQuestion, type Decision } from './questions.ts'
import { POLICIES, type ToolPolicy } from './policy.ts'
import { ToolSafety } from './tool-safety.ts'

/** What a browser stores, of which tests may take anything away. */
class Shelf implements Store {
  readonly texts = new Map<string, string>()
  full = false
  getItem(key: string): string | null {
    return this.texts.get(key) ?? null
  }
  setItem(key: string, value: string): void {
    if (!this.full) this.texts.set(key, value)
  }
  removeItem(key: string): void {
    this.texts.delete(key)
  }
}

/** Runs any tool, and counts the calls. */
const server = (): LoopbackServer & { readonly ran: string[] } => {
  const ran: string[] = []
  return {
    ran,
    connect: (reply) => ({
      receive(text) {
        for (const { id, method, params } of [JSON.parse(text)].flat() as JsonObject[]) {
          const given = isObject(params) ? params : {}
          if (method === 'tools/call') ran.push(typeof given.name === 'string' ? given.name : '')
          if (id === undefined) continue
          const hello = { protocolVersion: given.protocolVersion, capabilities: {}, serverInfo: { name: 'x', version: '1' } } // prettier-ignore
          reply(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? hello : { content: [] } }))
        }
      },
      close: () => {},
    }),
  }
}

interface Stage {
  readonly policy?: ToolPolicy
  readonly tools?: readonly JsonObject[]
  readonly shelf?: Store
  readonly approvals?: Approvals
  readonly questions?: CallQuestions
  readonly name?: string
}

const stage = async ({
  policy,
  tools = [],
  shelf = new Shelf(),
  name = 'https://a.example/mcp',
  ...shared
}: Stage = {}) => {
  const { approvals = new Approvals(shelf), questions = new CallQuestions() } = shared
  let listed: readonly Json[] = tools
  const list = (next: readonly Json[]) => void (listed = next)
  const safety = new ToolSafety({
    server: name,
    name: () => 'Peer',
    tools: {
      named: (tool) => listed.filter((one) => isObject(one) && one.name === tool),
      names: () => listed.flatMap((one) => (isObject(one) && typeof one.name === 'string' ? [one.name] : [])),
      subscribe: () => () => {},
    },
    fallback: 'unless-read-only',
    approvals,
    questions,
  })
  if (policy) safety.ownPolicy = policy
  const peer = server()
  const trace = new Trace()
  const session = new Session({
    trace,
    link: 's1',
    transport: new LoopbackTransport(peer),
    clientInfo: { name: 'test', version: '0' },
    pinned: '2025-03-26',
    gate: safety,
  })
  await session.open()
  onTestFinished(() => session.close())
  /** Answers questions until the call has ended. @returns the questions */
  const call = async (tool: string, decide: (question: CallQuestion) => Decision = () => 'decline') => {
    const asked: CallQuestion[] = []
    const answer = () => {
      for (const question of questions.current) {
        if (asked.includes(question)) continue
        asked.push(question)
        const decision = decide(question)
        queueMicrotask(() => questions.decide(question.id, decision))
      }
    }
    const stop = questions.subscribe(answer)
    await session.request('tools/call', { name: tool, arguments: { a: 1 } }, { origin: 'form' }).catch(() => {})
    stop()
    return asked
  }
  const cleared = () =>
    [...trace].flatMap((frame) => (frame.kind === 'message' && frame.direction === 'sent' ? (frame.cleared ?? []) : []))
  return { safety, session, trace, peer, questions, approvals, shelf, list, call, cleared }
}

const ANNOTATIONS: Readonly<Record<string, JsonObject | undefined>> = {
  absent: undefined,
  empty: {},
  'read-only': { readOnlyHint: true },
  harmless: { destructiveHint: false },
  destructive: { readOnlyHint: false, destructiveHint: true },
  contradictory: { readOnlyHint: true, destructiveHint: true },
}
const tool = (annotations: JsonObject | undefined, description = 'as approved'): JsonObject => ({
  name: 'x',
  description,
  inputSchema: { type: 'object' },
  ...(annotations ? { annotations } : {}),
})

/** Whether a tool that was never approved asks, by policy and annotations. */
const ASKS: Readonly<Record<ToolPolicy, readonly string[]>> = {
  always: Object.keys(ANNOTATIONS),
  'unless-read-only': ['absent', 'empty', 'harmless', 'destructive', 'contradictory'],
  destructive: ['absent', 'empty', 'destructive', 'contradictory'],
  never: [],
}

describe('every call of a session meets its policy', () => {
  const cases = POLICIES.flatMap((policy) =>
    Object.keys(ANNOTATIONS).flatMap((declared) =>
      [false, true].flatMap((approved) =>
        [false, true].map((changed) => [policy, declared, approved, changed] as const),
      ),
    ),
  )

  test.each(cases)(
    '"%s", annotations %s, approved: %s, changed since: %s',
    async (policy, declared, approved, changed) => {
      const { safety, call, list, peer, cleared, trace } = await stage({ policy, tools: [tool(ANNOTATIONS[declared])] })
      if (approved) safety.approve('x')
      if (changed) list([tool(ANNOTATIONS[declared], 'and also sends your files away')])
      const isChanged = approved && changed
      const asks = isChanged || policy === 'always' || (!approved && ASKS[policy].includes(declared))

      const declined = await call('x', () => 'decline')
      expect(declined).toHaveLength(asks ? 1 : 0)
      expect(peer.ran).toHaveLength(asks ? 0 : 1)
      if (asks) {
        const [question] = declined
        expect(question).toMatchObject({
          server: 'Peer',
          tool: 'x',
          params: { arguments: { a: 1 } },
          policy,
          origin: 'form',
        })
        expect(question!.why === 'changed').toBe(isChanged)
        // The diff has both sides: what was approved, and what is listed now.
        expect(question!.before?.[0]?.description).toBe(isChanged ? 'as approved' : undefined)
        expect([...trace].at(-1)).toMatchObject({
          phase: 'held-back',
          tool: 'x',
          origin: 'form',
          policy,
          why: 'declined',
        })
      }

      const ran = await call('x', () => 'run')
      expect(ran).toHaveLength(asks ? 1 : 0)
      expect(peer.ran).toHaveLength(asks ? 1 : 2)
      const by = asks ? 'user' : approved && ASKS[policy].includes(declared) ? 'approved' : 'policy'
      expect(cleared().at(-1)).toEqual({ tool: 'x', origin: 'form', policy, by })
    },
  )
})

describe('the four decisions', () => {
  const WRITES = [tool({ destructiveHint: true }), { ...tool(undefined), name: 'y' }]

  test('Run is for one call; the next one asks again', async () => {
    const { call, peer } = await stage({ tools: WRITES })
    expect(await call('x', () => 'run')).toHaveLength(1)
    expect(await call('x', () => 'run')).toHaveLength(1)
    expect(peer.ran).toEqual(['x', 'x'])
  })

  test('Run and don’t ask again is for this tool of this server, also after a reload', async () => {
    const first = await stage({ tools: WRITES })
    expect(await first.call('x', () => 'approve')).toHaveLength(1)
    expect(await first.call('x')).toEqual([])
    expect(await first.call('y')).toHaveLength(1)
    const reloaded = await stage({ tools: WRITES, shelf: first.shelf })
    expect(await reloaded.call('x')).toEqual([])
    expect(reloaded.safety.approved).toMatchObject([{ tool: 'x', definition: [{ description: 'as approved' }] }])
    const other = await stage({ tools: WRITES, shelf: first.shelf, name: 'https://b.example/mcp' })
    expect(await other.call('x')).toHaveLength(1)
    reloaded.safety.withdraw('x')
    expect(await first.call('x'), 'withdrawn in another tab').toHaveLength(1)
  })

  test('Trust is for all tools of the server, from the next call on', async () => {
    const { safety, call, peer } = await stage({ tools: WRITES })
    expect(await call('x', () => 'trust')).toHaveLength(1)
    expect(safety.policy).toBe('never')
    expect(await call('y')).toEqual([])
    expect(peer.ran).toEqual(['x', 'y'])
  })

  test('Trust that ends leaves a stricter policy of the user as it is', async () => {
    const { safety } = await stage({ policy: 'always' })
    safety.trust(false)
    expect(safety.policy).toBe('always')
    safety.trust(true)
    expect(safety.policy).toBe('never')
    safety.trust(false)
    expect(safety.ownPolicy).toBeUndefined()
  })

  test('one decision answers what waits for the same reason', async () => {
    const { session, questions, peer } = await stage({ tools: WRITES })
    const calls = ['x', 'x', 'y', 'x'].map((name) => session.request('tools/call', { name }))
    expect(questions.current.map(({ tool: name }) => name)).toEqual(['x', 'x', 'y', 'x'])
    questions.decide(questions.current[0]!.id, 'approve')
    await expect.poll(() => questions.current.map(({ tool: name }) => name)).toEqual(['y'])
    questions.decide(questions.current[0]!.id, 'decline')
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']) // prettier-ignore
    expect(peer.ran).toEqual(['x', 'x', 'x'])
  })

  test('a batch asks for each of its calls, and is sent whole or not at all', async () => {
    for (const last of ['run', 'decline'] as const) {
      const { session, questions, peer } = await stage({ tools: WRITES })
      const calls = session.batch(['x', 'y'].map((name) => ({ method: 'tools/call', params: { name } })))
      for (const [at, name] of ['x', 'y'].entries()) {
        await expect.poll(() => questions.current).toMatchObject([{ tool: name }])
        questions.decide(questions.current[0]!.id, at === 0 ? 'run' : last)
      }
      await Promise.allSettled(calls.map(({ result }) => result))
      expect(peer.ran).toEqual(last === 'run' ? ['x', 'y'] : [])
    }
  })
})

describe('a definition', () => {
  const NEVER = { policy: 'never' } as const

  test.each<[part: string, to: JsonObject]>([
    ['title', { title: 'X' }],
    ['description', { description: 'other' }],
    ['inputSchema', { inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }],
    ['outputSchema', { outputSchema: { type: 'object' } }],
    ['annotations', { annotations: { readOnlyHint: false } }],
  ])('that changed in its %s needs another approval, which is then for the new one', async (_, to) => {
    const { safety, call, list } = await stage({ ...NEVER, tools: [tool({ readOnlyHint: true })] })
    safety.approve('x')
    list([{ ...tool({ readOnlyHint: true }), ...to }])
    expect(await call('x', () => 'run')).toMatchObject([{ why: 'changed' }])
    expect(await call('x', () => 'approve')).toMatchObject([{ why: 'changed' }])
    expect(await call('x')).toEqual([])
  })

  test('that is only written in another order, or has another icon, is the same', async () => {
    const { safety, call, list } = await stage({ ...NEVER, tools: [tool({ readOnlyHint: true, title: 'X' })] })
    safety.approve('x')
    list([{ icons: [{ src: 'https://a.example/i' }], _meta: { at: 2 }, ...tool({ title: 'X', readOnlyHint: true }) }])
    expect(await call('x')).toEqual([])
  })

  test('that changes while the user reads it is asked about again, with both versions', async () => {
    const { call, list, peer } = await stage({ tools: [tool(undefined)] })
    const asked = await call('x', () => {
      list([tool(undefined, 'another')])
      return 'run'
    })
    expect(asked).toMatchObject([
      { why: 'undeclared', definition: [{ description: 'as approved' }] },
      { why: 'changed', definition: [{ description: 'another' }], before: [{ description: 'as approved' }] },
    ])
    expect(peer.ran).toEqual(['x'])
  })

  test('that the user ran once is compared as well, when the tool asks anyway', async () => {
    const { call, list } = await stage({ tools: [tool(undefined)] })
    await call('x', () => 'run')
    list([tool(undefined, 'another')])
    expect(await call('x')).toMatchObject([{ why: 'changed', before: [{ description: 'as approved' }] }])
  })

  test('that is gone from the list counts as unknown, whatever was approved', async () => {
    const { safety, call, list } = await stage({ tools: [tool(undefined)] })
    safety.approve('x')
    list([])
    expect(await call('x')).toMatchObject([{ why: 'unlisted' }])
  })
})

describe('tools that are switched off', () => {
  test('are not called in this session, whatever the policy and whoever calls', async () => {
    const { safety, session, call, peer, trace } = await stage({
      policy: 'never',
      tools: [tool({ readOnlyHint: true })],
    })
    safety.approve('x')
    safety.switchOff('x', true)
    expect(safety.verdictOf('x')).toEqual({ off: true })
    expect(await call('x')).toEqual([])
    const text = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'x' } })
    await expect(session.raw(text)).rejects.toMatchObject({ code: 'not-allowed' })
    // It may well be the one that is off.
    await expect(session.raw(text.replace('}}', '},}'))).rejects.toMatchObject({ code: 'not-allowed' })
    expect(peer.ran).toEqual([])
    const held = [...trace].flatMap((frame) =>
      frame.kind === 'session' && frame.phase === 'held-back' ? [frame.why] : [],
    )
    expect(held).toEqual(['switched-off', 'switched-off', 'switched-off'])
    safety.switchOff('x', false)
    await call('x')
    expect(peer.ran).toEqual(['x'])
  })

  test('and a question about one that was just switched off is void', async () => {
    const { safety, session, questions, peer } = await stage({ tools: [tool(undefined)] })
    const call = session.request('tools/call', { name: 'x' })
    expect(questions.current).toHaveLength(1)
    safety.switchOff('x', true)
    await expect(call).rejects.toMatchObject({ code: 'not-allowed' })
    expect([questions.current, peer.ran]).toEqual([[], []])
  })
})

describe('a run of tests', () => {
  const TOOLS = [tool(undefined), { ...tool(undefined), name: 'y' }]
  const run = async (policy?: ToolPolicy) => {
    const all = await stage({ tools: TOOLS, ...(policy ? { policy } : {}) })
    const over = new AbortController()
    all.safety.approveForRun(['x'], over.signal)
    const test = (name: string) => {
      const call = all.session.request('tools/call', { name }, { origin: 'test' })
      call.catch(() => {})
      return call
    }
    return { ...all, over, test }
  }

  test('approves its tools once, until it is over', async () => {
    const { test: calls, over, peer, questions, cleared } = await run()
    await calls('x')
    await calls('x')
    expect(cleared()).toMatchObject([{ by: 'run', origin: 'test' }, { by: 'run' }])
    void calls('y')
    expect(questions.current).toMatchObject([{ tool: 'y' }])
    over.abort()
    void calls('x')
    expect(questions.current).toMatchObject([{ tool: 'y' }, { tool: 'x' }])
    expect(peer.ran).toEqual(['x', 'x'])
  })

  test('approves nothing that others call, that changed, or that asks before every call', async () => {
    const { session, list, test: calls, questions } = await run()
    session.request('tools/call', { name: 'x' }).catch(() => {})
    expect(questions.current).toMatchObject([{ origin: 'page' }])
    list([tool(undefined, 'another')])
    void calls('x')
    expect(questions.current).toHaveLength(2)
    const strict = await run('always')
    void strict.test('x')
    expect(strict.questions.current).toMatchObject([{ why: 'every-call' }])
  })
})

describe('what is stored', () => {
  test('is read without trust', async () => {
    const shelf = new Shelf()
    const approvals = new Approvals(shelf)
    for (const text of [
      '',
      'null',
      '{',
      '{}',
      '[1]',
      '[["a"]]',
      '[["a",null]]',
      '[["a",{"policy":"nope","approved":[1,{},{"tool":"x"},{"tool":"x","definition":"y"},{"tool":"x","definition":[1]}]}]]',
    ]) {
      // prettier-ignore
      shelf.texts.set('periscope.tool-safety', text)
      expect(approvals.of('a')).toEqual({ approved: [] })
    }
    shelf.texts.set('periscope.tool-policy', 'whatever')
    expect(approvals.default).toBeUndefined()
  })

  test('can be forgotten, and holds names that objects treat specially', () => {
    const approvals = new Approvals(new Shelf())
    for (const name of ['__proto__', 'constructor', 'toString']) {
      approvals.setPolicy(name, 'always')
      approvals.approve(name, '__proto__', [{ description: 'd' }])
      expect(approvals.of(name)).toMatchObject({ policy: 'always', approved: [{ tool: '__proto__' }] })
      approvals.forget(name)
      expect(approvals.of(name)).toEqual({ approved: [] })
    }
  })

  test('lasts as long as the page if the browser stores nothing', () => {
    const shelf = new Shelf()
    shelf.full = true
    const approvals = new Approvals(shelf)
    approvals.setPolicy('a', 'never')
    expect(approvals.of('a').policy).toBe('never')
    expect(new Approvals(shelf).of('a').policy).toBeUndefined()
  })

  test('stays within a page’s storage: the servers decided about longest ago go first', () => {
    const shelf = new Shelf()
    const approvals = new Approvals(shelf)
    const long = [{ description: 'd'.repeat(400_000) }]
    for (const name of ['a', 'b', 'c', 'd', 'e']) approvals.approve(name, 'x', long)
    expect(['a', 'b', 'c', 'd', 'e'].filter((name) => approvals.of(name).approved.length > 0)).toEqual(['c', 'd', 'e'])
    expect(shelf.getItem('periscope.tool-safety')!.length).toBeLessThan(1_500_001)
  })

  test('is exported with everything that decides', async () => {
    const { safety } = await stage({
      policy: 'destructive',
      tools: [tool(undefined), { ...tool(undefined), name: 'y' }],
    })
    safety.approve('x')
    safety.switchOff('y', true)
    expect(safety.exported()).toMatchObject({
      server: 'https://a.example/mcp',
      policy: 'destructive',
      policySetFor: 'server',
      approved: [{ tool: 'x', approvedAt: expect.stringMatching(/^20\d\d-/) as string, definition: { description: 'as approved' } }], // prettier-ignore
      switchedOff: ['y'],
    })
  })
})

test('the user’s default counts for servers without a policy of their own', async () => {
  const shelf = new Shelf()
  const { safety, approvals } = await stage({ shelf })
  expect(safety.policy).toBe('unless-read-only')
  approvals.default = 'never'
  expect(safety.policy).toBe('never')
  safety.ownPolicy = 'always'
  expect(safety.policy).toBe('always')
  safety.ownPolicy = undefined
  approvals.default = undefined
  expect(safety.policy).toBe('unless-read-only')
})
