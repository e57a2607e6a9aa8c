/** Environments: named sets of variables that `{{name}}` refers to, and the rules of their replacement. */
export {
  bracedIn,
  escaped,
  HIDDEN,
  hidden,
  NO_VARIABLES,
  placeholderValues,
  resolve,
  type Resolved,
  type ReferenceFault,
  type Scope,
  scopeOf,
  secretValues,
  withForeign,
} from './substitute.ts'
export { escapedText, inScope, resolveText } from './json-text.ts'
export {
  type Environment,
  environmentsFrom,
  LIMITS,
  storableEnvironments,
  usable,
  type Variable,
  variableFaults,
} from './variables.ts'
