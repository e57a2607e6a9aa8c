/** `${env:NAME}`: the proxy inserts values of its environment, which the page never gets. */
import type { Page } from '@playwright/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { everythingStdio } from '../servers/everything.ts'
import { startPeriscope } from './global-setup.ts'
import { expect, patient, test, violations } from './stage.ts'

const SECRET = 'e2e-environment-9d41c7'
const VARIABLES = { PERISCOPE_E2E_TOKEN: SECRET, PERISCOPE_E2E_ARGUMENT: 'argument-77ab' }

const isOpen = (page: Page) =>
  expect(page.getByTestId('connection-state').first()).toHaveAttribute('data-state', 'open', {
    timeout: patient(20_000),
  })

/**
 * Passes requests on to a server and keeps the Authorization header of each, except for HEAD: a server that is silent for
 * two seconds, as on a busy machine, is asked without credentials whether it responds at all.
 */
const listening = async (target: string) => {
  const got: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (request.method !== 'HEAD') got.push(request.headers.authorization)
      const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
      const body = pieces.length > 0 ? { body: Buffer.concat(pieces) } : {}
      void fetch(target, { method: request.method!, headers: headers as Record<string, string>, ...body }).then(
        async (answer) => {
          response.writeHead(answer.status, Object.fromEntries(answer.headers))
          for await (const piece of answer.body ?? []) response.write(piece)
          response.end()
        },
        () => response.destroy(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    host: `127.0.0.1:${port}`,
    got,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** All that this page received and stored. */
const everything = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML]))

test('a header from the environment needs the relay, reaches only the server, and survives a reload as a reference', async ({
  page,
  everythingUrl,
}) => {
  const periscope = await startPeriscope([], [], VARIABLES)
  const server = await listening(everythingUrl)
  try {
    await page.goto(periscope.address)
    await page.getByTestId('connect-input').fill(
      JSON.stringify({
        mcpServers: { guarded: { url: server.url, headers: { Authorization: 'Bearer ${env:PERISCOPE_E2E_TOKEN}' } } },
      }),
    )
    // Nothing is sent directly; the relay is offered.
    const said = page.getByTestId('fill-variables')
    await expect(said).toHaveAttribute('data-state', 'direct')
    await page.getByTestId('connect-input').press('Enter')
    await expect(page.getByTestId('fill-relay')).toBeFocused()
    expect(await violations(page)).toEqual([])
    await page.getByTestId('fill-relay').press('Enter')
    await expect(page.getByTestId('fill-value')).toBeFocused()
    await expect(said).toHaveAttribute('data-state', 'ready')
    await expect(said).toContainText('PERISCOPE_E2E_TOKEN')
    await expect(said).toContainText(server.host)
    expect(await violations(page)).toEqual([])
    expect(server.got).toEqual([])
    await page.getByTestId('connect-button').click()
    await isOpen(page)
    expect(server.got.length).toBeGreaterThan(1)
    expect(new Set(server.got)).toEqual(new Set([`Bearer ${SECRET}`]))

    // The trace has the reference.
    await page.getByTestId('trace-filter').fill('method:POST')
    // Until the filter has found something, the list shows the former rows.
    await expect(page.locator('[data-testid=trace-row]:not([data-method="POST"])')).toHaveCount(0)
    await page.getByTestId('trace-row').first().click()
    await expect(page.getByTestId('frame-detail')).toContainText('${env:PERISCOPE_E2E_TOKEN}')

    const before = server.got.length
    await page.reload()
    await page.getByTestId('connect-button').click()
    await isOpen(page)
    expect(server.got.length).toBeGreaterThan(before)
    expect(new Set(server.got)).toEqual(new Set([`Bearer ${SECRET}`]))
    expect(await everything(page)).not.toContain(SECRET)
  } finally {
    server.close()
    await periscope.close()
  }
})

test('a process gets values in variables and arguments, and a variable that is not set is named before it starts', async ({
  page,
}) => {
  const periscope = await startPeriscope([], [], VARIABLES)
  const { command, args } = everythingStdio
  const script =
    'console.error("got", process.env.API_KEY.length, process.argv.at(-1)); import("node:url").then(({ pathToFileURL }) => import(pathToFileURL(process.argv[1]).href))'
  const entry = (name: string) => ({
    command,
    args: ['-e', script, ...args, '${env:PERISCOPE_E2E_ARGUMENT}'],
    env: { API_KEY: `\${env:${name}}` },
  })
  const enter = (name: string) =>
    page.getByTestId('connect-input').fill(JSON.stringify({ mcpServers: { local: entry(name) } }))
  try {
    await page.goto(periscope.address)
    await enter('PERISCOPE_E2E_MISSING')
    await expect(page.getByTestId('command-preview')).toContainText('API_KEY=${env:PERISCOPE_E2E_MISSING}')
    await expect(page.getByTestId('fill-variables')).toContainText('PERISCOPE_E2E_MISSING')
    await page.getByTestId('connect-button').click()
    const failure = page.getByTestId('connect-failure')
    await expect(failure).toContainText('"PERISCOPE_E2E_MISSING" isn\'t set', { timeout: patient(20_000) })
    await expect(failure).toContainText('start Periscope again')

    await enter('PERISCOPE_E2E_TOKEN')
    await page.getByTestId('connect-button').click()
    await isOpen(page)
    await page.getByTestId('trace-filter').fill('kind:process')
    await expect(page.getByTestId('trace-row').filter({ hasText: `got ${SECRET.length} argument-77ab` })).toBeVisible()
    expect(await everything(page)).not.toContain(SECRET)
  } finally {
    await periscope.close()
  }
})
