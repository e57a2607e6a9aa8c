import { describe, expect, test } from 'vitest'
import { SealedStorage, type SealedEvent } from './sealed-storage.ts'
import { Device, SERVER, tokensOf } from './vault.case.ts'
import { Vault } from './vault.ts'

const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])

const RECORD = `periscope.credentials.2.server.${SERVER}`

/** A tab of a device, with the key that all its tabs share. */
const tabOf = async (device: Device, key: () => Promise<CryptoKey>) => {
  const events = new EventTarget()
  const sealed = await SealedStorage.open({ store: device.storageFor(events), key, events })
  const told: SealedEvent[] = []
  sealed.subscribe((event) => void told.push(event))
  return { sealed, told, vault: new Vault({ store: sealed, sealed, events: sealed.events, locks: device.locks }) }
}

const remembered = async (device: Device, key: () => Promise<CryptoKey>) => {
  const tab = await tabOf(device, key)
  const tokens = tokensOf()
  tab.vault.remember(SERVER, true)
  tab.vault.putTokens(tokens)
  await tab.sealed.settled()
  return { ...tab, tokens }
}

describe('remembered tokens lie on the device encrypted', () => {
  test('neither token stands there in any spelling, and another page reads them', async () => {
    const device = new Device()
    const key = await newKey()
    const { tokens } = await remembered(device, async () => key)
    expect(device.text).toContain(RECORD)
    for (const secret of [tokens.accessToken, tokens.refreshToken!])
      for (const spelling of [secret, encodeURIComponent(secret), btoa(secret).slice(0, -4)])
        expect(device.text).not.toContain(spelling)
    const later = await tabOf(device, async () => key)
    expect(later.vault.tokensFor(SERVER)).toMatchObject({ accessToken: tokens.accessToken })
    expect(later.told).toEqual([])
  })

  test('each write has an IV of its own, and a record copied under another name is none there', async () => {
    const device = new Device()
    const key = await newKey()
    const { sealed } = await remembered(device, async () => key)
    const first = device.entries.get(RECORD)!
    sealed.setItem(RECORD, sealed.getItem(RECORD)!)
    await sealed.settled()
    expect(device.entries.get(RECORD)).not.toBe(first)
    const other = 'https://other.example/mcp'
    device.entries.set(`periscope.credentials.2.server.${other}`, first)
    const later = await tabOf(device, async () => key)
    expect(later.vault.tokensFor(other)).toBeUndefined()
    expect(later.told).toEqual([{ kind: 'unreadable', key: `periscope.credentials.2.server.${other}` }])
    expect(later.vault.tokensFor(SERVER)).toBeDefined()
  })

  test('where the key is lost the tokens go, and it is told', async () => {
    const device = new Device()
    const key = await newKey()
    await remembered(device, async () => key)
    const another = await newKey()
    const later = await tabOf(device, async () => another)
    expect(later.told).toEqual([{ kind: 'unreadable', key: RECORD }])
    expect(later.vault.tokensFor(SERVER)).toBeUndefined()
    expect(device.entries.has(RECORD)).toBe(false)
  })

  test('what an earlier version left in clear is encrypted as it is found, and the clear text goes', async () => {
    const before = new Device()
    const plain = before.tab()
    const tokens = tokensOf()
    plain.remember(SERVER, true)
    plain.putTokens(tokens)
    const device = new Device()
    device.entries.set(`periscope.credentials.1.server.${SERVER}`, before.entries.get(RECORD)!)
    expect(device.text).toContain(tokens.accessToken)
    const key = await newKey()
    const { vault } = await tabOf(device, async () => key)
    expect(vault.tokensFor(SERVER)).toMatchObject({ accessToken: tokens.accessToken })
    expect(device.text).not.toContain(tokens.accessToken)
    expect([...device.entries.keys()].filter((name) => name.includes('.1.'))).toEqual([])
  })

  test('where nothing can be encrypted, what an earlier version left in clear goes', () => {
    const device = new Device()
    device.entries.set(`periscope.credentials.1.server.${SERVER}`, '{"accessToken":"in-clear"}')
    expect(SealedStorage.dropClear(device.storageFor(new EventTarget()))).toBe(true)
    expect(device.text).not.toContain('in-clear')
    expect(SealedStorage.dropClear(device.storageFor(new EventTarget()))).toBe(false)
  })

  test('where there is no key, or no room, they stay in memory, and the list says so', async () => {
    for (const fault of ['key', 'room']) {
      const device = new Device()
      const key = await newKey()
      const { vault, sealed } = await tabOf(device, () =>
        fault === 'key' ? Promise.reject(new Error('refused')) : Promise.resolve(key),
      )
      device.full = fault === 'room'
      const tokens = tokensOf()
      vault.remember(SERVER, true)
      vault.putTokens(tokens)
      await sealed.settled()
      expect(vault.tokensFor(SERVER)).toMatchObject({ accessToken: tokens.accessToken })
      expect(device.entries.has(RECORD)).toBe(false)
      expect(vault.entries()).toMatchObject([{ kept: 'memory', remembered: true, unkept: 'refused' }])
    }
  })

  test('another tab goes on with what this one signed in to, and with what it refreshed, once for both', async () => {
    const device = new Device()
    const key = await newKey()
    const one = await remembered(device, async () => key)
    const other = await tabOf(device, async () => key)
    const next = tokensOf()
    let runs = 0
    const refresh = async () => {
      runs++
      await Promise.resolve()
      return next
    }
    const both = await Promise.all([one.vault.exchange(SERVER, refresh), other.vault.exchange(SERVER, refresh)])
    expect(runs).toBe(1)
    expect(both.map(({ accessToken }) => accessToken)).toEqual([next.accessToken, next.accessToken])
    one.vault.forget(SERVER)
    await expect.poll(() => other.vault.tokensFor(SERVER)).toBeUndefined()
    expect(device.entries.has(RECORD)).toBe(false)
  })
})
