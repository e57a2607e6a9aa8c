/**
 * Lists the fields of a frame that refer to other frames. Code that extracts frames from a trace, or opens a file with
 * gaps, renumbers them, and must update every reference.
 */
import type { Frame, Seq } from '../mcp/index.ts'

/** Fields with the position of another frame. `until` counts frames: all before it. */
const FIELDS = ['request', 'carrier', 'origin', 'step', 'again', 'begun', 'follows'] as const

export type Reference = readonly [field: (typeof FIELDS)[number], seq: Seq]

/** The references of a frame, with the fields that hold them. `step` of a sign-in is a name, not a reference. */
export const namedReferencesOf = (frame: Frame): readonly Reference[] => {
  const fields = frame as unknown as Readonly<Record<string, unknown>>
  return FIELDS.flatMap((name): Reference[] => (typeof fields[name] === 'number' ? [[name, fields[name]]] : []))
}

export const referencesOf = (frame: Frame): readonly Seq[] => namedReferencesOf(frame).map(([, seq]) => seq)

/** The position of a frame that doesn't exist any more: no frame has it. */
const NOWHERE: Seq = Number.MAX_SAFE_INTEGER

/** The frame at another position. @param placeOf the new position of a frame; `undefined` if it doesn't exist */
export const moved = (frame: Frame, seq: Seq, placeOf: (seq: Seq) => Seq | undefined): Frame => {
  const fields: Record<string, unknown> = { ...frame, seq }
  for (const name of FIELDS) {
    const reference = fields[name]
    if (typeof reference === 'number') fields[name] = placeOf(reference) ?? NOWHERE
  }
  if (frame.kind === 'session' && frame.phase === 'released') fields['until'] = Math.min(seq, frame.until)
  return fields as unknown as Frame
}
