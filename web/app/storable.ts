/** Writes the data that `remembered.ts` reads, without secrets. Loaded after the first screen, which stores nothing. */
import type { Store } from '../ui/index.ts'
import type { EraId } from '../mcp/index.ts'
import { isReferences } from '../secrets/index.ts'
import { withoutSecrets, type Target } from './connect/index.ts'
import { bounded } from './recent-bounds.ts'
import { keyOf, SERVERS, write, type Arranged, type Found, type Recent, type SavedServer } from './remembered.ts'

export { passTyped, storedDraft, valuesToKeep } from './connect/index.ts'

/** Puts a server first, unless the user has arranged the list and it has a place there; each target is listed only once. */
export const withRecent = (
  recent: readonly Recent[],
  {
    name,
    given,
    target: full,
    settings,
    asIs,
    linked,
  }: Omit<Recent, 'dropped' | 'at' | 'found' | 'ended' | keyof Arranged>,
  at: number,
): Recent[] => {
  const { target, dropped } = withoutSecrets(full)
  const key = keyOf(target)
  const named = given ? { given } : {}
  const before = recent.find((item) => keyOf(item.target) === key)
  const { found, ended, group, colour, placed } = before ?? {}
  const known = {
    ...(found ? { found } : {}),
    ...(ended ? { ended } : {}),
    ...(group === undefined ? {} : { group }),
    ...(colour ? { colour } : {}),
    ...(placed ? { placed } : {}),
  }
  const now: Recent = {
    name,
    ...named,
    target,
    dropped,
    settings,
    at,
    ...literal(asIs),
    ...marked(linked, target),
    ...known,
  }
  const hasPlace = before && recent.some((item) => item.placed)
  return bounded(
    hasPlace
      ? recent.map((item) => (item === before ? now : item))
      : [now, ...recent.filter((item) => keyOf(item.target) !== key)],
  )
}

/**
 * Remembers what a visit found, or how it ended.
 *
 * @param ended absent: it goes on
 * @returns `undefined` if nothing changes
 */
export const withVisit = (
  recent: readonly Recent[],
  target: Target,
  { found, ended }: Pick<Recent, 'found' | 'ended'>,
): readonly Recent[] | undefined => {
  const key = storedKeyOf(target)
  const before = recent.find((item) => keyOf(item.target) === key)
  if (!before || (before.ended === ended && (!found || isSame(before.found, found)))) return undefined
  const { ended: _, ...rest } = before
  const after = { ...rest, ...(found ? { found } : {}), ...(ended ? { ended } : {}) }
  return recent.map((item) => (item === before ? after : item))
}

/** Other placeholders are asked for again. */
const literal = (asIs: readonly string[] = []): Pick<Recent, 'asIs'> => {
  const references = asIs.filter(isReferences)
  return references.length > 0 ? { asIs: references } : {}
}

/** Only where it matters: without references to variables, nothing of an environment is inserted. */
const marked = (linked: true | undefined, target: Target): Pick<Recent, 'linked'> =>
  linked && JSON.stringify(target).includes('{{') ? { linked } : {}

const isSame = (one: Found | undefined, { tools, problems, version, changes }: Found): boolean =>
  one?.tools === tools && one.problems === problems && one.version === version && one.changes === changes

export const saveServers = (
  store: Store,
  servers: readonly (Omit<SavedServer, 'dropped' | 'launch' | 'era'> & {
    readonly launch: boolean
    readonly era?: EraId | undefined
  })[],
): void =>
  write(
    store,
    SERVERS,
    servers.map(({ link, name, base, given, target, launch, settings, era, asIs, linked }) => ({
      link,
      name,
      ...(base === undefined ? {} : { base }),
      ...(given ? { given } : {}),
      ...withoutSecrets(target),
      ...(launch ? { launch } : {}),
      settings,
      ...(era ? { era } : {}),
      ...literal(asIs),
      ...(linked ? { linked } : {}),
    })),
  )

/** The key of the target without its secrets. */
export const storedKeyOf = (target: Target): string => keyOf(withoutSecrets(target).target)
