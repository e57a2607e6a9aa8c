/**
 * `npm run test:mutation [COUNT [OFFSET]]`: changes the code of the rooms below in small ways, one at a time and each in
 * a copy of the checkout, and runs the unit tests nearest to it in Node. Prints every change that no test noticed, then
 * `N killed, N survived, N timed out`. Another offset (0 to 1) picks other changes.
 *
 * Survivors are places to look at, not failures: some changes make no difference.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { affectedTests, readSources } from '../affected.ts'
import { root } from '../command.ts'
import { measureSlowness } from '../speed.ts'
import { mutantsOf, mutated, sampleOf, type Mutant } from './mutants.ts'
import type { Answered, Asked } from './runner.ts'

const ROOMS = /^(web\/(mcp|oauth|session-file|share|replay|compare|secrets)|proxy)\//
const NOT_CODE = /\.(test|case)\.ts$|\/text\/|\/fixtures\/|^web\/mcp\/schema\/(requests|server-requests)\.ts$/
/** Test files per mutant, nearest first. */
const MOST_FILES = 5
const LANES = 2

const [count = 300, offset = 0] = process.argv.slice(2).map(Number)
const sources = readSources()
const all = [...sources]
  .filter(([path]) => ROOMS.test(path) && path.endsWith('.ts') && !NOT_CODE.test(path))
  .flatMap(([path, text]) => mutantsOf(path, text))
const sample = sampleOf(all, count, offset)
/** ms without an answer, after which a mutant counts as an endless loop. */
const PATIENCE = 90_000 * measureSlowness()

type Verdict = 'killed' | 'survived' | 'timed out' | 'untested'

const copyTree = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-mutation-'))
  for (const name of ['web', 'proxy', 'tests', 'public', 'package.json', 'vite.config.ts', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

class Lane {
  readonly folder = copyTree()
  #child: ChildProcess | undefined

  async #started(): Promise<ChildProcess> {
    if (this.#child) return this.#child
    const runner = join(this.folder, 'tests/mutation/runner.ts')
    const child = fork(runner, {
      cwd: this.folder,
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { ...process.env, VITEST: 'true' },
    })
    await once(child, 'message')
    return (this.#child = child)
  }

  async #ask(asked: Asked): Promise<Answered | undefined> {
    const child = await this.#started()
    child.send(asked)
    const signal = AbortSignal.timeout(PATIENCE)
    try {
      const [answered] = (await once(child, 'message', { signal })) as [Answered]
      return answered
    } catch {
      this.stop()
      return undefined
    }
  }

  async judge(mutant: Mutant): Promise<Verdict> {
    const tests = affectedTests(sources, [mutant.path]).slice(0, MOST_FILES)
    if (tests.length === 0) return 'untested'
    const file = join(this.folder, mutant.path)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, mutated(text, mutant))
    try {
      const answered = await this.#ask({ changed: [file], tests: tests.map((path) => join(this.folder, path)) })
      if (!answered) return 'timed out'
      return answered.failed || answered.ran === 0 ? 'killed' : 'survived'
    } finally {
      writeFileSync(file, text)
    }
  }

  stop(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  close(): void {
    this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const totals: Record<Verdict, number> = { killed: 0, survived: 0, 'timed out': 0, untested: 0 }
const waiting = [...sample]
const work = async (): Promise<void> => {
  const lane = new Lane()
  try {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const verdict = await lane.judge(mutant)
      totals[verdict]++
      if (verdict !== 'killed') console.log(`${verdict.padEnd(9)}  ${mutant.path}:${mutant.line}  ${mutant.change}`)
    }
  } finally {
    lane.close()
  }
}
console.log(`${sample.length} of ${all.length} mutants`)
await Promise.all(Array.from({ length: LANES }, work))
const { killed, survived, untested } = totals
console.log(`${killed} killed, ${survived} survived, ${totals['timed out']} timed out, ${untested} untested`)
