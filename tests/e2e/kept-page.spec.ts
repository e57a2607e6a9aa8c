/** Journeys share a page (`kept-page.ts`), and each finds it as if it were the first. */
import type { Page } from '@playwright/test'
import { expect, test } from './stage.ts'

/** All that a journey can leave in a page. */
const remains = async (page: Page) => ({
  ...(await page.evaluate(async () => ({
    stored: [localStorage.getItem('left'), sessionStorage.getItem('left')],
    name: window.name,
    databases: (await indexedDB.databases()).map(({ name }) => name).filter((name) => name === 'left'),
    caches: await caches.keys(),
    history: history.length,
    dark: matchMedia('(prefers-color-scheme: dark)').matches,
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
    forced: matchMedia('(forced-colors: active)').matches,
    width: innerWidth,
    script: 'left' in window,
    routed: await fetch('/left').then(
      ({ status }) => status,
      () => 'failed',
    ),
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
  }))),
  cookies: await page.context().cookies(),
  pages: page.context().pages().length,
})

/** What the first journey found. Filled in by it, because the tests of a file run in one process, in turn. */
let first: unknown

test.describe.configure({ mode: 'serial' })

test('a journey leaves all that it can', async ({ page, address }) => {
  await page.goto(address)
  first = await remains(page)
  await page.evaluate(async () => {
    localStorage.setItem('left', '1')
    sessionStorage.setItem('left', '1')
    window.name = 'left'
    document.cookie = 'left=1'
    await caches.open('left')
    await new Promise((resolve) => (indexedDB.open('left').onsuccess = resolve))
    location.hash = 'left'
  })
  await page.context().newPage()
  await page.context().grantPermissions(['clipboard-read'])
  await page.context().route('**/left', (route) => route.fulfill({ status: 299 }))
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce', forcedColors: 'active' })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await remains(page)).toEqual({
    stored: ['1', '1'],
    name: 'left',
    databases: ['left'],
    caches: ['left'],
    history: expect.any(Number) as unknown,
    dark: true,
    still: true,
    forced: true,
    width: 390,
    script: false,
    routed: 299,
    clipboard: 'granted',
    cookies: [expect.objectContaining({ name: 'left' }) as unknown],
    pages: 2,
  })
})

test('the next one finds nothing of it', async ({ page, address }) => {
  await page.goto(address)
  expect(await remains(page)).toEqual(first)
  await page.addInitScript(() => Object.assign(window, { left: true }))
  await page.reload()
  expect(await page.evaluate(() => 'left' in window)).toBe(true)
})

test('nor of a script for each page, which only a new context is without', async ({ page, address }) => {
  await page.goto(address)
  expect(await remains(page)).toEqual(first)
})
