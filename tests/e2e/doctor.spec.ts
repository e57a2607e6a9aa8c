/** A browser refuses a server: the page connects anyway, says what is missing, and the lines it shows make it unnecessary. */
import { createServer, type Server } from 'node:http'
import { createServer as createRawServer } from 'node:net'
import type { ConsoleMessage, Page } from '@playwright/test'
import { mcp, site } from '../servers/gallery/site.ts'
import { CORS_KINDS, start as startCors, type CorsKind } from '../servers/cors.ts'
import { bodyOf, listen, type Peer } from '../servers/listening.ts'
import { start as startModern, type ModernPeer } from '../servers/modern/index.ts'
import { hasLoadedAhead } from './loaded-ahead.ts'
import { addServer, expect, expectUnder, startPeriscope, test, violations } from './stage.ts'

let modern: ModernPeer
let cors: Peer
test.beforeAll(async () => {
  modern = await startModern()
  cors = await startCors(`${modern.bareUrl}/dual`)
})
test.afterAll(async () => {
  await cors.close()
  await modern.close()
})

/** What the page names, and what Chromium's console says of the same request. */
const CAUSES: Readonly<Partial<Record<CorsKind, readonly [faults: readonly string[], console: RegExp]>>> = {
  none: [['no-origin', 'headers'], /preflight.*No 'Access-Control-Allow-Origin' header/],
  'options-401': [['status'], /preflight.*does not have HTTP ok status/],
  'options-404': [['status'], /preflight.*does not have HTTP ok status/],
  'options-405': [['status'], /preflight.*does not have HTTP ok status/],
  'options-500': [['status'], /preflight.*does not have HTTP ok status/],
  'options-redirect': [['redirect'], /Redirect is not allowed for a preflight request/],
  'only-on-options': [['response'], /^(?!.*preflight).*No 'Access-Control-Allow-Origin' header/],
  'other-origin': [['other-origin'], /preflight.*has a value 'https:\/\/app\.example\.com'/],
  'null-origin': [['other-origin'], /preflight.*has a value 'null'/],
  'two-origins': [['several-origins'], /preflight.*contains multiple values/],
  'two-headers': [['several-origins'], /preflight.*contains multiple values/],
  'no-headers': [['headers'], /Request header field (content-type|mcp-method|mcp-protocol-version) is not allowed/],
  'one-header-less': [['headers'], /Request header field mcp-protocol-version is not allowed/],
  'not-on-options': [['no-origin'], /preflight.*No 'Access-Control-Allow-Origin' header/],
}

const connect = async (page: Page, url: string) => {
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  await page.getByTestId('tab-overview').click()
  await expect(page.getByTestId('overview')).toHaveAttribute('data-state', 'known')
}

const named = async (page: Page): Promise<string[]> => {
  await expect(page.getByTestId('detour')).toHaveAttribute('data-state', 'known')
  const faults = page.getByTestId('cors-fault')
  return await faults.evaluateAll((all) => all.map((fault) => (fault as HTMLElement).dataset['kind']!))
}

for (const kind of CORS_KINDS.filter((each) => CAUSES[each])) {
  test(`CORS, ${kind}: connects through the proxy, agrees with Chromium, and its lines let the page in`, async ({
    page,
    fresh,
    browser,
  }) => {
    const said: string[] = []
    page.on('console', (message: ConsoleMessage) => void said.push(message.text()))
    await page.goto(await fresh())
    const place = `${kind}/${crypto.randomUUID()}`
    await connect(page, `${cors.url}/${place}`)
    await expect(page.getByTestId('connection-facts')).toContainText('through the relay')
    const [faults, console] = CAUSES[kind]!
    expect(await named(page)).toEqual(faults)
    await expect.poll(() => said.some((text) => console.test(text)), said.join('\n')).toBe(true)
    const lines = await page.getByTestId('cors-lines').innerText()
    expect(lines).not.toMatch(/:\s*\*/)
    if (kind === 'none') {
      expect(await violations(page)).toEqual([])
      await page.getByTestId('cors-framework').selectOption('hono')
      await expect(page.getByTestId('cors-lines')).toContainText(`origin: '${new URL(page.url()).origin}'`)
    }
    if (kind === 'one-header-less') {
      await expect(page.getByTestId('cors-introduction')).toContainText(
        "add this to the server's CORS settings: Access-Control-Allow-Headers: MCP-Protocol-Version.",
      )
      await page.getByTestId('cors-framework').selectOption('hono')
      await expect(page.getByTestId('cors-lines')).toHaveText(/^allowHeaders: \[.*\], \/\/ new: MCP-Protocol-Version$/)
    }
    await fetch(`${cors.url}/control/${place}`, { method: 'POST', body: lines })
    const context = await browser.newContext()
    const other = await context.newPage()
    await other.goto(await fresh())
    await connect(other, `${cors.url}/${place}`)
    await expect(other.getByTestId('connection-facts')).toContainText('direct')
    await expect(other.getByTestId('detour')).toHaveCount(0)
    await context.close()
  })
}

/** Headers that differ on purpose: of the connection, of bodies, which the proxy passes on as they are, and of the user. */
const OTHERWISE = new Set(['connection', 'content-length', 'accept-encoding', 'accept-language'])

test('the OPTIONS request of the proxy is the one that Chromium sends: names, values, and the order of the headers asked for', async ({
  page,
  fresh,
}) => {
  const preflights: Readonly<Record<string, string>>[] = []
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      const { rawHeaders } = request
      const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())
      preflights.push(Object.fromEntries(names.map((name, at) => [name, rawHeaders[2 * at + 1]!]).filter(([name]) => !OTHERWISE.has(name!)))) // prettier-ignore
    }
    response.writeHead(request.method === 'OPTIONS' ? 204 : 404).end()
  })
  const { url, close } = await listen(server)
  try {
    // Of the same host and another port, and of another host.
    for (const target of [`${url}/mcp`, `${url.replace('127.0.0.1', 'localhost')}/mcp`]) {
      preflights.length = 0
      await page.goto(await fresh())
      await page.getByTestId('connect-input').fill(target)
      await page.getByTestId('connect-more').click()
      await page.getByTestId('header-add').click()
      await page.getByTestId('header-name').fill('X-Api-Key')
      await page.getByTestId('header-value').fill('abc')
      await page.getByTestId('connect-button').click()
      await expect.poll(() => preflights.length).toBeGreaterThanOrEqual(2)
      const [chromium, proxy] = preflights
      expect(chromium!['access-control-request-headers']).toMatch(/^content-type,.*x-api-key$/)
      expect(proxy).toEqual(chromium)
    }
  } finally {
    await close()
  }
})

/** Of an entry of Resource Timing, what the page knows itself: which request it is, and when it began and ended. */
const OF_PAGE = new Set(['name', 'entryType', 'initiatorType', 'startTime', 'duration', 'fetchStart', 'responseEnd', 'navigationId', 'renderBlockingStatus']) // prettier-ignore

test('Resource Timing says no more of a failed request than when it began and ended, whatever failed', async ({
  page,
  address,
}) => {
  const server = createServer((_, response) => response.writeHead(404, { 'Timing-Allow-Origin': '*' }).end('no'))
  const { url, close } = await listen(server)
  try {
    await page.goto(address)
    const entries = await page.evaluate(
      async (urls) => {
        for (const each of urls) await fetch(each, { method: 'POST', body: '{}' }).catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, 100))
        return urls.map((each) =>
          performance.getEntriesByName(each).map((entry) => entry.toJSON() as Record<string, unknown>),
        )
      },
      [`${url}/mcp`, 'http://127.0.0.1:4/mcp'],
    )
    for (const found of entries) {
      expect(found).toHaveLength(1)
      const about = Object.entries(found[0]!).filter(([key]) => !OF_PAGE.has(key))
      const told = about.filter(
        ([, value]) => value !== 0 && value !== '' && !(Array.isArray(value) && value.length === 0),
      )
      expect(told).toEqual([])
    }
  } finally {
    await close()
  }
})

/** Without the proxy, a page can tell less, but never nothing. */
const FROM_THE_PAGE: Readonly<Partial<Record<CorsKind, RegExp>>> = {
  none: /The response to GET lacks Access-Control-Allow-Origin, names another origin/,
  'only-on-options': /The response to GET lacks Access-Control-Allow-Origin, names another origin/,
  'options-405': /CORS preflight request fails/,
  'no-headers': /CORS preflight request fails/,
  'one-header-less': /doesn't allow the request header MCP-Protocol-Version\./,
  'not-on-options': /CORS preflight request fails/,
}

const directly = async (page: Page, url: string) => {
  await page.getByTestId('connect-input').fill(url)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('setting-road').getByText('Direct').click()
  await page.getByTestId('connect-button').click()
}

for (const [kind, remedy] of Object.entries(FROM_THE_PAGE)) {
  test(`CORS, ${kind}, without the proxy: the page itself finds out that the server responds, and what to add`, async ({
    page,
    address,
  }) => {
    await page.goto(address)
    await directly(page, `${cors.url}/${kind}/${crypto.randomUUID()}`)
    const failure = page.getByTestId('connect-failure')
    await expect(failure).toContainText('responds, but the browser hides the response from this page (CORS)')
    await expect(failure).toContainText(remedy)
  })
}

test('a port where nobody listens, without the proxy: CORS is no longer a suspect', async ({ page, address }) => {
  await page.goto(address)
  // Unassigned, and none that browsers block.
  await directly(page, 'http://127.0.0.1:4/mcp')
  const failure = page.getByTestId('connect-failure')
  await expect(failure).toContainText('No response from 127.0.0.1:4')
  // Although the settings above it are open and long.
  await expect(failure.getByRole('heading').first()).toBeInViewport()
  await expect(failure).toContainText('Check that the server is running')
  await expect(failure).toContainText("CORS isn't the cause")
  await expect(failure).not.toContainText('Access-Control')
})

test('with the proxy stopped, a server that lets pages in connects, and one that does not is explained', async ({
  page,
}) => {
  const periscope = await startPeriscope([])
  await page.goto(periscope.address)
  await page.waitForFunction(hasLoadedAhead)
  await periscope.close()
  await page.getByTestId('connect-input').fill(`${modern.url}/dual/${crypto.randomUUID()}`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  await addServer(page)
  await page.getByTestId('connect-input').fill(`${cors.url}/one-header-less/${crypto.randomUUID()}`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connect-failure')).toContainText(
    "doesn't allow the request header MCP-Protocol-Version.",
  )
})

test('with the proxy stopped, a server that never responds to OPTIONS is named, and asked nothing more', async ({
  page,
}) => {
  const got: (string | undefined)[] = []
  const server = await site(mcp({ preflight: () => true, first: ({ method }) => (got.push(method), false) }))
  try {
    const periscope = await startPeriscope([])
    await page.goto(periscope.address)
    await page.waitForFunction(hasLoadedAhead)
    await periscope.close()
    await page.getByTestId('connect-input').fill(server.line)
    await page.getByTestId('connect-input').press('Enter')
    const failure = page.getByTestId('connect-failure')
    await expect(failure.getByRole('heading', { level: 2 })).toContainText('responds, but not to OPTIONS')
    await expect(failure).toContainText('Respond to OPTIONS with 204 immediately')
    await expect(failure).not.toContainText('perhaps the preflight')
    // Requests that the page sent by itself would have arrived before this one.
    await page.evaluate((url) => fetch(url, { mode: 'no-cors' }), server.line)
    expect(got).toEqual(['HEAD', 'GET'])
  } finally {
    await server.close()
  }
})

test('a session ID that CORS hides is named, and the relay sends it (BR-02)', async ({ page, fresh, hostileUrl }) => {
  const sessions = await startCors(`${hostileUrl}/h/good`)
  try {
    await page.goto(await fresh())
    await page.getByTestId('connect-input').fill(`${sessions.url}/allowed/${crypto.randomUUID()}`)
    await page.getByTestId('connect-input').press('Enter')
    const failure = page.getByTestId('connect-failure')
    await expect(failure).toContainText("The server requires a session ID that this page didn't get")
    await expect(failure).toContainText('Access-Control-Expose-Headers: Mcp-Session-Id')
    await page.getByTestId('do-relay').click()
    await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  } finally {
    await sessions.close()
  }
})

test('a redirect names its target, and one click connects to it', async ({ page, fresh }) => {
  await page.goto(await fresh())
  const key = crypto.randomUUID()
  const open = `${cors.url}/allowed/${key}`
  await fetch(`${cors.url}/control/allowed/${key}`, { method: 'POST', body: 'Access-Control-Allow-Origin: *' })
  await page.getByTestId('connect-input').fill(`${cors.url}/moved/${key}`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connect-failure')).toContainText('The server redirects to another URL (307)')
  await page.getByTestId('do-redirect').click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
  await expect(page.getByTestId('connection-facts')).toContainText(open)
  await expect(page.getByTestId('connection-facts')).toContainText('direct')
})

test('where the URL is not the MCP endpoint, the usual paths are tried on request, and the one found connects', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(new URL('/wrong', everythingUrl).href)
  await page.getByTestId('connect-input').press('Enter')
  await page.getByTestId('find-endpoint').click()
  await expect(page.getByTestId('endpoint-search')).toHaveAttribute('data-state', 'done')
  await page.getByTestId('found-endpoint').filter({ hasText: everythingUrl }).first().click()
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
})

test('a server that never responds to OPTIONS is reached through the proxy while it waits, and gets each message once', async ({
  page,
  fresh,
}) => {
  const got: string[] = []
  const message = ({ method = '' }: { readonly method?: string }) => (got.push(method), false)
  const server = await site(mcp({ preflight: () => true, message }))
  try {
    await page.goto(await fresh())
    await page.getByTestId('connect-input').fill(server.line)
    await page.getByTestId('connect-input').press('Enter')
    await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
    await page.getByTestId('tab-overview').click()
    await expect(page.getByTestId('detour')).toContainText("because the server didn't respond to OPTIONS in time")
    await expect(page.getByTestId('detour')).toHaveAttribute('data-state', 'known')
    await expect(page.getByTestId('connection-advice')).toContainText('Respond to OPTIONS immediately')
    await expect.poll(() => got).toContain('tools/list')
    expect(got.toSorted()).toEqual(['initialize', 'notifications/initialized', 'server/discover', 'tools/list'])
    expect(await violations(page)).toEqual([])
  } finally {
    await server.close()
  }
})

/** Servers that accept a request and then say nothing, or not HTTP. */
const SILENT = {
  headers: 'accepts connections',
  event: 'opened an event stream',
  body: "the body doesn't end",
} as const

/** @returns the time beside the step when the note appeared, seen from within the page: it goes on counting */
const timeOfNote = (page: Page, kind: string): Promise<string> =>
  page.evaluate(
    (state) =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector(`[data-testid=connect-silence][data-state=${state}]`)) return
          observer.disconnect()
          resolve(document.querySelector('[data-testid=connect-steps] .n')?.textContent ?? '')
        })
        observer.observe(document.body, { subtree: true, childList: true, attributes: true })
      }),
    kind,
  )

test('a server that hangs is explained within five seconds, by what has arrived and what the network says', async ({
  page,
  address,
}) => {
  const silent = createServer((request, response) => {
    const head = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' }
    if (request.method === 'OPTIONS') return void response.writeHead(204, head).end()
    if (request.url === '/headers') return
    const type = request.url === '/event' ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { ...head, 'Content-Type': type }).write(request.url === '/event' ? ':\n\n' : '{"js')
  })
  const { url, close } = await listen(silent)
  await page.goto(address)
  const note = page.getByTestId('connect-silence')
  for (const [kind, text] of Object.entries(SILENT)) {
    await expectUnder(5_000, async () => {
      if (await page.getByTestId('connect-stop').isVisible()) await page.getByTestId('connect-stop').click()
      await page.getByTestId('connect-input').fill(`${url}/${kind}`)
      const explained = timeOfNote(page, kind)
      await page.getByTestId('connect-input').press('Enter')
      return Number.parseFloat(await explained) * 1000
    })
    await expect(note).toHaveAttribute('data-state', kind)
    await expect(note).toContainText(text)
    if (kind === 'headers') await expect(page.getByTestId('network-steps')).toContainText('127.0.0.1')
    expect(await violations(page)).toEqual([])
    await page.getByTestId('connect-stop').click()
  }
  await close()
})

test('a server that speaks another protocol is named by its first bytes', async ({ page, address }) => {
  const mail = createRawServer((socket) => {
    socket.on('error', () => {})
    socket.write('220 mail.example.com ESMTP\r\n')
  })
  const { url, close } = await listen(mail as unknown as Server)
  await page.goto(address)
  await page.getByTestId('connect-input').fill(`${url}/mcp`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(page.getByTestId('connect-failure')).toContainText('speaks SMTP, not HTTP')
  await expect(page.getByTestId('network-steps')).toContainText('220 mail.example.com ESMTP')
  await expect(page.getByTestId('do-relay')).toHaveCount(0)
  await close()
})

/** The button says that it copied for two seconds only. */
const copiedReport = async (page: Page): Promise<string> => {
  const button = page.getByTestId('copy-report')
  const copied = button.filter({ hasText: 'Copied' }).waitFor()
  await button.click()
  await copied
  return await page.evaluate(() => navigator.clipboard.readText())
}

const SECRET = `ghp_${'a1B2'.repeat(9)}`

/** What servers and gateways respond, and what is said about it. */
const RESPONSES = [
  [502, {}, '<h1>502 Bad Gateway</h1>', 'A gateway responded', 'behind the gateway'],
  [429, { 'Retry-After': '30' }, '', 'rate limiting', 'Retry-After: 30'],
  [403, {}, '{"error":{"message":"Invalid Host header: x"}}', 'rejects the host name', 'allowedHosts'],
  [403, {}, 'Origin not allowed', 'rejects requests from this page', 'allowedOrigins'],
  [401, { 'WWW-Authenticate': 'Basic realm="x"' }, '', 'requires sign-in', 'a user name and a password'],
  [401, {}, 'Missing header X-Example-Key', 'requires sign-in', 'Add the header X-Example-Key'],
] as const

test('a response that names its cause leads to advice about it', async ({ page, address }) => {
  const server = createServer((request, response) => {
    const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*', 'Access-Control-Expose-Headers': '*' } // prettier-ignore
    if (request.method === 'OPTIONS') return void response.writeHead(204, open).end()
    const [status, headers, body] = RESPONSES[Number(request.url![1])] ?? [404, {}, '']
    response.writeHead(status, { ...open, ...headers }).end(body)
  })
  const { url, close } = await listen(server)
  await page.goto(address)
  const failure = page.getByTestId('connect-failure')
  for (const [at, [, , , heading, advice]] of RESPONSES.entries()) {
    await page.getByTestId('connect-input').fill(`${url}/${at}`)
    await page.getByTestId('connect-input').press('Enter')
    await expect(failure.locator('h2')).toContainText(heading)
    await expect(failure).toContainText(advice)
  }
  expect(await violations(page)).toEqual([])

  // The whole of it leaves for an issue, without secrets.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  // Another advice than the one on screen, so that the report isn't that of the failure before.
  await page.getByTestId('connect-input').fill(`${url}/4?token=${SECRET}`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(failure).toContainText('a user name and a password')
  const report = await copiedReport(page)
  expect(report).toMatch(/^## The server requires sign-in/)
  expect(report).toContain('/4?token=')
  expect(report).toContain('"status":401')
  expect(report).not.toContain(SECRET)
  await close()
})

test('a connection that works but refuses its event stream gets advice on the Overview', async ({ page, address }) => {
  const server = createServer((request, response) => {
    const open = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*', 'Access-Control-Allow-Methods': '*' } // prettier-ignore
    if (request.method === 'OPTIONS') return void response.writeHead(204, open).end()
    if (request.method === 'GET') return void response.writeHead(500, open).end('No stream today')
    void bodyOf(request).then((body) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      const results: Record<string, object> = {
        initialize: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        },
        'tools/list': { tools: [{ name: 'one', inputSchema: { type: 'object' } }] },
      }
      const outcome = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'Unknown' } }
      response.writeHead(id === undefined ? 202 : 200, { ...open, 'Content-Type': 'application/json' })
      response.end(id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, ...outcome }))
    })
  })
  const { url, close } = await listen(server)
  await page.goto(address)
  await connect(page, `${url}/mcp`)
  const advice = page.getByTestId('connection-advice')
  await expect(advice).toContainText('with 500')
  await expect(advice.locator('[data-kind]')).toHaveCount(1)
  expect(await violations(page)).toEqual([])
  await advice.getByRole('button').click()
  await expect(page.getByTestId('frame-detail')).toContainText('500')
  await close()
})

test('servers that are fine get no advice, and no word while they connect', async ({
  page,
  address,
  everythingUrl,
  modernUrl,
  richUrl,
  sseUrl,
}) => {
  await page.goto(address)
  for (const url of [everythingUrl, `${modernUrl}/dual/fine`, `${richUrl}/v1/fine`, `${richUrl}/v2/fine`, sseUrl]) {
    if (url !== everythingUrl) await addServer(page)
    await page.getByTestId('connect-input').fill(url)
    await page.getByTestId('connect-input').press('Enter')
    await page.getByTestId('tool-item').filter({ visible: true }).first().waitFor()
    await page.getByTestId('tab-overview').filter({ visible: true }).click()
    await expect(page.getByTestId('overview').filter({ visible: true })).toHaveAttribute('data-state', 'known')
    await expect(page.getByTestId('connection-advice')).toHaveCount(0)
    await expect(page.getByTestId('connect-silence')).toHaveCount(0)
  }
})

test('the report of a failure has no secret in what it says to run', async ({ page, address }) => {
  const { url, close } = await listen(createServer())
  await close()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(address)
  for (const [line, code, says] of [
    [`${url}/mcp?token=${SECRET}`, 'unreachable', '/mcp?token='],
    [`node -e "process.exit(3)" -- --token ${SECRET}`, 'process-exited', '--token'],
  ] as const) {
    await page.getByTestId('connect-input').fill(line)
    await page.getByTestId('connect-input').press('Enter')
    await expect(page.getByTestId('connect-failure')).toHaveAttribute('data-state', code)
    const report = await copiedReport(page)
    expect(report).toContain(says)
    expect(report).not.toContain(SECRET)
    await expect(page.getByTestId('copy-report')).toHaveText('Copy report')
  }
})
