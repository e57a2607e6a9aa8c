/**
 * `_meta` as typed by the user, per connection and method. It survives switching panels and reconnecting, until the
 * page closes.
 */
import { wireOf } from '../../forms/index.ts'
import type { JsonObject, Link } from '../../mcp/index.ts'
import { isRecord, JsonSyntaxError, readJson } from '../../json/index.ts'
import { Remembered } from '../remembered.ts'

class MetaDraft {
  /** As typed; blank adds nothing. */
  text = $state('')
  /** Whether the field is expanded. */
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

  /** The object to send; absent if the text is blank or invalid. */
  get value(): JsonObject | undefined {
    return this.#read.value
  }

  /** Why `text` can't be sent. */
  get fault(): JsonSyntaxError | 'no-object' | undefined {
    return this.#read.fault
  }
}

export const metaDrafts = new Remembered(() => new MetaDraft())

/**
 * The user's `params._meta` for a method's requests. Spread it: `{ ...params, ...(meta ? { _meta: meta } : {}) }`.
 * `Session.call` adds what the protocol version requires, and the user's values take precedence.
 */
export const metaFor = (link: Link, method: string): JsonObject | undefined => metaDrafts.of(link, method).value
