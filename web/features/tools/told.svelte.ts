/** What takes a while to find out about a result. Call these while a component is set up. */
import { LONG, hasSpelling, type Value, readExactly } from '../../json/index.ts'
import { parseLong } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { repeats } from './agreement.ts'

/** Whether a text block repeats the structured content (SF-TOOL-17); `undefined` until it is known, and where there is none. */
export const repetition = (result: () => JsonObject | undefined): { readonly current: boolean | undefined } => {
  let current = $state.raw<boolean>()
  $effect(() => {
    const { content, structuredContent } = result() ?? {}
    current = undefined
    if (structuredContent === undefined) return
    let over = false
    void repeats(content, structuredContent).then((found) => {
      if (!over) current = found
    })
    return () => {
      over = true
    }
  })
  return {
    get current() {
      return current
    },
  }
}

export interface Told {
  readonly value: Json
  /** The text of the message with the value as its `result.structuredContent`; absent where it stands elsewhere. */
  readonly text: string | undefined
}

/** Characters of a message that are read once more for the spelling of its numbers. */
const MOST = 8_000_000

/** The value with its numbers as they were written: as it was parsed, until the text of a long message is read again. */
export const exactly = (about: () => Told): { readonly current: Value } => {
  let late = $state.raw<{ readonly of: Json; readonly value: Value }>()
  const told = $derived(about())
  const early = $derived.by(() => {
    if (told.text === undefined || told.text.length > LONG) return undefined
    try {
      return structuredIn(readExactly(told.text))
    } catch {
      return undefined
    }
  })
  $effect(() => {
    const { value, text } = told
    if (text === undefined || text.length <= LONG || text.length > MOST) return
    let over = false
    let spelled = false
    const read = (piece: string) => {
      const exact = readExactly(piece)
      spelled ||= hasSpelling(exact)
      return exact
    }
    void parseLong(text, { read }).then(
      (parsed) => {
        const exact = structuredIn(parsed.value)
        // The tree on screen begins anew with another value: only where there is something to be gained.
        if (!over && spelled && exact !== undefined) late = { of: value, value: exact }
      },
      () => {},
    )
    return () => {
      over = true
    }
  })
  return {
    get current() {
      return early ?? (late?.of === told.value ? late.value : told.value)
    },
  }
}

const structuredIn = (message: Value): Value | undefined =>
  (message as { readonly result?: { readonly structuredContent?: Value } }).result?.structuredContent
