import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { patient } from '../patience.ts'
import { conformance, readOptions } from './run.ts'

const said: string[] = []
beforeEach(() => {
  said.length = 0
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line))
})
afterEach(() => void vi.restoreAllMocks())

const ONE = { set: '2026-07-28', only: /^tools_call$/ }

describe('the real suite, with one scenario', () => {
  test(
    'passes the kernel, and fails a client that does nothing',
    async () => {
      expect(await conformance(ONE)).toEqual({ passed: 1, failed: [], skipped: [] })
      const idle = await conformance({ ...ONE, command: 'node --version' })
      expect(idle).toEqual({ passed: 0, failed: [expect.stringContaining('2026-07-28 tools_call: ')], skipped: [] })
      expect(said.join('\n')).toContain('no check succeeded')
    },
    patient(180_000),
  )
})

test(
  'no scenario is left out, and one that comes with sign-in passes',
  async () => {
    const tally = await conformance({ set: '2026-07-28', only: /^auth\/client-credentials-basic$/ })
    expect(tally).toEqual({ passed: 1, failed: [], skipped: [] })
  },
  patient(180_000),
)

test('options that are none are refused: a typing error must not run something else', () => {
  expect(readOptions([])).toMatchObject({ in: 'node', jobs: 2 })
  expect(readOptions(['--in', 'chromium', '--only', '^http-', '--jobs', '1']).only?.source).toBe('^http-')
  for (const args of [['--in', 'firefox'], ['--set', '2024-11-05'], ['--jobs', '0'], ['--onyl', 'x'], ['x']]) {
    expect(() => readOptions(args), args.join(' ')).toThrow()
  }
})
