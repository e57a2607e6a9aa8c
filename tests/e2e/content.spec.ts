/**
 * Hostile content runs nothing, fetches nothing, blocks nothing, and is marked (SEC-03, ICON-02 … ICON-04, SF-TOOL-11).
 */
import type { Locator, Page } from '@playwright/test'
import { start, type ContentsPeer } from '../servers/contents.ts'
import { longestWork } from '../main-thread.ts'
import { expect, isUnder, patient, selectFirst, test, violations, writeJson } from './stage.ts'

let peer: ContentsPeer
test.beforeAll(async () => {
  peer = await start()
})
test.afterAll(() => peer.close())

/** Collects forbidden events during the whole test. */
const watch = async (page: Page) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    // The server has no GET stream, and the browser logs that 405 as an error.
    if (message.location().url === peer.url) return
    if (message.type() === 'error' || /content security policy/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('dialog', (dialog) => {
    complaints.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('popup', () => complaints.push('a window opened'))
  await page.addInitScript(() => {
    const gathered: string[] = []
    Object.assign(window, { gathered })
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      gathered.push(`${violatedDirective} ${blockedURI}`),
    )
  })
  return {
    /** Nothing ran, nothing was fetched, nothing was blocked. */
    quiet: async () => {
      const seen = await page.evaluate(() => {
        const { gathered, pwned } = window as unknown as { gathered: string[]; pwned?: unknown }
        return { gathered, pwned }
      })
      expect(seen).toEqual({ gathered: [], pwned: undefined })
      expect(peer.hits).toEqual([])
      expect(complaints).toEqual([])
    },
  }
}

const connect = async (page: Page, address: string) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(peer.url)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
}

const call = async (page: Page, name: string): Promise<Locator> => {
  await page.getByTestId('tab-tools').click()
  await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
  await expect(page.getByTestId('tool-detail')).toContainText(name)
  await page.getByTestId('tool-run').click()
  const result = page.getByTestId('tool-result')
  await expect(result).toHaveAttribute('data-state', 'ok', { timeout: patient(20_000) })
  return result
}

const view = (result: Locator, name: string) =>
  result.getByTestId('content-view').getByText(name, { exact: true }).click()

test('Markdown full of markup is drawn without any of it, and links show where they lead', async ({
  page,
  address,
}) => {
  const watched = await watch(page)
  await connect(page, address)
  const result = await call(page, 'markdown')
  const markdown = result.getByTestId('markdown')
  await expect(markdown).toContainText('<script>window.pwned')
  const names = await markdown.evaluate((host) => [
    ...new Set([...host.querySelectorAll('*')].map(({ localName }) => localName)),
  ])
  const allowed = 'p h3 h4 h5 h6 ul ol li blockquote pre code em strong del br hr button div table thead tbody tr th td'
  expect(names.filter((name) => !allowed.split(' ').includes(name))).toEqual([])
  const attributes = await markdown.evaluate((host) => [
    ...new Set([...host.querySelectorAll('*')].flatMap((element) => element.getAttributeNames())),
  ])
  expect(attributes.filter((name) => !['class', 'data-to', 'start', 'tabindex', 'type'].includes(name))).toEqual([])

  await markdown.getByRole('button', { name: 'link', exact: true }).click()
  await expect(result.getByTestId('address-line')).toHaveAttribute('data-state', 'inert')
  await expect(result.getByTestId('address-line')).toContainText('javascript:window.pwned')
  await markdown.getByRole('button', { name: 'real', exact: true }).click()
  await expect(result.getByTestId('address-line')).toHaveAttribute('data-state', 'opens')
  await expect(result.getByTestId('address-open')).toHaveAttribute('rel', /noopener noreferrer/)
  await watched.quiet()
  expect(await violations(page)).toEqual([])
})

test('markup, drawings and links of every other kind do nothing', async ({ page, address }) => {
  const watched = await watch(page)
  await connect(page, address)

  let result = await call(page, 'html')
  await expect(result.getByTestId('content-block')).toContainText('<script>window.pwned')
  result = await call(page, 'html-as-image')
  await expect(result.getByTestId('content-note')).toContainText('text/html')

  for (const name of ['svg', 'svg-text']) {
    result = await call(page, name)
    await expect(result.getByTestId('content-block')).toContainText('onload="window.pwned')
    await view(result, 'Image')
    await result.getByTestId('image-doubt').getByRole('button').click()
    await expect(result.getByTestId('content-image')).toBeVisible()
    await watched.quiet()
  }

  result = await call(page, 'link')
  await expect(result).toContainText('b⟨U+202E⟩gnp.exe')
  await result.getByTestId('link-leave').click()
  await expect(result.getByTestId('address-open')).toBeVisible()
  result = await call(page, 'html-as-pdf')
  await expect(result.getByTestId('content-document')).toHaveCount(0)
  await watched.quiet()
})

test('a prompt, its arguments and its messages are words and pictures, whatever they hold (SF-PROMPT-08)', async ({
  page,
  address,
}) => {
  const watched = await watch(page)
  await connect(page, address)
  await page.getByTestId('tab-prompts').click()
  await page.locator('[data-testid=prompt-item][data-name=hostile]').click()
  await expect(page.getByTestId('prompt-detail')).toContainText('<script>window.pwned')
  const argument = page.getByTestId('prompt-detail').getByRole('textbox').first()
  await argument.fill('"><script>window.pwned=1</script>')
  await page.getByTestId('prompt-get').click()
  await expect(page.getByTestId('prompt-message')).toHaveCount(8)
  await expect(page.getByTestId('prompt-messages')).toContainText('<script>window.pwned')
  await expect(page.getByTestId('prompt-messages').locator('script, iframe, object, embed, a')).toHaveCount(0)
  await watched.quiet()
})

test('what is not seen is marked, and can be looked at as it came', async ({ page, address }) => {
  await connect(page, address)
  const result = await call(page, 'bidi')
  await expect(result.getByTestId('content-block')).toContainText('safe ⟨U+202E⟩ exe.gpj')
  await expect(result.getByTestId('content-hidden')).toContainText('5')
  await result.getByTestId('content-hidden').getByRole('button').click()
  await expect(result.getByTestId('content-block')).toContainText('safe \u202e exe.gpj')
})

test('a picture of 20,000 × 20,000 is announced, not decoded; bytes are shown as such', async ({ page, address }) => {
  const watched = await watch(page)
  await connect(page, address)
  let result = await call(page, 'bomb')
  await expect(result.getByTestId('image-doubt')).toContainText('20,000 × 20,000')
  await expect(result.locator('img')).toHaveCount(0)
  await view(result, 'Hex')
  await expect(result.getByTestId('hex-view')).toContainText('89 50 4e 47')
  result = await call(page, 'binary')
  await expect(result.getByTestId('hex-view')).toContainText('00 01 02 ff fe 41 42 43')
  result = await call(page, 'pdf')
  await expect(result.getByTestId('content-document').getByRole('link')).toHaveAttribute('href', /^blob:/)
  result = await call(page, 'odd')
  await expect(result.getByTestId('content-block')).toHaveCount(6)
  await expect(result.getByTestId('content-block').last()).toContainText('fine')
  await watched.quiet()
})

test('what is long, deep or made to be slow does not hold the page', async ({ page, browser, address }) => {
  const watched = await watch(page)
  await connect(page, address)
  const longest = await longestWork(browser, page, async () => {
    let result = await call(page, 'long-markdown')
    await expect(result.getByTestId('markdown')).toContainText('Some words and a link')
    await expect(result.getByTestId('content-block')).toContainText(/Show (more|the rest)/)
    await result.getByRole('button', { name: /Show (more|the rest)/ }).click()
    // Ten megabytes of Markdown are read in a worker.
    await expect(result.getByRole('button', { name: /Show (more|the rest)/ })).toBeEnabled({ timeout: patient(40_000) })

    result = await call(page, 'slow-markdown')
    await expect(result.getByTestId('markdown-fault')).toHaveAttribute('data-state', 'slow', {
      timeout: patient(20_000),
    })
    await expect(result.getByTestId('content-block')).toContainText('_a**_a**')
    result = await call(page, 'deep-markdown')
    await expect(result.getByTestId('markdown-fault')).toHaveAttribute('data-state', 'deep')
    result = await call(page, 'deep-json')
    await expect(result.getByTestId('content-block')).toBeVisible()
    result = await call(page, 'large')
    await expect(result.getByTestId('hex-view')).toContainText('07 07 07 07', { timeout: patient(20_000) })
    await watched.quiet()
  })
  // Under half a second goes unnoticed; content that blocks takes many seconds.
  expect(isUnder(2_000, longest), `${longest} ms`).toBe(true)
})

test('the session id is masked until it is revealed, and copied whole', async ({
  page,
  address,
  context,
  everythingUrl,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  let given: string | undefined
  page.on('response', (response) => (given ??= response.headers()['mcp-session-id']))
  await page.goto(address)
  await page.getByTestId('connect-input').fill(everythingUrl)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await page.getByTestId('tab-overview').click()
  const id = page.getByTestId('session-id')
  await expect(id).toHaveAttribute('data-state', 'masked')
  expect(given).toBeTruthy()
  await expect(id).toContainText(`${given!.slice(0, 8)}…`)
  await expect(page.getByTestId('overview')).not.toContainText(given!)
  // Copied without being shown.
  await id.getByRole('button', { name: 'Copy session ID' }).click()
  await expect(id).toContainText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(given)
  await id.getByTestId('session-id-reveal').click()
  await expect(id).toHaveAttribute('data-state', 'revealed')
  await expect(id).toContainText(given!)
  await id.getByTestId('session-id-reveal').click()
  await expect(page.getByTestId('overview')).not.toContainText(given!)
})

test('the overview tells a hostile identity, its icons and its instructions, and copies them as code', async ({
  page,
  address,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const watched = await watch(page)
  await connect(page, address)
  await page.getByTestId('tab-overview').click()
  const overview = page.getByTestId('overview')
  await expect(overview.getByTestId('identity-name')).toContainText('evil⟨U+202E⟩gnp`<img')
  await expect(overview.getByTestId('identity-icon')).toHaveCount(4)
  await expect(overview.getByTestId('identity-icon').first()).toHaveAttribute('data-state', 'remote')
  await expect(overview.getByTestId('identity-website').getByRole('link')).toHaveCount(0)
  await expect(overview.getByTestId('markdown')).toContainText('<script>window.pwned')
  await expect(overview.getByTestId('report')).toHaveAttribute('data-state', 'judged')
  await expect(overview.locator('[data-kind=tools]')).toContainText('17 tools')
  await overview.getByRole('button', { name: 'Copy as Markdown' }).click()
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(clipboard).toContain('## Identity')
  const copied = await clipboard()
  expect(copied).toMatch(/^- name: ``evil⟨U\+202E⟩gnp`<img src=x onerror=alert\(1\)>``$/m)
  expect(copied).not.toMatch(/^# heading/m)
  await overview.locator('[data-kind=tools]').getByRole('button').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  await watched.quiet()
  await page.getByTestId('tab-overview').click()
  expect(await violations(page)).toEqual([])
})

test('_meta that the user adds goes out with the call, beside what the client adds', async ({ page, address }) => {
  await connect(page, address)
  await page.getByTestId('tab-tools').click()
  await page.locator('[data-testid=tool-item][data-name=binary]').click()
  const field = page.getByTestId('meta-field')
  await field.locator('summary').click()
  await writeJson(page, field.getByTestId('meta-editor'), '{"com.mcp.tools/x": 1, "com.example/y": "z"}')
  await expect(field.getByTestId('meta-remark')).toHaveAttribute('data-state', 'META-04')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await expect(page.getByTestId('tool-result').getByTestId('meta-view')).toContainText('com.example/x')
  await selectFirst(page, 'tools/call')
  await expect(page.getByTestId('frame-detail')).toContainText('com.mcp.tools/x')
})
