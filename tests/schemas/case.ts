/** A schema that forms must serve, with what is entered there. All texts are JSON as it stands on the wire. */
export interface SchemaCase {
  readonly name: string
  /** Whose idea it is: a keyword of the specification, what servers do, or a report to another inspector. */
  readonly origin: string
  readonly schema: unknown
  /** Opened in the form and sent untouched, these arrive letter by letter; they fit the schema. */
  readonly keep: readonly string[]
  /** The same of values that do not fit, or hold more than the schema speaks of. */
  readonly keepAlso?: readonly string[]
  /** Refused, and told at these JSON pointers. */
  readonly refuse?: readonly { readonly value: string; readonly at: readonly string[] }[]
  /** Typed into the field at a pointer; what then is sent. `from`: the value before, `{}` where none is given. */
  readonly type?: readonly {
    readonly from?: string
    readonly at: string
    readonly text: string
    readonly gives: string
  }[]
  /** What the other validator does not know, or decides otherwise; with the reason. */
  readonly oracle?: 'apart'
}

/** An object schema. */
export const object = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest })
