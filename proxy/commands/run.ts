/** Runs one of the commands, from its first signal to its exit code. */
import { watchParent, watchStdin } from '../lifetime.ts'
import type { CommandOptions } from '../cli.ts'

/** As a shell tells a program that a signal ended. A parent that is gone ends a command as SIGHUP does. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const

export async function runCommand(options: CommandOptions): Promise<void> {
  switch (options.kind) {
    case 'verify':
      return await runVerify(options)
    case 'record':
      return await runRecord(options)
    case 'play':
      return await runPlay(options)
  }
}

async function runVerify(options: Extract<CommandOptions, { kind: 'verify' }>): Promise<void> {
  const { verify } = await import('./verify.ts')
  const { signal, code } = stopSignals()
  const ended = await verify(options, { out: write, err: writeError }, signal)
  end(code() ?? ended)
}

async function runPlay(options: Extract<CommandOptions, { kind: 'play' }>): Promise<void> {
  const { play } = await import('./play.ts')
  const { signal } = stopSignals(options.port !== undefined)
  end(await play(options, { input: process.stdin, output: write, err: writeError }, signal))
}

async function runRecord({ from, ...options }: Extract<CommandOptions, { kind: 'record' }>): Promise<void> {
  if (from.kind === 'url') {
    const { recordHttp } = await import('./record-http.ts')
    return end(await recordHttp({ ...options, from }, writeError, stopSignals(true).signal))
  }
  const { recordStdio } = await import('./record-stdio.ts')
  const { CannotRun } = await import('./recording-file.ts')
  const heeded = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]
  const { stdin: input, stdout: output, stderr: errors } = process
  try {
    const { code, signal } = await recordStdio({ ...options, from }, { input, output, errors }, (told) => {
      for (const name of heeded) process.on(name, () => told(name))
      watchParent(() => told('SIGTERM'))
    })
    if (signal === null) return end(code ?? 1)
    // Whoever waits for us sees what it would have seen: the same signal.
    process.stdout.write('', () => {
      for (const name of heeded) process.removeAllListeners(name)
      process.kill(process.pid, signal)
      // Where a signal does not end us.
      setTimeout(() => process.exit(1), 1000)
    })
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error
    writeError(`periscope record: ${error.message}\n`)
    end(2)
  }
}

const write = (text: string): void => void process.stdout.write(text)
const writeError = (text: string): void => void process.stderr.write(text)

/**
 * A signal asks once for an orderly end, and so does the end of the parent; a second signal ends it at once.
 * @param byStdin so does the end of stdin, which the command itself does not read
 */
function stopSignals(byStdin = false): { readonly signal: AbortSignal; readonly code: () => number | undefined } {
  const controller = new AbortController()
  let code: number | undefined
  for (const [name, status] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (code !== undefined) process.exit(status)
      code = status
      controller.abort()
    })
  }
  const abandoned = (): void => {
    code ??= SIGNALS.SIGHUP
    controller.abort()
  }
  watchParent(abandoned)
  if (byStdin) void watchStdin(abandoned)
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
