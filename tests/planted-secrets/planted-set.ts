/** Sets of planted secrets and innocent payloads, and what redaction makes of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headOf, sessionText } from '../../web/session-file/write.ts'
import { redact } from '../../web/share/redact.ts'
import { leaks } from '../sessions/leaks.ts'
import { framesOf, type Innocent, type PlantedSecret } from './frames-of.ts'

const HEAD = headOf({ begunAt: '2026-01-01T00:00:00.000Z', tool: { name: 'mcp-periscope', version: '0' }, servers: [] })

export const linesOf = <Line>(name: string): readonly Line[] =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** The IDs of secrets that leave, and of those that aren't even listed as suspects. */
export const leavingOf = async (planted: readonly PlantedSecret[]) => {
  const left: string[] = []
  const unlisted: string[] = []
  for (const one of planted) {
    const { head, frames, suspects } = await redact(HEAD, framesOf(one))
    const found = await leaks([...sessionText(head, frames)].join(''), [one.secret].flat())
    if (found.length === 0) continue
    left.push(one.id)
    if (!found.every((secret) => suspects.some(({ value }) => value.includes(secret)))) unlisted.push(one.id)
  }
  return { left, unlisted }
}

/** The IDs of innocent payloads that redaction changes, and of those with a suspect. */
export const touchedOf = async (innocents: readonly Innocent[]) => {
  const changed: string[] = []
  const suspected: string[] = []
  for (const innocent of innocents) {
    const frames = framesOf(innocent)
    const out = await redact(HEAD, frames)
    if (JSON.stringify(out.frames) !== JSON.stringify(frames)) changed.push(innocent.id)
    if (out.suspects.length > 0) suspected.push(innocent.id)
  }
  return { changed, suspected }
}
