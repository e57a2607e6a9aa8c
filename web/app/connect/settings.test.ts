import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CLIENT_CAPABILITIES, REVISIONS } from '../../mcp/index.ts'
import { mayPass, pauseBefore, policyFor } from '../server/back-off.ts'
import { BOUNDS, meantFor, notTakenUp, patched, readSettings, reconnects, type Settings } from './settings.ts'
import { withCertificate, withoutCertificate } from './certificates/certificates.ts'
import { transportFor } from '../server/transport-for.ts'
import type { Target } from './target.ts'

const FINGERPRINT = Array(32).fill('0A').join(':')

const time = (which: keyof typeof BOUNDS) => fc.integer({ min: BOUNDS[which][0], max: BOUNDS[which][1] })
const anySettings = fc.record<Settings>(
  {
    revision: fc.constantFrom(...REVISIONS),
    transport: fc.constantFrom('streamable-http', 'http-sse'),
    foreignEndpoint: fc.constant(true),
    relay: fc.boolean(),
    certificates: fc.constant([`localhost:8443 ${FINGERPRINT}`] as const),
    idle: time('idle'),
    total: time('total'),
    pingEvery: time('pingEvery'),
    reconnect: fc.boolean(),
    withheld: fc.subarray([...CLIENT_CAPABILITIES], { minLength: 1 }).map((paths) => paths.toSorted()),
  },
  { requiredKeys: [] },
)

describe('settings', () => {
  test('come back from storage as they went in', () => {
    fc.assert(
      fc.property(anySettings, (settings) => {
        expect(readSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings)
      }),
    )
  })

  test('anything else that stands in storage is left out, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readSettings(value)
        expect(readSettings(read)).toEqual(read)
      }),
    )
    expect(
      readSettings({ revision: '2099-01-01', transport: 'ws', relay: 'yes', idle: 0, total: 1e12, pingEvery: '5' }),
    ).toEqual({})
  })

  test('what is put back to our choice leaves nothing behind', () => {
    expect(patched({ relay: true, idle: 5000 }, { relay: undefined })).toEqual({ idle: 5000 })
  })

  test('those that mean nothing for a target count for nothing', () => {
    const certificates = [`e.com ${FINGERPRINT}`] as const
    const all: Settings = { revision: '2025-06-18', transport: 'http-sse', relay: true, certificates, idle: 1000 }
    expect(meantFor(all, 'command')).toEqual({ revision: '2025-06-18', idle: 1000 })
    expect(meantFor(all, 'url')).toEqual(all)
  })

  test('a certificate is trusted for one host by its whole fingerprint, and nothing trusts all', () => {
    const wrong = [FINGERPRINT, ` ${FINGERPRINT}`, 'e.com', 'e.com *', `e.com ${FINGERPRINT.toLowerCase()}`, `a b ${FINGERPRINT}`, 1, null] // prettier-ignore
    expect(readSettings({ certificates: wrong })).toEqual({})
    expect(readSettings({ certificates: `e.com ${FINGERPRINT}` })).toEqual({})
    expect(readSettings({ insecureTls: true })).toEqual({})
    const own = `e.com:8443 ${FINGERPRINT}` as const
    expect(readSettings({ certificates: [...wrong, own] })).toEqual({ certificates: [own] })
    const newer = `e.com:8443 ${FINGERPRINT.replace('0A', '0B')}` as const
    const other = `e.com ${FINGERPRINT}` as const
    expect(withCertificate([other, own], newer)).toEqual([other, newer])
    expect(withoutCertificate([other, newer], other)).toEqual([newer])
    expect(withoutCertificate([newer], newer)).toBeUndefined()
  })

  test('an open connection says which of them wait for the next one; pings and reconnecting do not', () => {
    expect(notTakenUp({}, { pingEvery: 5000, reconnect: false }, 'url')).toEqual([])
    expect(notTakenUp({}, { relay: true, revision: '2025-06-18' }, 'url')).toEqual(['revision', 'relay'])
    expect(notTakenUp({}, { relay: true }, 'command')).toEqual([])
  })

  test('addresses connect again by themselves unless told not to, processes only when told to', () => {
    expect([reconnects({}, 'url'), reconnects({}, 'command'), reconnects({}, 'sample')]).toEqual([true, false, false])
    expect(reconnects({ reconnect: false }, 'url')).toBe(false)
    expect(reconnects({ reconnect: true }, 'command')).toBe(true)
  })
})

describe('connecting again', () => {
  test('pauses grow up to a bound, and a crash loop ends', () => {
    for (const kind of ['url', 'command'] as const) {
      const policy = policyFor(kind)
      const pauses = Array.from({ length: policy.most }, (_, tried) => pauseBefore(policy, tried, 0.5)!)
      for (const [index, pause] of pauses.entries()) {
        expect(pause).toBeGreaterThanOrEqual(index === 0 ? 0 : pauses[index - 1]!)
        expect(pause).toBeLessThanOrEqual(policy.longest)
      }
      expect(pauseBefore(policy, policy.most, 0.5)).toBeUndefined()
    }
  })

  test('what a person has to mend is not tried again', () => {
    for (const code of ['unauthorized', 'not-mcp', 'unsupported-revision', 'bad-handshake', 'no-proxy', 'internal']) {
      expect(mayPass({ code }, 'url'), code).toBe(false)
    }
    for (const code of ['unreachable', 'stream-lost', 'timeout', 'session-expired']) {
      expect(mayPass({ code }, 'url'), code).toBe(true)
    }
    expect([
      mayPass({ code: 'http-status', status: 503 }, 'url'),
      mayPass({ code: 'http-status', status: 400 }, 'url'),
    ]).toEqual([true, false])
    expect([mayPass({ code: 'process-exited' }, 'command'), mayPass({ code: 'spawn-failed' }, 'command')]).toEqual([
      true,
      false,
    ])
    expect(mayPass({ code: 'process-exited' }, 'sample')).toBe(false)
  })
})

describe('the transport', () => {
  const target: Target = { kind: 'url', url: 'https://e.com/mcp', headers: [] }
  const none = { bridge: undefined } as const

  test('is Streamable HTTP with the older one behind it, or the one that was chosen, alone', async () => {
    const auto = await transportFor(target, {}, none)
    expect([auto.name, auto.older?.()?.name]).toEqual(['Streamable HTTP', 'HTTP+SSE'])
    const streamable = await transportFor(target, { transport: 'streamable-http' }, none)
    expect([streamable.name, streamable.older?.()]).toEqual(['Streamable HTTP', undefined])
    expect((await transportFor(target, { transport: 'http-sse' }, none)).name).toBe('HTTP+SSE')
  })

  test('needs the proxy for processes and for the relay, and says so before anything is sent', async () => {
    const command: Target = { kind: 'command', command: 'x', args: [], env: {} }
    await expect(transportFor(command, {}, none)).rejects.toMatchObject({ code: 'no-proxy' })
    await expect(transportFor(target, { relay: true }, none)).rejects.toMatchObject({ code: 'no-proxy' })
    // Directly, a reference to an environment variable could only be sent literally.
    const refers = { ...none, variables: ['TOKEN'] }
    await expect(transportFor(target, {}, refers)).rejects.toMatchObject({ code: 'no-proxy' })
  })
})
