/** Runs a command, with signal handling and exit codes. */
import { watchParent, watchStdin } from '../lifetime.ts'
import type { CommandOptions } from '../cli.ts'

/** Exit codes as in a shell: 128 + signal number. A lost parent counts as SIGHUP. */
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
  const signalNames = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]
  const { stdin: input, stdout: output, stderr: errors } = process
  try {
    const { code, signal } = await recordStdio({ ...options, from }, { input, output, errors }, (onSignal) => {
      for (const name of signalNames) process.on(name, () => onSignal(name))
      watchParent(() => onSignal('SIGTERM'))
    })
    if (signal === null) return end(code ?? 1)
    // End by the same signal as the server, so that the parent sees what it would have seen without the recorder.
    process.stdout.write('', () => {
      for (const name of signalNames) process.removeAllListeners(name)
      process.kill(process.pid, signal)
      // In case the signal doesn't end this process.
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
 * The first signal, or the loss of the parent, asks for an orderly end. A second signal exits at once.
 * @param byStdin also watch for the end of stdin, for commands that don't read it
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
  const parentGone = (): void => {
    code ??= SIGNALS.SIGHUP
    controller.abort()
  }
  watchParent(parentGone)
  if (byStdin) void watchStdin(parentGone)
  // If the reader closes the pipe, as `head` does, the children must still be ended.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  return { signal: controller.signal, code: () => code }
}

/** Exits even if something, such as a keep-alive connection, would keep the process running. Flushes output first. */
function end(code: number): void {
  process.exitCode = code
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}
