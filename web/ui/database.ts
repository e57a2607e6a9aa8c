/** The page's databases. */
import { openDB, type DBSchema, type IDBPDatabase } from 'idb'

/**
 * Opens a database, and closes it when a later version of the page in another tab waits for it.
 * @param lost called when the database is closed or the browser removes it
 * @throws {Error} IndexedDB is missing or access is denied
 */
export const openDatabase = async <Schema extends DBSchema>(
  name: string,
  version: number,
  upgrade: (made: IDBPDatabase<Schema>) => void,
  lost: () => void = () => {},
): Promise<IDBPDatabase<Schema>> =>
  await openDB<Schema>(name, version, {
    upgrade,
    blocking: (_current, _blocked, event) => {
      ;(event.target as IDBDatabase).close()
      lost()
    },
    terminated: lost,
  })
