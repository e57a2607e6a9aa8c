/**
 * A session is exported to other tools without its secrets, and recordings of other tools open with the same screens.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { JsonObject } from '../../web/mcp/index.ts'
import { headOf, sessionText } from '../../web/session-file/write.ts'
import { Frames } from '../sessions/frames.ts'
import { expect, field, test, violations } from './stage.ts'

const SECRET = `ghp_${'a1B2'.repeat(9)}`

const shown = (page: Page, testid: string) => page.getByTestId(testid).filter({ visible: true })

/** @returns name and text of the file that the dialog saves */
const savedAs = async (page: Page, format: string): Promise<readonly [string, string]> => {
  const button = page.getByTestId(format === 'session' ? 'share-save' : `share-save-${format}`)
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return [download.suggestedFilename(), await readFile(await download.path(), 'utf8')]
}

test('a session is saved in each format without its secrets, and its HAR opens as the same calls', async ({
  page,
  address,
  everythingUrl,
}) => {
  await page.goto(address)
  await page.getByTestId('connect-input').fill(everythingUrl)
  await page.getByTestId('connect-input').press('Enter')
  await shown(page, 'tool-item').and(page.locator('[data-name="echo"]')).click()
  await field(page, 'message').fill(`my token is ${SECRET}`)
  await shown(page, 'tool-run').click()
  await expect(shown(page, 'tool-result')).toContainText('Echo: my token is')

  await page.getByTestId('share').click()
  await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
  const saved = new Map<string, readonly [string, string]>()
  for (const format of ['session', 'json', 'har', 'markdown', 'mcpServers', 'vscode', 'server.json'])
    saved.set(format, await savedAs(page, format))
  expect(await violations(page)).toEqual([])
  const ends = [...saved].map(([, [name]]) => name.replace(/^.*\d(?=\.)/, ''))
  expect(ends).toEqual(['.periscope.jsonl', '.json', '.har', '.md', 'mcp.json', 'mcp.json', 'server.json'])
  for (const [, [, text]] of saved) expect(text).not.toContain(SECRET)
  for (const format of ['session', 'json', 'har', 'markdown']) expect(saved.get(format)![1]).toContain('my token is')
  for (const format of ['mcpServers', 'vscode', 'server.json']) expect(saved.get(format)![1]).toContain(everythingUrl)
  await page.getByTestId('share-close').click()

  const [name, text] = saved.get('har')!
  await page.getByTestId('server-add').click()
  await page
    .getByTestId('recording-file')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await expect(page.getByTestId('recording-imported')).toContainText('Converted from a HAR')
  await expect(shown(page, 'tool-item').and(page.locator('[data-name="echo"]'))).toBeVisible()
  await page.locator('[data-testid=trace-row][data-method="tools/call"]').first().click()
  await expect(page.getByTestId('frame-detail')).toContainText('my token is ‹removed: pattern:github›')
  expect(await violations(page)).toEqual([])
})

test('what is no recording, or one without messages, is refused, and what to do is said', async ({ page, address }) => {
  await page.goto(address)
  for (const [name, text, says] of [
    ['a.har', '{"log":{"version":"1.2","entries":[]}}', 'a.har contains no MCP messages'],
    ['a.txt', 'hello', "a.txt isn't a recording"],
  ] as const) {
    await page.getByTestId('recording-file').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
    await expect(page.getByText(says)).toBeVisible()
  }
})

test('a session with scripts in every text, and schemas that go round in circles, runs and asks for nothing', async ({
  page,
  address,
}) => {
  const script = '"><img src="//elsewhere.example/x" onerror="polluted=1"><script>polluted=1</script>'
  const link = `javascript:polluted=1//${script}`
  const circle: JsonObject = { type: 'object', title: script, properties: { self: { $ref: '#' }, [script]: { $ref: '#/properties/self', description: script } } } // prettier-ignore
  const own: JsonObject = { name: script, title: script, description: script, uri: link, uriTemplate: `${link}{x}`, mimeType: 'text/html', websiteUrl: link, icons: [{ src: link }, { src: 'https://elsewhere.example/i.svg' }], inputSchema: circle, outputSchema: circle, arguments: [{ name: script }] } // prettier-ignore
  const frames = new Frames()
  const peer = { era: 'handshake', revision: '2025-11-25', info: { ...own, version: script }, capabilities: { tools: {}, resources: {}, prompts: {}, logging: {}, tasks: {} }, instructions: script, evidence: [] } as const // prettier-ignore
  frames.add({ kind: 'session', phase: 'open', peer, transport: script })
  const answers: readonly (readonly [string, JsonObject])[] = [
    ['tools/list', { tools: [own] }],
    ['resources/list', { resources: [own] }],
    ['resources/templates/list', { resourceTemplates: [own] }],
    ['prompts/list', { prompts: [own] }],
    ['tools/call', { content: [{ type: 'text', text: script }, { type: 'resource_link', ...own }, { type: 'resource', resource: { ...own, text: script } }, { type: 'image', mimeType: 'image/svg+xml', data: btoa(`<svg xmlns="http://www.w3.org/2000/svg" onload="polluted=1"/>`) }] }], // prettier-ignore
  ]
  for (const [id, [method, result]] of answers.entries()) {
    frames.message('sent', { jsonrpc: '2.0', id, method, params: { name: script } })
    frames.message('received', { jsonrpc: '2.0', id, result })
  }
  frames.message('received', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', logger: script, data: script } }) // prettier-ignore
  frames.message('received', { jsonrpc: '2.0', id: script, method: 'elicitation/create', params: { mode: 'url', url: link, elicitationId: script, message: script, requestedSchema: circle } }) // prettier-ignore
  frames.add({ kind: 'process', event: 'stderr', text: script })
  const head = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: script, version: script }, servers: [{ link: 's1', name: script, target: { kind: 'url', url: link, headers: [script] } }], name: script, notes: script, bookmarks: [{ seq: 1, text: script }] }) // prettier-ignore

  const asked: string[] = []
  page.on('request', (request) => {
    if (/elsewhere|^javascript/.test(request.url())) asked.push(request.url())
  })
  await page.goto(address)
  const buffer = Buffer.from([...sessionText(head, frames.all)].join(''))
  await page.getByTestId('recording-file').setInputFiles({ name: `${script.replaceAll('/', '')}.jsonl`, mimeType: 'x', buffer }) // prettier-ignore
  await expect(page.getByTestId('recording-bar')).toBeVisible()
  for (const tab of [
    'overview',
    'resources',
    'prompts',
    'inbox',
    'tasks',
    'checks',
    'tools',
    'logs',
    'raw',
    'problems',
    'trace',
  ]) {
    await shown(page, `tab-${tab}`).first().click()
  }
  await shown(page, 'tool-item').first().click()
  await expect(page.getByTestId('trace-row').first()).toBeVisible()
  for (const row of await page.getByTestId('trace-row').all()) await row.click()
  await page.getByTestId('share').click()
  await expect(page.getByTestId('share-dialog')).toHaveAttribute('aria-busy', 'false')
  expect(await page.evaluate(() => 'polluted' in globalThis)).toBe(false)
  expect(await page.locator('a[href^="javascript:"], [onerror], [src*="elsewhere"]').count()).toBe(0)
  expect(asked).toEqual([])
})
