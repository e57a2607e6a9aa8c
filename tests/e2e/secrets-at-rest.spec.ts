/** What was typed to connect is nowhere in the browser afterwards, and no link or file contains it (SEC-15). */
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { KINDS } from '../attacks/secret-kinds.ts'
import { leaks } from '../sessions/leaks.ts'
import { everythingStdio } from '../servers/everything.ts'
import { expect, test, patient } from './stage.ts'

const isOpen = (page: Page) =>
  expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', {
    timeout: patient(20_000),
  })

/** Everything this origin has stored in the browser. */
const dump = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const parts: unknown[] = [{ ...localStorage }, { ...sessionStorage }, location.href, history.state]
    for (const { name = '' } of await indexedDB.databases()) {
      const base = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error(name))
      })
      for (const store of base.objectStoreNames) {
        const request = base.transaction(store).objectStore(store).getAll()
        parts.push(await new Promise((resolve) => (request.onsuccess = () => resolve(request.result))))
      }
      base.close()
    }
    return JSON.stringify(parts)
  })

const leaving = async (page: Page): Promise<string> => {
  await page.getByTestId('share').click()
  await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
  // A link holds at most 32 KB.
  if (await page.getByTestId('share-copy').isDisabled()) {
    await page.getByTestId('share-part-steps').click()
    await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
  }
  await page.getByTestId('share-copy').click()
  await expect(page.getByTestId('share-status')).toContainText(
    'Link copied. It opens only where Periscope runs on port',
  )
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toContain('#share=')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('share-save').click()])
  return `${link}\n${await readFile(await download.path(), 'utf8')}`
}

test('20 kinds of secrets in headers and variables that are remembered: none in IndexedDB, storage, link or file in clear', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const secrets = KINDS.map((kind) => ({ kind, secret: kind.make() }))
  const inHeaders = secrets.filter(({ secret }) => /^[\x20-\x7e]+$/.test(secret))
  const parts = secrets.map(({ kind, secret }) => kind.part?.(secret) ?? secret)
  const { command, args } = everythingStdio
  const entries = [
    { url: everythingUrl, headers: Object.fromEntries(inHeaders.map(({ secret }, at) => [`X-Custom-${at}`, secret])) },
    { command, args, env: Object.fromEntries(secrets.map(({ secret }, at) => [`SETTING_${at}`, secret])) },
  ]
  await page.goto(address)
  const out: string[] = []
  for (const [index, entry] of entries.entries()) {
    if (index > 0) await page.getByTestId('server-add').click()
    await page.getByTestId('connect-input').fill(JSON.stringify({ mcpServers: { remembered: entry } }))
    await page.getByTestId('connect-more').click()
    await page.getByTestId('remember-values').check()
    await page.getByTestId('connect-button').click()
    await isOpen(page)
    out.push(await leaving(page))
    await page.keyboard.press('Escape')
  }
  await page.reload()
  await expect.poll(async () => (await dump(page)).includes('"frames"')).toBe(true)
  await expect.poll(async () => (await dump(page)).match(/periscope\.credentials\.2\.typed\./g)).toHaveLength(2)
  const stored = await dump(page)
  expect(await leaks(stored, parts)).toEqual([])
  for (const text of out) expect(await leaks(text, parts)).toEqual([])
})

test('20 kinds of secrets in headers, the query, arguments and variables: none in IndexedDB, storage, link or file', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const secrets = KINDS.map((kind) => ({ kind, secret: kind.make() }))
  const inHeaders = secrets.filter(({ secret }) => /^[\x20-\x7e]+$/.test(secret))
  const parts = secrets.map(({ kind, secret }) => kind.part?.(secret) ?? secret)

  await page.goto(address)
  const query = secrets.map(({ secret }, at) => `api_key_${at}=${encodeURIComponent(secret)}`).join('&')
  await page.getByTestId('connect-input').fill(
    JSON.stringify({
      mcpServers: {
        http: {
          url: `${everythingUrl}?${query}`,
          headers: Object.fromEntries(inHeaders.map(({ secret }, at) => [`X-Custom-${at}`, secret])),
        },
      },
    }),
  )
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  const out = [await leaving(page)]
  await page.keyboard.press('Escape')

  await page.getByTestId('server-add').click()
  const { command, args } = everythingStdio
  await page.getByTestId('connect-input').fill(
    JSON.stringify({
      mcpServers: {
        stdio: {
          command,
          args: [
            ...args,
            ...secrets.flatMap(({ secret }) => [`--api-key=${secret}`, '--token', secret, '--pass', secret]),
            ...secrets.map(({ secret }) => `postgres://me:${encodeURIComponent(secret)}@db.example/app`),
          ],
          env: Object.fromEntries(secrets.map(({ secret }, at) => [`SETTING_${at}`, secret])),
        },
      },
    }),
  )
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  out.push(await leaving(page))
  await page.keyboard.press('Escape')

  // Written by now, and once more when the page is left.
  await page.reload()
  await expect.poll(async () => (await dump(page)).includes('"frames"')).toBe(true)
  expect(await leaks(await dump(page), parts)).toEqual([])
  for (const text of out) expect(await leaks(text, parts)).toEqual([])
})
