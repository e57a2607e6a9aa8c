/** Finds what servers leave behind, from `/proc` alone, so that a mistake in how the proxy finds it doesn't hide it. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A variable in the environment of each server, which everything that it starts inherits. */
export const VARIABLE = 'PERISCOPE_SOAK'

interface Found {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** The value of `VARIABLE`. */
  readonly mark: string
  readonly command: string
}

const read = (pid: string, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // It ended meanwhile.
    return ''
  }
}

const processes = (): Found[] =>
  readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const stat = read(pid, 'stat')
    const [state, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (stat === '' || state === 'Z' || state === 'X') return []
    const variables = read(pid, 'environ').split('\0')
    const mark = variables.find((one) => one.startsWith(`${VARIABLE}=`))?.slice(VARIABLE.length + 1) ?? ''
    const command = read(pid, 'cmdline').replaceAll('\0', ' ').trim()
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session), mark, command }]
  })

/** ms that one list serves all who look. */
const SHARED = 80
let latest: { readonly at: number; readonly list: readonly Found[] } = { at: -SHARED, list: [] }

/** Processes with this mark, wherever they are; and those in the group or session of this leader. */
export const processesOf = (mark: string, leader = 0): readonly Found[] => {
  if (performance.now() - latest.at > SHARED) latest = { at: performance.now(), list: processes() }
  const own = (one: Found) => leader > 1 && (one.group === leader || one.session === leader)
  return latest.list.filter((one) => one.mark === mark || one.mark.startsWith(`${mark}/`) || own(one))
}

/** The pids of a process's children. */
export const childrenOf = (parent: number): number[] =>
  processes()
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid)

/** What the open descriptors of a process lead to, such as `socket:[123]`. */
export const descriptorsOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      return []
    }
  })

/** Polls until it holds. @returns ms it took; `undefined` if it doesn't within `limit` ms */
export const timeUntil = async (limit: number, holds: () => boolean): Promise<number | undefined> => {
  const begun = performance.now()
  while (!holds()) {
    if (performance.now() - begun > limit) return undefined
    await new Promise((next) => setTimeout(next, 100))
  }
  return performance.now() - begun
}
