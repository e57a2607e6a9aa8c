/** Without a browser: what the doctor reads from the output of every program of the gallery that ends without being asked. */
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { processCause } from '../../../web/doctor/index.ts'
import en from '../../../web/app/failures/text/process/en.ts'
import { environments } from './environments.ts'
import { packages } from './packages.ts'
import { runtimes } from './runtimes.ts'
import type { Started } from './target.ts'

/** Its last lines, and how it ended. */
const outcomeOf = async ({ line }: Started) => {
  const [command = '', ...args] = line.split(' ')
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => void (text += chunk.toString()))
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (...how) => resolve(how))
  })
  const stderr = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, seq) => ({ seq, text: line }))
  return { spawn: { command, args }, stdout: [], stderr, exit: { code, signal } }
}

/** Those that the proxy can't even start have no output. */
const STARTED = [...runtimes, ...packages, ...environments].filter(
  ({ id }) => !['runner-missing', 'not-executable', 'unquoted-space', 'script-line-endings'].includes(id),
)

test.each(STARTED.map((target) => [target.id, target] as const))('%s is named by its output', async (_, target) => {
  const started = await target.start()
  try {
    const finding = processCause(await outcomeOf(started))
    expect(finding).toBeDefined()
    const { is, name = '', line } = finding!
    const said = [en[`process-${is}`](name), line?.text, en[`remedy-fix-process-${is}`]].join(' ').replace(/\s+/g, ' ')
    expect(said).toMatch(target.names)
    if (target.misleads) expect(said).not.toMatch(target.misleads)
  } finally {
    await started.close()
  }
})
