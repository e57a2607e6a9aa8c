/**
 * Replaces `${env:NAME}` in a request by an environment variable of this process (rule 19). The page lists the variables, so
 * text that only looks like a reference stays unchanged, such as a tool argument copied into a header.
 */
import { Refusal } from './refusal.ts'
import type { RelayHeaders, RelayRequest, SpawnRequest } from './wire.ts'

/** As in `web/secrets/env-references.ts`: the proxy imports nothing of the page. */
const REFERENCE = /\$\{env:([A-Za-z_]\w{0,127})\}/g
const NAME = /^[A-Za-z_]\w{0,127}$/
/** The characters that an HTTP header can carry, one byte each. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

type Environment = Readonly<Record<string, string | undefined>>

export const isVariableName = (value: unknown): value is string => typeof value === 'string' && NAME.test(value)

/** The variables that a text refers to, without duplicates. */
export const variablesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(REFERENCE), ([, name]) => name!)),
]

/** @param names the variables to resolve; other references stay @throws {Refusal} 400 `missing-variable` */
export function withVariables(text: string, names: readonly string[], own: Environment = process.env): string {
  return text.replaceAll(REFERENCE, (reference, name: string) => {
    if (!names.includes(name)) return reference
    const value = own[name]
    // `process.env` inherits `toString` and others.
    if (typeof value === 'string') return value
    throw new Refusal(400, {
      code: 'missing-variable',
      message: `The environment variable "${name}" isn't set where Periscope runs.`,
      remedy: 'Set it in that terminal and start Periscope again, or enter the value instead of the reference.',
    })
  })
}

/** The arguments and variables that the process gets. @throws {Refusal} 400 `missing-variable` */
export function resolvedSpawn({ references = [], ...request }: SpawnRequest, own?: Environment): SpawnRequest {
  const { args, env } = request
  if (references.length === 0) return request
  const resolved = (text: string) => withVariables(text, references, own)
  return {
    ...request,
    args: args.map(resolved),
    env: env && Object.fromEntries(Object.entries(env).map(([name, value]) => [name, resolved(value)])),
  }
}

/** The headers that the server gets. The page must never see them. @throws {Refusal} 400 `missing-variable` */
export function resolvedHeaders(
  { headers, references }: Pick<RelayRequest, 'headers' | 'references'>,
  own?: Environment,
): RelayHeaders {
  if (!references) return headers
  return headers.map(([name, value], index) => {
    if (!references.headers.includes(index)) return [name, value] as const
    const resolved = withVariables(value, references.names, own)
    if (HEADER_VALUE.test(resolved)) return [name, resolved] as const
    // The message leaves the value out: it is a secret.
    throw new Refusal(400, {
      code: 'bad-variable',
      message: `The header "${name}" can't carry the value of ${variablesIn(value).join(', ')}.`,
      remedy: 'Remove line breaks and characters beyond Latin-1 from the variable, then start Periscope again.',
    })
  })
}
