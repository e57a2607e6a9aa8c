/**
 * Structured content as components show it: derived in steps, because it may be large. Call these functions during
 * component setup.
 */
import { LONG, hasSpelling, type Value, readExactly } from '../../json/index.ts'
import { parseLong } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import { deferred } from '../../ui/index.svelte.ts'
import { repeats } from './agreement.ts'

/**
 * Whether a text block repeats the structured content (SF-TOOL-17); `undefined` until that is known, or without
 * structured content.
 */
export const repeatedAsText = (result: () => JsonObject | undefined): { readonly current: boolean | undefined } =>
  deferred(result, (of) =>
    of?.structuredContent === undefined ? undefined : repeats(of.content, of.structuredContent),
  )

export interface StructuredContent {
  readonly value: Json
  /** The text of the message whose `result.structuredContent` is the value; absent if it is elsewhere. */
  readonly text: string | undefined
}

/** Longest message that is parsed again for exact numbers, in characters. */
const MOST = 8_000_000

/**
 * The value with its number literals preserved. For a long message, the numbers are as parsed until its text has been
 * parsed again.
 */
export const withExactNumbers = (about: () => StructuredContent): { readonly current: Value } => {
  let late = $state.raw<{ readonly of: Json; readonly value: Value }>()
  const content = $derived(about())
  const early = $derived.by(() => {
    if (content.text === undefined || content.text.length > LONG) return undefined
    try {
      return structuredIn(readExactly(content.text))
    } catch {
      return undefined
    }
  })
  $effect(() => {
    const { value, text } = content
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
        // A new value resets the tree on screen, so replace it only if a number actually differs.
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
      return early ?? (late?.of === content.value ? late.value : content.value)
    },
  }
}

const structuredIn = (message: Value): Value | undefined =>
  (message as { readonly result?: { readonly structuredContent?: Value } }).result?.structuredContent
