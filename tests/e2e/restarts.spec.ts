import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, field, inPanel, patient, pressSequence, startPeriscope, test } from './stage.ts'

/** A server whose second tool and result name its version. @param broken it ends with an error instead */
const serverOf = (version: string, broken = false): string => `
  import { createInterface } from 'node:readline'
  ${broken ? "throw new Error('a typo')" : ''}
  const tool = { name: 'greet', inputSchema: { type: 'object', properties: { to: { type: 'string' } } } }
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'saved', version: '${version}' } },
    'tools/list': { tools: [tool, { ...tool, name: '${version}' }] },
    'tools/call': { content: [{ type: 'text', text: 'greetings from ${version}' }] },
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method } = JSON.parse(line)
    if (id === undefined) continue
    const known = method in results ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...known }))
  }`

test('a server restarts when its file is saved, or a button is pressed: the form stays, and the trace says why', async ({
  page,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-restarts-'))
  const file = join(folder, 'server.mjs')
  writeFileSync(file, serverOf('version-1'))
  const periscope = await startPeriscope(['--watch', join(folder, '**/*.mjs'), '--', process.execPath, file])
  const state = page.getByTestId('connection-facts')
  try {
    await page.goto(periscope.address)
    await page.getByTestId('tool-item').first().click()
    await field(page, 'to').fill('Ada')
    await expect(page.getByTestId('watch-mark')).toHaveText('watching 1 file')

    writeFileSync(file, serverOf('version-2'))
    await expect(page.getByTestId('tool-item').nth(1)).toContainText('version-2', { timeout: patient(10_000) })
    await expect(field(page, 'to')).toHaveValue('Ada')
    await page.getByTestId('tool-run').click()
    await expect(page.getByTestId('tool-result')).toContainText('greetings from version-2')

    writeFileSync(file, serverOf('version-3', true))
    await expect(page.getByTestId('connect-failure')).toContainText('a typo', { timeout: patient(10_000) })
    writeFileSync(file, serverOf('version-3'))
    await expect(state).toHaveAttribute('data-state', 'open', { timeout: patient(10_000) })
    await expect(field(page, 'to')).toHaveValue('Ada')

    await pressSequence(page, 'go')
    await expect(page.getByTestId('pid')).toHaveText(/^\d+$/)
    const pid = await page.getByTestId('pid').innerText()
    await page.getByTestId('restart').click()
    await expect(page.getByTestId('process-past')).toContainText(`process ${pid}`)
    await expect(page.getByTestId('pid')).not.toHaveText(pid)
    await inPanel(page, 'trace')
    await page.getByTestId('trace-filter').fill('kind:session')
    const restarts = page.getByTestId('trace-dock').getByText(/restarting the server/)
    await expect(restarts.last()).toHaveText('restarting the server')
    await expect(restarts.filter({ hasText: 'server.mjs changed' }).first()).toBeVisible()
  } finally {
    await periscope.close()
    rmSync(folder, { recursive: true })
  }
})
