/**
 * The filters that a list of resources offers: by kind of MIME type, declared size, and annotations. Only values that
 * occur in the list are offered.
 */
import { getOrInsert, isObject, type Json } from '../../mcp/index.ts'
import { essenceOf } from '../../content/index.ts'
import type { ResourceItem } from './resources-fold.ts'

const KINDS = ['type', 'size', 'audience', 'priority'] as const
type ChipKind = (typeof KINDS)[number]

const TYPES = ['text', 'json', 'image', 'audio', 'video', 'other', 'none'] as const
export type TypeGroup = (typeof TYPES)[number]

const SIZES = ['small', 'medium', 'large', 'unknown'] as const
export type SizeGroup = (typeof SIZES)[number]

/** Bytes up to which a resource is small, and medium. */
export const SMALL = 10_000
export const MEDIUM = 1_000_000

/** Priorities offered, if the list has more than as many. */
const PRIORITIES = [0.9, 0.7, 0.5, 0.3]

/** A filter. Several of one kind find what has any of them; those of different kinds narrow each other. */
export type Chip = {
  /** Unique in the list, and the same for every list. */
  readonly id: string
  /** The number of resources that it finds on its own. */
  readonly count: number
} & (
  | { readonly kind: 'type'; readonly value: TypeGroup }
  | { readonly kind: 'size'; readonly value: SizeGroup }
  /** A role, as the server wrote it. */
  | { readonly kind: 'audience'; readonly value: string }
  /** The least priority, from 0 to 1. */
  | { readonly kind: 'priority'; readonly value: number }
)

const typeOf = ({ mime }: ResourceItem): TypeGroup => {
  const essence = essenceOf(mime)
  if (essence === '') return 'none'
  if (/[/+]json$/.test(essence)) return 'json'
  const group = essence.split('/', 1)[0]
  return TYPES.find((type) => type === group && type !== 'json' && type !== 'other' && type !== 'none') ?? 'other'
}

const sizeOf = ({ size }: ResourceItem): SizeGroup =>
  size === undefined ? 'unknown' : size <= SMALL ? 'small' : size <= MEDIUM ? 'medium' : 'large'

const annotationsIn = ({ raw }: ResourceItem) => (isObject(raw) && isObject(raw.annotations) ? raw.annotations : {})

const audienceOf = (item: ResourceItem): readonly string[] => {
  const { audience } = annotationsIn(item)
  if (!Array.isArray(audience)) return []
  return (audience as readonly Json[]).filter((who) => who === 'user' || who === 'assistant')
}

const priorityOf = (item: ResourceItem): number | undefined => {
  const { priority } = annotationsIn(item)
  return typeof priority === 'number' && priority >= 0 && priority <= 1 ? priority : undefined
}

/** In the order in which they are shown. A kind that can't tell the resources apart isn't offered. */
export const chipsOf = (items: readonly ResourceItem[]): readonly Chip[] => {
  const types = new Map<TypeGroup, number>()
  const sizes = new Map<SizeGroup, number>()
  const audiences = new Map<string, number>()
  const priorities = new Map<number, number>()
  const add = <Value>(counts: Map<Value, number>, value: Value) =>
    counts.set(value, getOrInsert(counts, value, () => 0) + 1)
  for (const item of items) {
    add(types, typeOf(item))
    add(sizes, sizeOf(item))
    for (const role of new Set(audienceOf(item))) add(audiences, role)
    const priority = priorityOf(item)
    if (priority !== undefined) add(priorities, priority)
  }
  const occurring = [...priorities.keys()].sort((one, other) => other - one)
  const offered = occurring.length > PRIORITIES.length ? PRIORITIES : occurring
  const atLeast = (least: number) =>
    occurring.reduce((sum, value) => sum + (value >= least ? priorities.get(value)! : 0), 0)
  const chips: readonly (readonly Chip[])[] = [
    TYPES.filter((type) => types.has(type)).map((value) => chip('type', value, types.get(value)!)),
    SIZES.filter((size) => sizes.has(size)).map((value) => chip('size', value, sizes.get(value)!)),
    [...audiences].sort().map(([value, count]) => chip('audience', value, count)),
    offered.map((value) => chip('priority', value, atLeast(value))).filter(({ count }) => count > 0),
  ]
  return chips.flatMap((group) => (group.some(({ count }) => count < items.length) ? group : []))
}

const chip = (kind: ChipKind, value: string | number, count: number): Chip =>
  ({ id: `${kind} ${value}`, kind, value, count }) as Chip

/** @param chosen ids of chips; those that no resource of the list has find nothing */
export const filterByChips = (items: readonly ResourceItem[], chosen: ReadonlySet<string>): readonly ResourceItem[] => {
  const kinds = KINDS.filter((kind) => [...chosen].some((id) => id.startsWith(`${kind} `)))
  if (kinds.length === 0) return items
  const least = Math.min(...[...chosen].filter((id) => id.startsWith('priority ')).map((id) => Number(id.slice(9))))
  const fits: Readonly<Record<ChipKind, (item: ResourceItem) => boolean>> = {
    type: (item) => chosen.has(`type ${typeOf(item)}`),
    size: (item) => chosen.has(`size ${sizeOf(item)}`),
    audience: (item) => audienceOf(item).some((role) => chosen.has(`audience ${role}`)),
    priority: (item) => (priorityOf(item) ?? -1) >= least,
  }
  return items.filter((item) => kinds.every((kind) => fits[kind](item)))
}
