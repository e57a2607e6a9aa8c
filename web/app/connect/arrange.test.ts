import { describe, expect, test } from 'vitest'
import type { Store } from '../../ui/index.ts'
import { ARRANGED_KEPT, loadRecent, saveRecent, type Arranged, type Recent } from '../remembered.ts'
import { bounded } from '../recent-bounds.ts'
import { withRecent } from '../storable.ts'
import { dropped, droppedGroup, inColour, inGroup, movedBy, movedGroup } from './arrange.ts'
import { mcpJson } from './config-out.ts'
import { sectionsOf } from './sections.ts'

const recent = (name: string, more: Arranged = {}, at = 1): Recent => ({
  name,
  target: { kind: 'url', url: `http://${name}.test/mcp`, headers: [] },
  dropped: [],
  settings: {},
  at,
  ...more,
})
const [a, b] = [recent('a'), recent('b')]
const [x, y, z] = [recent('x', { group: 'dev' }), recent('y', { group: 'dev' }), recent('z', { group: 'prod' })]
const list = [a, x, b, z, y]

/** As on screen: `a b | dev: x y | prod: z`. */
const shown = (items: readonly Recent[]): string =>
  sectionsOf(items)
    .map(({ group, recents }) => (group === undefined ? '' : `${group}: `) + recents.map(({ name }) => name).join(' '))
    .join(' | ')

const store = (text?: string): Store => {
  let held = text ?? null
  return { getItem: () => held, setItem: (_, value) => void (held = value), removeItem: () => void (held = null) }
}

describe('the arranged list of servers', () => {
  test('shows servers without a group first, then the groups in the order of their first servers', () => {
    expect(shown(list)).toBe('a b | dev: x y | prod: z')
    expect(sectionsOf([])).toEqual([])
  })

  test('a server moves within its section, and says where it is', () => {
    const moved = movedBy(list, x, 1)!
    expect(shown(moved.list)).toBe('a b | dev: y x | prod: z')
    expect(moved).toMatchObject({ place: 2, count: 2 })
    expect(movedBy(list, x, -1)).toBeUndefined()
    expect(movedBy(list, y, 1)).toBeUndefined()
    expect(movedBy(list, recent('unknown'), 1)).toBeUndefined()
  })

  test('a group moves among the groups, never above the servers without one', () => {
    const moved = movedGroup(list, 'prod', -1)!
    expect(shown(moved.list)).toBe('a b | prod: z | dev: x y')
    expect(moved).toMatchObject({ place: 1, count: 2 })
    expect(movedGroup(list, 'dev', -1)).toBeUndefined()
    expect(movedGroup(list, 'none', 1)).toBeUndefined()
  })

  test('a dropped group takes the place beside the group it was dropped on, with its servers in their order', () => {
    const three = [...list, recent('w', { group: 'test' })]
    expect(shown(droppedGroup(three, 'test', { group: 'dev', after: false }))).toBe(
      'a b | test: w | dev: x y | prod: z',
    )
    expect(shown(droppedGroup(three, 'dev', { group: 'prod', after: true }))).toBe('a b | prod: z | dev: x y | test: w')
    expect(droppedGroup(three, 'dev', { group: 'dev', after: true })).toBe(three)
    expect(droppedGroup(three, 'none', { group: 'dev', after: true })).toBe(three)
  })

  test('a dropped server takes the place and the group of where it was dropped', () => {
    expect(shown(dropped(list, a, { beside: y, after: false }))).toBe('b | dev: x a y | prod: z')
    expect(shown(dropped(list, x, { beside: b, after: true }))).toBe('a b x | dev: y | prod: z')
    expect(shown(dropped(list, z, { group: 'dev' }))).toBe('a b | dev: x y z')
    expect(dropped(list, a, { beside: a, after: true })).toBe(list)
  })

  test('group and colour are set and removed, and nothing else of the server changes', () => {
    expect(inColour(inGroup([a], a, 'dev'), a, 'red')).toEqual([{ ...a, group: 'dev' }])
    const both = inGroup(inColour([a], a, 'red'), a, undefined)
    expect(both).toEqual([{ ...a, colour: 'red' }])
    expect(inColour(both, both[0]!, undefined)).toEqual([a])
  })
})

describe('what is stored of it', () => {
  test('survives a reload, and values that are invalid or unknown are left out', () => {
    const kept = store()
    const arranged = recent('a', { group: 'dev', colour: 'pink', placed: true })
    saveRecent(kept, [arranged, b])
    expect(loadRecent(kept)).toEqual([arranged, b])
    const wrong = [
      { ...a, group: '  ', colour: 'url(x)', placed: 'yes' },
      { ...b, group: 'g'.repeat(41) },
    ]
    expect(loadRecent(store(JSON.stringify(wrong)))).toEqual([a, b])
    // Written by a page without groups.
    expect(loadRecent(store(JSON.stringify([a])))).toEqual([a])
  })

  test('a server listed twice is read once', () => {
    expect(loadRecent(store(JSON.stringify([a, { ...a, name: 'again' }, b])))).toEqual([a, b])
  })

  test('a server that connects again comes first, until the user has moved one', () => {
    const again = (items: readonly Recent[]) =>
      withRecent(items, { name: 'b', target: b.target, settings: {} }, 9).map(({ name }) => name)
    expect(again([a, b])).toEqual(['b', 'a'])
    expect(again([{ ...a, placed: true }, b])).toEqual(['a', 'b'])
  })

  test('a group that was moved keeps its place when a server connects again', () => {
    const again = (items: readonly Recent[]) =>
      shown(withRecent(items, { name: 'y', target: y.target, settings: {} }, 9))
    expect(again(movedGroup(list, 'prod', -1)!.list)).toBe('a b | prod: z | dev: x y')
    expect(again(droppedGroup(list, 'dev', { group: 'prod', after: true }))).toBe('a b | prod: z | dev: x y')
  })

  test('a server that connects again keeps its group, its colour and its place', () => {
    const arranged: Arranged = { group: 'dev', colour: 'blue', placed: true }
    const [now] = withRecent([recent('a', arranged)], { name: 'a', target: a.target, settings: {} }, 9)
    expect(now).toMatchObject({ ...arranged, at: 9 })
  })

  test('those that the user arranged outlast newer ones that nobody arranged', () => {
    const arranged = Array.from({ length: ARRANGED_KEPT }, (_, n) => recent(`own${n}`, { group: 'dev' }, 1))
    const others = Array.from({ length: 20 }, (_, n) => recent(`other${n}`, {}, 100 + n))
    const kept = store()
    saveRecent(kept, bounded([...others, ...arranged]))
    const names = loadRecent(kept).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('own'))).toHaveLength(ARRANGED_KEPT)
    // The latest of the others.
    expect(names.filter((name) => name.startsWith('other'))).toEqual(others.slice(8).map(({ name }) => name))
  })

  test('configurations for other clients contain none of it', () => {
    expect(mcpJson([recent('a', { group: 'secret group', colour: 'red', placed: true })])).toBe(mcpJson([a]))
  })
})
