/**
 * Every kind of garbage by name: what it is, the checklist row it violates, and its bytes. Plain data, for Node and
 * pages. `garbageUrl` sends it over HTTP, `garbage-stdio.mjs` over stdio:
 *
 *     <garbageUrl>/<anything>?kind=<name>   JSON for a single text, else a stream; `&as=sse` always makes it a stream
 *     node garbage-stdio.mjs <name>         one or more lines
 *
 * Opening a session works (`server/discover` and `initialize`); every later request gets garbage. Two more settings, in
 * the query or as arguments: `then=answer` also sends the correct response, after the garbage; `era=handshake` or
 * `era=modern` supports one lifecycle only. The kind `all` starts with the first kind and takes the next one for each
 * request.
 */
import { envelopes } from './garbage/envelopes.ts'
import type { GarbageKinds } from './garbage/kind.ts'
import { results } from './garbage/results.ts'
import { strays } from './garbage/strays.ts'
import { texts } from './garbage/texts.ts'

export type { Asked, Garbage } from './garbage/kind.ts'

export const garbageKinds: GarbageKinds = { ...texts, ...envelopes, ...results, ...strays }
