/**
 * Moves the keyboard focus between the panes of the window. An element says with `data-pane` which pane it is, so that
 * shortcuts work for every feature.
 */

/** A list of items, the selected item with its form, its result, and the panel at the bottom. */
type Pane = 'list' | 'form' | 'result' | 'panel'

/** ms in which a pane appears completely; also on a slow machine, which loads it first. */
const PATIENCE = 2_000

const ROWS = '[role=listbox], [role=tree], [role=grid], [role=treegrid]'
/** Where work goes on in a pane: the first visible element of the first selector that has one. */
const TARGETS: Readonly<Record<Pane, readonly string[]>> = {
  list: [ROWS, 'input'],
  form: ['.body :is(input, textarea, select, [contenteditable=true])', '.btn.go', '.btn', '.scroll'],
  result: ['.scroll'],
  panel: [ROWS, '[role=tab][aria-selected=true]'],
}

const usable = (element: HTMLElement): boolean =>
  element.checkVisibility() && (element.tabIndex >= 0 || element.isContentEditable) && !element.matches(':disabled')

const visiblePanes = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-pane]')].filter((pane) => pane.checkVisibility())

const targetIn = (pane: HTMLElement | undefined): HTMLElement | undefined =>
  TARGETS[pane?.dataset['pane'] as Pane]?.flatMap((selector) =>
    [...pane!.querySelectorAll<HTMLElement>(selector)].filter(usable).slice(0, 1),
  )[0]

const targetOf = (name: Pane): HTMLElement | undefined =>
  targetIn(visiblePanes().find(({ dataset }) => dataset['pane'] === name))

const focusOn = (target: HTMLElement | undefined): boolean => {
  target?.focus()
  return target !== undefined
}

/** @returns false: there is no such pane now, and the focus stays where it is */
export const focusPane = (name: Pane): boolean => focusOn(targetOf(name))

/**
 * Focuses a pane that is about to appear, such as the form of an item that was just chosen, unless the user acts first.
 * Its fields may come after its buttons, so a better target that appears later takes the focus over.
 */
export const focusPaneSoon = (name: Pane): void => {
  const until = performance.now() + PATIENCE
  const left = new AbortController()
  for (const event of ['keydown', 'pointerdown'])
    addEventListener(event, () => left.abort(), { capture: true, signal: left.signal })
  let focused: HTMLElement | undefined
  const attempt = () => {
    if (left.signal.aborted) return
    const target = targetOf(name)
    if (target && target !== focused) (focused = target).focus()
    if (performance.now() > until) left.abort()
    else requestAnimationFrame(attempt)
  }
  requestAnimationFrame(attempt)
}

/** Focuses the next or previous visible pane, in document order; the first follows the last. @returns as `focusPane` */
export const focusNextPane = (step: 1 | -1): boolean => {
  const panes = visiblePanes()
  const at = panes.findLastIndex((pane) => pane.contains(document.activeElement))
  for (let moved = 1; moved <= panes.length; moved++) {
    const from = at < 0 && step < 0 ? 0 : at
    if (focusOn(targetIn(panes[(from + step * moved + panes.length * 2) % panes.length]))) return true
  }
  return false
}

/** Moves to the next or previous row of the panel that has the focus, otherwise of the first list. @returns as `focusPane` */
export const stepInList = (step: 1 | -1): boolean => {
  const panes = visiblePanes()
  const focused = panes.findLast((pane) => pane.contains(document.activeElement))
  const pane = focused?.dataset['pane'] === 'panel' ? focused : panes.find(({ dataset }) => dataset['pane'] === 'list')
  const rows = [...(pane?.querySelectorAll<HTMLElement>(ROWS) ?? [])].find(usable)
  if (!rows) return false
  rows.focus()
  // Lists know which of their rows can be selected, and their arrow keys skip the others.
  const key = step > 0 ? 'ArrowDown' : 'ArrowUp'
  rows.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  return true
}
