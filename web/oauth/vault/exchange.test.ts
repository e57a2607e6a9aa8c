/** Tokens are replaced once, whatever other tabs do at the same time. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { ReturnStorage } from '../consent/return.ts'
import { AuthError } from '../model/fault.ts'
import type { TokenSet } from '../model/sign-in-state.ts'
import type { ReplacedTokens } from './replaced-tokens.ts'
import { Device, SERVER, tokensOf } from './vault.case.ts'
import { Vault } from './vault.ts'

describe('an exchange (AU-TOK-04)', () => {
  const next = tokensOf({ accessToken: 'next' })

  test('is made once for all who ask at the same time, in all tabs', async () => {
    const device = new Device()
    const tabs = [device.tab(), device.tab(), device.tab()]
    tabs[0]!.putTokens(tokensOf())
    tabs[0]!.remember(SERVER, true)
    let runs = 0
    const run = async () => {
      runs++
      await Promise.resolve()
      return next
    }
    const all = await Promise.all([...tabs, ...tabs].map((tab) => tab.exchange(SERVER, run)))
    expect(runs).toBe(1)
    expect(new Set(all.map(({ accessToken }) => accessToken))).toEqual(new Set(['next']))
    for (const tab of tabs) expect(tab.tokensFor(SERVER)?.accessToken).toBe('next')
  })

  test('is made once even if the storage brings the other tab the new tokens late', async () => {
    const device = new Device()
    const digests = new Set<string>()
    const replaced: ReplacedTokens = {
      has: ({ accessToken }) => Promise.resolve(digests.has(accessToken)),
      add: ({ accessToken }) => Promise.resolve(void digests.add(accessToken)),
    }
    const one = device.tab({ replaced })
    const before = tokensOf()
    one.putTokens(before)
    one.remember(SERVER, true)
    /** What the late tab sees of the storage: at first, what was there when the other tab began. */
    let seen: ReadonlyMap<string, string> | undefined = new Map(device.entries)
    const store = device.storage(new EventTarget())
    const late: ReturnStorage = {
      ...store,
      get length() {
        return store.length
      },
      getItem: (key) => (seen ? (seen.get(key) ?? null) : store.getItem(key)),
    }
    const two = new Vault({ store: late, locks: device.locks, replaced })
    const used: string[] = []
    const run = (current: TokenSet) => {
      used.push(current.refreshToken!)
      return Promise.resolve(next)
    }
    const first = one.exchange(SERVER, run)
    const second = two.exchange(SERVER, run)
    await first
    setTimeout(() => (seen = undefined), 100)
    expect((await second).accessToken).toBe('next')
    expect(used).toEqual([before.refreshToken])
  })

  test('goes on with tokens that another tab replaced if nothing newer ever arrives', async () => {
    const replaced: ReplacedTokens = { has: () => Promise.resolve(true), add: () => Promise.resolve() }
    const vault = new Device().tab({ replaced })
    vault.putTokens(tokensOf())
    vault.remember(SERVER, true)
    vi.useFakeTimers()
    try {
      const exchange = vault.exchange(SERVER, () => Promise.resolve(next))
      await vi.advanceTimersByTimeAsync(3_000)
      expect(await exchange).toEqual(next)
    } finally {
      vi.useRealTimers()
    }
  })

  test('that fails leaves what was there, and the next one may try', async () => {
    const vault = new Vault()
    const before = tokensOf()
    vault.putTokens(before)
    await expect(vault.exchange(SERVER, () => Promise.reject(new TypeError('no network')))).rejects.toThrow(TypeError)
    expect(vault.tokensFor(SERVER)).toEqual(before)
    expect(await vault.exchange(SERVER, () => Promise.resolve(next))).toEqual(next)
  })

  test('brings nothing back that was forgotten meanwhile, and does not undo a sign-in', async () => {
    const vault = new Vault()
    vault.putTokens(tokensOf())
    const forgetting = vault.exchange(SERVER, () => {
      vault.forget(SERVER)
      return Promise.resolve(next)
    })
    await expect(forgetting).rejects.toThrow(AuthError)
    expect(vault.tokensFor(SERVER)).toBeUndefined()
    await expect(vault.exchange(SERVER, () => Promise.resolve(next))).rejects.toThrow(AuthError)

    vault.putTokens(tokensOf())
    const anew = tokensOf()
    const signingIn = vault.exchange(SERVER, () => {
      vault.putTokens(anew)
      return Promise.resolve(next)
    })
    expect(await signingIn).toEqual(anew)
    expect(vault.tokensFor(SERVER)).toEqual(anew)
  })

  test.each([false, true])(
    'leaves to a tab that stops to remember no refresh token in use (storage full: %s)',
    async (full) => {
      const device = new Device()
      const [one, two] = [device.tab(), device.tab()]
      const before = tokensOf()
      one.putTokens(before)
      one.remember(SERVER, true)
      expect(two.tokensFor(SERVER)).toBeDefined()
      device.full = full
      const refresh = one.exchange(SERVER, () => {
        two.remember(SERVER, false)
        return Promise.resolve(next)
      })
      await refresh.catch(() => {})
      expect(two.tokensFor(SERVER)?.refreshToken).toBeUndefined()
      // If the other tab couldn't be notified of the refresh, the tokens were unavailable meanwhile.
      expect(two.tokensFor(SERVER)?.accessToken).toBe(full ? undefined : before.accessToken)
      expect(one.tokensFor(SERVER)?.accessToken).toBe(full ? 'next' : undefined)
    },
  )

  test('uses a refresh token once, however tabs take turns, forget, remember and sign in', async () => {
    const act = fc.record({
      tab: fc.nat(2),
      act: fc.constantFrom('exchange', 'exchange', 'exchange', 'sign-in', 'remember', 'keep-apart', 'forget', 'fill'),
      fails: fc.constantFrom(false, false, false, true),
    })
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(act, { minLength: 1, maxLength: 16 }), async (scheduler, acts) => {
        const device = new Device()
        const tabs = [device.tab(), device.tab(), device.tab()]
        tabs[0]!.putTokens(tokensOf())
        tabs[0]!.remember(SERVER, true)
        const used: string[] = []
        const refresh =
          (fails: boolean) =>
          async ({ refreshToken }: TokenSet) => {
            await scheduler.schedule(Promise.resolve(), 'sent')
            if (fails) throw new TypeError('no network')
            // Tokens adopted while another tab refreshes its own have no refresh token and can't be refreshed.
            if (refreshToken === undefined) throw new TypeError('nothing to refresh with')
            used.push(refreshToken)
            await scheduler.schedule(Promise.resolve(), 'answered')
            return tokensOf()
          }
        const running = acts.map(async ({ tab: index, act, fails }) => {
          await scheduler.schedule(Promise.resolve(), act)
          const tab = tabs[index]!
          if (act === 'sign-in') tab.putTokens(tokensOf())
          else if (act === 'remember') tab.remember(SERVER, true)
          else if (act === 'keep-apart') tab.remember(SERVER, false)
          else if (act === 'forget') tab.forget(SERVER)
          else if (act === 'fill') device.full = !device.full
          else await tab.exchange(SERVER, refresh(fails)).catch(() => {})
        })
        await scheduler.waitFor(Promise.all(running))
        expect(new Set(used).size).toBe(used.length)
      }),
    )
  })
})
