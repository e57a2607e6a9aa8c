import type { Translation } from '../language.svelte.ts'
import type en from './en.ts'

export default {
  length: (count) => `${count} 个字符`,
  removed: (rule) => `已移除：${rule}`,
} satisfies Translation<typeof en>
