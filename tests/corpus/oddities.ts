/**
 * Observed behaviour of published servers, and the evidence that Periscope copes with it: servers of the corpus that
 * end as expected (`npm run corpus`), and tests. Numbers refer to the list of observations. The last one holds what no
 * published server showed, so only our own servers can cover it.
 *
 * `oddities.test.ts` fails if a file, a title, a row or a server isn't found.
 */
import { whileConnecting } from './oddities-connecting.ts'
import { overHttp } from './oddities-http.ts'
import { inLists } from './oddities-lists.ts'
import type { Oddity } from './oddity.ts'

export const oddities: readonly Oddity[] = [...whileConnecting, ...inLists, ...overHttp]
