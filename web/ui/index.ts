/**
 * Interface primitives that don't depend on MCP: panes, lists, dialogs, JSON views, number and time formats, databases.
 */
export {
  type Store,
  browserStorage,
  browserStorageKeys,
  commandKey,
  copy,
  download,
  loadOnce,
  storedJson,
} from './browser.ts'
export { openDatabase } from './database.ts'
export { formatsFor } from './format.ts'
export { type Path, tablesIn } from './json/find.ts'
export { FocusKeeper } from './keep-focus.ts'
export { keepInRow } from './keep-in-row.ts'
export { default as en } from './verdict/text/en.ts'
export { default as zhCN } from './verdict/text/zh-CN.ts'
export { VERDICT_KEYS, verdictTone } from './verdict/verdict.ts'
export { optionAfter } from './option-keys.ts'
export { itemSteps } from './item-steps.ts'
export { focusNextPane, focusPane, focusPaneSoon, stepInList } from './panes.ts'
export { partEnd } from './part-end.ts'
export { endOfPress } from './press.ts'
export { scrollable } from './scrollable.ts'
export { HEADING_ROW } from './virtual.ts'
export {
  type Marked,
  asItCame,
  fenced,
  markHidden,
  visible,
  visibleLines,
  visibleProse,
  withoutHidden,
} from './visible.ts'
