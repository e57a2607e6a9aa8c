/** Finds the Chromium that tests run in, or installs it and says so. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'

/** Makes Chromium testable: works as root, headless, without background network traffic. */
export const BROWSER_ARGUMENTS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

/**
 * In the order of preference. The headless shell is the same engine without the windows around the page, which cost a
 * third of the CPU time of a journey.
 */
const INSTALLED = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    .filter((name) => process.env[name])
    .map((name) => `${process.env[name]}\\Google\\Chrome\\Application\\chrome.exe`),
]

/**
 * Path of a Chromium: `$CHROMIUM_PATH`, the system's, an installed Chrome, or Playwright's own; `undefined` if none
 * exists.
 */
export const findBrowser = (): string | undefined => {
  const named = process.env['CHROMIUM_PATH']
  if (named && !existsSync(named)) {
    throw new Error(
      `CHROMIUM_PATH names ${named}, and there is no such file. Correct it, or unset it to have one found.`,
    )
  }
  return [...(named ? [named] : INSTALLED), chromium.executablePath()].find((path) => path !== '' && existsSync(path))
}

/** What an installation needs from the machine. */
interface Machine {
  readonly root: boolean
  readonly linux: boolean
  readonly find: () => string | undefined
  /** Runs to completion with visible output; returns whether it succeeded. */
  readonly run: (command: string, args: readonly string[]) => boolean
}

/** ms for one installation step. */
const INSTALL_LIMIT = 600_000

const THIS_MACHINE: Machine = {
  root: process.getuid?.() === 0,
  linux: process.platform === 'linux',
  find: () => findBrowser(),
  run: (command, args) => spawnSync(command, args, { stdio: 'inherit', timeout: INSTALL_LIMIT }).status === 0,
}

interface Attempt {
  readonly what: string
  readonly commands: readonly (readonly [string, ...string[]])[]
}

/**
 * Path of a Chromium; installs one if none exists.
 *
 * @param say receives progress messages, because this may take minutes
 * @throws {Error} that lists the attempts and the remedy
 */
export const ensureBrowser = (say: (text: string) => void, machine: Machine = THIS_MACHINE): string => {
  const found = machine.find()
  if (found) return found
  const { root } = machine
  // Playwright's Chromium needs system libraries, which only root can install.
  const attempts: Attempt[] = [
    {
      what: 'the download of Playwright',
      commands: [[process.execPath, PLAYWRIGHT, 'install', ...(root ? ['--with-deps'] : []), 'chromium']],
    },
  ]
  if (root && machine.linux) {
    // Ubuntu has no package of the shell.
    for (const name of ['chromium-headless-shell', 'chromium']) {
      attempts.push({
        what: `apt-get install -y ${name}`,
        commands: [
          ['apt-get', 'update'],
          ['apt-get', 'install', '-y', name],
        ],
      })
    }
  }
  for (const { what, commands } of attempts) {
    say(`No Chromium here: installing one with ${what} …`)
    const failed = commands.find(([command, ...args]) => !machine.run(command, args))
    const installed = machine.find()
    if (!failed && installed) {
      say(`Chromium is at ${installed}`)
      return installed
    }
    say(`That failed: ${failed ? failed.join(' ') : 'no browser was found afterwards'}`)
  }
  throw new Error(
    `The tests need Chromium; there is none, and ${attempts.map(({ what }) => what).join(' and ')} failed. ` +
      'Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
  )
}

const PLAYWRIGHT = fileURLToPath(new URL('../node_modules/playwright/cli.js', import.meta.url))
