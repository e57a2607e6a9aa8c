/**
 * Interface primitives that don't depend on MCP: panes, lists, dialogs, JSON views, number and time formats, databases.
 */
export { commandKey } from './command-key.ts'
export { copy } from './copy.ts'
export { openDatabase } from './database.ts'
export { download } from './download.ts'
export { formatsFor } from './format.ts'
export { HEADING_ROW } from './heading-row.ts'
export type { Path } from './json/find.ts'
export { tablesIn } from './json/table.ts'
export { FocusKeeper } from './keep-focus.ts'
export { default as en } from './verdict/text/en.ts'
export { default as zhCN } from './verdict/text/zh-CN.ts'
export { VERDICT_KEYS, verdictTone } from './verdict/verdict.ts'
export { type Marked, asItCame, markHidden, visible, visibleLines, visibleProse, withoutHidden } from './visible.ts'
export { loadOnce } from './load-once.ts'
