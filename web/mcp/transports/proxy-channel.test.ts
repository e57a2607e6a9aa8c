import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TransportError } from '../errors.ts'
import { ProxyChannel, type ProxyChannelState } from './proxy-channel.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Stream = ReadableStreamDefaultController<Uint8Array>

/** A proxy that can go away: `up` says whether it responds. */
const start = () => {
  const proxy = {
    up: true,
    status: 200,
    streams: [] as Stream[],
    requests: [] as string[],
    lost: [] as TransportError[],
  }
  const states: ProxyChannelState[] = []
  const channel = new ProxyChannel({
    base: 'http://proxy/',
    token: 't',
    fetch: async (input, init) => {
      const url = input as string
      proxy.requests.push(`${init?.method ?? 'GET'} ${new URL(url).pathname.replace(/[0-9a-f-]{36}/, ':page')}`)
      if (!proxy.up) throw new TypeError('Failed to fetch')
      if (!url.endsWith('/events')) return new Response(null, { status: 202 })
      if (proxy.status !== 200)
        return Response.json({ error: { code: 'forbidden', message: 'Of another launch.' } }, { status: proxy.status })
      const body = new ReadableStream<Uint8Array>({ start: (stream) => void proxy.streams.push(stream) })
      init?.signal?.addEventListener('abort', () => {
        try {
          proxy.streams.at(-1)!.error(init.signal!.reason)
        } catch {
          // It has already ended.
        }
      })
      return new Response(body)
    },
  })
  channel.watch((state) => states.push(state))
  channel.children = { event: () => {}, lost: (error) => proxy.lost.push(error) }
  return { proxy, channel, states }
}

describe('the channel to the local proxy', () => {
  test('says at the first failed attempt that it reconnects, and when the proxy is back', async () => {
    const { proxy, channel, states } = start()
    channel.use()
    await channel.connect()
    expect(states).toEqual(['connecting', 'open'])
    proxy.up = false
    proxy.streams[0]!.error(new TypeError('network error'))
    await vi.advanceTimersByTimeAsync(300)
    expect(states.at(-1)).toBe('reconnecting')
    proxy.up = true
    await vi.advanceTimersByTimeAsync(1_000)
    expect(states).toEqual(['connecting', 'open', 'reconnecting', 'open'])
    expect(proxy.lost).toEqual([])
    channel.leave()
  })

  test('says nothing of a break that the next attempt heals', async () => {
    const { proxy, channel, states } = start()
    channel.use()
    await channel.connect()
    proxy.streams[0]!.close()
    await vi.advanceTimersByTimeAsync(300)
    expect([proxy.streams.length, states]).toEqual([2, ['connecting', 'open']])
    channel.leave()
  })

  test('gives up after 20 s, and what ran through it is lost', async () => {
    const { proxy, channel, states } = start()
    channel.use()
    await channel.connect()
    proxy.up = false
    proxy.streams[0]!.error(new TypeError('network error'))
    await vi.advanceTimersByTimeAsync(15_000)
    expect([states.at(-1), proxy.lost]).toEqual(['reconnecting', []])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(states.at(-1)).toBe('closed')
    expect(proxy.lost).toMatchObject([{ code: 'proxy-lost' }])
  })

  test('gives up at once where the proxy was restarted and no longer knows the token', async () => {
    const { proxy, channel, states } = start()
    channel.use()
    await channel.connect()
    proxy.status = 403
    proxy.streams[0]!.close()
    await vi.advanceTimersByTimeAsync(300)
    expect([states.at(-1), proxy.lost]).toMatchObject(['closed', [{ code: 'no-proxy', message: 'Of another launch.' }]])
  })

  test('says at the second attempt that there is no proxy, where there was none before', async () => {
    const { proxy, channel, states } = start()
    proxy.up = false
    const refused = expect(channel.connect()).rejects.toMatchObject({ code: 'no-proxy' })
    await vi.advanceTimersByTimeAsync(300)
    await refused
    expect(states).toEqual(['connecting', 'closed'])
  })

  test('connects although the first attempt met a connection that the proxy was closing', async () => {
    const { proxy, channel, states } = start()
    proxy.up = false
    const connected = channel.connect()
    await vi.advanceTimersByTimeAsync(100)
    proxy.up = true
    await vi.advanceTimersByTimeAsync(200)
    await connected
    expect(states).toEqual(['connecting', 'open'])
    channel.leave()
  })

  test('takes a stream on which nothing comes for broken', async () => {
    const { proxy, channel } = start()
    channel.use()
    await channel.connect()
    await vi.advanceTimersByTimeAsync(70_000)
    expect(proxy.streams.length).toBeGreaterThan(1)
    channel.leave()
  })

  test('closes when nothing runs through it any more, and opens again as another page', async () => {
    const { proxy, channel, states } = start()
    const release = channel.use()
    await channel.connect()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(states.at(-1)).toBe('open')
    release()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(states.at(-1)).toBe('closed')
    expect(proxy.requests.at(-1)).toBe('DELETE /api/pages/:page')
    channel.use()
    await channel.connect()
    expect(states.at(-1)).toBe('open')
    channel.leave()
  })
})
