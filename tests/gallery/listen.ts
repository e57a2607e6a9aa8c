/** Enters a target in the page, and reads what the page says about it until that no longer changes. */
import type { Page } from '@playwright/test'
import { slowness } from '../speed.ts'

export interface Heard {
  /**
   * What Periscope itself says of the connection, on one line: of a failure, the heading and the remedies. Begins with CONNECTED if
   * it is open.
   */
  readonly words: string
  /** Of a failure. */
  readonly heading: string
  /** Who can fix a failure, separated by spaces: see `web/app/failures/fixers.ts`. Empty if there is none. */
  readonly fixers: string
  /** The advice on the Overview of an open connection, on one line; empty if there is none, or nobody looked. */
  readonly advice: string
  /** ms from pressing Enter until the words last changed. */
  readonly ms: number
}

/** ms: for a connection, and how long its words must remain the same. */
const LIMIT = 30_000
const SETTLED = 700
/** ms for what the Overview of an open connection has to say, and for what it mustn't. A stream without headers takes longest. */
const OVERVIEW = 8_000
const NO_ADVICE = 1_500

/** Runs in the page. */
const read = () => {
  const text = (id: string) =>
    [...document.querySelectorAll<HTMLElement>(`[data-testid="${id}"]`)]
      .filter((element) => element.offsetParent !== null)
      .map((element) => element.innerText)
      .join(' ')
  // The evidence quotes the server, whose words prove nothing about ours.
  const failureWords = () => {
    const failure = document.querySelector<HTMLElement>('[data-testid=connect-failure]')
    if (failure === null || failure.offsetParent === null) return ''
    const remedies = [...failure.querySelectorAll<HTMLElement>(':scope > .part')].slice(1)
    return [failure.querySelector('h2'), ...remedies].map((part) => part?.innerText ?? '').join(' ')
  }
  const state = document.querySelector<HTMLElement>('[data-testid=connection-state]')?.dataset['state'] ?? ''
  return {
    state,
    heading: document.querySelector<HTMLElement>('[data-testid=connect-failure] h2')?.innerText ?? '',
    fixers: document.querySelector<HTMLElement>('[data-testid=fixers]')?.dataset['by'] ?? '',
    standing: document.querySelector<HTMLElement>('[data-testid=connection-state]')?.dataset['standing'] ?? state,
    failure: failureWords(),
    silence: text('connect-silence'),
    // A form that can't connect says so before it tries.
    form: text('proxy-note') + text('needs-proxy'),
    main: document.querySelector('main')?.innerText ?? '',
    isExamining: /Checking why the request/.test(text('connect-failure')),
    isLoading: document.querySelector('main [data-state=loading]') !== null,
  }
}

type Said = ReturnType<typeof read>

/**
 * The words, and whether they are final.
 * @param before what was said of an open connection while it was being opened
 */
const wordsOf = (
  { state, standing, failure, silence, form, main, isExamining, isLoading }: Said,
  names: RegExp,
  before: string,
) => {
  if (failure !== '') return { words: failure, isFinal: !isExamining }
  if (standing === 'lost') return { words: main, isFinal: true }
  if (state === 'open') return { words: `CONNECTED ${before}`.trim(), isFinal: !isLoading }
  const words = `${silence} ${form}`.trim()
  // A slow server is explained until it responds; a healthy one must still connect.
  return { words, isFinal: words !== '' && names.test(words) }
}

const isOneLine = (words: string) => words.replace(/\s+/g, ' ').trim()

/**
 * @param names what the page must name. A connection that is still being opened is left once it is named
 * @param overview the Overview has further words, once it is open. `advice-only`: they don't count, but whether it gives advice
 */
export const listensTo = async (
  page: Page,
  line: string,
  { names, overview }: { readonly names: RegExp; readonly overview: boolean | 'advice-only' },
): Promise<Heard> => {
  const input = page.getByTestId('connect-input')
  await input.fill(line)
  const begun = performance.now()
  await input.press('Enter')
  let [last, changed, before, heading, fixers] = ['', begun, '', '', '']
  const limit = LIMIT * slowness()
  while (performance.now() - begun < limit) {
    const said = await page.evaluate(read)
    if (said.silence !== '') before = said.silence
    const { words, isFinal } = wordsOf(said, names, before)
    heading = isOneLine(said.heading)
    fixers = said.fixers
    const now = performance.now()
    if (words !== last) [last, changed] = [words, now]
    else if (isFinal && now - changed > SETTLED * slowness()) {
      if (overview === false || said.state !== 'open') break
      const found = await overviewOf(page, overview === 'advice-only' ? NO_ADVICE : OVERVIEW)
      const own = overview === 'advice-only' ? words : `CONNECTED ${found.words}`
      return { words: isOneLine(own), heading, fixers, advice: isOneLine(found.advice), ms: changed - begun }
    }
    await page.waitForTimeout(50)
  }
  return { words: isOneLine(last), heading, fixers, advice: '', ms: changed - begun }
}

/** What the Overview says of the route through the proxy, and of the connection. */
const overviewOf = async (
  page: Page,
  patience: number,
): Promise<{ readonly words: string; readonly advice: string }> => {
  await page.getByTestId('tab-overview').click()
  await page
    .getByTestId('overview')
    .and(page.locator('[data-state=known]'))
    .waitFor({ timeout: OVERVIEW * slowness() })
  const known = page.locator('[data-testid=detour][data-state=known], [data-testid=connection-advice]').first()
  await known.waitFor({ timeout: patience * slowness() }).catch(() => {})
  const advice = await page.getByTestId('connection-advice').allInnerTexts()
  return { words: await page.locator('main').innerText(), advice: advice.join(' ') }
}
