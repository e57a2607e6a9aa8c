import { describe, expect, test } from 'vitest'
import {
  afterClick,
  bounded,
  choiceFrom,
  COLUMNS,
  type ColumnId,
  isHideable,
  layoutOf,
  NO_CHOICE,
  withShown,
  withWidth,
} from './columns.ts'

const tracksOf = (text: string): string[] => text.match(/minmax\(\S+ \S+|\S+/g) ?? []

describe('the layout of a list', () => {
  test('has one track for each column, in every width, with every choice', () => {
    for (const view of ['exchanges', 'frames'] as const) {
      for (const several of [true, false]) {
        for (const { id } of COLUMNS) {
          const choice = withShown(withWidth(NO_CHOICE, 'size', 90), id, false)
          const { columns, shown, tracks } = layoutOf(view, several, choice)
          expect([...shown]).toEqual(columns.map((column) => column.id))
          expect(tracksOf(tracks.wide)).toHaveLength(columns.length)
          expect(tracksOf(tracks.tight)).toHaveLength(columns.length)
          // Where the styles hide columns, the others have a track each.
          const left = (size: 'small' | 'phone') =>
            columns.filter((column) => column.width === undefined || column[size] !== undefined)
          expect(tracksOf(tracks.small)).toHaveLength(left('small').length)
          expect(tracksOf(tracks.phone)).toHaveLength(left('phone').length)
        }
      }
    }
  })

  test('has a server only if there are several, and a waterfall only beside exchanges', () => {
    expect(layoutOf('frames', false, NO_CHOICE).shown).not.toContain('server')
    expect(layoutOf('frames', true, NO_CHOICE).shown).toContain('server')
    expect(layoutOf('frames', true, NO_CHOICE).shown).not.toContain('waterfall')
    expect(layoutOf('exchanges', false, NO_CHOICE).shown).toContain('waterfall')
  })

  test('keeps chosen widths out of the compact columns of a phone', () => {
    const { tracks } = layoutOf('frames', false, withWidth(NO_CHOICE, 'status', 300))
    expect(tracks.wide).toContain('300px')
    expect(tracks.small).not.toContain('300px')
    expect(tracks.phone).toBe('calc(26*var(--text-px)) minmax(0, 1fr) calc(96*var(--text-px)) calc(84*var(--text-px))')
  })

  test('always shows what a row is about', () => {
    const hidden = COLUMNS.reduce((choice, { id }) => withShown(choice, id, false), NO_CHOICE)
    expect([...layoutOf('exchanges', true, hidden).shown]).toEqual(['what'])
  })
})

describe('a choice', () => {
  test('of another width is bounded by what can be read, and by the room there is', () => {
    expect(bounded('status', 1)).toBe(40)
    expect(bounded('status', 99_999)).toBe(800)
    expect(bounded('status', 300, 200)).toBe(200)
    expect(bounded('status', 120.4)).toBe(120)
  })

  test('can be taken back', () => {
    expect(withWidth(withWidth(NO_CHOICE, 'size', 90), 'size', undefined)).toEqual(NO_CHOICE)
    expect(withShown(withShown(NO_CHOICE, 'size', false), 'size', true)).toEqual(NO_CHOICE)
  })

  test('is read back as it was stored', () => {
    const choice = {
      ...withShown(withWidth(NO_CHOICE, 'size', 90), 'took', false),
      sort: { by: 'duration', down: true },
    } as const
    expect(choiceFrom(JSON.parse(JSON.stringify(choice)))).toEqual(choice)
  })

  test.each([
    undefined,
    null,
    7,
    'x',
    [],
    { widths: [], hidden: {}, sort: 'time' },
    { widths: { nothing: 3, size: 'wide', took: null }, hidden: ['nothing', 'what', 3], sort: { by: 'x', down: true } },
    { sort: { by: 'size' } },
    { sort: { down: true } },
  ])('that was stored as %j changes nothing', (stored) => {
    expect(choiceFrom(stored)).toEqual(NO_CHOICE)
  })

  test('can hide all but one', () => {
    expect(COLUMNS.filter((column) => !isHideable(column)).map(({ id }): ColumnId => id)).toEqual(['what'])
  })
})

test('clicks on a header sort up, down, and in order of time again', () => {
  const up = afterClick(undefined, 'size')
  expect(up).toEqual({ by: 'size', down: false })
  const down = afterClick(up, 'size')
  expect(down).toEqual({ by: 'size', down: true })
  expect(afterClick(down, 'size')).toBeUndefined()
  expect(afterClick(down, 'status')).toEqual({ by: 'status', down: false })
  expect(afterClick(undefined, 'time')).toEqual({ by: 'time', down: true })
  expect(afterClick({ by: 'time', down: true }, 'time')).toBeUndefined()
})
