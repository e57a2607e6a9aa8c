/**
 * The editor, in a chunk of its own that loads with the first JSON editor. Don't use the package `codemirror`: its
 * latest release is outdated.
 */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, linter, lintKeymap, type Diagnostic } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers, tooltips, type KeyBinding } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { JsonSyntaxError, readJson } from '../../json/index.ts'
import type { Translation } from '../i18n/language.svelte.ts'
import type en from './text/en.ts'

export interface EditorOptions {
  readonly parent: HTMLElement
  readonly value: string
  readonly label: string
  readonly readonly: boolean
  readonly describedby: string | undefined
  /** Texts in the current language. */
  readonly texts: () => Translation<typeof en>
  readonly onchange: (value: string) => void
}

export interface Editor {
  /** Replaces the text unless it is unchanged, so that the caret stays. */
  set(value: string): void
  label(label: string, readonly: boolean): void
  focus(): void
  destroy(): void
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--key)' },
  { tag: tags.string, color: 'var(--str)' },
  { tag: tags.number, color: 'var(--num)' },
  { tag: [tags.bool, tags.null], color: 'var(--lit)' },
  { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--ink-3)' },
])

const look = EditorView.theme({
  '&': {
    background: 'var(--panel)',
    color: 'var(--ink)',
    borderRadius: 'inherit',
    fontSize: 'var(--text-code)',
    maxHeight: 'inherit',
    height: '100%',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto', borderRadius: 'inherit' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--ink)' },
  '.cm-gutters': {
    background: 'var(--raised)',
    color: 'var(--ink-3)',
    border: '0',
    borderRight: '1px solid var(--line)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--select)',
  },
  '&.cm-focused .cm-matchingBracket': {
    background: 'var(--select)',
    outline: '1px solid var(--line-2)',
  },
  '.cm-tooltip, .cm-panels': { background: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line-2)' },
  '.cm-foldPlaceholder': { background: 'var(--raised)', border: '1px solid var(--line-2)', color: 'var(--ink-2)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    borderBottom: '2px wavy var(--bad)',
    textDecoration: 'underline wavy var(--bad)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--accent)' },
  '.cm-textfield': { background: 'var(--panel)', border: '1px solid var(--line-2)', color: 'var(--ink)' },
  '.cm-button': { background: 'var(--raised)', border: '1px solid var(--line-2)', color: 'var(--ink)' },
  '.cm-searchMatch': { background: 'var(--warn-bg)', outline: '1px solid var(--warn)' },
})

/** ⌘↵ runs the call, so it must not insert a line here. */
const keys: readonly KeyBinding[] = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter')

const diagnose = (text: string, t: Translation<typeof en>): Diagnostic[] => {
  if (text.trim() === '') return []
  try {
    const { forgiven, repeated } = readJson(text, { forgive: true })
    const notes = [
      ...(forgiven.size > 0 ? [t.forgiven([...forgiven])] : []),
      ...repeated.slice(0, 3).map((name) => t.repeated(name.slice(0, 60))),
    ]
    return notes.map((message) => ({ from: 0, to: 0, severity: 'info', message }))
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    const from = Math.min(error.offset, text.length)
    const to = Math.min(text.length, from + Math.max(1, error.found.length))
    return [
      {
        from: from === text.length ? Math.max(0, from - 1) : from,
        to,
        severity: 'error',
        message: t.fault(error.fault),
      },
    ]
  }
}

export const mount = ({ parent, value, label, readonly, describedby, texts, onchange }: EditorOptions): Editor => {
  const changing = new Compartment()
  const attributes = (label: string, readonly: boolean) => [
    EditorView.contentAttributes.of({
      'aria-label': label,
      // Read-only text isn't focusable by default, so it couldn't be scrolled by keyboard.
      tabindex: '0',
      ...(describedby === undefined ? {} : { 'aria-describedby': describedby }),
    }),
    EditorState.readOnly.of(readonly),
  ]
  let setting = false
  const view = new EditorView({
    parent,
    doc: value,
    extensions: [
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      search({ top: true }),
      json(),
      syntaxHighlighting(colours),
      look,
      EditorView.lineWrapping,
      tooltips({ position: 'fixed' }),
      linter((view) => diagnose(view.state.sliceDoc(), texts()), { delay: 300 }),
      lintGutter(),
      // Tab isn't bound, so it leaves the editor.
      keymap.of([...keys, ...historyKeymap, ...searchKeymap, ...foldKeymap, ...lintKeymap]),
      changing.of(attributes(label, readonly)),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !setting) onchange(update.state.sliceDoc())
      }),
    ],
  })
  return {
    set(value) {
      // CodeMirror normalizes line ends to LF.
      if (view.state.sliceDoc() === value.replace(/\r\n?/g, '\n')) return
      setting = true
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: value } })
      setting = false
    },
    label: (label, readonly) => view.dispatch({ effects: changing.reconfigure(attributes(label, readonly)) }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}
