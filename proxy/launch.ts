/** The ways to the page: the URL in the terminal, another one on Enter, and the browser that is opened. */
import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODE_LIFETIME, type LaunchCodes } from './launch-codes.ts'

export interface LaunchContext {
  /** Such as `http://127.0.0.1:6275`. */
  readonly origin: string
  readonly codes: LaunchCodes
  readonly say: (line: string) => void
}

function urlWith(origin: string, code: string): string {
  return `${origin}/#launch=${code}`
}

/**
 * The URL to print at the start. It waits for its first use, for as long as no page is open: whoever starts a program does
 * not always click within a minute.
 */
export function firstUrl({ origin, codes }: LaunchContext): string {
  return urlWith(origin, codes.issue(Infinity))
}

/** Prints another URL for each Enter, or for each empty line where stdin is no terminal. */
export function printOnEnter({ origin, codes, say }: LaunchContext, stdin: NodeJS.ReadStream = process.stdin): void {
  const print = (chunk: Buffer | string): void => {
    // `yes | npx …` answers a question of another program.
    if (!stdin.isTTY && !/^\r?\n$/.test(String(chunk))) return
    say(`Another URL, valid for ${CODE_LIFETIME / 1000} s: ${urlWith(origin, codes.issue())}`)
  }
  stdin.on('error', () => {})
  stdin.on('data', print)
  if (!stdin.isTTY) return
  // A program in the background that reads the terminal is stopped by the system (SIGTTIN).
  const follow = (): void => void (isForeground() ? stdin.resume() : stdin.pause())
  follow()
  process.on('SIGCONT', follow)
}

/** Whether the terminal's input is ours, as far as the system tells. */
function isForeground(): boolean {
  if (process.platform !== 'linux') return true
  try {
    // proc_pid_stat(5): behind the name stand state, ppid, pgrp, session, tty_nr, tpgid.
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return group === foreground
  } catch {
    return true
  }
}

/** Opens a file or URL. Rejects where it cannot. */
export type Opener = (target: string) => Promise<unknown>

/**
 * Opens the page in a browser. An opener gets its target as an argument, which every user of this machine can read (`ps`):
 * so it is a file that only this user can read, which leads on to the URL. It is removed once its code is used or expired.
 */
export async function openBrowser({ origin, codes, say }: LaunchContext, open: Opener = openWith): Promise<void> {
  const code = codes.issue()
  const url = urlWith(origin, code)
  try {
    // On Windows' side of a WSL machine there is no such file.
    if (process.env['WSL_DISTRO_NAME'] !== undefined) return void (await open(url))
    const folder = await mkdtemp(join(tmpdir(), 'periscope-'))
    const remove = (): void => void rm(folder, { recursive: true, force: true }).catch(() => {})
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    setTimeout(remove, CODE_LIFETIME).unref()
    codes.onRedeemed((used) => used === code && remove())
    const file = join(folder, 'open-periscope.html')
    await writeFile(file, redirectTo(url), { mode: 0o600, flag: 'wx' })
    await open(file)
  } catch {
    say('No browser could be opened. Open the URL above.')
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

async function openWith(target: string): Promise<void> {
  // Loaded only now: it costs more time than all the rest of the start.
  const { apps, default: open } = await import('open')
  if (process.platform === 'darwin') {
    // There HTML files often belong to an editor; it has to be the browser.
    const started = await open(target, { app: { name: apps.browser } }).catch(() => undefined)
    if (started) return void started.on('error', () => {})
  }
  ;(await open(target)).on('error', () => {})
}
