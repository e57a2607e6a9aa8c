/** Labels for recordings, in the current language. */
import type { Seq, Trace } from '../../mcp/index.ts'
import { importedFrom, type Damage, type Part, type SessionHead } from '../../session-file/index.ts'
import { format } from '../../ui/index.svelte.ts'
import { markHidden } from '../../ui/index.ts'
import type { Recording } from './recording.svelte.ts'
import { reasonText } from '../../trace/index.svelte.ts'
import { texts } from './text/texts.svelte.ts'
import { whenLabel } from '../labels.svelte.ts'

const damageLabel = (damage: Damage, crashed: boolean): string => {
  const { t } = texts
  switch (damage.code) {
    case 'truncated':
      return crashed ? t.damageUnclosed : t.damageTruncated(format.count(damage.line))
    case 'not-json':
    case 'no-frame':
    case 'too-long':
      return t.damageLine(format.count(damage.line), reasonText(damage.why))
    case 'holes':
      return damage.missing > 0 ? t.damageHoles(format.count(damage.missing)) : t.damageHolesSome
    case 'checksum':
      return t.damageChecksum
    case 'newer-version':
      return t.damageNewer(String(damage.version))
    case 'too-many-frames':
      return t.damageTooMany(format.count(damage.limit))
    case 'too-large':
      return t.damageTooLarge
  }
}

const SHOWN = 3

/** Everything that was altered or damaged, in one line; `undefined` if the recording is intact. */
export const damageLabels = ({ opened, origin }: Pick<Recording, 'opened' | 'origin'>): string | undefined => {
  if (opened.damaged === 0) return undefined
  const words = opened.damage.slice(0, SHOWN).map((damage) => damageLabel(damage, origin.kind === 'kept'))
  const more = opened.damaged - words.length
  return [...words, ...(more > 0 ? [texts.t.damageMore(format.count(more))] : [])].join(texts.t.separator)
}

/** The source format and what it couldn't represent; `undefined` if the recording wasn't imported. */
export const importedLabels = (head: SessionHead): { readonly from: string; readonly losses: string } | undefined => {
  const imported = importedFrom(head)
  if (!imported) return undefined
  const { t } = texts
  const losses = imported.losses.map(({ code, count }) =>
    code === 'session' ? t['loss-session'] : t[`loss-${code}`](format.count(count)),
  )
  return { from: t.imported(t[`from-${imported.format}`]), losses: losses.join(texts.t.separator) }
}

export const partLabel = (part: Part | undefined): string | undefined =>
  ({ session: undefined, exchange: texts.t.partExchange, steps: texts.t.partSteps })[part ?? 'session']

/** Its time, or its name if the file has no time. */
export const recordingLabel = ({ opened, name }: Pick<Recording, 'opened' | 'name'>): string => {
  const { begunAt } = opened.head
  return texts.t.recordingOf(Date.parse(begunAt) === 0 ? markHidden(name).text : whenLabel(begunAt))
}

/** The time at which a frame was captured, relative to the start of the recording. */
export const timeLabel = (trace: Trace, seq: Seq): string => format.since(trace.at(seq)?.at ?? 0)
