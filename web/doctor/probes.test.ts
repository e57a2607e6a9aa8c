import { expect, onTestFinished, test, vi } from 'vitest'
import { foldAll, Trace } from '../mcp/index.ts'
import { diagnosisFold, respondsToHead } from './diagnosis-fold.ts'
import { askPermission, PING, ping, probeFromPage, probeSilence, readMetadata } from './probes.ts'

/** What the page sent, where only these URLs respond. */
const sentTo = async (url: string, responds: (url: string) => boolean, headers: readonly string[] = []) => {
  const sent: string[] = []
  vi.stubGlobal(
    'fetch',
    async (input: string, { method, mode, headers = [] }: RequestInit & { headers: string[][] }) => {
      sent.push([method, input, mode ?? 'cors', ...headers.map(([name]) => name)].join(' '))
      if (!responds(input)) throw new TypeError('Failed to fetch')
      return new Response(null)
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  await probeFromPage({ trace: new Trace(), link: 's1', url }, headers)
  return sent
}

test('where nothing responds over TLS, one request asks the same port without it, and carries no secret', async () => {
  const url = 'https://e.com:8443/mcp?token=s3cr3t'
  expect(await sentTo(url, () => false)).toEqual([`GET ${url} no-cors`, 'GET http://e.com:8443/ no-cors'])
})

test('another port or host is never asked', async () => {
  expect(await sentTo('https://e.com/mcp', () => false)).toHaveLength(1)
  expect(await sentTo('http://e.com:8080/mcp', () => false)).toHaveLength(1)
})

test('a server that responds is asked with all headers, and then with each, only as long as something is open', async () => {
  const url = 'https://e.com:8443/mcp'
  const asked = await sentTo(url, () => true, ['content-type', 'accept', 'mcp-method'])
  expect(asked).toEqual([`GET ${url} no-cors`, `GET ${url} cors`, `GET ${url} cors content-type mcp-method`])
})

test('a ping is one POST with the headers of the user, and its status is known from the trace', async () => {
  const trace = new Trace()
  const sent: string[][] = []
  const answering = async (_: unknown, { headers, body }: RequestInit = {}) => {
    sent.push([...(headers as string[][]).map(([name]) => name!), body as string])
    return new Response(null, { status: 500 })
  }
  const typed = [['x-team', 'a']] as const
  await ping({ trace, link: 's1', url: 'https://e.com/mcp' }, typed, answering, true)
  expect(sent).toEqual([['content-type', 'accept', 'x-team', PING]])
  expect(foldAll(diagnosisFold, trace).get('s1')).toMatchObject({ pinged: { status: 500 }, probes: [] })
})

test('during silence, a server gets one request without an effect, and from another origin one that needs permission', async () => {
  const sentTo = async (relayed: boolean, way: 'same-origin' | 'cross-origin') => {
    const sent: string[] = []
    const responding = async (_: unknown, { method, mode, headers }: RequestInit = {}) => {
      sent.push([method, mode ?? 'cors', ...(headers as string[][]).map(([name]) => name)].join(' '))
      return new Response(null)
    }
    vi.stubGlobal('fetch', relayed ? undefined : responding)
    onTestFinished(() => void vi.unstubAllGlobals())
    const trace = new Trace()
    await probeSilence({ trace, link: 's1', url: 'https://e.com/mcp' }, relayed ? { relayed: responding } : way)
    expect(respondsToHead(foldAll(diagnosisFold, trace).get('s1')!)).toBe(true)
    return sent
  }
  expect(await sentTo(false, 'same-origin')).toEqual(['HEAD cors'])
  expect(await sentTo(false, 'cross-origin')).toEqual(['HEAD no-cors', 'HEAD cors content-type'])
  expect(await sentTo(true, 'cross-origin')).toEqual(['HEAD cors'])
})

test('only a request that waits for OPTIONS, while the other gets its response, proves that OPTIONS is to blame', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const isSilent = async (simple: 'responds' | 'waits', preflighted: 'responds' | 'waits' | 'fails') => {
    vi.stubGlobal('fetch', async (_: string, { mode, signal }: RequestInit) => {
      const way = mode === 'no-cors' ? simple : preflighted
      if (way === 'responds') return new Response(null)
      if (way === 'fails') throw new TypeError('Failed to fetch')
      return await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))))
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const asked = probeSilence({ trace: new Trace(), link: 's1', url: 'https://e.com/mcp' }, 'cross-origin')
    await vi.runAllTimersAsync()
    return await asked
  }
  expect(await isSilent('responds', 'waits')).toBe(true)
  expect(await isSilent('responds', 'responds')).toBe(false)
  expect(await isSilent('responds', 'fails')).toBe(false)
  expect(await isSilent('waits', 'waits')).toBe(false)
})

test('the OPTIONS request says of itself what a browser would, also in a page without an origin', async () => {
  const siteOf = async (origin: string) => {
    let site: unknown
    const answering = async (_: unknown, { headers }: RequestInit = {}) => {
      site = new Map(headers as [string, string][]).get('sec-fetch-site')
      return new Response(null, { status: 204 })
    }
    const examined = { trace: new Trace(), link: 's1', url: 'http://localhost:3000/mcp' }
    await askPermission(examined, { origin, method: 'POST', headers: [] }, answering)
    return site
  }
  vi.stubGlobal('navigator', { userAgent: 'test' })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await siteOf('http://localhost:6274')).toBe('same-site')
  expect(await siteOf('https://e.com')).toBe('cross-site')
  expect(await siteOf('null')).toBe('cross-site')
})

test('metadata that the page cannot read is read in the next way, and each URL once in each', async () => {
  const read = async (...answers: readonly (number | 'fails')[]) => {
    const asked: string[] = []
    const left = [...answers]
    const way = (relayed: boolean) => ({
      relayed,
      fetch: async (url: unknown) => {
        asked.push(`${relayed ? 'relayed' : 'direct'} ${String(url).at(-1)}`)
        const next = left.shift()
        if (typeof next !== 'number') throw new TypeError('Failed to fetch')
        return new Response('{}', { status: next })
      },
    })
    const trace = new Trace()
    await readMetadata({ trace, link: 's1' }, ['https://e.com/1', 'https://e.com/2'], [way(false), way(true)])
    return { asked, metadata: foldAll(diagnosisFold, trace).get('s1')?.metadata }
  }
  expect(await read(200)).toMatchObject({ asked: ['direct 1'], metadata: { status: 200, body: '{}' } })
  expect((await read('fails', 200)).asked).toEqual(['direct 1', 'relayed 1'])
  expect((await read(404, 200)).asked).toEqual(['direct 1', 'direct 2'])
  const { asked, metadata } = await read('fails', 'fails', 'fails', 'fails')
  expect(asked).toEqual(['direct 1', 'relayed 1', 'direct 2', 'relayed 2'])
  expect(metadata).toMatchObject({ unread: true, relayed: true })
})
