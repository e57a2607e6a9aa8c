/** How the list of servers is arranged: Alt with the arrow keys, dragging, and collapsed groups. Loaded after the first screen. */
import { browserStorage, type Store } from '../../ui/index.ts'
import { ARRANGED_KEPT, COLLAPSED, collapsedIn, write, type Recent } from '../remembered.ts'
import type { Drop, GroupDrop } from './arrange.ts'
import type { Section } from './sections.ts'

interface Arranging {
  /** @param moved a server, or a whole group */
  move(moved: Recent | string, by: 1 | -1): void
  drop(recent: Recent, at: Drop): void
  dropGroup(group: string, at: GroupDrop): void
}

/** Remembers whether a group is collapsed. */
export const collapse = (store: Store, group: string, collapsed: boolean): void =>
  write(
    store,
    COLLAPSED,
    [...collapsedIn(store).filter((other) => other !== group), ...(collapsed ? [group] : [])].slice(-ARRANGED_KEPT),
  )

/**
 * Listens on the list. Its rows are `li`, and the headings of groups `summary`, in the order of the sections.
 * @returns stops listening
 */
export const arrangeable = (list: Element, sections: () => readonly Section[], act: Arranging): (() => void) => {
  let dragged: Recent | string | undefined
  let marked: Element | undefined
  const groups = (): readonly string[] => sections().flatMap(({ group }) => group ?? [])

  const at = ({ target }: Event): { readonly element: Element; readonly is: Recent | string } | undefined => {
    const element = target instanceof Element ? target.closest('li, summary') : null
    if (!element) return undefined
    const place = [...list.querySelectorAll(element.localName)].indexOf(element)
    const is = element.localName === 'li' ? sections().flatMap(({ recents }) => recents)[place] : groups()[place]
    return is === undefined ? undefined : { element, is }
  }
  /** The whole group that the pointer is over. */
  const groupAt = ({ target }: Event): { readonly element: Element; readonly name: string } | undefined => {
    const element = target instanceof Element ? target.closest('details') : null
    const name = element && groups()[[...list.querySelectorAll('details')].indexOf(element)]
    return element && name !== undefined && name !== null ? { element, name } : undefined
  }
  const mark = (element: Element | undefined, side = '') => {
    marked?.removeAttribute('data-over')
    marked = element
    marked?.setAttribute('data-over', side)
  }
  const end = () => {
    dragged = undefined
    mark(undefined)
  }
  const isAfter = (element: Element, { clientY }: DragEvent): boolean => {
    const { top, height } = element.getBoundingClientRect()
    return clientY > top + height / 2
  }

  const handlers: Partial<{ [Name in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[Name]) => void }> = {
    keydown: (event) => {
      const by = event.altKey && ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key]
      const row = by && at(event)
      if (!by || !row) return
      event.preventDefault()
      act.move(row.is, by)
    },
    dragstart: (event) => {
      const row = at(event)
      dragged = row?.is
    },
    dragover: (event) => {
      if (typeof dragged === 'string') {
        const group = groupAt(event)
        if (!group) return
        event.preventDefault()
        return mark(group.element, isAfter(group.element, event) ? 'after' : 'before')
      }
      const row = dragged && at(event)
      if (!row) return
      event.preventDefault()
      mark(row.element, typeof row.is === 'string' ? 'into' : isAfter(row.element, event) ? 'after' : 'before')
    },
    drop: (event) => {
      if (typeof dragged === 'string') {
        const group = groupAt(event)
        if (!group) return
        event.preventDefault()
        act.dropGroup(dragged, { group: group.name, after: isAfter(group.element, event) })
        return end()
      }
      const row = at(event)
      if (!dragged || !row) return
      event.preventDefault()
      const { is, element } = row
      act.drop(dragged, typeof is === 'string' ? { group: is } : { beside: is, after: isAfter(element, event) })
      end()
    },
    dragend: end,
  }
  const toggled = ({ target }: Event) => {
    const place = [...list.querySelectorAll('details')].indexOf(target as HTMLDetailsElement)
    const group = groups()[place]
    if (group !== undefined) collapse(browserStorage('local'), group, !(target as HTMLDetailsElement).open)
  }
  for (const [name, handler] of Object.entries(handlers)) list.addEventListener(name, handler as EventListener)
  // It doesn't bubble.
  list.addEventListener('toggle', toggled, true)
  list.setAttribute('data-arrangeable', '')
  return () => {
    list.removeAttribute('data-arrangeable')
    list.removeEventListener('toggle', toggled, true)
    for (const [name, handler] of Object.entries(handlers)) list.removeEventListener(name, handler as EventListener)
  }
}
