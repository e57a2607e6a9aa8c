/** What processes use of the machine, as the system counts it. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { ProcessUsage } from './wire.ts'

/** Linux counts CPU time for programs in hundredths of a second, on every architecture (`USER_HZ`). */
const TICKS = 100
const MOST_PROCESSES = 100

/** Processes that have ended meanwhile, or that the system doesn't describe, are left out. Never rejects. */
export const usageOf = async (pids: readonly number[]): Promise<ProcessUsage> => {
  const asked = pids.slice(0, MOST_PROCESSES)
  const processes = process.platform === 'linux' ? await fromProc(asked) : await fromPs(asked)
  return { processes: processes.toSorted((one, other) => one.pid - other.pid) }
}

type Used = ProcessUsage['processes']

const fromProc = async (pids: readonly number[]): Promise<Used> => {
  const found = await Promise.all(
    pids.map(async (pid) => {
      try {
        const [stat, status, io] = await Promise.all([
          readFile(`/proc/${pid}/stat`, 'latin1'),
          readFile(`/proc/${pid}/status`, 'utf8'),
          // Not for a process of another user, or in some sandboxes.
          readFile(`/proc/${pid}/io`, 'utf8').catch(() => ''),
        ])
        // "pid (name) state …": the name may contain spaces and parentheses. CPU time: fields 14 and 15 of proc(5).
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const memory = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
        const name = /^Name:\t(.*)$/m.exec(status)?.[1] ?? ''
        // `read_bytes` and `write_bytes` count only what reached a disk, and so no downloads.
        const [read, written] = ['rchar', 'wchar'].map((key) => new RegExp(`^${key}: (\\d+)$`, 'm').exec(io)?.[1])
        const moved = read === undefined || written === undefined ? {} : { io: Number(read) + Number(written) }
        return [{ pid, name, cpu: (Number(fields[11]) + Number(fields[12])) / TICKS, memory, ...moved }]
      } catch {
        return []
      }
    }),
  )
  return found.flat()
}

const fromPs = async (pids: readonly number[]): Promise<Used> => {
  if (process.platform === 'win32' || pids.length === 0) return []
  return new Promise((resolve) => {
    const args = ['-o', 'pid=,rss=,time=,comm=', '-p', pids.join(',')]
    execFile('ps', args, { env: { ...process.env, LC_ALL: 'C' } }, (_, stdout) => resolve(parseUsage(stdout)))
  })
}

/** Parses the output of `ps -o pid=,rss=,time=,comm=`: KB, and `[[days-]hours:]minutes:seconds` with or without fractions. */
export const parseUsage = (output: string): Used =>
  output.split('\n').flatMap((line) => {
    const [, pid, rss, time, command] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (!pid) return []
    const [days, clock] = time!.includes('-') ? time!.split('-') : ['0', time]
    const seconds = clock!.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
    const name = command!.trim().replace(/.*\//, '')
    return [{ pid: Number(pid), name, cpu: Number(days) * 86_400 + seconds, memory: Number(rss) * 1024 }]
  })
