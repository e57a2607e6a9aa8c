/**
 * `_meta` as the user typed it, by connection and method. It survives panels and reconnects, and ends with the page.
 */
import { wireOf } from '../../forms/index.ts'
import type { JsonObject, Link } from '../../mcp/index.ts'
import { isRecord, JsonSyntaxError, readJson } from '../../json/index.ts'
import { Remembered } from '../remembered.ts'

class MetaDraft {
  /** As typed; blank: nothing is added. */
  text = $state('')
  /** The field is unfolded. */
  open = $state(false)
  readonly #read = $derived.by((): { readonly value?: JsonObject; readonly fault?: JsonSyntaxError | 'no-object' } => {
    if (this.text.trim() === '') return {}
    try {
      const { value } = readJson(this.text, { forgive: true })
      const wire = wireOf(value)
      if (!isRecord(value) || !wire.sendable) return { fault: 'no-object' }
      return { value: wire.json as JsonObject }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error
      return { fault: error }
    }
  })

  /** What is sent; absent where nothing was written, or nothing that can be sent. */
  get value(): JsonObject | undefined {
    return this.#read.value
  }

  /** Why `text` is not sent. */
  get fault(): JsonSyntaxError | 'no-object' | undefined {
    return this.#read.fault
  }
}

export const metaDrafts = new Remembered(() => new MetaDraft())

/**
 * What the user wants in `params._meta` of a method's requests; spread it: `{ ...params, ...(meta ? { _meta: meta } : {}) }`.
 * `Session.call` adds to it what the era needs, and lets what the user wrote win.
 */
export const metaFor = (link: Link, method: string): JsonObject | undefined => metaDrafts.of(link, method).value
