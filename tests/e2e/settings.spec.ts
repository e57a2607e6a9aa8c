/** How a user configures the connection to a server, and what the page does automatically when a connection is lost. */
import { X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { makeCertificate, type Certificate } from '../../proxy/fixtures/certificate.ts'
import { start as startEras, type ErasPeer } from '../servers/eras/index.ts'
import { allowPages, bodyOf, listen, type Peer } from '../servers/listening.ts'
import { start as startModern, type ModernPeer } from '../servers/modern/index.ts'
import { start as startSse, type SsePeer } from '../servers/sse/index.ts'
import { addServer, expect, holdRequests, openServers, showTrace, test, violations } from './stage.ts'

let modern: ModernPeer
let sse: SsePeer
let eras: ErasPeer
test.beforeAll(async () => void ([modern, sse, eras] = await Promise.all([startModern(), startSse(), startEras()])))
test.afterAll(async () => void (await Promise.all([modern.close(), sse.close(), eras.close()])))
test.beforeEach(async ({ page, address }) => void (await page.goto(address)))

const connect = async (page: Page, line: string) => {
  await page.getByTestId('connect-input').fill(line)
  await page.getByTestId('connect-input').press('Enter')
}
const isOpen = (page: Page) =>
  expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open')
/** A round trip takes more than a second on a busy machine. */
const TIME = /\d m?s/
const facts = (page: Page) => page.getByTestId('connection-facts')
const overview = async (page: Page) => {
  await page.getByTestId('tab-overview').click()
  await expect(page.getByTestId('overview')).toHaveAttribute('data-state', 'known')
}
const openSettings = async (page: Page) => {
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-settings').click()
  await expect(page.getByTestId('settings-dialog')).toBeVisible()
}
const fingerprintOf = ({ cert }: Certificate) => new X509Certificate(cert).fingerprint256
const runOnlyTool = async (page: Page) => {
  await page.getByTestId('tab-tools').click()
  // Panels of other servers stay in the document behind this one.
  await page.getByTestId('tool-item').filter({ visible: true }).first().click()
  await page.getByTestId('tool-run').filter({ visible: true }).click()
}

/**
 * Clicks "Reconnect now" from within the page, because the button is only there for a second.
 * @returns the text beside it
 */
const hurryReconnecting = (page: Page): Promise<string> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          const button = document.querySelector<HTMLElement>('[data-testid=retry-now]:enabled')
          if (!button) return
          observer.disconnect()
          resolve(button.closest('[data-testid=disconnected]')?.textContent ?? '')
          button.click()
        })
        observer.observe(document.body, { subtree: true, childList: true, attributes: true })
      }),
  )

/** A minimal server, for behaviour that no peer has; pages may access it. */
const handMade = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Peer> =>
  listen(createServer((request, response) => void (allowPages(request, response) || answer(request, response))))

test('with nothing set, the newest revision is found out, and it is told how', async ({ page }) => {
  await connect(page, `${modern.url}/dual/found`)
  await isOpen(page)
  await expect(facts(page)).toContainText('2026-07-28')
  await overview(page)
  await expect(page.getByTestId('evidence')).toContainText(/server\/discover.*2026-07-28.*stateless/)
  await expect(page.getByTestId('supported')).toContainText('2026-07-28')
  await expect(page.getByTestId('subscription')).toHaveAttribute('data-state', 'granted')
  await page.getByTestId('ping-now').click()
  await expect(page.getByTestId('round-trip')).toContainText(TIME)
  await expect(page.getByTestId('last-ping')).toContainText(TIME)
})

test('a pinned revision is the only one offered, is marked on screen, and is still set after a reload', async ({
  page,
}) => {
  await page.getByTestId('connect-input').fill(`${modern.url}/dual/pin`)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('setting-revision').selectOption('2025-06-18')
  await expect(page.getByTestId('connect-understood')).toContainText('2025-06-18')
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  await expect(facts(page)).toContainText(/2025-06-18\s+pinned/)
  await overview(page)
  await expect(page.getByTestId('evidence')).toContainText('You pinned 2025-06-18')
  expect(modern.seen('/dual/pin').every(({ headers }) => headers['mcp-method'] === undefined)).toBe(true)
  await page.reload()
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  await expect(facts(page)).toContainText(/2025-06-18\s+pinned/)
})

test('a setting of an open connection waits for the next one, says so, and the next one is a click away', async ({
  page,
}) => {
  await connect(page, `${modern.url}/dual/wait`)
  await isOpen(page)
  await openSettings(page)
  await page.getByTestId('setting-revision').selectOption('2025-11-25')
  await expect(page.getByTestId('settings-wait')).toContainText('Protocol version')
  await expect(facts(page)).toContainText('2026-07-28')
  await page.getByTestId('settings-reconnect').click()
  await expect(facts(page)).toContainText('2025-11-25')
  await isOpen(page)
})

test('the era of a server is remembered, and found out anew when asked for (VN-26)', async ({ page }) => {
  const probes = () =>
    eras
      .seen('/good-handshake/remember')
      .filter(({ message }) => (message as { method?: string } | undefined)?.method === 'server/discover').length
  await connect(page, `${eras.url}/good-handshake/remember`)
  await isOpen(page)
  expect(probes()).toBe(1)
  await page.reload()
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  expect(probes()).toBe(1)
  await overview(page)
  await expect(page.getByTestId('evidence')).toContainText(/with a handshake.*not probed again/)
  await page.getByTestId('server-menu').click()
  await page.getByTestId('server-detect').click()
  await expect.poll(probes).toBe(2)
})

test('a server without CORS is reached through the relay without a click, also after a reload', async ({ page }) => {
  await connect(page, `${modern.bareUrl}/dual/bare`)
  await isOpen(page)
  await expect(facts(page)).toContainText('relay')
  await page.reload()
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  await expect(facts(page)).toContainText('relay')
})

test('a certificate of the server’s own is trusted after it was shown, until the server has another one', async ({
  page,
}) => {
  const before = makeCertificate({ host: 'localhost' })
  const secure = createSecureServer(before, (request, response) => void pass(request, response))
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const headers = Object.entries(request.headers).filter(([name]) => !['host', 'connection'].includes(name))
    const body = await bodyOf(request)
    const answer = await fetch(`${modern.url}/dual/tls`, {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(body === '' ? {} : { body }),
    })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  }
  const peer = await listen(secure)
  try {
    await page.getByTestId('connect-input').fill(peer.url.replace('http://127.0.0.1', 'https://localhost'))
    await page.getByTestId('connect-more').click()
    await page.getByTestId('setting-road').getByText('Through the relay').click()
    await page.getByTestId('connect-button').click()
    const failure = page.getByTestId('connect-failure')
    await expect(failure).toContainText('self-signed')
    // The certificate is shown before it is trusted.
    await expect(page.getByTestId('network-untrusted')).toHaveText('DEPTH_ZERO_SELF_SIGNED_CERT')
    await expect(page.getByTestId('network-steps')).toContainText('DNS:localhost')
    const steps = page.getByTestId('network-steps')
    await expect(steps).toContainText(fingerprintOf(before))
    await expect(steps).toContainText('self-signed')
    await page.getByTestId('do-trust').click()
    await isOpen(page)

    const after = makeCertificate({ host: 'localhost' })
    secure.setSecureContext(after)
    await page.getByTestId('server-menu').click()
    await page.getByTestId('server-reconnect').click()
    await expect(failure).toContainText(`Trusted: ${fingerprintOf(before)}. Found: ${fingerprintOf(after)}.`)
    await expect(steps).toContainText(fingerprintOf(after))
    await page.getByTestId('do-trust-new').click()
    await isOpen(page)

    await openSettings(page)
    const trusted = page.getByTestId('trusted-certificates')
    await expect(trusted).toContainText(fingerprintOf(after))
    expect(await violations(page)).toEqual([])
    // Another host is checked, and trusted beside the server's own.
    const other = await listen(createSecureServer(makeCertificate({ host: 'localhost' })))
    const host = other.url.replace('http://127.0.0.1', 'localhost')
    await page.getByTestId('trust-host').locator('summary').click()
    await page.getByTestId('trust-host-name').fill(host)
    await page.getByTestId('trust-host-show').click()
    await page.getByTestId('trust-host-now').click()
    await expect(trusted.getByRole('listitem')).toHaveCount(2)
    await other.close()
    for (const count of [1, 0]) {
      await trusted.getByTestId('distrust').first().click()
      await expect(trusted.getByRole('listitem')).toHaveCount(count)
    }
    await page.getByTestId('settings-reconnect').click()
    await expect(failure).toContainText('self-signed')
  } finally {
    await peer.close()
  }
})

test('a server without CORS fails where only the direct route is allowed, and the relay is one click away', async ({
  page,
}) => {
  await page.getByTestId('connect-input').fill(`${modern.bareUrl}/dual/bare`)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('setting-road').getByText('Direct').click()
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('connect-failure')).toHaveAttribute('data-state', 'unreachable')
  await page.getByTestId('do-relay').click()
  await isOpen(page)
  await expect(facts(page)).toContainText('relay')
})

test('a port where nobody listens is named as such, without a click', async ({ page }) => {
  await connect(page, 'http://127.0.0.1:9/mcp')
  await expect(page.getByTestId('connect-failure')).toContainText('Nothing is listening at 127.0.0.1:9')
})

test('an old server is found over HTTP+SSE; its endpoint on another origin is explained, and allowed in one click', async ({
  page,
}) => {
  await connect(page, `${sse.url}/variant/rooted/e2e/sse`)
  await isOpen(page)
  await expect(facts(page)).toContainText('HTTP+SSE')
  await addServer(page)
  await connect(page, `${sse.url}/variant/other-origin/e2e/sse`)
  const failure = page.getByTestId('connect-failure')
  await expect(failure).toContainText('another origin')
  const before = sse.stranger().length
  expect(before).toBe(0)
  await page.getByTestId('do-foreign-endpoint').click()
  await expect.poll(() => sse.stranger().length).toBeGreaterThan(0)
})

test('a capability that is switched off is not declared, is marked, and stays off after a reload (LC-10)', async ({
  page,
  everythingUrl,
}) => {
  await page.getByTestId('connect-input').fill(everythingUrl)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('capability-sampling').uncheck()
  await expect(page.getByTestId('capability-sampling.tools')).toBeDisabled()
  await page.getByTestId('connect-button').click()
  await isOpen(page)
  await expect(page.getByTestId('withheld-mark')).toHaveText('capabilities: 1 off')
  await showTrace(page, true)
  await page.getByTestId('trace-filter').fill('method:initialize kind:message dir:sent')
  // Until the filter has found something, the list shows the former rows.
  const rows = page.getByTestId('trace-row')
  await expect(rows).toHaveCount(1)
  await rows.click()
  const message = page.getByTestId('frame-detail')
  await expect(message).toContainText('elicitation')
  await expect(message).not.toContainText('sampling')
  await page.reload()
  await page.getByTestId('connect-more').click()
  await expect(page.getByTestId('capability-sampling')).not.toBeChecked()
  await expect(page.getByTestId('capability-roots')).toBeChecked()
})

test('pasted configuration that names HTTP+SSE is connected with it, and nothing else is tried', async ({ page }) => {
  const url = `${sse.url}/variant/rooted/pasted/sse`
  await connect(page, JSON.stringify({ servers: { old: { type: 'sse', url } } }))
  await isOpen(page)
  await expect(facts(page)).toContainText('HTTP+SSE')
  expect(sse.seen('/variant/rooted/pasted/sse').map(({ method }) => method)[0]).toBe('GET')
})

test('a stream that ends is connected again by itself: with the cause, a count, a way to hurry and a way to stop', async ({
  page,
}) => {
  const url = `${sse.url}/variant/ends/again/sse`
  await connect(page, url)
  await isOpen(page)
  const letReconnect = await holdRequests(page, url)
  await runOnlyTool(page)
  const bar = page.getByTestId('disconnected')
  await expect(bar).toHaveAttribute('data-state', 'retrying')
  await expect(bar).toContainText(/closed the event stream.*1 of 10/)
  // The view doesn't change.
  await expect(page.getByTestId('tool-result')).toBeVisible()
  letReconnect()
  await isOpen(page)
  await expect(bar).toHaveCount(0)
  const letReconnectAgain = await holdRequests(page, url)
  await runOnlyTool(page)
  await expect(bar).toContainText('2 of 10')
  await page.getByTestId('retry-stop').click()
  await expect(bar).toHaveAttribute('data-state', 'closed')
  letReconnectAgain()
  await page.getByTestId('reconnect').click()
  await isOpen(page)
})

test('a process that ends is started again only when its user wants it', async ({ page }) => {
  const script = join(import.meta.dirname, '../servers/hostile-stdio.mjs')
  await connect(page, `'${process.execPath}' '${script}' dies-in-call`)
  await isOpen(page)
  await runOnlyTool(page)
  const bar = page.getByTestId('disconnected')
  await expect(bar).toHaveAttribute('data-state', 'closed')
  await openSettings(page)
  await page.getByTestId('setting-reconnect').check()
  await page.getByTestId('settings-done').click()
  await page.getByTestId('reconnect').click()
  await isOpen(page)
  const hurried = hurryReconnecting(page)
  await runOnlyTool(page)
  expect(await hurried).toContain('1 of 5')
  await isOpen(page)
})

test('pings at an interval show the round trip; a server that is gone is noticed, and told', async ({ page }) => {
  const gone = await startModern()
  try {
    await page.getByTestId('connect-input').fill(`${gone.url}/dual/ping`)
    await page.getByTestId('connect-more').click()
    await page.getByTestId('setting-ping').fill('1')
    await page.getByTestId('connect-button').click()
    await isOpen(page)
    await expect(page.getByTestId('last-ping')).toContainText(TIME)
  } finally {
    await gone.close()
  }
  await expect(page.getByTestId('disconnected')).toContainText(/pings in a row got no response/)
  await page.getByTestId('retry-stop').click()
  await expect(page.getByTestId('disconnected')).toHaveAttribute('data-state', 'closed')
})

test('a server that wants a sign-in: that comes first, the row for it is a click away, and a header that works settles it', async ({
  page,
}) => {
  const peer = await handMade((request, response) => {
    if (request.headers.authorization !== 'Bearer right') return void response.writeHead(401).end()
    if (request.method !== 'POST') return void response.writeHead(405).end()
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (piece: string) => (body += piece))
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string }
      if (id === undefined) return void response.writeHead(202).end()
      const initialized = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'Protected', version: '1' },
      }
      const results: Record<string, unknown> = { initialize: initialized, 'tools/list': { tools: [] } }
      const result = results[method]
      const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
  })
  try {
    await connect(page, `${peer.url}/mcp`)
    await expect(page.getByTestId('connect-failure')).toContainText('Sign in first')
    await page.getByTestId('do-authorize').click()
    await expect(page.getByTestId('header-name')).toHaveValue('Authorization')
    await expect(page.getByTestId('header-value')).toBeFocused()
    await page.getByTestId('header-value').fill('Bearer right')
    await page.getByTestId('header-value').press('Enter')
    await isOpen(page)
    await overview(page)
    await expect(page.getByTestId('report')).toBeVisible()
    await expect(page.getByTestId('sign-in-wanted')).toHaveCount(0)
  } finally {
    await peer.close()
  }
})

test('a server that spent its one answer on the probe: restart it, and pin the handshake', async ({ page }) => {
  let posts = 0
  const peer = await handMade((_, response) => void response.writeHead(posts++ === 0 ? 400 : 500).end())
  try {
    await connect(page, `${peer.url}/mcp`)
    const failure = page.getByTestId('connect-failure')
    await expect(failure).toContainText('Restart the server')
    await expect(page.getByTestId('do-pin')).toHaveAttribute('data-revision', '2025-11-25')
  } finally {
    await peer.close()
  }
})

test('revisions that a server names can be pinned in one click', async ({ page }) => {
  await page.getByTestId('connect-input').fill(`${modern.url}/modern/named`)
  await page.getByTestId('connect-more').click()
  await page.getByTestId('setting-revision').selectOption('2025-06-18')
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('connect-failure')).toBeVisible()
  await page
    .locator('[data-testid=do-pin][data-revision="2026-07-28"]')
    .or(page.getByTestId('do-unpin'))
    .first()
    .click()
  await isOpen(page)
  await expect(facts(page)).toContainText('2026-07-28')
})

test('on a phone the rail brings the form, and a server, out from behind the trace', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  // The trace starts collapsed on small screens.
  await page.reload()
  await connect(page, `${modern.url}/dual/phone`)
  await isOpen(page)
  await showTrace(page, true)
  await addServer(page)
  await expect(page.getByTestId('connect-input')).toBeVisible()
  await expect(page.getByTestId('trace-dock')).toBeHidden()
  await page.getByTestId('trace-toggle').click()
  await openServers(page)
  await page.getByTestId('server-item').click()
  await expect(page.getByTestId('trace-dock')).toBeHidden()
  await expect(page.getByTestId('tab-overview')).toBeVisible()
})

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  test(`axe finds nothing on what belongs to a connection, ${colorScheme}, ${width} wide`, async ({ page }) => {
    test.slow()
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await page.getByTestId('connect-input').fill('https://127.0.0.1:9/mcp')
    await page.getByTestId('connect-more').click()
    await page.getByTestId('setting-revision').selectOption('2026-07-28')
    await page.getByTestId('setting-transport').getByText('HTTP+SSE').click()
    await page.getByTestId('setting-road').getByText('Through the relay').click()
    await page.getByTestId('setting-ping').fill('0')
    expect(await violations(page)).toEqual([])
    await page.getByTestId('connect-button').click()
    await expect(page.getByTestId('connect-failure')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await addServer(page)
    await connect(page, `${modern.url}/dual/axe-${width}`)
    await isOpen(page)
    await showTrace(page, false)
    await overview(page)
    await page.getByTestId('ping-now').click()
    await page.getByTestId('ping-now').click()
    await expect(page.getByTestId('health').locator('svg')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await openSettings(page)
    await page.getByTestId('setting-revision').selectOption('2025-11-25')
    await expect(page.getByTestId('settings-wait')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('settings-done').click()
    await addServer(page)
    const ending = `${sse.url}/variant/ends/axe-${width}/sse`
    await connect(page, ending)
    await isOpen(page)
    // A scan takes longer than the pause before reconnecting.
    const letReconnect = await holdRequests(page, ending)
    await runOnlyTool(page)
    await expect(page.getByTestId('disconnected')).toHaveAttribute('data-state', 'retrying')
    expect(await violations(page)).toEqual([])
    await expect(page.getByTestId('disconnected')).toHaveAttribute('data-state', 'retrying')
    await showTrace(page, true)
    expect(await violations(page)).toEqual([])
    letReconnect()
  })
}
