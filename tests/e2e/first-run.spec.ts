import type { Page } from '@playwright/test'
import { everythingStdio } from '../servers/everything.ts'
import { saved } from './recording-stage.ts'
import { addServer, expect, field, patient, selectFirst, test, violations } from './stage.ts'

const quoted = (word: string) => `'${word}'`
const stdioLine = [everythingStdio.command, ...everythingStdio.args].map(quoted).join(' ')

const connect = async (page: Page, line: string) => {
  await page.getByTestId('connect-input').fill(line)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
}

const tool = (page: Page, name: string) => page.locator(`[data-testid=tool-item][data-name="${name}"]`)

const openTool = async (page: Page, name: string) => {
  await page.getByTestId('tab-tools').click()
  await tool(page, name).click()
  await expect(page.getByTestId('tool-detail')).toContainText(name)
}

const traceRow = (page: Page, method: string) => page.locator(`[data-testid=trace-row][data-method="${method}"]`)

/** Calls everything that the issue about the first minute covers. */
const useEverything = async (page: Page) => {
  await expect.poll(() => page.getByTestId('tool-item').count()).toBeGreaterThanOrEqual(13)

  await openTool(page, 'echo')
  await field(page, 'message').fill('Grüße 🎈')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await expect(page.getByTestId('tool-result')).toContainText('Echo: Grüße 🎈')

  await openTool(page, 'get-sum')
  await field(page, 'a').fill('40')
  await field(page, 'b').fill('2')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByTestId('tool-result')).toContainText('42')

  await openTool(page, 'trigger-long-running-operation')
  // Longer than it takes to cancel it.
  await field(page, 'duration').fill(String(patient(60)))
  await field(page, 'steps').fill('120')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-progress')).toContainText(/2/)
  await expect(traceRow(page, 'notifications/progress').first()).toBeVisible()
  await page.getByTestId('tool-cancel').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'cancelled')
  await expect(traceRow(page, 'notifications/cancelled').first()).toBeVisible()
}

test('a newcomer tries the sample server with nothing else at hand', async ({ page, address }) => {
  await page.goto(address)
  await expect(page).toHaveURL(/^[^#]*(#\/?)?$/)
  await page.getByTestId('connect-sample').click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  await openTool(page, 'echo')
  await field(page, 'message').fill('hello')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await expect(page.getByTestId('tool-result')).toContainText('hello')
})

test('the sample server has an object store, an API, a database and code to try', async ({ page, address }) => {
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  const result = page.getByTestId('tool-result')
  const run = async (name: string, values: Readonly<Record<string, string>> = {}, state = 'ok') => {
    await page.getByTestId('tab-tools').click()
    // Only the rows in view are there.
    await page.getByTestId('tool-filter').fill(name)
    await openTool(page, name)
    for (const [key, value] of Object.entries(values)) await field(page, key).fill(value)
    await page.getByTestId('tool-run').click()
    await expect(result).toHaveAttribute('data-state', state)
  }
  await run('put-object', { key: 'notes/today', content: 'Fog until noon' })
  await run('list-objects', { prefix: 'notes/' })
  await expect(result).toContainText('sample://objects/notes%2Ftoday')
  await page.getByTestId('tab-resources').click()
  await page.locator('[data-testid=resource-item][data-uri="sample://objects/{key}"]').click()
  const template = page.getByTestId('template-detail')
  await page.locator('[data-testid=completion-field][data-argument=key]').fill('notes/today')
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('template-expanded')).toContainText('sample://objects/notes%2Ftoday')
  await template.getByTestId('resource-read').click()
  await expect(page.getByTestId('resource-result')).toContainText('Fog until noon')

  await run('list-orders', { perPage: '2' })
  await expect(result).toContainText('nextPage')
  await run('get-order', { id: '99' }, 'tool-error')
  await expect(result).toContainText('404 Not Found')
  await run('query', { sql: "SELECT name FROM ships WHERE kind = 'sail'" })
  await expect(result).toContainText('Gorch Fock')
  await run('evaluate', { program: '(1 + 2) * 14' })
  await expect(result).toContainText('42')
})

test('a real server over stdio: list, call, progress, cancel, and every frame of it', async ({ page, address }) => {
  await page.goto(address)
  await connect(page, stdioLine)
  await useEverything(page)
})

test('a step of connecting appears only if it takes longer than a moment', async ({ page, address }) => {
  await page.goto(address)
  await page.evaluate(() => {
    const seen = new Map<Element, number>()
    const early: string[] = []
    Object.assign(window, { seen, early })
    const look = (now: number) => {
      const selector =
        '[data-testid=connect-steps], [data-testid=connect-steps] li[data-state=running]:not(:first-child)'
      for (const each of document.querySelectorAll(selector)) {
        const since = seen.get(each) ?? now
        seen.set(each, since)
        if (now - since < 250 && getComputedStyle(each).opacity !== '0') early.push(each.textContent)
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await connect(page, stdioLine)
  const { seen, early } = await page.evaluate(() => {
    const { seen, early } = window as unknown as { seen: Map<Element, number>; early: readonly string[] }
    return { seen: seen.size, early }
  })
  expect(seen).toBeGreaterThan(0)
  expect(early).toEqual([])
})

test('whoever is faster than the proxy is found need not press Enter twice', async ({ page, address }) => {
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    void page.route('**/api/hello', async (route) => {
      await new Promise<void>((go) => {
        answer = go
        resolve()
      })
      await route.continue()
    })
  })
  await page.goto(address)
  await asked
  await page.getByTestId('connect-input').fill(stdioLine)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('server-item')).toHaveCount(0)
  answer()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
})

test('the same over HTTP, with the page’s own requests and no proxy in the path', async ({
  page,
  address,
  everythingUrl,
}) => {
  const direct: string[] = []
  const throughProxy: string[] = []
  const origin = new URL(address).origin
  page.on('request', (request) => {
    if (request.url() === everythingUrl) direct.push(request.method())
    else if (request.url().startsWith(`${origin}/api/`)) throughProxy.push(request.url())
  })
  await page.goto(address)
  await connect(page, everythingUrl)
  await useEverything(page)
  expect(direct.filter((method) => method === 'POST').length).toBeGreaterThanOrEqual(6)
  // The launch code is exchanged once, and the proxy identifies itself. On a busy machine the page also asks it what the
  // network says of a slow connection. No server traffic goes through the proxy.
  expect(throughProxy.filter((url) => !/\/api\/(hello|launch|network)$/.test(url))).toEqual([])
})

test('several servers at once keep apart, and survive a reload as entries to reconnect', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await page.getByTestId('server-add').click()
  await connect(page, stdioLine)
  await expect(page.getByTestId('server-item')).toHaveCount(2)
  await page.reload()
  await expect(page.getByTestId('server-item')).toHaveCount(2)
  await page.getByTestId('server-item').first().click()
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  await expect.poll(() => page.getByTestId('tool-item').count()).toBeGreaterThanOrEqual(13)
})

test('request and answer are linked both ways, and the exact message is one click away', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await openTool(page, 'echo')
  await field(page, 'message').fill('follow me')
  await page.getByTestId('tool-run').click()
  await expect(page.getByTestId('tool-result')).toHaveAttribute('data-state', 'ok')
  await selectFirst(page, 'tools/call')
  await expect(page.getByTestId('frame-detail')).toContainText('follow me')
})

test('a part of the page that cannot be fetched, as after an update: it is named, and Reload goes on', async ({
  page,
  address,
}) => {
  // The code a connection needs loads when the page is idle, or with the first connection.
  const part = '**/assets/connected-*.js'
  await page.route(part, (route) => route.abort())
  await page.goto(address)
  await page.getByTestId('connect-sample').click()
  const fault = page.getByTestId('fault')
  await expect(fault).toContainText('connected-')
  await page.unroute(part)
  // Not the button of the page that is being left.
  await Promise.all([page.waitForEvent('load'), fault.getByRole('button', { name: 'Reload' }).click()])
  // A failed connection waits until the user reconnects.
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
})

test('a first visit says what there is to do; examples and files fill in the field and connect nothing', async ({
  page,
  address,
}) => {
  const asked: string[] = []
  page.on('request', (request) => void (/localhost:3001|\/bridge\//.test(request.url()) && asked.push(request.url())))
  await page.goto(address)
  await expect(page.getByTestId('first-steps').getByRole('listitem')).toHaveCount(4)
  expect(await violations(page)).toEqual([])
  const examples = page.getByTestId('connect-example')
  await examples.first().click()
  await expect(page.getByTestId('connect-input')).toHaveValue(/^npx -y /)
  await expect(page.getByTestId('connect-understood')).toHaveAttribute('data-state', 'command')
  await expect(examples).toHaveCount(0)
  await page.getByTestId('connect-input').fill('')
  await examples.nth(1).click()
  await expect(page.getByTestId('connect-understood')).toHaveAttribute('data-state', 'url')
  const text = '{"mcpServers":{"one":{"command":"node"},"two":{"url":"http://127.0.0.1:9/mcp"}}}'
  await page
    .getByTestId('config-file')
    .setInputFiles({ name: 'mcp.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  await expect(page.getByTestId('found-server')).toHaveCount(2)
  await expect(page.getByTestId('server-item')).toHaveCount(0)
  expect(asked).toEqual([])
})

test('a later visit shows the servers and the recordings of earlier ones side by side', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await saved(page)
  await page.getByTestId('server-add').click()
  await expect(page.getByTestId('first-steps')).toHaveCount(0)
  const headings = page.getByTestId('connect-form').getByRole('heading', { level: 2 })
  await expect(headings).toHaveText(['Servers', 'Sessions on this device'])
  // The session of this page isn't an earlier one.
  await expect(page.getByTestId('sessions-none')).toHaveText('Earlier sessions appear here.')
  await page.reload()
  await page.getByTestId('server-add').click()
  await expect(page.getByRole('heading', { name: 'Connect to a server' })).toBeVisible()
  // The recordings are read from the storage and join the servers some time later.
  await expect(page.getByTestId('sessions-recent')).toBeVisible()
  const gap = async () => {
    const left = (await page.getByTestId('recent-list').boundingBox())!
    return (await page.getByTestId('sessions-recent').boundingBox())!.x - left.x - left.width
  }
  await expect.poll(gap).toBeGreaterThan(0)
  await expect(headings).toHaveText(['Servers', 'Sessions on this device'])
  await expect(page.getByTestId('sessions-recent').getByTestId('session-item')).toHaveCount(1)
  await expect(page.getByTestId('sessions-none')).toHaveCount(0)
  await expect(page.getByTestId('recent-item')).toContainText(/\d+ tools/)
  await expect(page.getByTestId('recent-item')).toContainText('2025-11-25')
  expect(await violations(page)).toEqual([])
})

test('the menu of a server on the home page and the palette offer what its connection allows', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await connect(page, everythingUrl)
  await addServer(page)
  await page.getByTestId('recent-menu').click()
  const offered = async () => {
    const ids = await page
      .locator('[role=menuitem]:visible')
      .evaluateAll((all) => all.map((each) => each.dataset['testid']))
    return ids.filter((id) => /recent-(?:connect|open|reconnect|disconnect)$/.test(id ?? ''))
  }
  expect(await offered()).toEqual(['recent-open', 'recent-reconnect', 'recent-disconnect'])
  await page.getByTestId('recent-open').click()
  await expect(page.getByTestId('tool-item').first()).toBeVisible()
  const found = async (typed: string) => {
    await page.keyboard.press('Control+k')
    await page.getByTestId('palette-input').fill(typed)
    const labels = await page.getByTestId('palette-entry').allInnerTexts()
    await page.keyboard.press('Escape')
    return labels.join('\n')
  }
  expect(await found('connect')).toMatch(/Reconnect .*\n[^]*Disconnect /)
  await addServer(page)
  await page.getByTestId('recent-menu').click()
  await page.getByTestId('recent-disconnect').click()
  await expect(page.getByTestId('recent-state')).toHaveCount(0)
  await page.getByTestId('recent-menu').click()
  expect(await offered()).toEqual(['recent-connect'])
  await page.keyboard.press('Escape')
  await page.getByTestId('server-item').click()
  const closed = await found('connect')
  expect(closed).not.toMatch(/Disconnect /)
  expect(closed).toMatch(/Connect /)
})

test('the home page says how a visit ended; the menu of a server there connects, edits, copies and forgets it', async ({
  page,
  address,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  const line = `node -e 'console.error("no database"); process.exit(3)'`
  await page.getByTestId('connect-input').fill(line)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connect-failure')).toBeVisible()
  await addServer(page)
  await expect(page.getByTestId('recent-ended')).toHaveText('exit code 3')
  await page.reload()
  await addServer(page)
  await expect(page.getByTestId('recent-ended')).toHaveText('exit code 3')

  // The menu loads the first time, and the button is up again by then.
  await page.getByTestId('recent-item').click({ button: 'right' })
  await page.getByTestId('recent-copy').click()
  await expect(page.getByTestId('recent-told')).toHaveText('mcp.json of node copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(Object.values((JSON.parse(copied) as { mcpServers: object }).mcpServers)).toMatchObject([{ command: 'node' }])
  await page.getByTestId('config-export').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export-save').click()])
  expect(download.suggestedFilename()).toBe('mcp.json')
  await page.keyboard.press('Escape')

  await page.getByTestId('recent-item').click({ button: 'right' })
  expect(await violations(page)).toEqual([])
  await page.getByTestId('recent-edit').click()
  await expect(page.getByTestId('connect-input')).toHaveValue(/^node -e/)
  await page.getByTestId('recent-menu').click()
  await page.getByTestId('recent-connect').click()
  await expect(page.getByTestId('connect-failure')).toBeVisible()

  await addServer(page)
  await page.getByTestId('recent-menu').click()
  await page.getByTestId('recent-forget').click()
  await expect(page.getByTestId('recent-item')).toHaveCount(0)
})
