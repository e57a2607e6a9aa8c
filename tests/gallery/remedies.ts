/** Clicks the first remedy that the page offers for a failed connection, or adds the header lines that it shows, and finds out whether it helps. */
import type { Locator, Page } from '@playwright/test'
import { CONTROL } from '../servers/gallery/site.ts'
import { slowness } from '../speed.ts'

export interface Applied {
  /** The `data-testid` of the button. */
  readonly button: string
  readonly works: boolean
}

/** These ask the user for something. */
const ASKING: ReadonlySet<string> = new Set(['do-authorize', 'do-sign-in', 'do-sign-in-by-steps', 'do-add-variable'])
/** ms until the connection must be open, and until its lists must have loaded. */
const LIMIT = 8_000

/** The header lines that the Overview shows, to paste; `undefined` if there are none. */
const linesOn = async (page: Page): Promise<string | undefined> => {
  const lines = page.getByTestId('cors-lines')
  return (await lines.count()) > 0 ? await lines.first().innerText() : undefined
}

/**
 * Adds the header lines that the page shows to the server, and finds out whether another page then connects directly.
 * @returns `undefined` if there are none, or the server can't be changed
 */
export const applyLines = async (page: Page, line: string, open: () => Promise<Page>): Promise<Applied | undefined> => {
  const lines = await linesOn(page)
  if (lines === undefined) return undefined
  const { ok } = await fetch(new URL(CONTROL, line), { method: 'POST', body: lines })
  if (!ok) return undefined
  const other = await open()
  await other.getByTestId('connect-input').fill(line)
  await other.getByTestId('connect-input').press('Enter')
  const state = other.getByTestId('connection-state').and(other.locator('[data-state=open]'))
  if (!(await within(LIMIT, state.first().waitFor({ state: 'attached' }))))
    return { button: 'cors-lines', works: false }
  await other.getByTestId('tab-overview').click()
  const facts = other.getByTestId('connection-facts')
  const isDirect = (await within(LIMIT, facts.waitFor())) && (await facts.innerText()).includes('direct')
  return { button: 'cors-lines', works: isDirect && (await other.getByTestId('detour').count()) === 0 }
}

/** @returns `undefined` if there is no button that a script can decide to click */
export const applyRemedy = async (page: Page): Promise<Applied | undefined> => {
  const button = await firstButton(page)
  if (button === undefined) return undefined
  const before = await page.evaluate(lastRow)
  await page.getByTestId(button).first().click()
  if (button === FIND) {
    const found = page.getByTestId('found-endpoint').first()
    const isFound = await within(LIMIT, found.waitFor())
    if (!isFound) return { button, works: false }
    await found.click()
  }
  const open = page.getByTestId('connection-state').and(page.locator('[data-state=open]'))
  if (!(await within(LIMIT, open.first().waitFor({ state: 'attached' })))) return { button, works: false }
  // A server that only shakes hands isn't one that works.
  const isLoaded = (await within(LIMIT, page.waitForFunction(hasLoadedList, before))) && (await loadsAll(page))
  return { button, works: isLoaded && (await open.count()) > 0 && !(await failureOf(page).isVisible()) }
}

/** Whether each list that the server offers loads to its end: those that no panel has shown yet, once their tab is open. */
const loadsAll = async (page: Page): Promise<boolean> => {
  const counts = page.getByTestId('report-count')
  const overview = page.getByTestId('tab-overview')
  await overview.click()
  if (!(await within(LIMIT, counts.first().waitFor()))) return false
  for (const kind of await kindsIn(counts, '[data-state=unasked]')) {
    await page.locator(`[data-testid=report-count][data-kind="${kind}"] button`).click()
    await overview.click()
  }
  return await within(LIMIT, page.waitForFunction(isWhole))
}

const kindsIn = (counts: Locator, state: string): Promise<string[]> =>
  counts
    .and(counts.page().locator(state))
    .evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['kind'] ?? ''))

/** Runs in the page: nothing is left to load, and nothing was refused. Many servers with resources have no templates. */
const isWhole = () =>
  [...document.querySelectorAll<HTMLElement>('[data-testid=report-count]')].every(
    ({ dataset: { kind, state } }) => state === 'whole' || (kind === 'templates' && state === 'refused'),
  )

/** Runs in the page: the number of the newest exchange. */
const lastRow = () =>
  Math.max(-1, ...[...document.querySelectorAll<HTMLElement>('[data-testid=exchange-row]')].map((row) => Number(row.dataset['seq']))) // prettier-ignore

/** Runs in the page: after that exchange, a request for a list got its result. */
const hasLoadedList = (before: number) =>
  [...document.querySelectorAll<HTMLElement>('[data-testid=exchange-row][data-state=ok]')].some(
    ({ dataset }) =>
      Number(dataset['seq']) > before && /^(?:tools|prompts|resources)\/list$/.test(dataset['method'] ?? ''),
  )

const failureOf = (page: Page) => page.getByTestId('connect-failure').first()

const FIND = 'find-endpoint'

const firstButton = async (page: Page): Promise<string | undefined> => {
  const failure = failureOf(page)
  if (!(await failure.isVisible())) return undefined
  const ids = await failure
    .locator(`[data-testid^="do-"], [data-testid="${FIND}"]`)
    .evaluateAll((buttons) => buttons.map((each) => (each as HTMLElement).dataset['testid'] ?? ''))
  const wanted = ids.filter((id) => !ASKING.has(id))
  return wanted.find((id) => id !== FIND) ?? wanted[0]
}

const within = async (limit: number, work: Promise<unknown>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), limit * slowness())))
  try {
    return await Promise.race([
      work.then(
        () => true,
        () => false,
      ),
      over,
    ])
  } finally {
    clearTimeout(timer)
  }
}
