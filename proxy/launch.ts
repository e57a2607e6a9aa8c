/** Opens the page: prints its URL, prints another on Enter, and starts the browser. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { digest } from './guard.ts'

// One-time codes that open the page (rule 14). URLs leak: through the process list while a browser starts, its history, or a
// terminal's log. So the URL carries a code, which the page exchanges for the token.

/** ms that a code is valid. */
export const CODE_LIFETIME = 60_000

/** Codes remembered, to distinguish used codes from unknown ones. */
const MAX_CODES = 256

/** Unknown codes per minute before all are refused. Users don't mistype more often. */
const MAX_GUESSES = 20

export type RedeemResult = 'ok' | 'used' | 'expired' | 'unknown' | 'too-many'

interface Code {
  readonly digest: Buffer
  /** In ms of the clock. */
  expires: number
  used: boolean
}

export class LaunchCodes {
  readonly #now: () => number
  #codes: Code[] = []
  /** Times of unknown codes. */
  #guesses: number[] = []
  readonly #listeners = new Set<(code: string) => void>()

  /** @param now a monotonic clock, in ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @param lifetime ms; with `Infinity`, the code stays valid until a page is open */
  issue(lifetime: number = CODE_LIFETIME): string {
    const code = randomBytes(24).toString('base64url')
    this.#codes.push({ digest: digest(code), expires: this.#now() + lifetime, used: false })
    if (this.#codes.length > MAX_CODES) this.#codes.shift()
    return code
  }

  /** Consumes a code. The others then expire within a minute: a page is open, so they are no longer needed. */
  redeem(code: string): RedeemResult {
    const now = this.#now()
    this.#guesses = this.#guesses.filter((at) => at > now - CODE_LIFETIME)
    if (this.#guesses.length >= MAX_GUESSES) return 'too-many'
    const given = digest(code)
    let found: Code | undefined
    // Compare with all codes, so that the time taken reveals nothing.
    for (const each of this.#codes) if (timingSafeEqual(each.digest, given)) found = each
    if (!found) {
      this.#guesses.push(now)
      return 'unknown'
    }
    if (found.used) return 'used'
    if (now > found.expires) return 'expired'
    found.used = true
    for (const each of this.#codes) each.expires = Math.min(each.expires, now + CODE_LIFETIME)
    for (const listener of [...this.#listeners]) listener(code)
    return 'ok'
  }

  /** Calls the listener with each redeemed code. */
  onRedeemed(listener: (code: string) => void): void {
    this.#listeners.add(listener)
  }
}

export interface LaunchContext {
  /** Such as `http://127.0.0.1:6275`. */
  readonly origin: string
  readonly codes: LaunchCodes
  readonly say: (line: string) => void
}

function urlWith(origin: string, code: string): string {
  return `${origin}/#launch=${code}`
}

/** The URL printed at launch. It works once, at any time until a page is open, because users may not open it for a while. */
export function firstUrl({ origin, codes }: LaunchContext): string {
  return urlWith(origin, codes.issue(Infinity))
}

/** Prints a new URL each time Enter is pressed, or for each empty line if stdin isn't a terminal. */
export function printOnEnter({ origin, codes, say }: LaunchContext, stdin: NodeJS.ReadStream = process.stdin): void {
  const print = (chunk: Buffer | string): void => {
    // In `yes | npx …`, the input answers npx, not this program.
    if (!stdin.isTTY && !/^\r?\n$/.test(String(chunk))) return
    say(`Another URL, which works once, within ${CODE_LIFETIME / 1000} s: ${urlWith(origin, codes.issue())}`)
  }
  stdin.on('error', () => {})
  stdin.on('data', print)
  if (!stdin.isTTY) return
  // The system stops a background process that reads from the terminal (SIGTTIN).
  const follow = (): void => void (isForeground() ? stdin.resume() : stdin.pause())
  follow()
  process.on('SIGCONT', follow)
}

/** Whether this process is in the terminal's foreground. True if the system doesn't tell. */
function isForeground(): boolean {
  if (process.platform !== 'linux') return true
  try {
    // proc_pid_stat(5): the fields after the name are state, ppid, pgrp, session, tty_nr, tpgid.
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group === foreground
  } catch {
    return true
  }
}

/** Opens a file or URL. Rejects if it can't, and calls `onFailed` if that shows later. */
type Opener = (target: string, onFailed: () => void) => Promise<unknown>

/**
 * Opens the page in a browser. Every user of this machine can read the opener's arguments (`ps`), so it gets a file that
 * only this user can read and that redirects to the URL. The file is removed once its code is used or expired.
 */
export async function openBrowser({ origin, codes, say }: LaunchContext, open: Opener = openWith): Promise<void> {
  const code = codes.issue()
  const url = urlWith(origin, code)
  const failed = (): void => say('Could not open a browser. Open the URL above.')
  try {
    // In WSL, a Windows browser can't open the file.
    if (process.env['WSL_DISTRO_NAME'] !== undefined) return void (await open(url, failed))
    const folder = await mkdtemp(join(tmpdir(), 'periscope-'))
    const remove = (): void => void rm(folder, { recursive: true, force: true }).catch(() => {})
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    setTimeout(remove, CODE_LIFETIME).unref()
    codes.onRedeemed((used) => used === code && remove())
    const file = join(folder, 'open-periscope.html')
    await writeFile(file, redirectTo(url), { mode: 0o600, flag: 'wx' })
    await open(file, failed)
  } catch {
    failed()
  }
}

function redirectTo(url: string): string {
  const href = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${href}">
<title>Periscope</title>
<p><a href="${href}">Open Periscope</a></p>
`
}

/** Reports an opener that fails: `xdg-open` exits with 3 if the system has no browser. */
/** ms. */
const OPENS_WITHIN = 10_000

function reportExit(opener: ChildProcess, onFailed: () => void): void {
  opener.on('error', () => {})
  // It may itself be the browser, which ends when its user closes it.
  const begun = performance.now()
  opener.once('exit', (code) => {
    if (code !== 0 && code !== null && performance.now() - begun < OPENS_WITHIN) onFailed()
  })
}

async function openWith(target: string, onFailed: () => void): Promise<void> {
  // Loaded on demand: it takes longer than the rest of the start.
  const { apps, default: open } = await import('open')
  if (process.platform === 'darwin') {
    // On macOS, HTML files often open in an editor, so name the browser.
    const started = await open(target, { app: { name: apps.browser } }).catch(() => undefined)
    if (started) return reportExit(started, onFailed)
  }
  reportExit(await open(target), onFailed)
}
