/** Interface primitives that don't depend on MCP: panes, lists, dialogs, JSON views, number and time formats. */
export { clock } from './clock.svelte.ts'
export { default as ConfirmNote } from './ConfirmNote.svelte'
export { default as ContextMenu } from './ContextMenu.svelte'
export { default as CopyButton } from './CopyButton.svelte'
export { default as DetailPane } from './DetailPane.svelte'
export { default as Dialog } from './Dialog.svelte'
export { default as FilterField } from './FilterField.svelte'
export { default as IconButton } from './IconButton.svelte'
export { default as Menu } from './Menu.svelte'
export type { MenuItem } from './menu-item.ts'
export { default as OptionList } from './OptionList.svelte'
export { type ProxyStart, proxyStart, provideProxyStart } from './proxy-start.svelte.ts'
export { default as RowHeading } from './RowHeading.svelte'
export { default as Segmented } from './Segmented.svelte'
export { default as SplitPane } from './SplitPane.svelte'
export { default as StartProxy } from './StartProxy.svelte'
export { default as Tabs } from './Tabs.svelte'
export { default as ThreePanes } from './ThreePanes.svelte'
export { default as TwoPanes } from './TwoPanes.svelte'
export { default as VirtualList } from './VirtualList.svelte'
export { deferred } from './deferred.svelte.ts'
export {
  type Catalogue,
  type Language,
  type Translation,
  catalogue,
  format,
  language,
  textsArrived,
  withTexts,
} from './i18n/language.svelte.ts'
export { bracketed, joined, labelled, listed } from './i18n/punctuation.svelte.ts'
export { default as JsonEditor } from './json/JsonEditor.svelte'
export { default as JsonMerge } from './json/JsonMerge.svelte'
export { default as JsonTable } from './json/JsonTable.svelte'
export { default as JsonView } from './json/JsonView.svelte'
export { default as TextInPieces } from './json/TextInPieces.svelte'
export { copied, live, liveShown } from './live.svelte.ts'
export { scheme } from './scheme.svelte.ts'
export { ShownBriefly } from './shown-briefly.svelte.ts'
export { verdictWord } from './verdict/text/texts.svelte.ts'
export { type Verdict, verdictTone } from './verdict/verdict.ts'
