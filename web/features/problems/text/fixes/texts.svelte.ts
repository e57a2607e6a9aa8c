import { catalogue } from '../../../../ui/index.svelte.ts'
import en from './en.ts'

const fixes = catalogue(en, () => import('./zh-CN.ts'))

/** What the author of a server changes so that this rule is met; `undefined` if the catalogue has nothing for it. */
export const fixOf = (rule: string): string | undefined => (fixes.t as Readonly<Record<string, string>>)[rule]
