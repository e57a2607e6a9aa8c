import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import {
  awaitReturn,
  CHANNEL,
  listReturned,
  LONGEST_QUERY,
  openingUrlOf,
  redirectUriOf,
  takeReturned,
  WAIT_LIMIT,
  type Astray,
  type ReturnStorage,
  dropPending,
  listPending,
  savePending,
  type Pending,
} from './return.ts'

const STATE = 'nUe7wM0bJq2sV8xk'
const QUERY = `code=the-code&state=${STATE}&iss=https%3A%2F%2Fas.example`

/** Real channels: this runtime supports them, and they carry the same values as a browser's. */
const opened: BroadcastChannel[] = []
const channel = (): BroadcastChannel => {
  const made = new BroadcastChannel(CHANNEL)
  opened.push(made)
  return made
}
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
  vi.useRealTimers()
})

class MemoryStorage implements ReturnStorage {
  readonly #entries = new Map<string, string>()
  get length() {
    return this.#entries.size
  }
  key = (index: number) => [...this.#entries.keys()][index] ?? null
  getItem = (key: string) => this.#entries.get(key) ?? null
  setItem = (key: string, value: string) => void this.#entries.set(key, value)
  removeItem = (key: string) => void this.#entries.delete(key)
}

const refused: ReturnStorage = {
  get length(): number {
    throw new DOMException('denied', 'SecurityError')
  },
  key: () => null,
  getItem: () => {
    throw new DOMException('denied', 'SecurityError')
  },
  setItem: () => {
    throw new DOMException('full', 'QuotaExceededError')
  },
  removeItem: () => {
    throw new DOMException('denied', 'SecurityError')
  },
}

/** Records a channel's messages, and waits for the next message of a type. */
const listen = (on: BroadcastChannel) => {
  const heard: Record<string, unknown>[] = []
  on.addEventListener('message', ({ data }) => heard.push(data as Record<string, unknown>))
  const next = (type: string, count = 1) =>
    eventually(() => {
      const found = heard.filter((message) => message['type'] === type)
      expect(found.length).toBeGreaterThanOrEqual(count)
      return found[count - 1]!
    })
  return { heard, next }
}

/** The callback page's side of the conversation. */
const callback = () => {
  const own = channel()
  return { ...listen(own), say: (message: unknown) => own.postMessage(message) }
}

/** Once this message arrives, all listeners have received every earlier message on the channel. */
const settled = async () => {
  const [from, to] = [channel(), channel()]
  const { next } = listen(to)
  from.postMessage({ type: 'settled' })
  await next('settled')
}

describe('the page that waits for an answer', () => {
  test('asks for it, is given it, and says that it has it (AU-FLOW-06)', async () => {
    const { say, next } = callback()
    const answer = awaitReturn({ state: STATE, channel: channel() })
    const { waiter } = await next('waiting')
    say({ type: 'returned', state: STATE, query: QUERY, to: waiter })
    expect(await answer).toBe(QUERY)
    expect(await next('taken')).toEqual({ type: 'taken', state: STATE, waiter })
  })

  test('is found by a callback page that comes later, and by one that was there before', async () => {
    const { say, next } = callback()
    const answer = awaitReturn({ state: STATE, channel: channel() })
    // It was open first, so it hears a page that starts to wait.
    await next('waiting', 1)
    // It opens later, so it asks which page is waiting.
    say({ type: 'returned', state: STATE })
    const { waiter } = await next('waiting', 2)
    say({ type: 'returned', state: STATE, query: QUERY, to: waiter })
    expect(await answer).toBe(QUERY)
  })

  test.each<[what: string, message: unknown]>([
    ['of another sign-in', { type: 'returned', state: 'another', query: 'code=x&state=another' }],
    ['whose query is of another sign-in', { type: 'returned', state: STATE, query: 'code=x&state=another' }],
    ['with two states', { type: 'returned', state: STATE, query: `${QUERY}&state=${STATE}` }],
    ['without a state', { type: 'returned', state: STATE, query: 'code=x' }],
    ['that is meant for another page', { type: 'returned', state: STATE, query: QUERY, to: 'another' }],
    ['whose query is no text', { type: 'returned', state: STATE, query: { toString: QUERY } }],
    ['that is too long', { type: 'returned', state: STATE, query: `${QUERY}&x=${'x'.repeat(LONGEST_QUERY)}` }],
    ['that is no object', QUERY],
    ['that is nothing', null],
    ['of a kind there is not', { type: 'sent', state: STATE, query: QUERY }],
    ['that another sign-in was taken', { type: 'taken', state: 'another', waiter: 'another' }],
    ['that it was taken, by nobody', { type: 'taken', state: STATE }],
  ])('is not disturbed by a message %s', async (_, message) => {
    const { say, next } = callback()
    const answer = awaitReturn({ state: STATE, channel: channel() })
    const { waiter } = await next('waiting')
    say(message)
    await settled()
    say({ type: 'returned', state: STATE, query: QUERY, to: waiter })
    expect(await answer).toBe(QUERY)
  })

  test('leaves the answers of other tabs to them: two sign-ins at once each get their own', async () => {
    const { say, next, heard } = callback()
    const first = awaitReturn({ state: STATE, channel: channel() })
    const second = awaitReturn({ state: 'the-second', channel: channel() })
    await next('waiting', 2)
    const waiters = new Map(heard.map(({ state, waiter }) => [state, waiter]))
    say({ type: 'returned', state: 'the-second', query: 'code=2&state=the-second', to: waiters.get('the-second') })
    expect(await second).toBe('code=2&state=the-second')
    say({ type: 'returned', state: STATE, query: QUERY, to: waiters.get(STATE) })
    expect(await first).toBe(QUERY)
    await settled()
    expect(heard.filter(({ type }) => type === 'taken').map(({ state }) => state)).toEqual(['the-second', STATE])
  })

  test('gives up where another tab has taken the answer, for a code is good for one use', async () => {
    const { say, next, heard } = callback()
    const pages = [channel(), channel()].map((own) => awaitReturn({ state: STATE, channel: own }).catch((e) => e))
    await next('waiting', 2)
    const [one, other] = heard.map(({ waiter }) => waiter)
    expect(one).not.toBe(other)
    say({ type: 'returned', state: STATE, query: QUERY, to: one })
    const ends = await Promise.all(pages)
    expect(ends.filter((end) => end === QUERY)).toHaveLength(1)
    expect(ends.find((end) => end !== QUERY)).toMatchObject({ name: 'NoReturn', code: 'taken-elsewhere' })
  })

  test('hears that something came which is good for nobody, and goes on waiting', async () => {
    const { say, next } = callback()
    const astray: Astray[] = []
    const answer = awaitReturn({ state: STATE, channel: channel(), onAstray: (why) => astray.push(why) })
    const { waiter } = await next('waiting')
    for (const reason of ['fragment', 'no-state', 'too-long', '<b>not a reason</b>', undefined]) {
      say({ type: 'astray', reason })
    }
    say({ type: 'returned', state: STATE, query: QUERY, to: waiter })
    expect(await answer).toBe(QUERY)
    expect(astray).toEqual(['fragment', 'no-state', 'too-long'])
  })

  test('stops when it is told to, at once or later, with the reason given, and hears nothing any more', async () => {
    const reason = new Error('the user closed the dialog')
    await expect(awaitReturn({ state: STATE, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const { say, next, heard } = callback()
    const stop = new AbortController()
    const answer = awaitReturn({ state: STATE, channel: channel(), signal: stop.signal })
    await next('waiting')
    stop.abort(reason)
    await expect(answer).rejects.toBe(reason)
    say({ type: 'returned', state: STATE })
    await settled()
    expect(heard.filter(({ type }) => type === 'waiting')).toHaveLength(1)
  })
})

describe('where there is no channel', () => {
  const KEY = `periscope.oauth.returned.${STATE}`
  const put = (storage: ReturnStorage, query: unknown = QUERY, at: unknown = Date.now()) =>
    storage.setItem(KEY, JSON.stringify({ at, query }))

  test('the answer is taken out of the storage, with a receipt and nothing left, by the event and from before', async () => {
    for (const before of [true, false]) {
      const storage = new MemoryStorage()
      const receipts: string[] = []
      const { setItem } = storage
      storage.setItem = (key, value) => {
        if (value === 'taken') receipts.push(key)
        setItem(key, value)
      }
      const events = new EventTarget()
      if (before) put(storage)
      const answer = awaitReturn({ state: STATE, storage, events })
      if (!before) put(storage)
      events.dispatchEvent(new Event('storage'))
      expect(await answer).toBe(QUERY)
      expect(receipts).toEqual([KEY])
      expect(storage.length).toBe(0)
    }
  })

  test.each(['focus', 'pageshow', 'visibilitychange'])('a tab that slept looks again on %s', async (name) => {
    const storage = new MemoryStorage()
    const events = new EventTarget()
    const answer = awaitReturn({ state: STATE, storage, events })
    put(storage)
    events.dispatchEvent(new Event(name))
    expect(await answer).toBe(QUERY)
  })

  test.each<[what: string, text: string]>([
    ['of another shape', JSON.stringify([QUERY])],
    ['that is no JSON', QUERY],
    ['that is old', JSON.stringify({ at: Date.now() - 61_000, query: QUERY })],
    ['with another state', JSON.stringify({ at: Date.now(), query: 'code=x&state=another' })],
    ['that is huge', JSON.stringify({ at: Date.now(), query: QUERY + '&x='.padEnd(100_000, 'x') })],
  ])('what lies there %s is not taken, and swept away', async (_, text) => {
    const storage = new MemoryStorage()
    storage.setItem(KEY, text)
    storage.setItem('periscope.theme', 'dark')
    const stop = new AbortController()
    const answer = awaitReturn({ state: STATE, storage, signal: stop.signal })
    stop.abort()
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(storage.getItem(KEY)).toBeNull()
    expect(storage.getItem('periscope.theme')).toBe('dark')
  })

  test('the fresh answer of another sign-in stays for its own tab', async () => {
    const storage = new MemoryStorage()
    put(storage)
    const answer = awaitReturn({ state: 'another', storage, timeout: 0 })
    await expect(answer).rejects.toMatchObject({ code: 'no-answer' })
    expect(takeReturned(storage, STATE)).toBe(QUERY)
  })

  test('a storage that is refused stops nothing', async () => {
    const { say, next } = callback()
    const answer = awaitReturn({ state: STATE, channel: channel(), storage: refused })
    const { waiter } = await next('waiting')
    say({ type: 'returned', state: STATE, query: QUERY, to: waiter })
    expect(await answer).toBe(QUERY)
  })
})

describe('the limit of a wait', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })

  test('is ten minutes unless told otherwise, and says so', async () => {
    const end = awaitReturn({ state: STATE }).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(WAIT_LIMIT - 1)
    expect(await Promise.race([end, Promise.resolve('waits')])).toBe('waits')
    await vi.advanceTimersByTimeAsync(1)
    expect(await end).toMatchObject({ name: 'NoReturn', code: 'no-answer', message: expect.stringContaining('600 s') })
  })

  test('goes by the clock: a computer that slept beyond it looks once more before it gives up', async () => {
    const storage = new MemoryStorage()
    const answer = awaitReturn({ state: STATE, storage, timeout: 10_000 })
    const asked: unknown[] = []
    const second = awaitReturn({
      state: STATE,
      timeout: 10_000,
      channel: { postMessage: (m) => asked.push(m), addEventListener: () => {}, removeEventListener: () => {} },
    }).catch((error: unknown) => error)
    // After an hour of sleep the timers fire on wake-up; the response arrived just before.
    vi.setSystemTime(Date.now() + 3_600_000)
    storage.setItem(`periscope.oauth.returned.${STATE}`, JSON.stringify({ at: Date.now(), query: QUERY }))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await answer).toBe(QUERY)
    expect(asked).toHaveLength(2)
    expect(await Promise.race([second, Promise.resolve('waits')])).toBe('waits')
    await vi.advanceTimersByTimeAsync(1000)
    expect(await second).toMatchObject({ code: 'no-answer' })
  })

  test('may be none at all', async () => {
    const stop = new AbortController()
    const end = awaitReturn({ state: STATE, timeout: Infinity, signal: stop.signal }).catch(() => 'told to stop')
    await vi.advanceTimersByTimeAsync(86_400_000)
    stop.abort()
    expect(await end).toBe('told to stop')
  })
})

describe('a sign-in that this tab leaves for, or that a reload interrupts', () => {
  const pending: Pending = {
    state: STATE,
    mode: 'redirect',
    returnTo: '#/s1/tools/echo',
    data: { issuer: 'https://as.example', verifier: 'v', steps: [1, { two: null }] },
  }

  test('is there again with all that it knew, until it is dropped (AU-FLOW-07)', () => {
    const storage = new MemoryStorage()
    storage.setItem('other', '{}')
    expect(savePending(storage, pending, 1000)).toBe(true)
    expect(savePending(storage, { ...pending, state: 'later', mode: 'popup' }, 2000)).toBe(true)
    expect(listPending(storage, 3000)).toEqual([{ ...pending, state: 'later', mode: 'popup' }, pending])
    dropPending(storage, STATE)
    expect(listPending(storage, 3000).map(({ state }) => state)).toEqual(['later'])
    expect(storage.getItem('other')).toBe('{}')
  })

  test('is gone after ten minutes, or when the clock says that it is of the future', () => {
    for (const at of [1_000_000 - WAIT_LIMIT, 1_000_001]) {
      const storage = new MemoryStorage()
      savePending(storage, pending, at)
      expect(listPending(storage, 1_000_000)).toEqual([])
      expect(storage.length).toBe(0)
    }
  })

  test('is not believed where somebody else wrote into it', () => {
    const key = `periscope.oauth.pending.${STATE}`
    for (const text of [
      'null',
      '[]',
      '{',
      JSON.stringify({ mode: 'redirect', returnTo: 'https://evil.example/', at: 1000 }),
      JSON.stringify({ mode: 'redirect', returnTo: '#/\n', at: 1000 }),
      JSON.stringify({ mode: 'other', returnTo: '#/', at: 1000 }),
      JSON.stringify({ mode: 'popup', returnTo: '#/', at: 'now' }),
    ]) {
      const storage = new MemoryStorage()
      storage.setItem(key, text)
      expect(listPending(storage, 2000), text).toEqual([])
      expect(storage.length).toBe(0)
    }
  })

  test('comes back nowhere but to a place within the page', () => {
    for (const returnTo of [
      '',
      '/',
      'https://evil.example/',
      '//evil.example',
      'javascript:alert(1)',
      '#/\u0000',
      '#/\r\nx',
      `#${'x'.repeat(3000)}`,
    ]) {
      const storage = new MemoryStorage()
      expect(savePending(storage, { ...pending, returnTo }, 1000), returnTo).toBe(true)
      expect(listPending(storage, 2000)).toEqual([{ ...pending, returnTo: '#/' }])
    }
  })

  test('is not kept in part, or beyond a bound, however much a server made it hold', () => {
    const storage = new MemoryStorage()
    expect(savePending(storage, { ...pending, data: 'x'.repeat(300_000) })).toBe(false)
    expect(storage.length).toBe(0)
  })

  test('is not begun where the browser would forget it', () => {
    expect(savePending(refused, pending)).toBe(false)
    expect(listPending(refused)).toEqual([])
    expect(() => dropPending(refused, STATE)).not.toThrow()
    expect(listReturned(refused)).toEqual([])
    expect(takeReturned(refused, STATE)).toBeUndefined()
  })

  test('finds the answer once, of its own state, and no older than ten minutes', () => {
    const key = `periscope.oauth.returned.${STATE}`
    const storage = new MemoryStorage()
    storage.setItem(key, JSON.stringify({ at: 1000, query: QUERY }))
    expect(listReturned(storage)).toEqual([STATE])
    expect(takeReturned(storage, 'another', 2000)).toBeUndefined()
    expect(takeReturned(storage, STATE, 2000)).toBe(QUERY)
    expect(takeReturned(storage, STATE, 2000)).toBeUndefined()
    storage.setItem(key, JSON.stringify({ at: 1000, query: QUERY }))
    expect(takeReturned(storage, STATE, 1001 + WAIT_LIMIT)).toBeUndefined()
    expect(storage.length).toBe(0)
  })
})

test('an answer belongs to a sign-in only where its state is there exactly once, and exactly the same (AU-FLOW-06)', () => {
  const part = fc.tuple(
    fc.constantFrom('state', 'state', 'State', 'state ', 'code', 'iss'),
    fc.constantFrom(STATE, STATE, STATE.toUpperCase(), `${STATE} `, '', 'another'),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const query = new URLSearchParams(parts).toString()
      const states = parts.filter(([name]) => name === 'state').map(([, value]) => value)
      const storage = new MemoryStorage()
      storage.setItem(`periscope.oauth.returned.${STATE}`, JSON.stringify({ at: Date.now(), query }))
      expect(takeReturned(storage, STATE)).toBe(states.length === 1 && states[0] === STATE ? query : undefined)
    }),
    { numRuns: 500 },
  )
})

test('the redirect URI is one fixed file, wherever the page lies', () => {
  expect(redirectUriOf('http://127.0.0.1:6275/')).toBe('http://127.0.0.1:6275/oauth/callback.html')
  expect(redirectUriOf('https://a.example/tools/periscope/?x#/s1')).toBe(
    'https://a.example/tools/periscope/oauth/callback.html',
  )
  expect(openingUrlOf('https://a.example/p/')).toBe('https://a.example/p/oauth/callback.html#opening')
})
