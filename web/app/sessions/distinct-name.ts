/**
 * Sessions of two servers with one name: what tells them apart in a list. Apart from `session-name.ts`, which the first
 * screen loads, because this brings the masks of secrets.
 */
import type { KeptSession, RecordedServer } from '../../session-file/index.ts'
import { maskedLine } from '../connect/index.ts'
import { nameOf } from './session-name.ts'

/** With its servers' URLs or commands, if another session has the same name. @param all in any list */
export const distinctName = (session: Pick<KeptSession, 'head'>, all: readonly Pick<KeptSession, 'head'>[]): string => {
  const name = nameOf(session)
  const others = all.filter((other) => nameOf(other) === name)
  const lines = linesOf(session)
  return lines !== '' && others.some((other) => linesOf(other) !== lines) ? `${name} · ${lines}` : name
}

const linesOf = ({ head }: Pick<KeptSession, 'head'>): string =>
  [...new Set(head.servers.map(lineOfServer))].filter(Boolean).join(', ')

const lineOfServer = ({ target }: RecordedServer): string => {
  if (target?.kind === 'url') return maskedLine({ ...target, headers: [] })
  if (target?.kind !== 'command') return target ? maskedLine(target) : ''
  const line = maskedLine({ ...target, env: {} })
  return target.cwd === undefined ? line : `${line} (${target.cwd})`
}
