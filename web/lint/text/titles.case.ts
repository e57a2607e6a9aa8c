/** The catalogues as data, for tests: without Svelte, in any language. */
import en from './en.ts'
import chinese from './zh-CN.ts'

const catalogues: Readonly<Record<'en' | 'zh-CN', Readonly<Record<string, string>>>> = { en, 'zh-CN': chinese }

export const titleOf = Object.assign(
  (language: 'en' | 'zh-CN', rule: string): string | undefined => catalogues[language][rule],
  { ids: Object.keys(en) },
)
