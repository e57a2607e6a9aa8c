/**
 * Runs tests of a copy of the checkout repeatedly in one Vitest process. Started with `fork` in the copy;
 * for each message it runs the tests and answers whether one of them failed.
 */
import { createVitest } from 'vitest/node'

export interface Asked {
  /** Absolute paths. */
  readonly changed: readonly string[]
  readonly tests: readonly string[]
}

export interface Answered {
  readonly failed: boolean
  /** How many tests ran. */
  readonly ran: number
}

const silent = { onInit: () => {} }
const vitest = await createVitest('test', {
  watch: false,
  project: ['node'],
  bail: 1,
  silent: true,
  maxWorkers: 1,
  reporters: [silent],
})

const run = async ({ changed, tests }: Asked): Promise<Answered> => {
  for (const path of changed) vitest.invalidateFile(path)
  const specifications = await vitest.globTestSpecifications([...tests])
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const all = testModules.flatMap((module) => [...module.children.allTests()])
  return { failed: unhandledErrors.length > 0 || testModules.some((module) => !module.ok()), ran: all.length }
}

process.on('message', (asked: Asked) => void run(asked).then((answered) => process.send?.(answered)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
