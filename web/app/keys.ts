/** Keyboard shortcuts for the whole page, as a table and a small state machine for key sequences (`g` `t`). */

export interface Pressed {
  readonly key: string
  /** Control, or Command on a Mac. */
  readonly mod: boolean
  readonly alt: boolean
  readonly shift: boolean
  /** The focus is in a text input, so plain keys belong to it. */
  readonly typing: boolean
}

export type Action =
  | { readonly do: 'trace' | 'help' | 'filter' | 'home' | 'palette' | 'bookmark' }
  | { readonly do: 'feature'; readonly id: string }
  | { readonly do: 'server'; readonly index: number }
  | { readonly do: 'pane'; readonly pane: 'form' | 'result' }
  /** To the next or previous row of a list, or the next or previous pane. */
  | { readonly do: 'row' | 'next-pane'; readonly step: 1 | -1 }

export interface KeyState {
  /** `g` was pressed; its second key is accepted until this time (ms). */
  readonly goUntil: number
}

export const NO_KEY: KeyState = { goUntil: 0 }

/** ms between the two keys of a sequence. */
const SEQUENCE = 1_200

/** Keys that act by themselves, outside text fields. */
const PLAIN: ReadonlyMap<string, Action> = new Map([
  ['`', { do: 'trace' }],
  ['?', { do: 'help' }],
  ['b', { do: 'bookmark' }],
  ['/', { do: 'filter' }],
  ['f', { do: 'pane', pane: 'form' }],
  ['r', { do: 'pane', pane: 'result' }],
  ['j', { do: 'row', step: 1 }],
  ['k', { do: 'row', step: -1 }],
])

/**
 * @param features keys after `g`, and the features they open
 * @param now ms of any clock
 */
export const press = (
  state: KeyState,
  pressed: Pressed,
  features: readonly { readonly key: string; readonly id: string }[],
  now: number,
): { readonly state: KeyState; readonly action?: Action } => {
  const { key, mod, alt, shift, typing } = pressed
  // Also works inside text fields. Ctrl+T would be more obvious but belongs to the browser.
  if (mod && !alt && key === '`') return { state: NO_KEY, action: { do: 'trace' } }
  if (mod && !alt && key.toLowerCase() === 'k') return { state: NO_KEY, action: { do: 'palette' } }
  // As in other windows with panes. It leaves text fields, which other keys can't.
  if (!mod && !alt && key === 'F6') return { state: NO_KEY, action: { do: 'next-pane', step: shift ? -1 : 1 } }
  if (mod || alt || typing) return { state: NO_KEY }
  if (now < state.goUntil) {
    const feature = features.find((item) => item.key === key)
    if (feature) return { state: NO_KEY, action: { do: 'feature', id: feature.id } }
    if (key === 'n') return { state: NO_KEY, action: { do: 'home' } }
    if (/^[1-9]$/.test(key)) return { state: NO_KEY, action: { do: 'server', index: Number(key) - 1 } }
    return { state: NO_KEY }
  }
  if (key === 'g') return { state: { goUntil: now + SEQUENCE } }
  const action = PLAIN.get(key)
  return { state: NO_KEY, ...(action ? { action } : {}) }
}
