import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parseUsage, usageOf } from './process-usage.ts'

test('what ps prints on macOS and BSD is read: memory in KB, and times with and without hours, days and fractions', () => {
  const output = [
    '  501  84212   0:02.51 /usr/local/bin/node',
    '  502   1024   1:02:03 python3',
    '  503      8 2-03:04:05 my server (dev)',
    'not a line of ps',
    '',
  ].join('\n')
  expect(parseUsage(output)).toEqual([
    { pid: 501, name: 'node', cpu: 2.51, memory: 86_233_088 },
    { pid: 502, name: 'python3', cpu: 3723, memory: 1_048_576 },
    { pid: 503, name: 'my server (dev)', cpu: 183_845, memory: 8192 },
  ])
})

test('a process that is gone is left out', async () => {
  const { processes } = await usageOf([process.pid, 2 ** 30])
  expect(processes.map(({ pid }) => pid)).toEqual(process.platform === 'win32' ? [] : [process.pid])
})

test.runIf(process.platform === 'linux')('the bytes that a process reads and writes are counted', async () => {
  const moved = async () => (await usageOf([process.pid])).processes[0]!.io!
  const before = await moved()
  await writeFile('/dev/null', Buffer.alloc(1_000_000))
  expect(await moved()).toBeGreaterThanOrEqual(before + 1_000_000)
})
