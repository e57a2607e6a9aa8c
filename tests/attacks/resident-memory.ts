import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The peak resident memory of a process, in MB; 0 if the system doesn't report it. */
export const peakMemory = ({ pid }: ChildProcess): number => {
  if (process.platform !== 'linux') return 0
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024
}
