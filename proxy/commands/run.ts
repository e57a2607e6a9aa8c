/** Runs one of the commands, from its first signal to its exit code. */
import type { CommandWish } from './wish.ts'

/** As a shell tells a program that a signal ended. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export async function runCommand(wish: CommandWish): Promise<void> {
  switch (wish.kind) {
    case 'verify':
      return await runVerify(wish)
    case 'record':
      throw new Error('not yet')
    case 'play':
      return await runPlay(wish)
  }
}

async function runVerify(wish: Extract<CommandWish, { kind: 'verify' }>): Promise<void> {
  const { verify } = await import('./verify.ts')
  const { signal, code } = stopped()
  const ended = await verify(wish, { out: write, err: complain }, signal)
  end(code() ?? ended)
}

async function runPlay(wish: Extract<CommandWish, { kind: 'play' }>): Promise<void> {
  const { play } = await import('./play.ts')
  const { signal } = stopped()
  end(await play(wish, { input: process.stdin, output: write, err: complain }, signal))
}

const write = (text: string): void => void process.stdout.write(text)
const complain = (text: string): void => void process.stderr.write(text)

/** A signal asks once for an orderly end; a second one ends it at once. */
function stopped(): { readonly signal: AbortSignal; readonly code: () => number | undefined } {
  const controller = new AbortController()
  let code: number | undefined
  for (const [name, status] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (code !== undefined) process.exit(status)
      code = status
      controller.abort()
    })
  }
  // A reader that has seen enough, such as `head`, is no reason to leave children alone.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  return { signal: controller.signal, code: () => code }
}

/** Whatever still holds the process (a connection kept alive) must not: what was written goes out first. */
function end(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
