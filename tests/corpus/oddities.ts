/**
 * What published servers were seen to do, and what shows that Periscope copes: servers of the corpus, which end as
 * expected (`npm run corpus`), and tests. Numbers are those of the list of observations; the last one holds what no
 * server was seen to do, so that only servers of our own can show it.
 *
 * `oddities.test.ts` fails on a file, a title or a row that is not there, and on a server that is not in the corpus.
 */
import { whileConnecting } from './oddities-connecting.ts'
import { overHttp } from './oddities-http.ts'
import { inLists } from './oddities-lists.ts'
import type { Oddity } from './oddity.ts'

export const oddities: readonly Oddity[] = [...whileConnecting, ...inLists, ...overHttp]
