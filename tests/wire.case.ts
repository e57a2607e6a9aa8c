/**
 * One set of behaviours, the same for every transport and protocol version: what a user of the kernel may rely on,
 * whatever is in between. Run by `web/mcp/wire.test.ts` and `web/mcp/wire-stdio.test.ts`, in Node and in Chromium.
 *
 * All tests of one wire share a session, like the uses of one connection; the last ones close it and check what is
 * left.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onlyWhatBrowsersChange } from './in-page.ts'
import { patient, until } from './patience.ts'
import {
  eraOf,
  exchanges,
  foldAll,
  isObject,
  ProtocolError,
  REVISIONS,
  Session,
  Trace,
  TransportError,
  UsageError,
  type Answers,
  type Exchange,
  type Frame,
  type Json,
  type JsonObject,
  type Revision,
  type SessionOptions,
  type Transport,
} from '../web/mcp/index.ts'
import { isMessage, messages, PREFIX, sentCase } from './wire-sent.case.ts'
import { watchTimers } from './timers.ts'

/** Protocol versions differ only in their JSON, which browsers don't affect, so a page tests one of each era. */
export const WIRE_REVISIONS: readonly Revision[] = onlyWhatBrowsersChange ? ['2025-11-25', '2026-07-28'] : REVISIONS

/** The parameters of `tools/call`. */
export type ToolCall = { readonly name: string; readonly arguments: JsonObject }

/** The tool calls that make a wire's server do what the tests need. */
export interface Speech {
  readonly tools: number
  echo(text: string): ToolCall
  readonly fail: ToolCall
  /** Progress at each of `n` steps of `ms` each. */
  count(n: number, ms: number): ToolCall
  /** Runs until it is cancelled. */
  readonly never: ToolCall
  /** Returns how many such calls have arrived, and how many were cancelled, if the server can tell. */
  readonly waiting?: ToolCall
  /** Changes the list of tools and sends the notification. */
  readonly addTool: ToolCall
  /** Each sends one server request and returns its outcome. */
  readonly askModel: ToolCall
  readonly askUser: ToolCall
  readonly askRoots: ToolCall
  /** Changes the text of a resource to `1` and notifies its subscribers. */
  readonly touch: { readonly call: ToolCall; readonly uri: string }
}

type Behaviour =
  | 'late'
  | 'sampling'
  | 'elicitation'
  | 'roots'
  | 'pinged'
  | 'updated'
  | 'batch'
  | 'arrays'
  | 'in-any-order'

export interface Wire {
  /** `Streamable HTTP`, `stdio` … */
  readonly name: string
  readonly revision: Revision
  /** A new connection to a server whose newest protocol version this is. */
  readonly transport: () => Transport
  readonly speech: Speech
  /** A new connection to a 2025-03-26 server that responds with JSON arrays. */
  readonly arrays?: () => Transport
  /** Why a behaviour can't be tested here, beyond what the protocol version itself rules out. */
  readonly cannot?: Partial<Record<Behaviour, string>>
  /** What must end with the session: a DELETE for a session with a header, or a process. */
  readonly ends?: 'session' | 'process'
  /** The page's connection to the proxy, if the wire uses it: it outlives a session by some seconds. */
  readonly channel?: { leave(): void }
}

const LONG = patient(60_000)

/** Round trips after which a call has certainly reached the server. */
const ROUND_TRIPS = 20

/** What the protocol version rules out, and why. */
const ruledOut = (revision: Revision): Partial<Record<Behaviour, string>> => ({
  ...(revision < '2025-06-18' ? { elicitation: 'elicitation came with 2025-06-18' } : {}),
  ...(revision === '2025-03-26' ? {} : { batch: 'only 2025-03-26 has batches', arrays: 'only 2025-03-26 has batches' }),
  ...(eraOf(revision) === 'stateless' ? { pinged: 'servers of the stateless era ask nothing (BP-12)' } : {}),
})

export const wireCase = (wire: Wire): void => {
  const { revision, speech } = wire
  const stateless = eraOf(revision) === 'stateless'
  const cannot = { ...wire.cannot, ...ruledOut(revision) }
  const it = (title: string, body: () => Promise<void>, needs?: Behaviour) => {
    const reason = needs && cannot[needs]
    if (reason === undefined) test(title, { timeout: LONG }, body)
    // In the title for the run's output, and as a note for its summary.
    else test(`${title} (not here: ${reason})`, ({ skip }) => skip(reason))
  }

  describe(`${wire.name} at ${revision}`, () => {
    const timers = watchTimers()
    const { trace, session, asked } = connection(wire)
    const call = (params: ToolCall) => session.call('tools/call', { ...params })
    const run = (params: ToolCall) => session.request('tools/call', { ...params })
    /** The exchange of a call, from a new fold over all frames. */
    const exchangeOf = (seq: number | undefined): Exchange | undefined =>
      foldAll(exchanges, trace).bySeq.get(seq ?? Number.NaN)
    const framesSince = (length: number): Frame[] => [...trace].slice(length)

    beforeAll(async () => {
      timers.begin()
      await session.open()
    }, LONG)
    afterAll(async () => {
      await session.close()
      timers.end()
    }, LONG)

    it('LC-07, VN-04: ends by itself in the newest revision that both sides speak', async () => {
      expect(session.peer).toMatchObject({ revision, era: eraOf(revision) })
      const sent = messages(trace, 'sent')
      // LC-01, VN-20: the first message is the probe or the handshake, and nothing else is sent before its response.
      expect(['server/discover', 'initialize']).toContain(sent[0]!.method)
      if (!stateless) expect(sent.map(({ method }) => method)).toContain('notifications/initialized')
      else expect(sent.map(({ method }) => method)).not.toContain('initialize')
    })

    it('VN-32, LC-10: opens in the pinned revision, says what it can do in that one, and closes again', async () => {
      const { session: pinned, trace: alone } = connection(wire, { pinned: revision })
      expect(await pinned.open()).toMatchObject({ revision })
      const [first] = messages(alone, 'sent')
      expect(first).toMatchObject({ method: stateless ? 'server/discover' : 'initialize' })
      // Declares nothing that a later protocol version introduced.
      if (!stateless) expect(first!.params).toMatchObject({ protocolVersion: revision })
      if (!stateless) expect((first!.params as JsonObject).capabilities).toStrictEqual(capabilitiesIn(revision))
      expect(textOf(await pinned.request('tools/call', { ...speech.echo('hi') }))).toContain('hi')
      await pinned.close()
      expect(lastWord(alone)).toMatchObject({ phase: 'closed', why: 'ended' })
    })

    it('SF-PAGE-01, META-12: all pages of a list are had with the cursors as they came', async () => {
      const from = trace.length
      const names: string[] = []
      const cursors: Json[] = []
      let cursor: Json | undefined
      do {
        const page = await session.request('tools/list', cursor === undefined ? {} : { cursor })
        for (const tool of page.tools as readonly { name: string }[]) names.push(tool.name)
        cursor = page.nextCursor
        if (cursor !== undefined) cursors.push(cursor)
      } while (cursor !== undefined)
      expect(names.length).toBe(speech.tools)
      expect(new Set(names).size).toBe(names.length)
      expect(cursors.length).toBeGreaterThan(0)
      const requests = messages(framesSince(from), 'sent').map(({ params }) => params as JsonObject)
      expect(requests.slice(1).map((params) => params.cursor)).toEqual(cursors)
      // In stateless versions, every page's request repeats the client info and capabilities.
      const metas = requests.map(({ _meta }) => (isObject(_meta) ? Object.keys(_meta).sort() : []))
      const keys = ['clientCapabilities', 'clientInfo', 'protocolVersion'].map(
        (key) => `io.modelcontextprotocol/${key}`,
      )
      for (const meta of metas) expect(meta).toEqual(stateless ? keys : [])
    })

    it('BP-14: a call brings back what was sent, character for character', async () => {
      const text = 'Grüße, 世界 🎈 \u2028\u2029 \u0000 "\\" \r\n\t �'
      expect(textOf(await run(speech.echo(text)))).toContain(text)
    })

    it('SF-TOOL-18: a tool that failed answers with a result, a call that cannot be with an error', async () => {
      expect(await run(speech.fail)).toMatchObject({ isError: true })
      await expect(run({ name: 'no such tool', arguments: {} })).rejects.toSatisfy(
        (error) => error instanceof ProtocolError && error.code === -32602,
      )
    })

    it('BP-30: a method that does not exist is refused with -32601', async () => {
      const refusal = session.request('no/such/method', {})
      await expect(refusal).rejects.toBeInstanceOf(ProtocolError)
      await expect(refusal).rejects.toMatchObject({ code: -32601 })
    })

    it('UT-PROG-01: progress arrives, and belongs to the call that has its token', async () => {
      const counts = [3, 5].map((n) => ({ n, call: call(speech.count(n, 10)) }))
      for (const { call } of counts) await call.result
      const told = messages(trace, 'received').filter(({ method }) => method === 'notifications/progress')
      for (const { n, call } of counts) {
        const mine = told.map(({ params }) => params as JsonObject).filter((one) => one.progressToken === call.id)
        expect(mine.map(({ progress }) => progress)).toEqual(Array.from({ length: n }, (_, index) => index + 1))
        expect(exchangeOf(call.seq)).toMatchObject({ status: 'ok', progress: { count: n, total: n } })
      }
    })

    it('UT-CANC-01, TR-HTTP-09, TR-HTTP-10, TR-STDIO-13: a cancelled call ends here, and the server hears of it', async () => {
      const { cancelled: before } = await waiting()
      const pending = await begun(speech.never)
      const from = trace.length
      pending.cancel('seen enough')
      await expect(pending.result).rejects.toMatchObject({ name: 'TransportError', code: 'cancelled' })
      expect(exchangeOf(pending.seq)).toMatchObject({ status: 'cancelled', explanation: 'seen enough' })
      await counted('cancelled', before + 1)
      expectCancellation(framesSince(from), pending.id)
    })

    it(
      'UT-CANC-03: an answer after the cancellation is shown, and changes nothing',
      async () => {
        const pending = await begun({ name: 'late', arguments: {} })
        pending.cancel()
        await expect(pending.result).rejects.toMatchObject({ code: 'cancelled' })
        await until(() => [...foldAll(exchanges, trace).orphans.values()].includes('late-answer'))
        expect(exchangeOf(pending.seq)).toMatchObject({ status: 'cancelled' })
        expect(textOf(await run(speech.echo('still here')))).toContain('still here')
      },
      'late',
    )

    it('UT-TIME-02: a call without a sign of life is given up, and cancelled at the server', async () => {
      const { cancelled: before } = await waiting()
      const from = trace.length
      // It must reach the server, which ignores the cancellation of an unknown call.
      const idle = await longEnough(500)
      const pending = session.call('tools/call', { ...speech.never }, { idle, total: 2 * idle })
      await expect(pending.result).rejects.toMatchObject({ code: 'timeout', details: { which: 'idle', limit: idle } })
      expect(exchangeOf(pending.seq)).toMatchObject({ status: 'timeout' })
      await counted('cancelled', before + 1)
      expectCancellation(framesSince(from), pending.id)
    })

    it('UT-TIME-04: progress does not carry a call beyond its total limit', async () => {
      const from = trace.length
      const total = await longEnough(1_500)
      const pending = session.call('tools/call', { ...speech.count(total, 20) }, { idle: 10 * total, total })
      await expect(pending.result).rejects.toMatchObject({ code: 'timeout', details: { which: 'total', limit: total } })
      expect(exchangeOf(pending.seq)?.progress?.count).toBeGreaterThan(0)
      await until(() => hasCancellation(framesSince(from), pending.id))
    })

    it(
      'BP-13, MRTR-02: the server has its questions to the model answered',
      async () => {
        const result = await run(speech.askModel)
        expect(textOf(result)).toContain('Paris')
        expectQuestion('sampling/createMessage')
      },
      'sampling',
    )

    it(
      'BP-13, MRTR-02: the server has its questions to the user answered',
      async () => {
        const result = await run(speech.askUser)
        expect(textOf(result)).toContain('Ada · 艾达')
        expectQuestion('elicitation/create')
      },
      'elicitation',
    )

    it(
      'BP-13, MRTR-02: the server has its question for the roots answered',
      async () => {
        expect(textOf(await run(speech.askRoots))).toContain('file:///work')
        expectQuestion('roots/list')
      },
      'roots',
    )

    it(
      'UT-PING-01: the server’s ping is answered',
      async () => {
        expect(textOf(await run({ name: 'ask-ping', arguments: {} }))).toContain('the client is there')
      },
      'pinged',
    )

    it('UT-PING-02, UT-PING-04: the server is asked whether it is there, as its era has it', async () => {
      const from = trace.length
      expect(await session.ping()).toBeGreaterThanOrEqual(0)
      const [question] = messages(framesSince(from), 'sent')
      expect(question!.method).toBe(stateless ? 'server/discover' : 'ping')
      expect(exchangeOf(framesSince(from).find(isMessage)!.seq)).toMatchObject({ status: 'ok' })
    })

    it('SUB-01, SF-TOOL-21: that the list of tools changed is heard of', async () => {
      if (stateless) await until(() => session.subscriptions.some(({ state }) => state === 'granted'))
      const from = trace.length
      await run(speech.addTool)
      await until(() => hasNotification(framesSince(from), 'notifications/tools/list_changed'))
    })

    it(
      'SUB-05, SUB-11, TR-STDIO-12: that a resource changed is heard of by who asked for it',
      async () => {
        const { uri } = speech.touch
        const subscription = stateless ? session.listen({ resourceSubscriptions: [uri] }) : undefined
        if (subscription) await until(() => subscription.state === 'granted')
        else await session.request('resources/subscribe', { uri })
        const from = trace.length
        await run(speech.touch.call)
        await until(() => hasNotification(framesSince(from), 'notifications/resources/updated', { uri }))
        if (subscription) {
          // Lists and resources have separate subscriptions, which may share one stream.
          const ids = messages(framesSince(from), 'received')
            .filter(({ method }) => method === 'notifications/resources/updated')
            .map(({ params }) => ((params as JsonObject)._meta as JsonObject)[`${PREFIX}subscriptionId`])
          expect(ids).toEqual([subscription.id])
        }
        const { contents } = await session.request('resources/read', { uri })
        expect(contents).toMatchObject([{ uri, text: '1' }])
      },
      'updated',
    )

    it('TR-STDIO-02: a message of 5 MB goes and comes whole', async () => {
      const text = `é${'Grüße, 世界 🎈. '.repeat(240_000)}`
      expect(new TextEncoder().encode(text).length).toBeGreaterThan(5_000_000)
      const answer = textOf(await run(speech.echo(text)))
      // Compared with `===`: a diff of five million characters is too large to print.
      expect(answer.length).toBeGreaterThanOrEqual(text.length)
      expect(answer.includes(text)).toBe(true)
    })

    it(
      'BP-02, BP-06: fifty calls at once get each its own answer, whatever the order',
      async () => {
        const from = trace.length
        // The first takes longest, by so much that others overtake it on any machine, even six at a time.
        const sizes = [400, ...Array.from({ length: 49 }, (_, index) => 49 - index)]
        const calls = sizes.map((n) => ({
          n,
          call: session.call('tools/call', { ...speech.count(n, 1) }, { progress: false }),
        }))
        for (const { n, call } of calls) expect(textOf(await call.result)).toMatch(new RegExp(`\\bto ${n}\\b`))
        const answers = messages(framesSince(from), 'received').flatMap(({ id }) =>
          typeof id === 'number' ? [id] : [],
        )
        expect([...answers].sort((a, b) => a - b)).toEqual(calls.map(({ call }) => call.id))
        expect(answers).not.toEqual(calls.map(({ call }) => call.id))
      },
      'in-any-order',
    )

    it('BP-01: text by hand, wrong on purpose, is marked as such and does not end the session', async () => {
      const from = trace.length
      const request = { jsonrpc: '2.0', id: 'by hand', method: 'no/such/method' }
      for (const text of ['{"jsonrpc":"2.0","id":', '[]', '{"jsonrpc":"1.0","method":7}', JSON.stringify(request)]) {
        // Over HTTP the rejection is a status, which the sender receives.
        await session.raw(text).catch((error: unknown) => expect(error).toBeInstanceOf(TransportError))
      }
      expect(textOf(await run(speech.echo('still here')))).toContain('still here')
      const byHand = framesSince(from)
        .filter(isMessage)
        .filter(({ byHand }) => byHand === true)
      expect(byHand.map(({ type }) => type)).toEqual(['invalid', 'batch', 'invalid', 'request'])
      await until(() => exchangeOf(byHand.at(-1)!.seq)?.status === 'error')
      expect(session.state).toBe('open')
    })

    if (revision !== '2025-03-26')
      it('BP-25: a batch is not sent where there is none', async () => {
        const from = trace.length
        expect(() => session.batch([{ method: 'ping' }])).toThrow(UsageError)
        expect(framesSince(from)).toEqual([])
      })

    it(
      'BP-21, BP-22, BP-23: requests of one batch are sent together, and each gets its answer',
      async () => {
        const from = trace.length
        const texts = ['one', 'two', 'three']
        const calls = session.batch(texts.map((text) => ({ method: 'tools/call', params: { ...speech.echo(text) } })))
        for (const [index, call] of calls.entries()) expect(textOf(await call.result)).toContain(texts[index])
        expect(framesSince(from).filter(isMessage)[0]).toMatchObject({ direction: 'sent', type: 'batch' })
        expect(() => session.batch([{ method: 'tools/list' }, { method: 'initialize' }])).toThrow(UsageError)
      },
      'batch',
    )

    it(
      'BP-20: answers in JSON arrays find their calls',
      async () => {
        const { session: other, trace: its } = connection(wire, {}, wire.arrays!())
        expect(await other.open()).toMatchObject({ revision: '2025-03-26' })
        const listed = other.batch([{ method: 'tools/list' }, { method: 'ping' }, { method: 'tools/list' }])
        for (const { result } of listed) expect(isObject(await result)).toBe(true)
        expect((await listed[0]!.result).tools).toEqual((await listed[2]!.result).tools)
        expect(
          [...its].filter(isMessage).some(({ direction, type }) => direction === 'received' && type === 'batch'),
        ).toBe(true)
        await other.close()
      },
      'arrays',
    )

    it('LC-15, TR-HTTP-27, VN-08: the end is clean: no call is left, no timer, no session, no process', async () => {
      const pending = await begun(speech.never)
      // The call's own timers: if the watch didn't see them, the check below would prove nothing.
      expect(timers.pending()).not.toEqual([])
      await session.close()
      const after = trace.length
      await expect(pending.result).rejects.toMatchObject({ code: 'closed' })
      expect(() => session.call('tools/list')).toThrow(UsageError)
      expect(lastWord(trace)).toMatchObject({ phase: 'closed', why: 'ended' })
      expectEnded(wire, trace)
      wire.channel?.leave()
      expect(timers.pending()).toEqual([])
      await pause(100)
      expect(framesSince(after).filter(({ kind }) => kind !== 'stream' && kind !== 'http')).toEqual([])
    })

    sentCase(revision, trace)

    it('leaves a trace in which nothing is pending, and that is the same written and read again', async () => {
      const { pending, all } = foldAll(exchanges, trace)
      expect(all.filter(({ status }) => status === 'pending')).toEqual([])
      expect(pending).toBe(0)
      for (const frame of trace) {
        const text = JSON.stringify(frame)
        const again = JSON.parse(text) as Frame
        // Compare long ones as text only: walking through them takes longer than everything else.
        if (text.length > 100_000) expect(JSON.stringify(again) === text).toBe(true)
        else expect(again).toStrictEqual(frame)
      }
      const half = [...trace].slice(0, trace.length / 2)
      const rest = [...trace].slice(half.length)
      expect(foldAll(exchanges, rest, foldAll(exchanges, half)).all).toEqual(all)
    })

    /** At least `ms`, and more on a machine so busy that a call could not reach the server in that time. */
    const longEnough = async (ms: number): Promise<number> =>
      Math.ceil(Math.max(ms, ROUND_TRIPS * (await session.ping())))

    /** The server's count of calls without a response, if it has one. */
    const waiting = async (): Promise<{ readonly begun: number; readonly cancelled: number }> => {
      if (!speech.waiting) return { begun: 0, cancelled: 0 }
      const [begun = 0, cancelled = 0] = JSON.parse(textOf(await run(speech.waiting))) as number[]
      return { begun, cancelled }
    }

    const counted = async (what: 'begun' | 'cancelled', count: number): Promise<void> => {
      if (!speech.waiting) return await pause(50)
      await until(async () => (await waiting())[what] >= count)
    }

    /** A pending call that has reached the server: cancelling an unknown one would do nothing. */
    const begun = async (tool: ToolCall): Promise<ReturnType<typeof call>> => {
      const before = await waiting()
      const pending = call(tool)
      await until(() => pending.seq !== undefined)
      await counted('begun', before.begun + 1)
      return pending
    }

    const closesStreams = stateless && wire.name.startsWith('Streamable HTTP')
    const isNotice = (frame: Frame, id: Json): boolean => {
      const message = isMessage(frame) && isObject(frame.message) ? frame.message : {}
      return message.method === 'notifications/cancelled' && isObject(message.params) && message.params.requestId === id
    }
    const isClosing = (frame: Frame): boolean => frame.kind === 'http' && frame.phase === 'failed' && !!frame.aborted
    const hasCancellation = (frames: Frame[], id: Json): boolean =>
      frames.some((frame) => (closesStreams ? isClosing(frame) || isStreamAborted(frame) : isNotice(frame, id)))

    /** As the protocol version and the transport require: by closing the stream or by a notification, never by both. */
    const expectCancellation = (frames: Frame[], id: Json): void => {
      expect(hasCancellation(frames, id)).toBe(true)
      if (closesStreams) expect(frames.some((frame) => isNotice(frame, id))).toBe(false)
    }

    /** The same handler answered it, however it arrived. */
    const expectQuestion = (method: string): void => {
      expect(asked.at(-1)).toBe(method)
      const all = foldAll(exchanges, trace).all
      const questions = all.filter(({ direction }) => direction === 'received').map((exchange) => exchange.method)
      if (!stateless) return expect(questions).toContain(method)
      expect(questions).toEqual([])
      const [first, second] = all.filter((exchange) => exchange.method === 'tools/call').slice(-2)
      expect([first!.status, second!.status]).toEqual(['asked', 'ok'])
      expect(second!.id).not.toBe(first!.id)
      expect(trace.at(second!.request)).toMatchObject({ follows: first!.request })
    }
  })
}

const capabilitiesIn = (revision: Revision): JsonObject => ({
  sampling: {},
  roots: {},
  ...(revision >= '2025-06-18' ? { elicitation: {} } : {}),
})

/** A session on a wire, with handlers for every server request. */
const connection = (wire: Wire, options: Partial<SessionOptions> = {}, transport = wire.transport()) => {
  const trace = new Trace()
  const asked: string[] = []
  const answering = (method: string, result: JsonObject): Answers => ({
    [method]: () => {
      asked.push(method)
      return result
    },
  })
  const session = new Session({
    trace,
    link: 'wire',
    transport,
    // A process that starts slowly must not be taken for one that ignores the probe.
    patience: LONG,
    clientInfo: { name: 'periscope-tests', version: '0' },
    capabilities: capabilitiesIn,
    answers: {
      ...answering('sampling/createMessage', {
        role: 'assistant',
        content: { type: 'text', text: 'Paris' },
        model: 'none',
      }),
      ...answering('elicitation/create', { action: 'accept', content: { name: 'Ada · 艾达' } }),
      ...answering('roots/list', { roots: [{ uri: 'file:///work', name: 'work' }] }),
    },
    ...options,
  })
  return { trace, session, asked }
}

/** Whatever had to end with the session has ended. */
const expectEnded = ({ ends }: Wire, trace: Trace): void => {
  const frames = [...trace]
  if (ends === 'session') {
    const request = frames.findLast((frame) => frame.kind === 'http' && frame.phase === 'request')
    expect(request).toMatchObject({ method: 'DELETE', purpose: 'end-session' })
    const answer = frames.find(
      (frame) => frame.kind === 'http' && frame.phase === 'response' && frame.request === request!.seq,
    )
    expect(answer).toMatchObject({ status: 200 })
  }
  if (ends === 'process') {
    const spawned = frames.filter((frame) => frame.kind === 'process' && frame.event === 'spawn')
    const exited = frames.filter((frame) => frame.kind === 'process' && frame.event === 'exit')
    // One process for the whole session, not one per call.
    expect(spawned.length).toBe(1)
    expect(exited.length).toBe(1)
    expect(exited.at(-1)).toMatchObject({ code: 0 })
  }
}

/** The session's last frame; streams that it closed may still report their end. */
const lastWord = (trace: Trace): Frame | undefined => [...trace].findLast(({ kind }) => kind === 'session')

const isStreamAborted = (frame: Frame): boolean =>
  frame.kind === 'stream' && frame.event === 'close' && frame.why === 'aborted'

const hasNotification = (frames: Frame[], method: string, params: JsonObject = {}): boolean =>
  messages(frames, 'received').some(
    (message) =>
      message.method === method &&
      Object.entries(params).every(([key, value]) => isObject(message.params) && message.params[key] === value),
  )

const textOf = (result: JsonObject): string => {
  const [first] = (result.content ?? []) as readonly { text?: string }[]
  return first?.text ?? ''
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
