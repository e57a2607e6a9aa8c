/**
 * What an end-to-end test stands on: `import { expect, test } from './stage.ts'`.
 *
 *     test('…', async ({ page, address, everythingUrl }) => { await page.goto(address) … })
 */
import { test as base, type Locator, type Page } from '@playwright/test'
import axe from 'axe-core'
import { freshUrl } from './global-setup.ts'

export { expect } from '@playwright/test'
export { startPeriscope } from './global-setup.ts'

interface Stage {
  /** The page, by a URL of the running proxy, which opens one tab. */
  address: string
  /** Another URL of the same, for another tab. */
  fresh: () => Promise<string>
  /** MCP endpoints of the peers in `tests/servers/`. */
  everythingUrl: string
  cuttingUrl: string
  hostileUrl: string
  modernUrl: string
  modernOnlyUrl: string
  modernNoCorsUrl: string
  sseUrl: string
  sseVariantsUrl: string
  erasUrl: string
  garbageUrl: string
  /** Protected servers and their authorization servers: `tests/servers/oauth/names.ts` says what to add. */
  oauthUrl: string
  oauthIssuerUrl: string
  oauthRootUrl: string
  oauth2025Url: string
  oauth2025BareUrl: string
  /** Add a kind of `tests/servers/hostile-oauth/kinds.ts` by `worldOf` of its `control.ts`. */
  hostileOauthUrl: string
  hostileOauthEvilUrl: string
  /** Every feature: add `/v1/<key>` or `/v2/<key>`. */
  richUrl: string
  /** As `richUrl`, with hidden characters in every text. */
  plantedUrl: string
  /** Model endpoints: add `/<road>/<fault>/<key>` (`servers/models`). */
  modelsUrl: string
}

/** The address of a peer, by its name in `tests/servers/index.ts`. */
const peer =
  (name: string) =>
  async ({}: object, use: (url: string) => Promise<void>) =>
    await use(named(`PERISCOPE_PEER_${name}`))

const named = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: tests/e2e/global-setup.ts did not run`)
  return value
}

export const test = base.extend<Stage>({
  address: async ({}, use) => use(await freshUrl()),
  fresh: async ({}, use) => use(freshUrl),
  everythingUrl: peer('everything'),
  cuttingUrl: peer('cutting'),
  hostileUrl: peer('hostile'),
  modernUrl: peer('modern'),
  modernOnlyUrl: peer('modernOnly'),
  modernNoCorsUrl: peer('modernNoCors'),
  sseUrl: peer('sse'),
  sseVariantsUrl: peer('sseVariants'),
  erasUrl: peer('eras'),
  garbageUrl: peer('garbage'),
  oauthUrl: peer('oauth'),
  oauthIssuerUrl: peer('oauthIssuer'),
  oauthRootUrl: peer('oauthRoot'),
  oauth2025Url: peer('oauth2025'),
  oauth2025BareUrl: peer('oauth2025Bare'),
  hostileOauthUrl: peer('hostileOauth'),
  hostileOauthEvilUrl: peer('hostileOauthEvil'),
  richUrl: peer('rich'),
  plantedUrl: peer('planted'),
  modelsUrl: peer('models'),
})

/** The control of a tool's argument. */
export const field = (page: Page, name: string): Locator =>
  page.locator(`[data-testid=field][data-path="/${name}"]`).getByTestId('field-input')

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * What axe finds on the page as it stands, a line for each element: all rules in the colours that are on, and the
 * contrast in the others too, for nothing else differs between the two.
 */
export const violations = async (page: Page): Promise<string[]> => {
  // It stays in the document: to read half a megabyte of script takes as long as a look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await look(page, RULES)
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await paintIn(page, dark ? 'light' : 'dark')
  const other = await look(page, ['color-contrast'])
  await paintIn(page, dark ? 'dark' : 'light')
  return [...found, ...other]
}

/** @param runOnly tags, or the name of one rule */
const look = (page: Page, runOnly: string[]): Promise<string[]> =>
  page.evaluate(async (runOnly) => {
    // To name each element that is in order takes as long as to look at it.
    const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
    )
  }, runOnly)

/** Until colours are painted, the browser tells those of before of some elements; fading ones it tells half-way. */
const paintIn = async (page: Page, colorScheme: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}
