/**
 * Fixtures for end-to-end tests: `import { expect, test } from './stage.ts'`.
 *
 *     test('…', async ({ page, address, everythingUrl }) => { await page.goto(address) … })
 */
import { expect, test as base, type Browser, type Locator, type Page } from '@playwright/test'
import axe from 'axe-core'
import { slowness } from '../speed.ts'
import { expectInTime, isWithin } from '../yardstick.ts'
import { freshUrl } from './global-setup.ts'
import { keepPage, type KeptPage } from './kept-page.ts'

export { expect } from '@playwright/test'
export { startPeriscope } from './global-setup.ts'

interface Stage {
  /** The page at a URL of the running proxy that opens one tab. */
  address: string
  /** Another URL of the same page, for another tab. */
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
  /** Protected servers and their authorization servers: see `tests/servers/oauth/names.ts` for the paths to add. */
  oauthUrl: string
  oauthIssuerUrl: string
  oauthRootUrl: string
  oauth2025Url: string
  oauth2025BareUrl: string
  /** Add a kind from `tests/servers/hostile-oauth/kinds.ts` with `worldOf` in its `control.ts`. */
  hostileOauthUrl: string
  hostileOauthEvilUrl: string
  /** Every feature: add `/v1/<key>` or `/v2/<key>`. */
  richUrl: string
  /** Like `richUrl`, with hidden characters in every string. */
  plantedUrl: string
  /** Model endpoints: add `/<road>/<fault>/<key>` (`servers/models`). */
  modelsUrl: string
  /** Both SDKs and faults over WebSocket (`servers/web-socket`). */
  webSocketUrl: string
  /** The folder of the Unix sockets (`servers/socket`). */
  socketFolder: string
}

/** The URL of a peer, by its name in `tests/servers/index.ts`. */
const peer =
  (name: string) =>
  async ({}: object, use: (url: string) => Promise<void>) =>
    await use(named(`PERISCOPE_PEER_${name}`))

const named = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: tests/e2e/global-setup.ts did not run`)
  return value
}

/** The trace starts with its frames, which most journeys count; those about exchanges choose them. */
const framesFirst = () => {
  try {
    localStorage.setItem('periscope.trace-view', localStorage.getItem('periscope.trace-view') ?? 'frames')
  } catch {
    // The browser stores nothing.
  }
}

/** Most peers don't annotate their tools. Journeys that aren't about that trust all servers, as the user's default. */
const trustServers = () => {
  try {
    localStorage.setItem('periscope.tool-policy', localStorage.getItem('periscope.tool-policy') ?? 'never')
  } catch {
    // The browser stores nothing.
  }
}

/** Lets servers ask before calls as they do for a user who hasn't chosen a default. Call it before the page opens. */
export const askBeforeCalls = async (page: Page): Promise<void> => {
  await page.addInitScript(() => localStorage.removeItem('periscope.tool-policy'))
}

export const test = base.extend<Stage, { browser: Browser; kept: KeptPage }>({
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (...options) => {
        const context = await newContext(...options)
        await context.addInitScript(framesFirst)
        await context.addInitScript(trustServers)
        return context
      }
      await use(browser)
    },
    { scope: 'worker' },
  ],
  kept: [
    async ({ browser }, use) => {
      const kept = keepPage(browser, named('PERISCOPE_ORIGIN'))
      await use(kept)
      await kept.close()
    },
    { scope: 'worker' },
  ],
  page: async ({ kept }, use, info) => {
    await use(await kept.take())
    await kept.giveBack(info.status === info.expectedStatus)
  },
  context: async ({ page }, use) => use(page.context()),
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
  webSocketUrl: peer('webSocket'),
  socketFolder: peer('sockets'),
})

/** Enters a URL or a command line, and waits for the server's tools. */
export const connect = async (page: Page, line: string): Promise<void> => {
  await page.getByTestId('connect-input').fill(line)
  await page.getByTestId('connect-input').press('Enter')
  // `expect` would look again up to a second later.
  await page.getByTestId('tool-item').filter({ visible: true }).first().waitFor()
}

/** Chooses an item of the menu at the end of the top bar. */
export const fromMenu = async (page: Page, item: string): Promise<void> => {
  await page.getByTestId('more-menu').click()
  await page.getByTestId(item).click()
}

/** Shows the servers of the tab, which open from the logo on a phone. */
export const openServers = async (page: Page): Promise<void> => {
  if (await page.getByTestId('server-rail').isHidden()) await page.getByTestId('open-servers').click()
}

/** Shows the form for another server. */
export const addServer = async (page: Page): Promise<void> => {
  await openServers(page)
  await page.getByTestId('server-add').click()
}

/** Shows the roots, a section of the Inbox. */
export const openRoots = async (page: Page): Promise<void> => {
  await page.getByTestId('tab-inbox').click()
  await page.getByTestId('inbox-roots-open').filter({ visible: true }).click()
}

/**
 * Replaces the text of a JSON editor. `fill` selects in the document and inserts in a second step, and an editor that has
 * just got the focus may restore its own selection between the two: the new text is then added to the old one.
 */
export const writeJson = async (page: Page, editor: Locator, text: string): Promise<void> => {
  const content = editor.locator('.cm-content')
  await content.focus()
  await expect(content).toBeFocused()
  await content.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

/** Shows a tab of the bottom panel. Tries again, because an opening recording may show or hide the panel meanwhile. */
export const inPanel = async (page: Page, tab: string): Promise<void> => {
  await expect(async () => {
    const soon = { timeout: patient(1000) }
    if (await page.getByTestId('bottom-panel').isHidden()) await page.getByTestId('trace-toggle').click(soon)
    await page.getByTestId(`tab-${tab}`).click(soon)
  }).toPass()
}

/** The control for a tool's argument. */
export const field = (page: Page, name: string): Locator =>
  page.locator(`[data-testid=field][data-path="/${name}"]`).getByTestId('field-input')

/**
 * Shows or hides the trace. Half of a scan goes into its rows, so journeys scan it once and hide it from other scans.
 *
 * The panel of a server that has just connected replaces the one of the form, and a new window size opens or closes it, so
 * a click may reach the opposite state. Each click ends soon, and all of it is repeated.
 */
export const showTrace = async (page: Page, shown: boolean): Promise<void> => {
  await expect(page.getByTestId('connect-input')).toBeHidden()
  await expect(async () => {
    const soon = { timeout: patient(1000) }
    if ((await page.getByTestId('bottom-panel').isVisible()) !== shown)
      await page.getByTestId('trace-toggle').click(soon)
    if (shown) await page.getByTestId('tab-trace').click(soon)
    await expect(page.getByTestId('trace-dock')).toBeVisible({ visible: shown, timeout: patient(1000) })
  }).toPass()
}

/**
 * Filters the trace by a method and selects the first frame. Matches are searched for in tasks of their own, and until
 * they are shown, the element of a row may get another frame between looking for it and clicking it.
 */
export const selectFirst = async (page: Page, method: string): Promise<void> => {
  await page.getByTestId('trace-filter').fill(`method:${method}`)
  const first = page.locator('[data-testid=trace-row][data-index="0"]')
  await expect(first).toHaveAttribute('data-method', method)
  await first.click()
  await expect(page.getByTestId('frame-detail')).toHaveAttribute('data-seq', (await first.getAttribute('data-seq'))!)
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Accessibility violations axe finds on the current page, one line per element: all rules in the current colour scheme,
 * and contrast in the other one as well, because nothing else differs between the two. Parts in which nothing was found
 * before are left out until something about them changes.
 */
export const violations = async (page: Page): Promise<string[]> => {
  // It stays in the document, because parsing half a megabyte of script takes as long as a scan.
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source)
    await page.evaluate(parseColoursOnce)
  }
  const dark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  await paintIn(page, dark ? 'dark' : 'light')
  const found = await look(page, RULES)
  await paintIn(page, dark ? 'light' : 'dark')
  const other = await look(page, ['color-contrast'])
  await paintIn(page, dark ? 'dark' : 'light')
  return [...found, ...other]
}

/** Parts of pages in which axe found nothing: see `partsOf`. */
const faultless = new Set<string>()

/**
 * Runs in the page. One key per element: its rules, markup, place, colours around it, and the state of its fields, and
 * those of all it contains. Equal keys mean an equal result, as nothing else enters the rules.
 *
 * @returns the keys of all elements in document order
 */
const partsOf = (runOnly: string[]): string[] => {
  const around = [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches, runOnly.join()].join()
  const hash = (text: string): string => {
    let [one, other] = [0x811c9dc5, 0x1b873593]
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 0x01000193)
      other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b) + one
    }
    return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}${text.length}`
  }
  const keys: string[] = []
  /** Each text enters the hash of its own element only, and that one the hash of the parent. */
  const visit = (element: Element, above: string): string => {
    const at = keys.push('') - 1
    const { x, y, width, height } = element.getBoundingClientRect()
    const lines = [element.tagName, x, y, width, height]
    for (const { name, value } of element.attributes) lines.push(name, value)
    if (element instanceof HTMLInputElement) lines.push(String(element.checked))
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName)) {
      const { value, disabled } = element as HTMLInputElement
      lines.push(String(value.length > 0), String(disabled))
    }
    const inside = hash(`${above} ${element.tagName}.${element.className}`)
    for (const child of element.childNodes) {
      if (child instanceof Element) lines.push(visit(child, inside))
      else if (child instanceof Text) lines.push(child.data)
    }
    const contents = hash(lines.join('\n'))
    keys[at] = hash(`${around} ${above} ${contents}`)
    return contents
  }
  for (const child of document.body.children) visit(child, '')
  return keys
}

/** axe's colour, as far as `parseColoursOnce` uses it. */
interface AxeColour {
  r: number
  g: number
  b: number
  alpha: number
  parseString(text: string): AxeColour
}

/**
 * Runs in the page. axe parses the same few colours for each element and each of its backgrounds, which takes two thirds
 * of a scan.
 */
const parseColoursOnce = () => {
  const { Color } = (axe as unknown as { commons: { color: { Color: { prototype: AxeColour } } } }).commons.color
  const parse = Color.prototype.parseString
  const parsed = new Map<string, Pick<AxeColour, 'r' | 'g' | 'b' | 'alpha'>>()
  Color.prototype.parseString = function (text) {
    const known = parsed.get(text)
    if (known) return Object.assign(this, known)
    const { r, g, b, alpha } = parse.call(this, text)
    parsed.set(text, { r, g, b, alpha })
    return this
  }
}

/** @param runOnly tags, or the name of one rule */
const look = async (page: Page, runOnly: string[]): Promise<string[]> => {
  const parts = await page.evaluate(partsOf, runOnly)
  const known = parts.map((part) => faultless.has(part))
  if (known.every(Boolean)) return []
  const [found, same] = await page.evaluate(
    async ([runOnly, known]) => {
      const before = document.body.outerHTML
      const unchanged = new Set([...document.body.querySelectorAll('*')].filter((_, at) => known[at]))
      const without = [...unchanged].filter(({ parentElement }) => !unchanged.has(parentElement!))
      const context = without.length > 0 ? { include: [document], exclude: without } : document
      // Listing passing elements takes as long as the scan itself.
      const { violations } = await axe.run(context as axe.ElementContext, { runOnly, resultTypes: ['violations'] })
      const lines = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary}`),
      )
      return [lines, document.body.outerHTML === before] as const
    },
    [runOnly, known] as const,
  )
  if (found.length === 0 && same) for (const part of parts) faultless.add(part)
  return found
}

/**
 * Until colours are painted, the browser reports the old colours for some elements, and intermediate ones during
 * transitions.
 */
const paintIn = async (page: Page, colorScheme: 'light' | 'dark') => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
}

/** Presses the keys of a shortcut such as `g` `t`. The page waits 1.2 s at most between them, so none waits for another. */
export const pressSequence = async (page: Page, keys: string): Promise<void> => {
  await Promise.all([...keys].map((key) => page.keyboard.press(key)))
}

/** Delays all requests to this URL until the returned function is called, so that the page shows what it waits for. */
export const holdRequests = async (page: Page, url: string): Promise<() => void> => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.context().route(url, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** @param ms on an idle machine with two cores. @returns ms on this one */
export const patient = (ms: number): number => ms * slowness()

/** Whether what took `ms` is within `limit` ms of an idle machine with two cores. */
export const isUnder = (limit: number, ms: number): boolean => isWithin(limit, ms, slowness())

/** Fails if what `measure` returns exceeds `limit` ms on an idle machine with two cores in each of three attempts. */
export const expectUnder = (limit: number, measure: () => Promise<number>): Promise<void> =>
  expectInTime(limit, slowness(), measure)
