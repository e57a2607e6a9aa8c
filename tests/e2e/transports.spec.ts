/** Servers over transports that MCP leaves to its users: a WebSocket from the page, sockets and modules through the proxy. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Page } from '@playwright/test'
import { bar, drop, saved } from './recording-stage.ts'
import { makeState } from '../servers/versed/tools.ts'
import { connect as serve, makeServer } from '../servers/versed/v1.ts'
import { connect, expect, field, inPanel, startPeriscope, test, violations } from './stage.ts'

const call = async (page: Page, name: string, text?: string) => {
  await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
  if (text !== undefined) await field(page, 'text').fill(text)
  await page.getByTestId('tool-run').click()
}

const rows = (page: Page, filter: string) => page.getByTestId('trace-row').filter({ hasText: filter })

const filterTrace = async (page: Page, query: string) => {
  await inPanel(page, 'trace')
  await page.getByTestId('trace-filter').fill(query)
}

test('a ws: URL connects from the page, and its handshake and frames are in the trace and in the file', async ({
  page,
  address,
  webSocketUrl,
}) => {
  await page.goto(address)
  const url = `${webSocketUrl}/v1/2025-11-25/${randomUUID()}`
  await page.getByTestId('connect-input').fill(url)
  await expect(page.getByTestId('connect-understood')).toContainText('WebSocket, directly from this page')
  await page.getByTestId('connect-more').click()
  await expect(page.getByTestId('websocket-note')).toContainText("Web pages can't add headers to a WebSocket handshake")
  await expect(page.getByTestId('header-add')).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await connect(page, url)
  await expect(page.getByTestId('connection-facts')).toContainText('WebSocket')
  await expect(page.getByTestId('tab-authorization')).toHaveCount(0)

  await call(page, 'echo', 'over a socket')
  await expect(page.getByTestId('tool-result')).toContainText('over a socket')
  await filterTrace(page, 'kind:transport')
  await expect(rows(page, 'opening WebSocket')).toContainText('subprotocol mcp')
  await expect(rows(page, 'connection opened')).toHaveCount(1)
  expect(await violations(page)).toEqual([])

  const file = await saved(page)
  expect(JSON.parse(file.slice(0, file.indexOf('\n')))).toMatchObject({
    servers: [{ transport: 'WebSocket', target: { kind: 'custom', url } }],
  })
  await drop(page, 'socket.periscope.jsonl', file)
  await expect(bar(page)).toBeVisible()
  await filterTrace(page, 'kind:transport')
  await expect(rows(page, 'opening WebSocket')).toHaveCount(1)
})

test('a WebSocket that the server closes is explained by its code, and connected to again as a new session', async ({
  page,
  address,
  webSocketUrl,
}) => {
  await page.goto(address)
  await connect(page, `${webSocketUrl}/h/close-1008/${randomUUID()}`)
  await call(page, 'any')
  await expect(page.getByTestId('tool-result')).toContainText('policy violation')
  await filterTrace(page, 'kind:transport')
  const closed = rows(page, 'connection closed with code 1008')
  await expect(closed).toContainText('not your tool')
  await expect(closed).toContainText('the server rejects this client')
  // Reconnects automatically, as after any loss of a server that runs on its own.
  await expect(rows(page, 'connection opened')).toHaveCount(2)
  await expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-standing', 'open')
})

test('a refused handshake lists what to check, because the browser hides the reason', async ({
  page,
  address,
  webSocketUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(`${webSocketUrl}/refuse/${randomUUID()}`)
  await page.getByTestId('connect-input').press('Enter')
  const failure = page.getByTestId('connect-failure')
  await expect(failure.getByRole('heading').first()).toContainText('The WebSocket handshake with')
  await expect(failure).toContainText('The browser hides the reason')
  await expect(failure).toContainText('tried the subprotocol mcp, then no subprotocol')
  await expect(failure).toContainText(`allow the origin ${new URL(page.url()).origin}`)
  await expect(failure).toContainText("Web pages can't add headers")
  expect(await violations(page)).toEqual([])

  await page.getByTestId('connect-input').fill(`${webSocketUrl}/h/never/${randomUUID()}`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(failure.getByRole('heading').first()).toContainText(
    'The server closed the connection before it responded',
  )
  await expect(failure).toContainText('The server is overloaded. Try again later.')

  // Nothing listens there, which only the local proxy can find out: no other cause is listed.
  await page.getByTestId('connect-input').fill('ws://127.0.0.1:1/')
  await page.getByTestId('connect-input').press('Enter')
  await expect(failure.getByTestId('network-steps')).toContainText('ECONNREFUSED')
  await expect(failure).toContainText('that the server is running at this host and port')
  await expect(failure).not.toContainText('allow the origin')
})

test('a Unix socket is opened through the proxy, after its path was shown', async ({ page, address, socketFolder }) => {
  await page.goto(address)
  const target = `unix:${socketFolder}/v1-2025-11-25.sock`
  await page.getByTestId('connect-input').fill(target)
  await expect(page.getByTestId('connect-understood')).toContainText('Unix socket, through the local proxy')
  await expect(page.getByTestId('command-preview')).toContainText(target)
  expect(await violations(page)).toEqual([])
  await connect(page, target)
  await call(page, 'echo', 'over a socket')
  await expect(page.getByTestId('tool-result')).toContainText('over a socket')
  await expect(page.getByTestId('connection-facts')).toContainText('Unix socket')
  await filterTrace(page, 'kind:transport')
  await expect(rows(page, 'opening Unix socket')).toContainText(target)
  expect(await violations(page)).toEqual([])
})

test('a socket that is missing, or speaks HTTP, is explained with what to do', async ({
  page,
  address,
  socketFolder,
}) => {
  await page.goto(address)
  const failure = page.getByTestId('connect-failure')
  await page.getByTestId('connect-input').fill(`unix:${socketFolder}/missing.sock`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(failure).toContainText(`There is no socket at ${socketFolder}/missing.sock.`)
  await expect(failure).toContainText('Start the server that creates it, or check the path.')
  expect(await violations(page)).toEqual([])
  await page.getByTestId('connect-input').fill(`unix:${socketFolder}/http.sock`)
  await page.getByTestId('connect-input').press('Enter')
  await expect(failure.getByRole('heading').first()).toContainText(
    'The socket responds with HTTP instead of MCP messages',
  )
  await expect(failure).toContainText('HTTP/1.1 400 Bad Request')
})

test('a transport of a module is offered by name, connects, and its failure names the module', async ({ page }) => {
  const readme = readFileSync(join(import.meta.dirname, '../../proxy/README.md'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'periscope-transport-'))
  const file = join(folder, 'tcp.mjs')
  writeFileSync(file, /```js tcp\.mjs\n(.*?)```/s.exec(readme)?.[1] ?? '')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    void serve(makeServer(makeState()), new StdioServerTransport(socket, socket), '2025-11-25')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`
  const periscope = await startPeriscope(['--transport', file])
  try {
    await page.goto(periscope.address)
    await page.getByTestId('connect-input').fill(target)
    await expect(page.getByTestId('connect-understood')).toContainText('tcp, through the local proxy')
    await expect(page.getByTestId('command-preview')).toContainText(target)
    await connect(page, target)
    await call(page, 'echo', 'through a module')
    await expect(page.getByTestId('tool-result')).toContainText('through a module')
    await expect(page.getByTestId('connection-facts')).toContainText('tcp')
    await expect(page.getByTestId('tab-authorization')).toHaveCount(0)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  try {
    // The server is gone, so the module's connection is refused.
    await page.reload()
    await page.getByTestId('connect-button').click()
    const failure = page.getByTestId('connect-failure')
    await expect(failure).toContainText('The transport tcp failed to open: connect ECONNREFUSED')
    await expect(failure).toContainText('The fault is in the module tcp.mjs')
  } finally {
    await periscope.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
