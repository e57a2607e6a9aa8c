/** The page at the redirect URI, in the built page: what it passes to whom, what it displays, what it leaves behind. */
import type { BrowserContext, Page } from '@playwright/test'
import type { Popup } from '../../web/oauth/consent/consent.ts'
import { test, type OAuth } from './callback-stage.ts'
import { expect, violations } from './stage.ts'

declare const PeriscopeOAuth: OAuth
interface Kept {
  answer: Promise<string>
  popup: Popup
}

const STATE = 'x7Qm2LrV9sTbK0aE'
const QUERY = `code=the-secret-code&state=${STATE}&iss=https%3A%2F%2Fas.example`

const wait = (page: Page, state = STATE) =>
  page.evaluate((wanted) => {
    const { awaitReturn, CHANNEL } = PeriscopeOAuth
    const channel = 'BroadcastChannel' in window ? new BroadcastChannel(CHANNEL) : undefined
    const answer = awaitReturn({ state: wanted, channel, storage: localStorage, events: window })
    answer.catch(() => {})
    Object.assign(window, { answer })
  }, state)
const answerOf = (page: Page) => page.evaluate(() => (window as unknown as Kept).answer)
const words = (page: Page) => page.getByTestId('callback')
/**
 * Everything that outlives the page, as text. Poll it after what another window stored or removed: that reaches this one
 * some time later.
 */
const leftIn = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie]))
const signInUrl = (stranger: string, to: string, coop = '') =>
  `${stranger}/?${new URLSearchParams({ to, ...(coop && { coop }) })}`

const openPopup = async (page: Page): Promise<Page> => {
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(() => {
      const { openPopup: open, openingUrlOf } = PeriscopeOAuth
      const popup = open((...args) => window.open(...args), { url: openingUrlOf(document.baseURI) })
      Object.assign(window, { popup })
    }),
  ])
  return popup
}

for (const coop of ['', 'same-origin', 'same-origin-allow-popups']) {
  test(`a popup brings the answer and closes, where the sign-in page ${coop ? `cuts it off with ${coop}` : 'sets no policy'}`, async ({
    page,
    prepare,
    callback,
    stranger,
  }) => {
    await prepare(page)
    const popup = await openPopup(page)
    await expect(words(popup)).toHaveAttribute('data-state', 'opening')
    await expect(popup.getByRole('heading')).toHaveText('Preparing the sign-in')
    const sent = await page.evaluate(
      (url) => (window as unknown as Kept).popup.go(url),
      signInUrl(stranger, `${callback}?${QUERY}`, coop),
    )
    expect(sent).toBe('sent')
    await wait(page)
    // The third-party page got no handle on the Periscope page.
    await expect(popup.locator('body')).toHaveAttribute('data-opener', 'null')
    await Promise.all([popup.waitForEvent('close'), popup.locator('#go').click()])
    expect(await answerOf(page)).toBe(QUERY)
    await expect.poll(() => leftIn(page)).not.toMatch(/the-secret-code|periscope\.oauth/)
  })
}

test('an error is handed over just the same, and nothing of it is shown (AU-FLOW-10)', async ({
  page,
  context,
  prepare,
  callback,
}) => {
  await prepare(page)
  await wait(page)
  const refused = `error=access_denied&error_description=Call+0800-EVIL&error_uri=https%3A%2F%2Fevil.example&state=${STATE}`
  const tab = await context.newPage()
  await tab.goto(`${callback}?${refused}`)
  await expect(words(tab)).toHaveAttribute('data-state', 'taken')
  await expect(words(tab)).toContainText('You can close this window')
  expect(await tab.content()).not.toMatch(/denied|EVIL|evil/)
  expect(await answerOf(page)).toBe(refused)
})

test('nobody waits: it says so, why, and what to do; the address is clean, and a closed window leaves nothing', async ({
  page,
  context,
  callback,
  prepare,
}) => {
  await prepare(page)
  const tab = await context.newPage()
  await tab.goto(`${callback}?${QUERY}`)
  await expect(tab).toHaveURL(callback)
  await expect(tab.getByRole('heading')).toHaveText('No Periscope page received the response')
  await expect(words(tab)).toContainText('start the sign-in again')
  await expect(tab.getByRole('button', { name: 'Continue in this tab' })).toBeVisible()
  expect(await tab.content()).not.toContain('the-secret-code')
  const entries = await tab.evaluate(() => navigation.entries().map(({ url }) => url))
  expect(entries.filter((url) => url?.includes('secret'))).toEqual([])
  // For browsers without BroadcastChannel, it stays in storage while this window is open.
  await expect.poll(() => leftIn(page)).toContain(`periscope.oauth.returned.${STATE}`)
  await tab.close({ runBeforeUnload: true })
  await expect.poll(() => leftIn(page)).not.toMatch(/the-secret-code|periscope\.oauth/)
})

test('an answer that nobody took goes to the page that asks for it later, after a reload for example', async ({
  page,
  context,
  callback,
  prepare,
}) => {
  await prepare(page)
  const tab = await context.newPage()
  await tab.goto(`${callback}?${QUERY}`)
  await expect(words(tab)).toHaveAttribute('data-state', 'alone')
  await page.reload()
  await prepare(page)
  await wait(page)
  expect(await answerOf(page)).toBe(QUERY)
  await expect(words(tab)).toHaveAttribute('data-state', 'taken')
  await expect.poll(() => leftIn(page)).not.toMatch(/the-secret-code|periscope\.oauth/)
})

test('"Continue in this tab" opens Periscope with the answer in the storage of this tab alone', async ({
  page,
  callback,
  root,
  script,
}) => {
  // Otherwise Periscope itself would pick it up immediately.
  await page.route(`${root}assets/**`, (route) => route.abort())
  await page.goto(`${callback}?${QUERY}`)
  await page.getByTestId('callback-continue').click()
  await expect(page).toHaveURL(`${root}#/`)
  await page.evaluate(script)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('the-secret-code')
  expect(await page.evaluate(() => PeriscopeOAuth.listReturned(sessionStorage))).toEqual([STATE])
  expect(await page.evaluate((state) => PeriscopeOAuth.takeReturned(sessionStorage, state), STATE)).toBe(QUERY)
  expect(await leftIn(page)).not.toContain('the-secret-code')
})

test('the answer of another sign-in disturbs nobody; of two tabs each gets its own', async ({
  context,
  callback,
  prepare,
}) => {
  const [one, two, tab] = [await context.newPage(), await context.newPage(), await context.newPage()]
  for (const page of [one, two]) await prepare(page)
  await wait(one)
  await wait(two, 'the-other-state')
  await tab.goto(`${callback}?code=x&state=the-third-state`)
  await expect(words(tab)).toHaveAttribute('data-state', 'alone')
  await tab.goto(`${callback}?code=2&state=the-other-state`)
  await expect(words(tab)).toHaveAttribute('data-state', 'taken')
  expect(await answerOf(two)).toBe('code=2&state=the-other-state')
  await tab.goto(`${callback}?${QUERY}`)
  expect(await answerOf(one)).toBe(QUERY)
})

test('a tab and its duplicate do not both get a code that is good for one use', async ({
  context,
  callback,
  prepare,
}) => {
  const [one, two, tab] = [await context.newPage(), await context.newPage(), await context.newPage()]
  for (const page of [one, two]) {
    await prepare(page)
    await wait(page)
  }
  await tab.goto(`${callback}?${QUERY}`)
  const ends = await Promise.all(
    [one, two].map((page) =>
      page.evaluate(() => (window as unknown as Kept).answer.catch((e: { code: string }) => e.code)),
    ),
  )
  expect(ends.sort()).toEqual([QUERY, 'taken-elsewhere'])
})

test('a browser without channels hands over through its storage, with nothing left', async ({
  context,
  callback,
  prepare,
}) => {
  await context.addInitScript(() => Reflect.deleteProperty(window, 'BroadcastChannel'))
  const [page, tab] = [await context.newPage(), await context.newPage()]
  await prepare(page)
  await wait(page)
  await tab.goto(`${callback}?${QUERY}`)
  expect(await answerOf(page)).toBe(QUERY)
  await expect(words(tab)).toHaveAttribute('data-state', 'taken')
  await expect.poll(() => leftIn(page)).not.toMatch(/the-secret-code|periscope\.oauth/)
})

const leaveFor = async (page: Page, url: string, returnTo = '#/') =>
  page.evaluate(
    ([to, route, state]) => {
      PeriscopeOAuth.savePending(sessionStorage, { state, mode: 'redirect', returnTo: route, data: { verifier: 'v' } })
      location.href = to
    },
    [url, returnTo, STATE] as const,
  )

test('after a full-page redirect the tab is where it was, with the answer and what the sign-in knew', async ({
  page,
  prepare,
  script,
  root,
  callback,
  stranger,
}) => {
  await prepare(page)
  // Otherwise Periscope itself would pick it up as soon as it has loaded.
  await page.route(`${root}assets/**`, (route) => route.abort())
  await leaveFor(page, signInUrl(stranger, `${callback}?${QUERY}`, 'same-origin'), '#/')
  await page.locator('#go').click()
  await expect(page).toHaveURL(`${root}#/`)
  await page.evaluate(script)
  const [pending, answer] = await page.evaluate(() => {
    const [first] = PeriscopeOAuth.listPending(sessionStorage)
    return [first, PeriscopeOAuth.takeReturned(sessionStorage, first!.state)] as const
  })
  expect(pending).toEqual({ state: STATE, mode: 'redirect', returnTo: '#/', data: { verifier: 'v' } })
  expect(answer).toBe(QUERY)
  const entries = await page.evaluate(() => navigation.entries().map(({ url }) => url))
  expect(entries.filter((url) => url?.startsWith(`${callback}?`))).toEqual([])
})

test('a record that says to go back to anywhere else leads to Periscope', async ({ page, callback, root }) => {
  for (const returnTo of [
    'https://evil.example/',
    '//evil.example/',
    '/api/hello',
    'javascript:alert(1)',
    '#\n/x',
    7,
  ]) {
    // Leave the Periscope page that the previous step led to: on start it picks up and clears what it finds.
    await page.goto(callback)
    await page.evaluate(
      ([state, to]) =>
        sessionStorage.setItem(`periscope.oauth.pending.${state}`, JSON.stringify({ mode: 'redirect', returnTo: to })),
      [STATE, returnTo] as const,
    )
    await page.goto(`${callback}?${QUERY}`)
    await expect(page, String(returnTo)).toHaveURL(`${root}#/`)
  }
})

const BAD: [what: string, behind: string, state: string][] = [
  ['a token behind the #', `#access_token=secret-token&state=${STATE}`, 'fragment'],
  ['a token behind the #, beside a code', `?${QUERY}#token_type=bearer&id_token=secret-token`, 'fragment'],
  ['a code behind the #', `#code=secret-token&state=${STATE}`, 'fragment'],
  ['no state', '?code=secret-token', 'no-state'],
  ['two states', `?${QUERY}&state=secret-token`, 'no-state'],
  ['a state of control characters', '?code=secret-token&state=%00%0a', 'no-state'],
  ['too much', `?${QUERY}&x=${'secret-token'.repeat(700)}`, 'too-long'],
]

test('what is no answer is thrown away: nobody gets it, nothing keeps it, and it says why', async ({
  page,
  context,
  callback,
  prepare,
}) => {
  await prepare(page)
  await page.evaluate((wanted) => {
    const { awaitReturn, CHANNEL } = PeriscopeOAuth
    const heard: unknown[] = []
    const astray: string[] = []
    new BroadcastChannel(CHANNEL).addEventListener('message', ({ data }) => heard.push(data))
    const channel = new BroadcastChannel(CHANNEL)
    awaitReturn({ state: wanted, channel, storage: localStorage, events: window, onAstray: (why) => astray.push(why) })
      .then(() => astray.push('it took something'))
      .catch(() => {})
    Object.assign(window, { heard, astray })
  }, STATE)
  const tab = await context.newPage()
  for (const [what, behind, state] of BAD) {
    // Changing only the fragment wouldn't reload it.
    await tab.goto('about:blank')
    await tab.goto(callback + behind)
    await expect(words(tab), what).toHaveAttribute('data-state', state)
    await expect(tab, what).toHaveURL(callback)
    await expect(words(tab), what).toContainText('start the sign-in again in Periscope', { ignoreCase: true })
    expect((await tab.content()) + (await leftIn(tab)), what).not.toMatch(/secret/)
  }
  const kept = () =>
    page.evaluate(() => {
      const { astray, heard: all } = window as unknown as { astray: string[]; heard: { type: string }[] }
      return { astray, heard: all }
    })
  await expect.poll(async () => (await kept()).astray).toEqual(BAD.map(([, , state]) => state))
  const heard = (await kept()).heard.filter(({ type }) => type !== 'waiting')
  expect(heard).toEqual(BAD.map(([, , reason]) => ({ type: 'astray', reason })))
})

test('a stray fragment beside a good answer is no reason to refuse it', async ({
  page,
  context,
  callback,
  prepare,
}) => {
  await prepare(page)
  await wait(page)
  const tab = await context.newPage()
  await tab.goto(`${callback}?${QUERY}#_=_`)
  expect(await answerOf(page)).toBe(QUERY)
})

test('it names its address to nobody, asks only its own folder, and is kept in no cache', async ({
  page,
  callback,
  root,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.headers()['referer'] || !request.url().startsWith(root)) asked.push(request.url())
  })
  const response = await page.goto(`${callback}?${QUERY}`)
  await expect(words(page)).toHaveAttribute('data-state', /handing|alone/)
  expect(asked).toEqual([])
  expect(response?.headers()['cache-control']).toBe('no-store')
})

test('it speaks Chinese where the browser does, or where its user chose it', async ({ browser, callback }) => {
  const speak = async (context: BrowserContext) => {
    const page = await context.newPage()
    await page.goto(callback)
    return page
  }
  const chinese = await browser.newContext({ locale: 'zh-CN' })
  const page = await speak(chinese)
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect(page.getByRole('link', { name: '打开 Periscope' })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('periscope.language', 'en'))
  const english = await speak(chinese)
  await expect(english.getByRole('link', { name: 'Open Periscope' })).toBeVisible()
  await expect(english.locator('html')).toHaveAttribute('lang', 'en')
  await chinese.close()
})

test('axe finds nothing in any of its states', async ({ page, callback }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 390, height: 700 })
  const behind = [
    '#opening',
    '',
    `?${QUERY}`,
    ...['fragment', 'no-state', 'too-long'].map((id) => BAD.find(([, , state]) => state === id)![1]),
  ]
  for (const address of behind) {
    // Changing only the fragment wouldn't reload it.
    await page.goto('about:blank')
    await page.goto(callback + address)
    if (address === `?${QUERY}`) await expect(words(page)).toHaveAttribute('data-state', 'alone')
    await expect(page.getByRole('heading')).toBeVisible()
    expect(await violations(page), address).toEqual([])
  }
})
