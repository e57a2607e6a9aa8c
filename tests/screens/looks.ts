/** How a screen may look on somebody's machine, and what must hold in each look. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, violations } from '../e2e/stage.ts'

interface Look {
  readonly name: string
  /** CSS px. */
  readonly width: number
  readonly height: number
  readonly colorScheme: 'light' | 'dark'
  readonly forcedColors?: 'active'
}

const LOOKS: readonly Look[] = [
  { name: '1440-light', width: 1440, height: 900, colorScheme: 'light' },
  { name: '1440-dark', width: 1440, height: 900, colorScheme: 'dark' },
  { name: '1440-forced', width: 1440, height: 900, colorScheme: 'dark', forcedColors: 'active' },
  { name: '1024-light', width: 1024, height: 700, colorScheme: 'light' },
  { name: '1024-dark', width: 1024, height: 700, colorScheme: 'dark' },
  { name: '390-light', width: 390, height: 844, colorScheme: 'light' },
  { name: '390-dark', width: 390, height: 844, colorScheme: 'dark' },
  // A window of 1280 x 1024 at 400 %.
  { name: '400-percent', width: 320, height: 256, colorScheme: 'light' },
]

/** Where pictures go: `.cache/screens/<language>/<screen>-<look>.png`. */
const FOLDER = join(import.meta.dirname, '../../.cache/screens')

/**
 * Runs in the page. Texts of controls that their box cuts without an ellipsis: nobody sees that something is missing.
 *
 * @returns one line per element
 */
const cutTexts = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('button, a, label, th, h1, h2, h3, summary, [role=tab], [role=option]')]
    .filter((element) => {
      if (!element.checkVisibility({ visibilityProperty: true }) || element.innerText.trim() === '') return false
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (overflowX === 'visible' || textOverflow === 'ellipsis') return false
      // One pixel in size: for screen readers only.
      if (element.clientWidth <= 1) return false
      // A rounded letter may stick out by a pixel.
      return element.scrollWidth > element.clientWidth + 2 && overflowX !== 'auto' && overflowX !== 'scroll'
    })
    .map((element) => `cut: ${element.tagName} ${element.dataset['testid'] ?? ''} ${element.innerText.slice(0, 60)}`)

/** Runs in the page. What sticks out of the window at the side. */
const stickingOut = (): string[] => {
  const extra = document.documentElement.scrollWidth - innerWidth
  return extra > 0 ? [`wider than the window by ${extra} px`] : []
}

const settle = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Shows the screen in each look, and leaves it as it was. All that is wrong, in any look, fails at the end. */
export const inAllLooks = async (page: Page, language: string, screen: string): Promise<void> => {
  const folder = join(FOLDER, language)
  await mkdir(folder, { recursive: true })
  const wrong: string[] = []
  for (const { name, width, height, colorScheme, forcedColors } of LOOKS) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, forcedColors: forcedColors ?? 'none', reducedMotion: 'reduce' })
    await settle(page)
    await page.screenshot({ path: join(folder, `${screen}-${name}.png`), animations: 'disabled' })
    const found = [...(await page.evaluate(cutTexts)), ...(await page.evaluate(stickingOut))]
    // The scan looks at both colour schemes itself. In forced colours, contrast is the browser's business.
    if (colorScheme === 'light') found.push(...(await violations(page)))
    wrong.push(...found.map((line) => `${screen} ${name}: ${line}`))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
  await settle(page)
  expect.soft(wrong).toEqual([])
}
