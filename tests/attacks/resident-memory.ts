import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The most memory that a process ever had resident, in MB; 0 where the system does not tell. */
export const peakMemory = ({ pid }: ChildProcess): number => {
  if (process.platform !== 'linux') return 0
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]) / 1024
}
