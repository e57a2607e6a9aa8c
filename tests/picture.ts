/** Takes the README's pictures from the running page: `npm run picture`, after a build. */
import { join } from 'node:path'
import { openBrowser } from './bench/page.ts'
import { startPeriscope } from './e2e/global-setup.ts'
import { field } from './e2e/stage.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

const periscope = await startPeriscope([])
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 860 }, colorScheme: 'light' })
  const take = async (name: string) => await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  const run = async (name: string, values: Readonly<Record<string, string>> = {}) => {
    await page.locator(`[data-testid=tool-item][data-name="${name}"]`).click()
    for (const [key, value] of Object.entries(values)) await field(page, key).fill(value)
    await page.getByTestId('tool-run').click()
    await page.locator('[data-testid=tool-result]:not([data-state=none], [data-state=pending])').waitFor()
  }
  await page.goto(periscope.address)
  await page.getByTestId('first-steps').waitFor()
  await take('home')

  await page.getByTestId('connect-sample').click()
  await run('echo', { message: 'Hello' })
  await run('count-slowly', { duration: '1', steps: '3' })
  await run('fail')
  await page.locator('[data-testid=tool-item][data-name="weather"]').click()
  await field(page, 'place').selectOption({ index: 1 })
  await page.getByTestId('tool-run').click()
  await page.locator('[data-testid=tool-result][data-state=ok]').waitFor()
  await take('periscope')

  await page.getByTestId('panel-maximize').click()
  const calls = page.locator('[data-testid=exchange-row][data-method="tools/call"]')
  await calls.nth(1).click()
  await page.getByTestId('exchange-list').press('ArrowRight')
  await page.getByTestId('frame-detail').waitFor()
  await take('trace')
  console.log(`The pictures are in ${FOLDER}`)
} finally {
  await browser.close()
  await periscope.close()
}
