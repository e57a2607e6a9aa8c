import { describe, expect, test } from 'vitest'
import { Descendants, listProcesses, parseProcesses, type ProcessInfo } from './process-list.ts'

const entry = (pid: number, of: Partial<ProcessInfo> = {}): ProcessInfo => ({
  pid,
  parent: 1,
  group: pid,
  session: pid,
  started: '100',
  marker: '',
  ...of,
})
const pids = (found: readonly ProcessInfo[]): number[] => found.map(({ pid }) => pid).sort((a, b) => a - b)

describe('the processes of a child', () => {
  test('are those of its group and session, those with its marker, and all that these started', () => {
    const all = [
      entry(53, { parent: 52 }),
      entry(50, { marker: 'run/1' }),
      entry(51, { group: 50, session: 50 }),
      entry(52, { parent: 51, started: '110' }),
      entry(54, { marker: 'outer/7,run/1' }),
      entry(55, { session: 50 }),
      entry(60, { marker: 'run/11' }),
      entry(61, { marker: 'other/run/1' }),
    ]
    expect(pids(new Descendants('run/1', [{ pid: 50, started: '100' }], false).find(all))).toEqual([
      50, 51, 52, 53, 54, 55,
    ])
    expect(pids(new Descendants('run/', [{ pid: 50, started: '' }], false).find(all))).toEqual([
      50, 51, 52, 53, 54, 55, 60,
    ])
  })

  test('are still known when the parent that showed whose they are has gone', () => {
    const descendants = new Descendants('run/1', [], false)
    expect(pids(descendants.find([entry(50, { marker: 'run/1' }), entry(51, { parent: 50 })]))).toEqual([50, 51])
    expect(pids(descendants.find([entry(51)]))).toEqual([51])
    expect(pids(descendants.find([entry(51, { started: '200' })]))).toEqual([])
  })

  test('are never what got the number of one that has gone', () => {
    const leader = { pid: 50, started: '100' }
    const stranger = [entry(50, { started: '200' }), entry(51, { group: 50, session: 50, parent: 50 })]
    expect(new Descendants('run/1', [leader], false).find(stranger)).toEqual([])
    expect(new Descendants('run/1', [{ pid: 50, started: '' }], false).find(stranger)).toEqual([])
    const own = new Descendants('run/1', [leader], true)
    expect(pids(own.find([entry(50)]))).toEqual([50])
    expect(own.find([])).toEqual([])
    expect(own.find(stranger)).toEqual([])
  })

  test('are never this process, the first one of the system, or a thread of the kernel', () => {
    const all = [
      entry(process.pid, { marker: 'run/1' }),
      entry(1, { marker: 'run/1' }),
      entry(2, { group: 0, session: 0 }),
    ]
    expect(
      new Descendants(
        'run/',
        [
          { pid: 1, started: '100' },
          { pid: 0, started: '' },
        ],
        true,
      ).find(all),
    ).toEqual([])
  })
})

test.runIf(process.platform !== 'win32')(
  'this process is listed with its parent, and `ps` tells the same',
  async () => {
    const own = (await listProcesses()).find(({ pid }) => pid === process.pid)
    expect(own).toMatchObject({ parent: process.ppid, marker: '' })
  },
)

test('what `ps` prints is read, zombies apart, and the marker is found in the environment behind the command', () => {
  const output = `    1     0     0 Ss   Sun Nov 22 20:43:22 2026 /sbin/init
   40     1    40 Ss+  Sun Nov  1 20:43:22 2026 node server.js --x PERISCOPE_CHILDREN=3 PATH=/bin PERISCOPE_CHILD=a/1,b/2 HOME=/
   41    40    40 Z    Sun Nov 22 20:43:23 2026 [sh] <defunct>
`
  expect(parseProcesses(output)).toEqual([
    { pid: 1, parent: 0, group: 0, session: 0, started: 'Sun Nov 22 20:43:22 2026', marker: '' },
    { pid: 40, parent: 1, group: 40, session: 0, started: 'Sun Nov 1 20:43:22 2026', marker: 'a/1,b/2' },
  ])
})
