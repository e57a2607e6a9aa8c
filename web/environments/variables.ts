/**
 * Environments as stored and edited: named sets of variables, such as `dev` and `staging`.
 *
 * Stored data is untrusted input: another version of the page or a user may have written it.
 */

export interface Variable {
  readonly name: string
  /** Empty for a secret whose value this tab doesn't have. */
  readonly value: string
  /** The value is masked on screen and in the trace, and stored only if the user chose so. */
  readonly secret: boolean
}

export interface Environment {
  /** Stays the same when it is renamed. */
  readonly id: string
  readonly name: string
  readonly variables: readonly Variable[]
  /** The values of secrets are stored in this browser, encrypted. */
  readonly remember: boolean
}

export const LIMITS = {
  environments: 50,
  /** In one environment. */
  variables: 200,
  /** Characters of an environment's name. */
  title: 60,
  /** Characters of a variable's name. */
  name: 64,
  /** Characters of a variable's value. */
  value: 16_384,
} as const

/** A name between the braces of `{{name}}`. Dots and hyphens are allowed inside. */
export const NAME_SYNTAX = '[A-Za-z_][\\w.-]{0,63}'
const NAME = new RegExp(`^${NAME_SYNTAX}$`)

export const isVariableName = (name: string): boolean => NAME.test(name)

/** Why an environment can't be stored as edited. */
type VariableFault = 'name' | 'duplicate' | 'value'

/** By position of the variable; a row without a name and a value is ignored when it is stored. */
export const variableFaults = (variables: readonly Variable[]): ReadonlyMap<number, VariableFault> => {
  const faults = new Map<number, VariableFault>()
  const names = new Set<string>()
  for (const [at, { name, value }] of variables.entries()) {
    if (name === '' && value === '') continue
    if (!isVariableName(name)) faults.set(at, 'name')
    // Hosts are case-insensitive, and the URL parser writes them in lower case.
    else if (names.has(name.toLowerCase())) faults.set(at, 'duplicate')
    else if (value.length > LIMITS.value) faults.set(at, 'value')
    names.add(name.toLowerCase())
  }
  return faults
}

/** Without what can't be used: no fault remains. */
export const usable = (environment: Environment): Environment => {
  const faults = variableFaults(environment.variables)
  const variables = environment.variables.filter(({ name }, at) => name !== '' && !faults.has(at))
  return { ...environment, variables: variables.slice(0, LIMITS.variables) }
}

/** For the storage that everything in this browser can read: no value of a secret. */
export const storableEnvironments = (environments: readonly Environment[]): readonly Environment[] =>
  environments.map((environment) => ({
    ...environment,
    variables: environment.variables.map((one) => (one.secret ? { ...one, value: '' } : one)),
  }))

/** Reads what `storableEnvironments` wrote. Whatever doesn't fit is left out. */
export const environmentsFrom = (stored: unknown): readonly Environment[] => {
  if (!Array.isArray(stored)) return []
  const ids = new Set<string>()
  return stored
    .slice(0, LIMITS.environments)
    .flatMap((item: unknown) => environmentFrom(item) ?? [])
    .filter(({ id }) => !ids.has(id) && ids.add(id))
}

const environmentFrom = (item: unknown): Environment | undefined => {
  if (typeof item !== 'object' || item === null) return undefined
  const { id, name, variables, remember } = item as Record<string, unknown>
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id) || typeof name !== 'string' || !Array.isArray(variables)) {
    return undefined
  }
  const read = variables.slice(0, LIMITS.variables).flatMap((one: unknown): Variable[] => {
    if (typeof one !== 'object' || one === null) return []
    const { name: of, value, secret } = one as Record<string, unknown>
    return typeof of === 'string' && typeof value === 'string' ? [{ name: of, value, secret: secret === true }] : []
  })
  return usable({ id, name: name.slice(0, LIMITS.title), variables: read, remember: remember === true })
}
