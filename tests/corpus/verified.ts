/** One run of `periscope verify`, and what it found. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isObject } from '../../web/mcp/index.ts'
import type { Json } from '../../web/mcp/index.ts'

export interface Verified {
  readonly code: number | null
  readonly steps: number
  readonly passed: number
  readonly accepted: Readonly<Record<string, number>>
  /** Of steps that differ, one line each. */
  readonly faults: readonly string[]
  /** Each difference that counts. */
  readonly pointers: readonly { readonly title: string; readonly pointer: string }[]
  /** A tool returned text content. */
  readonly texts: boolean
  /** The report. */
  readonly text: string
}

export interface VerifyRun {
  /** The built command. */
  readonly periscope: string
  readonly file: string
  /** Where the steps go, as on the command line: `-- COMMAND ARGS…` or `--server URL`. */
  readonly target: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** ms for one run. */
const LIMIT = 120_000

interface Report {
  readonly summary: {
    readonly total?: number
    readonly passed: number
    readonly accepted: Readonly<Record<string, number>>
  }
  readonly steps: readonly {
    readonly title: string
    readonly method: string
    readonly passed: boolean
    readonly faults: readonly Json[]
    readonly outcome?: { readonly result?: Json }
    readonly diff?: { readonly differences: readonly { readonly pointer: string; readonly accepted?: string }[] }
  }[]
}

export const verifyWith = async ({ periscope, file, target, env, cwd }: VerifyRun): Promise<Verified> => {
  const args = [periscope, 'verify', file, '--json', ...target]
  const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT })
  let [text, errors] = ['', '']
  child.stdout.on('data', (chunk) => (text += String(chunk)))
  child.stderr.on('data', (chunk) => (errors += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0 && code !== 1) {
    return {
      code,
      steps: 0,
      passed: 0,
      accepted: {},
      faults: [errors.trim()],
      pointers: [],
      texts: false,
      text: errors,
    }
  }
  const { summary, steps } = JSON.parse(text) as Report
  const failed = steps.filter(({ passed }) => !passed)
  return {
    code,
    steps: steps.length,
    passed: summary.passed,
    accepted: summary.accepted,
    faults: failed.map(({ title, faults }) => `${title}: ${JSON.stringify(faults).slice(0, 200)}`),
    pointers: failed.flatMap(({ title, diff }) =>
      (diff?.differences ?? [])
        .filter(({ accepted }) => accepted === undefined)
        .map(({ pointer }) => ({ title, pointer })),
    ),
    texts: steps.some(({ method, outcome }) => method === 'tools/call' && hasText(outcome?.result)),
    text,
  }
}

const hasText = (result: Json | undefined): boolean =>
  isObject(result) &&
  Array.isArray(result.content) &&
  (result.content as readonly Json[]).some((part) => isObject(part) && typeof part.text === 'string')
