/** A schema that forms must support, with the values entered there. All strings are JSON as sent on the wire. */
export interface SchemaCase {
  readonly name: string
  /**
   * Where the case comes from: a keyword of the specification, observed servers, or a bug report to another inspector.
   */
  readonly origin: string
  readonly schema: unknown
  /** Valid values that, opened in the form and sent untouched, must arrive unchanged. */
  readonly keep: readonly string[]
  /** The same for invalid values, or those with members the schema doesn't mention. */
  readonly keepAlso?: readonly string[]
  /** Invalid values, and the JSON pointers where the errors must appear. */
  readonly refuse?: readonly { readonly value: string; readonly at: readonly string[] }[]
  /**
   * Text typed into the field at a pointer, and the value sent as a result. `from`: the initial value, default `{}`.
   */
  readonly type?: readonly {
    readonly from?: string
    readonly at: string
    readonly text: string
    readonly gives: string
  }[]
  /** The reference validator doesn't support this or decides differently; state the reason. */
  readonly oracle?: 'apart'
}

/** An object schema. */
export const object = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest })
