import { catalogue, type Catalogue } from '../../ui/index.svelte.ts'
import { clip } from '../facts.ts'
import type { Because, Said } from '../row-model.ts'
import { reasonText } from '../reasons/reason-text.svelte.ts'
import en from './en.ts'

export const texts = catalogue(en, () => import('./zh-CN.ts'))

/** Translates what a headless module expressed as a key. Texts from the wire stay unchanged. */
export const say = (said: Said | Because | string): string => {
  if (typeof said === 'string') return said
  if ('reason' in said) return clip(reasonText(said.reason))
  const entry = (texts.t as Catalogue)[said.key]!
  return typeof entry === 'string' ? entry : entry(...(said.values as unknown as never[]))
}
