/** The merge view, loaded as a chunk of its own. */
import { json } from '@codemirror/lang-json'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { MergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

interface MergeOptions {
  readonly parent: HTMLElement
  readonly before: string
  readonly after: string
  /** Accessible names of the two editors. */
  readonly left: string
  readonly right: string
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--key)' },
  { tag: tags.string, color: 'var(--str)' },
  { tag: tags.number, color: 'var(--num)' },
  { tag: [tags.bool, tags.null], color: 'var(--lit)' },
])

const look = EditorView.theme({
  '&': { background: 'var(--panel)', color: 'var(--ink)', fontSize: 'var(--text-code)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-gutters': {
    background: 'var(--raised)',
    color: 'var(--ink-3)',
    border: '0',
    borderRight: '1px solid var(--line)',
  },
  '&.cm-merge-a .cm-changedLine, &.cm-merge-a .cm-deletedChunk': { backgroundColor: 'var(--bad-bg)' },
  '&.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-inlineChangedLine': { backgroundColor: 'var(--ok-bg)' },
  '&.cm-merge-a .cm-changedText': { background: 'none', borderBottom: '2px solid var(--bad)' },
  '&.cm-merge-b .cm-changedText': { background: 'none', borderBottom: '2px solid var(--ok)' },
  '.cm-collapsedLines': {
    background: 'var(--raised)',
    color: 'var(--ink-2)',
    padding: '2px 8px',
    // The sign of the editor is in few fonts.
    '&:before, &:after': { content: '"…"' },
  },
})

/** @returns a function that removes it */
export const mountMerge = ({ parent, before, after, left, right }: MergeOptions): (() => void) => {
  const side = (doc: string, label: string) => ({
    doc,
    extensions: [
      lineNumbers(),
      json(),
      syntaxHighlighting(colours),
      look,
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      // Read-only text must also be focusable for keyboard users.
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    ],
  })
  const view = new MergeView({
    parent,
    a: side(before, left),
    b: side(after, right),
    collapseUnchanged: { margin: 3, minSize: 6 },
    diffConfig: { scanLimit: 1000, timeout: 200 },
  })
  return () => view.destroy()
}
