/** Takes the README's screenshot from the running page: `npx tsx tests/picture.ts`, after a build. */
import { join } from 'node:path'
import { openBrowser } from './bench/page.ts'
import { startPeriscope } from './e2e/global-setup.ts'
import { field } from './e2e/stage.ts'
import { everythingStdio } from './servers/everything.ts'

const FILE = join(import.meta.dirname, 'fixtures/periscope.png')

const periscope = await startPeriscope(['--', everythingStdio.command, ...everythingStdio.args])
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' })
  await page.goto(periscope.address)
  const tool = (name: string) => page.locator(`[data-testid=tool-item][data-name="${name}"]`)
  await tool('trigger-long-running-operation').click()
  await field(page, 'duration').fill('1')
  await field(page, 'steps').fill('3')
  await page.getByTestId('tool-run').click()
  await page.locator('[data-testid=tool-result][data-state=ok]').waitFor()
  await tool('get-structured-content').click()
  await field(page, 'location').selectOption({ index: 1 })
  await page.getByTestId('tool-run').click()
  await page.locator('[data-testid=tool-result][data-state=ok]').waitFor()
  await page.locator('[data-testid=trace-row][data-method="tools/call"]').last().click()
  await page.waitForTimeout(300)
  await page.screenshot({ path: FILE })
  console.log(`The picture is in ${FILE}`)
} finally {
  await browser.close()
  await periscope.close()
}
