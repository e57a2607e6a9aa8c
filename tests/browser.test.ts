import { describe, expect, test, vi } from 'vitest'
import { ensureBrowser, findBrowser } from './browser.ts'

/** A machine where the browser appears after a command containing this word has run, if any. */
const machine = (installs: string | undefined, { root = true, linux = true } = {}) => {
  const ran: string[] = []
  let installed = false
  return {
    ran,
    root,
    linux,
    find: () => (installed ? '/found/chromium' : undefined),
    run: (command: string, args: readonly string[]) => {
      const line = [command, ...args].join(' ')
      ran.push(line)
      if (installs && line.includes(installs)) installed = true
      return installed || line.includes('update')
    },
  }
}

describe('where there is no browser', () => {
  test("Playwright's is downloaded, and that is said", () => {
    const said: string[] = []
    const here = machine('cli.js install')
    expect(ensureBrowser((text) => said.push(text), here)).toBe('/found/chromium')
    expect(here.ran).toHaveLength(1)
    expect(said[0]).toMatch(/installing one with the download of Playwright/)
  })

  test("the system's is installed when the download fails", () => {
    const here = machine('apt-get install')
    expect(ensureBrowser(() => {}, here)).toBe('/found/chromium')
    expect(here.ran.slice(1)).toEqual(['apt-get update', 'apt-get install -y chromium-headless-shell'])
  })

  test('the whole browser is installed where the headless shell is no package', () => {
    const here = machine('install -y chromium')
    const noShell = {
      ...here,
      run: (command: string, args: readonly string[]) =>
        !args.includes('chromium-headless-shell') && here.run(command, args),
    }
    expect(ensureBrowser(() => {}, noShell)).toBe('/found/chromium')
    expect(here.ran.at(-1)).toBe('apt-get install -y chromium')
  })

  test('nothing that needs root is tried without it', () => {
    const here = machine(undefined, { root: false })
    expect(() => ensureBrowser(() => {}, here)).toThrow(/CHROMIUM_PATH/)
    expect(here.ran.join()).not.toMatch(/apt-get|--with-deps/)
  })

  test('and all fails, the error names what was tried and what to do', () => {
    expect(() => ensureBrowser(() => {}, machine(undefined))).toThrow(
      /download of Playwright and apt-get install -y chromium-headless-shell and apt-get install -y chromium failed\. Install Chromium or Chrome, or set CHROMIUM_PATH/,
    )
  })
})

test('a browser that is named and not there is told, not passed over', () => {
  vi.stubEnv('CHROMIUM_PATH', '/no/such/browser')
  expect(() => findBrowser()).toThrow('/no/such/browser')
  vi.unstubAllEnvs()
})
