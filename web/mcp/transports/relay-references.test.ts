/** References to environment variables in the headers of relayed requests, with the real proxy and a real server. */
import { describe, expect, inject, test } from 'vitest'
import { Session, StreamableHttpTransport, Trace, TransportError } from '../index.ts'
import { relayFetch, type HeaderReferences } from './relay.ts'

const place = (behaviour: string) => `${inject('hostileUrl')}/h/${behaviour}/${crypto.randomUUID()}`

/** The requests the server received: tests/servers/control.ts. */
const seen = async (url: string) => {
  const { origin, pathname } = new URL(url)
  const response = await fetch(`${origin}/control/seen${pathname}`, { method: 'POST', body: '{}' })
  return (await response.json()) as { headers: Record<string, string> }[]
}

/** Every process has it, the proxy as well. */
const REFERENCE = '${env:PATH}'
const typed = [['X-Path', REFERENCE]] as const

const relay = (url: string, more: Partial<HeaderReferences> = {}) =>
  relayFetch({
    base: `${inject('proxyUrl')}/`,
    token: inject('proxyToken'),
    references: { names: ['PATH'], headers: typed, origin: new URL(url).origin, ...more },
  })

describe('a reference in a typed header', () => {
  test('becomes the value for the server, and is all that the trace has', async () => {
    const url = place('no-cors')
    const trace = new Trace()
    const transport = new StreamableHttpTransport({ url, headers: typed, fetch: relay(url) })
    const session = new Session({ trace, link: 's1', transport, clientInfo: { name: 'test', version: '0' } })
    await session.open()
    await session.close()
    const values = (await seen(url)).map(({ headers }) => headers['x-path'])
    expect(values.length).toBeGreaterThan(1)
    for (const value of values) expect(value).toMatch(/[/\\]/)
    const text = JSON.stringify([...trace])
    expect(text).toContain(REFERENCE)
    expect(text).not.toContain(JSON.stringify(values[0]).slice(1, -1))
  })

  test('stays as it is in any other header: its text may come from a server', async () => {
    const url = place('no-cors')
    await relay(url)(url, { method: 'POST', headers: { 'X-Path': REFERENCE, 'Mcp-Param-Text': REFERENCE }, body: '{}' })
    const [request] = await seen(url)
    expect(request!.headers['mcp-param-text']).toBe(REFERENCE)
    expect(request!.headers['x-path']).not.toBe(REFERENCE)
  })

  test.each([
    ['for another origin', { origin: 'https://mcp.example' }, REFERENCE],
    ['with another value in the same header', {}, `other, ${REFERENCE}`],
  ])('is not sent %s, neither resolved nor literally', async (_, more, value) => {
    const url = place('no-cors')
    const sent = relay(url, more)(url, { headers: { 'X-Path': value } })
    const refused: unknown = await sent.then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(refused).toBeInstanceOf(TransportError)
    expect(refused).toMatchObject({ code: 'proxy-refused' })
    expect(await seen(url)).toEqual([])
  })

  test('to a variable that is not set ends in an error that names it, and the server gets nothing', async () => {
    const url = place('no-cors')
    const headers = [['X-Path', '${env:PERISCOPE_NOT_SET}']] as const
    const fetch = relay(url, { names: ['PERISCOPE_NOT_SET'], headers })
    const transport = new StreamableHttpTransport({ url, headers, fetch })
    const session = new Session({
      trace: new Trace(),
      link: 's1',
      transport,
      clientInfo: { name: 'test', version: '0' },
    })
    await expect(session.open()).rejects.toMatchObject({
      code: 'proxy-refused',
      message: `The environment variable "PERISCOPE_NOT_SET" isn't set where Periscope runs.`,
      details: { relayCode: 'missing-variable' },
    })
    expect(await seen(url)).toEqual([])
  })
})
