/**
 * `${env:NAME}` in a target: the local proxy inserts the variable's value, and this page never gets it. Over HTTP that
 * needs the relay, and only headers may have references: rule 19 of the proxy says why.
 */
import { variablesIn } from '../../secrets/index.ts'
import { defaultIn, occurrencesIn, type Placeholder } from './placeholders.ts'
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'

/** What the user entered for the placeholders of a target. */
export interface Entered {
  /** By placeholder text. */
  readonly filled: Readonly<Record<string, string>>
  /** Placeholders to send literally. */
  readonly asIs: readonly string[]
}

/** Whether the text is a reference and nothing else, as a placeholder is. */
export const isReference = (text: string): boolean => /^\$\{env:/.test(text) && variablesIn(text).length > 0

/** Where the proxy inserts values. Nothing else of a connection reaches it in a form that it may change. */
const isResolvable = (target: Target, place: Placeholder['place']): boolean =>
  target.kind === 'command' ? place === 'argument' || place === 'variable' : place === 'header'

const needsRelay = (target: Target, { relay }: Settings): boolean => target.kind === 'url' && relay !== true

/** Placeholders without a value, from the user or from the proxy's environment. While there are any, nothing is sent. */
export const missingIn = (target: Target, { filled, asIs }: Entered, settings: Settings): string[] => {
  const missing = occurrencesIn(target).filter(({ text, place }) => {
    if (asIs.includes(text)) return false
    const entered = filled[text]
    if (entered && variablesIn(entered).length === 0) return false
    if (!entered && !isReference(text)) return defaultIn(text) === undefined
    return !isResolvable(target, place) || needsRelay(target, settings)
  })
  return [...new Set(missing.map(({ text }) => text))]
}

/** The variables that the proxy reads for this target. */
export const variablesOf = (target: Target, { filled, asIs }: Entered): string[] => {
  const texts = occurrencesIn(target).flatMap(({ text, place }) => {
    if (asIs.includes(text) || !isResolvable(target, place)) return []
    return filled[text] || (isReference(text) ? text : [])
  })
  return [...new Set(texts.flatMap(variablesIn))]
}

/** The variables that only wait for the relay. */
export const waitingForRelay = (target: Target, entered: Entered, settings: Settings): string[] =>
  needsRelay(target, settings) ? variablesOf(target, entered) : []
