/**
 * Digests of the tokens that any tab replaced last, in IndexedDB, so that a refresh token is used once (AU-TOK-04). A
 * tab that is granted a Web Lock may still read `localStorage` as it was before the previous holder wrote to it:
 * Chromium sends such changes to other processes later. A completed IndexedDB transaction is visible to all of them.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { hexOf, sha256 } from '../../mcp/web-crypto.ts'
import { openDatabase } from '../../ui/index.ts'
import type { TokenSet } from '../model/index.ts'

export interface ReplacedTokens {
  /** Whether a tab has replaced these; false if that can't be found out. Never rejects. */
  has(tokens: TokenSet): Promise<boolean>
  /** Resolves once all tabs can see it. Never rejects. */
  add(tokens: TokenSet): Promise<void>
}

interface Schema extends DBSchema {
  digests: { key: string; value: readonly string[] }
}

const DATABASE = 'periscope-replaced-tokens'
const ID = 'newest-last'
/** A tab is late by one exchange, or a few. */
const MOST = 64

/** Shared by all tabs. If access to IndexedDB is denied, nothing counts as replaced. */
export const replacedTokens: ReplacedTokens = {
  has: async (tokens) => {
    const digest = await digestOf(tokens)
    const digests = await use(async (database) => await database.get('digests', ID))
    return digests?.includes(digest) ?? false
  },
  add: async (tokens) => {
    const digest = await digestOf(tokens)
    await use(async (database) => {
      const change = database.transaction('digests', 'readwrite')
      const digests = (await change.store.get(ID)) ?? []
      await change.store.put([...digests, digest].slice(-MOST), ID)
      await change.done
    })
  },
}

const use = async <Result>(work: (database: IDBPDatabase<Schema>) => Promise<Result>): Promise<Result | undefined> => {
  try {
    const database = await openDatabase<Schema>(DATABASE, 1, (made) => void made.createObjectStore('digests'))
    return await work(database).finally(() => database.close())
  } catch {
    return undefined
  }
}

const digestOf = async ({ accessToken, refreshToken = '' }: TokenSet): Promise<string> =>
  hexOf(await sha256(JSON.stringify([accessToken, refreshToken])))
