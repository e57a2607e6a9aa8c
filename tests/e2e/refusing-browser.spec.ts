/** A browser that refuses: blocked or full storage, URL changes that fail, channels that don't open. */
import type { Page } from '@playwright/test'
import { echo, tool } from './recording-stage.ts'
import { connect, expect, fromMenu, patient, test, violations } from './stage.ts'

const shows = (page: Page) => expect(page.getByTestId('connect-input').first()).toBeVisible()

test('with storage that throws at every touch the page opens, connects, calls and can be set', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    for (const name of ['getItem', 'setItem', 'removeItem', 'key', 'clear']) {
      Object.defineProperty(Storage.prototype, name, { value: refuse })
    }
    Object.defineProperty(Storage.prototype, 'length', { get: refuse })
    Object.defineProperty(globalThis, 'BroadcastChannel', { value: refuse })
    Object.defineProperty(globalThis, 'indexedDB', { get: refuse })
  })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(address)
  await shows(page)
  await connect(page, everythingUrl)
  await echo(page, 'still here')
  await fromMenu(page, 'sessions-button')
  await expect(page.getByTestId('sessions-unavailable')).toContainText('insecure')
  expect(faults).toEqual([])
})

test('with storage whose very property throws the page opens all the same', async ({ page, address }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(globalThis, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    }
  })
  await page.goto(address)
  await shows(page)
})

test('an address that may not change any more stops nothing: Connect works, and the address follows later', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.addInitScript(() => {
    const own = { push: history.pushState, replace: history.replaceState }
    const state = globalThis as unknown as { refusing: boolean }
    state.refusing = true
    const limited = (act: (typeof own)['push']): typeof act =>
      function (this: History, ...values) {
        // Safari does this after 100 changes within 30 s.
        if (state.refusing)
          throw new DOMException('Attempt to use history.pushState() more than 100 times', 'SecurityError')
        return act.apply(this, values)
      }
    history.pushState = limited(own.push)
    history.replaceState = limited(own.replace)
  })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(address)
  await connect(page, everythingUrl)
  await expect(tool(page, 'echo')).toBeVisible()
  await page.getByTestId('tab-prompts').click()
  expect(page.url()).not.toContain('prompts')
  await page.evaluate(() => ((globalThis as unknown as { refusing: boolean }).refusing = false))
  await expect.poll(() => page.url()).toContain('prompts')
  expect(faults).toEqual([])
})

test('at the quota the oldest sessions go, and where none is left it is told why this one is not stored', async ({
  page,
  address,
  everythingUrl,
}) => {
  // Limits how many sessions the browser can store: a piece of one more session exceeds the quota.
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...values: Parameters<typeof put>) {
      const most = Number(sessionStorage.getItem('most-sessions') ?? '99')
      const value = values[0] as { readonly session?: string }
      const known = JSON.parse(sessionStorage.getItem('known') ?? '[]') as string[]
      if (this.name === 'pieces' && value.session !== undefined) {
        if (!known.includes(value.session) && known.length >= most) throw new DOMException('', 'QuotaExceededError')
        if (!known.includes(value.session)) sessionStorage.setItem('known', JSON.stringify([...known, value.session]))
      }
      return put.apply(this, values)
    }
    const remove = IDBObjectStore.prototype.delete
    IDBObjectStore.prototype.delete = function (this: IDBObjectStore, key: IDBValidKey | IDBKeyRange) {
      const known = JSON.parse(sessionStorage.getItem('known') ?? '[]') as string[]
      if (this.name === 'sessions') sessionStorage.setItem('known', JSON.stringify(known.filter((id) => id !== key)))
      return remove.call(this, key)
    }
  })
  await page.goto(address)
  await connect(page, everythingUrl)
  const stored = async () => {
    await fromMenu(page, 'sessions-button')
    const count = await page.getByTestId('session-item').count()
    await page.getByTestId('sessions-dialog-close').click()
    return count
  }
  await expect.poll(stored).toBe(1)
  await page.evaluate(() => sessionStorage.setItem('most-sessions', '1'))
  await page.reload()
  await connect(page, everythingUrl)
  await expect(async () => {
    await fromMenu(page, 'sessions-button')
    try {
      await expect(page.getByTestId('sessions-trimmed')).toContainText('oldest session', { timeout: patient(500) })
      await expect(page.getByTestId('session-item')).toHaveCount(1, { timeout: patient(500) })
    } finally {
      await page.getByTestId('sessions-dialog-close').click()
    }
  }).toPass()

  await page.evaluate(() => sessionStorage.setItem('most-sessions', '0'))
  await page.reload()
  await connect(page, everythingUrl)
  await expect(async () => {
    await fromMenu(page, 'sessions-button')
    try {
      await expect(page.getByTestId('sessions-no-room')).toContainText('is full', { timeout: patient(500) })
    } catch (error) {
      // An open dialog would be in the way of the next try.
      await page.getByTestId('sessions-dialog-close').click()
      throw error
    }
  }).toPass()
  expect(await violations(page)).toEqual([])
})
