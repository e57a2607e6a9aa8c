/** What journeys that use only the keyboard press, and where the focus is after each key. */
import type { Locator, Page } from '@playwright/test'
import { expect } from './stage.ts'

/** Runs in the page. @returns what is wrong with the focus: '' if its element can be seen */
const lost = (): string => {
  const { activeElement: element, body } = document
  if (!element || element === body) return 'nothing has the focus'
  const name = element.getAttribute('data-testid') ?? element.outerHTML.slice(0, 80)
  // Radio buttons are drawn by their label, a list of choices behind a sign by what is around it.
  const drawn =
    (element.matches('.hidden-visually') && (element as HTMLInputElement).labels?.[0]) ||
    (element.matches('select') && getComputedStyle(element).opacity === '0' && element.parentElement) ||
    element
  if (!drawn.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return `${name} is hidden`
  const { left, right, top, bottom } = drawn.getBoundingClientRect()
  const [x0, x1] = [Math.max(0, left), Math.min(innerWidth, right)]
  const [y0, y1] = [Math.max(0, top), Math.min(innerHeight, bottom)]
  if (x1 - x0 < 1 || y1 - y0 < 1) return `${name} is outside of the window`
  const seen = [0.1, 0.5, 0.9].some((part) => {
    const hit = document.elementFromPoint(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part)
    return hit !== null && drawn.contains(hit)
  })
  return seen ? '' : `${name} is covered`
}

/** Runs in the page. @returns what is wrong with how the focus is drawn, after a key that moves it: '' if it has an outline */
const unmarked = (): string => {
  const { activeElement: element } = document
  if (!element) return 'nothing has the focus'
  // Some fields leave it to the box that they share with a button.
  const isMarked = [element, element.parentElement, element.parentElement?.parentElement].some((drawn) => {
    if (!drawn) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(drawn)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0
  })
  return isMarked && element.matches(':focus-visible')
    ? ''
    : `${element.getAttribute('data-testid') ?? element.outerHTML.slice(0, 80)} has no outline`
}

/** Runs in the page. */
const nameOfFocused = (): string => {
  const { activeElement: element, body } = document
  if (!element || element === body) return 'body'
  const text = element.getAttribute('aria-label') ?? element.textContent ?? ''
  return `${element.getAttribute('data-testid') ?? element.localName} “${text.trim().replace(/\s+/g, ' ').slice(0, 30)}”`
}

const settled = (page: Page, key: string) => expect.poll(() => page.evaluate(lost), `after ${key}`).toBe('')

/**
 * Walks to an element with one key. After the last element of a document, the next one is the browser's own, so the walk
 * goes through `body` once. Each other step must show where it is.
 *
 * @param most presses; a walk that takes more fails and lists what had the focus instead
 */
export const walkTo = async (page: Page, target: Locator, key: string, most: number): Promise<void> => {
  const passed: string[] = []
  let wraps = 0
  const has = () => target.evaluateAll((all) => all.some((one) => one === document.activeElement))
  while (!(await has())) {
    if (passed.length >= most) throw new Error(`${String(target)} isn't reached with ${key}: ${passed.join(', ')}`)
    await page.keyboard.press(key)
    const name = await page.evaluate(nameOfFocused)
    passed.push(name)
    if (name === 'body' && wraps++ === 0 && /Tab$/.test(key)) continue
    const faults = () => page.evaluate(lost)
    if ((await faults()) !== '') await expect.poll(faults, `${key} after ${passed.join(', ')}`).toBe('')
    expect(await page.evaluate(unmarked), `${key} after ${passed.join(', ')}`).toBe('')
  }
}

/** With Tab, and the other way round with Shift+Tab. */
export const tabTo = (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> =>
  walkTo(page, target, key, 60)

/** Presses keys, and looks where the focus is after each. */
export const keyboard = async (page: Page) => {
  await page.addInitScript(() => {
    const pressed: string[] = []
    Object.assign(globalThis, { pressedNowhere: pressed })
    addEventListener('keydown', ({ target, key }) => void (target === document.body && pressed.push(key)), true)
  })
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      await settled(page, key)
    }
  }
  const focus = (testid: string) => page.locator(`[data-testid="${testid}"]:focus-within`)
  return {
    press,
    type: async (text: string) => {
      await page.keyboard.type(text)
      await settled(page, text)
    },
    /** Presses a key until an element has the focus, at most so many times. */
    pressUntil: async (key: string, testid: string, most: number) => {
      for (let pressed = 0; pressed < most && (await focus(testid).count()) === 0; pressed++) await press(key)
      await expect(focus(testid)).toBeVisible()
    },
    focus,
    /** Keys that were pressed while nothing had the focus. */
    pressedNowhere: () =>
      page.evaluate(() => (globalThis as unknown as { pressedNowhere: readonly string[] }).pressedNowhere),
  }
}
