/** The kernel in a page of Chromium, served by Periscope's own proxy like the product's page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { build } from 'vite'
import { BROWSER_ARGUMENTS, ensureBrowser } from '../browser.ts'
import { root } from '../command.ts'
import type { Seen, Wish } from './drive.ts'
import type { DriveInPage } from './page.ts'

export interface Tab {
  readonly drive: (wish: Wish) => Promise<Seen>
  close(): Promise<void>
}

/** Builds the page into a folder for the proxy to serve. */
export const buildPage = async (folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      target: 'es2023',
      lib: { entry: join(import.meta.dirname, 'page.ts'), formats: ['es'], fileName: () => 'page.js' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="page.js"></script>\n')
}

export const openTab = async (address: string): Promise<Tab> => {
  const executablePath = ensureBrowser((text) => console.error(text))
  const browser = await chromium.launch({ executablePath, args: [...BROWSER_ARGUMENTS] })
  const tab = await browser.newPage()
  await tab.goto(address)
  return {
    drive: async (wish) => {
      const seen = await tab.evaluate(
        (text) => (globalThis as unknown as { driveInPage: DriveInPage }).driveInPage(text),
        JSON.stringify(wish),
      )
      return JSON.parse(seen) as Seen
    },
    close: () => browser.close(),
  }
}
