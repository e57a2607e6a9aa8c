import { describe, expect, test } from 'vitest'
import { SealedStorage } from './sealed-storage.ts'
import { TypedValues } from './typed-values.ts'
import { Device } from './vault.case.ts'
import { Vault } from './vault.ts'

const URL_SERVER = 'https://mcp.example/mcp'
const COMMAND = '/work\nnpx server --port 1'
const SECRET = 'typed-secret-51f0c2'
const PAIRS = [
  ['X-Api-Key', SECRET],
  ['X-Api-Key', 'second'],
] as const

const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

const tabOf = async (device: Device, key: () => Promise<CryptoKey>, now: () => number = Date.now) => {
  const events = new EventTarget()
  const sealed = await SealedStorage.open({ store: device.storageFor(events), key, events })
  const vault = new Vault({ store: sealed, sealed, events: sealed.events })
  return { vault, values: new TypedValues({ sealed, now }) }
}

describe('values that are remembered', () => {
  test('lie on the device encrypted, and a later page reads them', async () => {
    const device = new Device()
    const key = await newKey()
    const { values } = await tabOf(device, async () => key)
    expect(await values.keep(URL_SERVER, PAIRS)).toBeUndefined()
    expect(await values.keep(COMMAND, [['API_KEY', SECRET]])).toBeUndefined()
    for (const spelling of [SECRET, btoa(SECRET).slice(0, -4)]) expect(device.text).not.toContain(spelling)
    const later = await tabOf(device, async () => key)
    expect(later.values.of(URL_SERVER)).toEqual(PAIRS)
    expect(later.values.entries().map(({ server, pairs }) => [server, pairs.length])).toEqual([
      [COMMAND, 1],
      [URL_SERVER, 2],
    ])
    expect(later.values.of('https://other.example/mcp')).toBeUndefined()
    // They are no sign-in.
    expect(later.vault.entries()).toEqual([])
  })

  test('are forgotten for one server or all, for every tab, and with all other credentials', async () => {
    const device = new Device()
    const key = await newKey()
    const one = await tabOf(device, async () => key)
    await one.values.keep(URL_SERVER, PAIRS)
    await one.values.keep(COMMAND, PAIRS)
    const two = await tabOf(device, async () => key)
    two.values.forget(URL_SERVER)
    expect([one.values.of(URL_SERVER), one.values.of(COMMAND)]).toEqual([undefined, PAIRS])
    one.vault.forgetAll()
    expect(two.values.entries()).toEqual([])
    await one.values.keep(COMMAND, PAIRS)
    one.values.forgetAll()
    expect(device.text).not.toContain('typed')
  })

  test('are gone after 90 days without use, and if they were altered', async () => {
    const device = new Device()
    const key = await newKey()
    const { values } = await tabOf(device, async () => key)
    await values.keep(URL_SERVER, PAIRS)
    const later = await tabOf(
      device,
      async () => key,
      () => Date.now() + 91 * 86_400_000,
    )
    expect(later.values.entries()).toEqual([])
    expect(values.of(URL_SERVER)).toBeUndefined()
  })

  test.each([
    ['nothing can be encrypted', 'insecure', () => Promise.resolve(new TypedValues({ insecure: true }))],
    ['there is no storage', 'refused', () => Promise.resolve(new TypedValues())],
    [
      'there is no key',
      'refused',
      async () => (await tabOf(new Device(), () => Promise.reject(new Error('denied')))).values,
    ],
  ])('are not stored if %s, and the result says so', async (_, why, make) => {
    const values = await make()
    expect(await values.keep(URL_SERVER, PAIRS)).toBe(why)
    expect(values.of(URL_SERVER)).toBeUndefined()
  })

  test('that are too long replace none: the earlier ones are gone, as they are outdated', async () => {
    const key = await newKey()
    const { values } = await tabOf(new Device(), async () => key)
    await values.keep(URL_SERVER, PAIRS)
    expect(await values.keep(URL_SERVER, [['X', 'x'.repeat(200_000)]])).toBe('refused')
    expect(values.of(URL_SERVER)).toBeUndefined()
  })
})
