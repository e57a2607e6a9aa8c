import type { AuthCheck, AuthFault, AuthStep } from '../../mcp/index.ts'
import { visible } from '../../ui/index.ts'
import { catalogue } from '../../ui/index.svelte.ts'
import en from './en.ts'
import faultsEn from './faults/en.ts'
import saysEn, { type Say, type SayTexts } from './says/en.ts'
import { marked, valuesOf, type FaultTexts } from './words.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))
const says = catalogue<SayTexts>(saysEn, () => import('./says/zh-CN.ts'))
const faults = catalogue<FaultTexts>(faultsEn, () => import('./faults/zh-CN.ts'))

/** Makes a code from another version readable. */
const readable = (code: string): string => visible(code.replaceAll('-', ' '), 100)

export interface Said {
  /** With marked values, which `spans` finds. */
  readonly text: string
  /** Values that the sentence doesn't mention. */
  readonly rest: readonly (readonly [name: string, value: string])[]
}

export const sayOf = ({ say, values = {} }: AuthCheck): Said => {
  const used: string[] = []
  const of = valuesOf(values, (name) => used.push(name))
  const text = Object.hasOwn(saysEn, say) ? says.t[say as Say](of) : readable(say)
  const rest = Object.entries(values)
    .filter(([name]) => !used.includes(name))
    .slice(0, 20)
    .map(([name, value]) => [name, visible(typeof value === 'string' ? value : JSON.stringify(value), 600)] as const)
  return { text, rest }
}

export interface FaultWords {
  readonly what: string
  readonly why: string
  /** '' if the server's authors don't need to change anything. */
  readonly server: string
}

export const faultWords = ({ code, facts, explanation }: AuthFault, step: AuthStep): FaultWords => {
  const of = valuesOf(facts)
  if (!Object.hasOwn(faultsEn, code)) return { what: texts.t.unknownFault, why: marked(explanation), server: '' }
  const say = (key: string): string => faults.t[key as keyof FaultTexts]?.(of, step) ?? ''
  return { what: say(code), why: say(`${code}:why`), server: say(`${code}:server`) }
}
