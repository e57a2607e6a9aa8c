/** Maps as folds and registries use them: entries made on first use, and a limited number of entries. */

interface Entries<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/** The value of a key. If there is none, it is made and stored. */
export const getOrInsert = <Key, Value>(map: Entries<Key, Value>, key: Key, make: () => Value): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Stores a value, and drops the oldest entry if there are more than `most` then. */
export const setBounded = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): void => {
  map.set(key, value)
  if (map.size > most) map.delete(map.keys().next().value!)
}
