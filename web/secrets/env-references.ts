/**
 * `${env:NAME}`: the local proxy inserts the value of its environment variable, which the page never gets. A value that
 * consists of references holds nothing to hide, so it may be shown, stored and shared.
 */
const REFERENCE = /\$\{env:([A-Za-z_]\w{0,127})\}/g

/** Any other word in front of a reference may be a secret of its own. */
const SCHEME = /^(?:Bearer|Basic|Token|DPoP|Api-?Key|Key) +/i

/** The variables that a text refers to, without duplicates. */
export const variablesIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(REFERENCE), ([, name]) => name!)),
]

/** Nothing but references, perhaps with a scheme as in `Bearer ${env:TOKEN}`, or with separators in between. */
export const isReferences = (value: string): boolean =>
  value.includes('${env:') && /^[\s:;,=]*$/.test(value.replace(SCHEME, '').replaceAll(REFERENCE, ''))

/** `{{name}}`: the page inserts the value of a variable when it connects. */
const VARIABLE = /\{\{[A-Za-z_][\w.-]{0,63}\}\}/g

/** Like `isReferences`, but the references may be to variables of this page, which others can't resolve. */
export const isAnyReferences = (value: string): boolean =>
  /\{\{|\$\{env:/.test(value) &&
  /^[\s:;,=]*$/.test(value.replace(SCHEME, '').replaceAll(VARIABLE, '').replaceAll(REFERENCE, ''))
