/**
 * Names the references of an export, such as `${DOCS_API_KEY}`. Two different values never share a reference, neither in
 * the export nor with the file. A server that is already in the file keeps the references it has there.
 */
import type { ClientId } from '../../../../proxy/wire.ts'
import { isObject, type JsonObject } from '../../../mcp/index.ts'
import { readServer } from '../configs/server-entry.ts'
import type { Target } from '../target.ts'
import { FORMATS } from './client-formats.ts'

/** `${env:NAME}`, `${NAME:-default}`; `${input:id}`; `{{name}}`, a variable of this page; `<NAME>`. */
export interface Reference {
  readonly kind: 'environment' | 'input' | 'page' | 'placeholder'
  readonly name: string
  readonly text: string
}

const REFERENCE =
  /\$\{(?:env:)?(?<environment>[A-Za-z_]\w*)(?::-[^{}]*)?\}|\$\{input:(?<input>[^{}]{1,200})\}|\{\{(?<page>[A-Za-z_][\w.-]{0,63})\}\}|<(?<placeholder>[A-Za-z][\w .:-]{0,100})>/g

const referenceIn = ([text, ...groups]: readonly string[]): Reference => {
  const [environment, input, page, placeholder] = groups
  if (environment !== undefined) return { kind: 'environment', name: environment, text: text! }
  if (input !== undefined) return { kind: 'input', name: input, text: text! }
  return page === undefined
    ? { kind: 'placeholder', name: placeholder!, text: text! }
    : { kind: 'page', name: page, text: text! }
}

const referencesIn = (text: string): Reference[] => [...text.matchAll(REFERENCE)].map(referenceIn)

/** Replaces each reference within a text. */
export const respelled = (text: string, by: (reference: Reference) => string): string => {
  const parts: string[] = []
  let done = 0
  for (const match of text.matchAll(REFERENCE)) {
    parts.push(text.slice(done, match.index), by(referenceIn(match)))
    done = match.index + match[0].length
  }
  return [...parts, text.slice(done)].join('')
}

/** The reference that the whole text is, apart from a scheme. */
export const onlyReference = (text: string): Reference | undefined => {
  const rest = withoutScheme(text)
  const [one] = referencesIn(rest)
  return one?.text === rest ? one : undefined
}

const withoutScheme = (text: string): string => text.replace(/^(?:Bearer|Basic|Token) /i, '')

/** What a text has in the places of parts of another one, if they are references and nothing else differs. */
export const referencesAt = (
  text: string,
  other: string,
  parts: readonly { readonly from: number; readonly to: number }[],
): readonly Reference[] => {
  const found: Reference[] = []
  let [at, done] = [0, 0]
  for (const { from, to } of parts) {
    const before = other.slice(done, from)
    const reference = text.startsWith(before, at) ? referencesIn(text.slice(at + before.length))[0] : undefined
    if (!reference || !text.startsWith(reference.text, at + before.length)) return []
    found.push(reference)
    at += before.length + reference.text.length
    done = to
  }
  return text.slice(at) === other.slice(done) ? found : []
}

/** Whether a client reads such a reference, or its user replaces it in the file. */
export const isReadBy = (client: ClientId, { kind }: Reference): boolean => {
  const style = FORMATS[client].references
  if (kind === 'placeholder') return style === 'placeholder' || style === 'codex'
  if (kind === 'input') return style === 'input'
  return kind === 'environment' && (style === 'env' || style === 'shell' || style === 'codex')
}

export type Wanted = readonly [name: string, description: string]

/** A value that is replaced by a reference. */
export interface Referent {
  /** Values with the same ID share a reference. */
  readonly id: string
  /** A place in the entry, as `placesOf` names it. Absent: the reference is the user's own, and may be in several. */
  readonly place?: string
  /** The name, and what a client that asks for the value shows. The last one gets a number if it is taken. */
  readonly wanted: readonly Wanted[]
  /** Several servers may mean the same value by it. */
  readonly isShared?: true
  /** In the file, the name in this place. */
  readonly own?: string
}

/** A server that the file has. */
export interface WrittenServer {
  /** Unique in the file. */
  readonly at: string
  readonly entry: unknown
}

interface Use {
  readonly at: string
  readonly place: string
}

interface Names {
  /** Of the file, by name. */
  readonly uses: ReadonlyMap<string, readonly Use[]>
  /** The descriptions of the file's inputs, by ID. */
  readonly declared: ReadonlyMap<unknown, unknown>
  /** The exported servers contain these, and the client gets them as they are. */
  readonly reserved: ReadonlySet<string>
}

export class References {
  readonly #names: Names
  /** The ID of the value, by the name of its reference. */
  readonly #referents: Map<string, string>
  /** The name and description of its reference, by the ID of the value. */
  readonly #named: Map<string, Wanted>

  private constructor(names: Names, referents: ReadonlyMap<string, string>, named: ReadonlyMap<string, Wanted>) {
    this.#names = names
    this.#referents = new Map(referents)
    this.#named = new Map(named)
  }

  /**
   * @param exported all servers of the export
   * @param written the servers of the file
   * @param inputs VS Code's, of the file
   */
  static of(
    client: ClientId,
    exported: readonly Target[],
    written: readonly WrittenServer[] = [],
    inputs: readonly JsonObject[] = [],
  ): References {
    const uses = new Map<string, Use[]>()
    for (const { at, entry } of written) {
      const { target } = isObject(entry) ? readServer('', entry) : {}
      for (const { place, text } of target ? placesOf(target) : []) {
        for (const reference of referencesIn(text)) {
          if (isReadBy(client, reference))
            uses.set(reference.name, [...(uses.get(reference.name) ?? []), { at, place }])
        }
      }
    }
    // An ID belongs to a file, so an input of another file may need another one here.
    const reserved = exported
      .flatMap(placesOf)
      .flatMap(({ text }) => referencesIn(text).filter((one) => one.kind !== 'input' && isReadBy(client, one)))
    const declared = new Map(inputs.map(({ id, description }) => [id, description]))
    return new References({ uses, declared, reserved: new Set(reserved.map(({ name }) => name)) }, new Map(), new Map())
  }

  /** What is named in the copy isn't named here. */
  copy(): References {
    return new References(this.#names, this.#referents, this.#named)
  }

  /** @param at the server's place in the file */
  nameOf(referent: Referent, at: string): Wanted {
    const { id, own, wanted } = referent
    const known = this.#named.get(id)
    const [last, description] = wanted.at(-1)!
    const candidates = [
      ...(own === undefined ? [] : [[own, description] as const]),
      ...(known ? [known] : []),
      ...wanted,
    ]
    let chosen = candidates.find((one) => this.#isFree(one, referent, at))
    for (let number = 2; !chosen; number++) {
      const next = [`${last}${/[a-z-]/.test(last) ? '-' : '_'}${number}`, description] as const
      if (this.#isFree(next, referent, at)) chosen = next
    }
    this.#referents.set(chosen[0], id)
    if (!known) this.#named.set(id, chosen)
    return chosen
  }

  #isFree([name, description]: Wanted, { id, place, isShared, own }: Referent, at: string): boolean {
    const { uses, declared, reserved } = this.#names
    const known = this.#referents.get(name)
    if (known !== undefined) return known === id
    if (reserved.has(name)) return false
    const used = uses.get(name) ?? []
    if (name === own && used.some((use) => use.at === at)) return true
    // An input that no server uses is one of an export before, if it asks for the same.
    if (declared.has(name) && (used.length === 0 || isShared)) return declared.get(name) === description
    return used.every((use) => use.at === at && (place === undefined || use.place === place))
  }
}

/** The texts of a target that may refer to something. */
const placesOf = (target: Target): { readonly place: string; readonly text: string }[] => {
  if (target.kind === 'url')
    return [
      { place: 'url', text: target.url },
      ...target.headers.map(([name, text]) => ({ place: headerPlace(name), text })),
    ]
  if (target.kind !== 'command') return []
  return [
    ...[target.command, ...target.args].map((text) => ({ place: 'argument', text })),
    ...Object.entries(target.env).map(([name, text]) => ({ place: variablePlace(name), text })),
    { place: 'directory', text: target.cwd ?? '' },
  ]
}

export const headerPlace = (name: string): string => `header ${name.toLowerCase()}`
export const variablePlace = (name: string): string => `variable ${name}`
