import type { Translation } from '../language.svelte.ts'
import type en from './en.ts'

/** The masks of capture, also of a session ID, and what redaction leaves. */
const MARK = /(•{4}|…) \((\d{1,5}\+?) characters\)|‹removed: ([^‹›]{1,200})›/g

export default {
  marks: (text) =>
    text.replace(MARK, (_, mask: string | undefined, length: string, rule: string) =>
      mask === undefined ? `‹已移除：${rule}›` : `${mask} (${length} 个字符)`,
    ),
} satisfies Translation<typeof en>
