/**
 * Every kind of garbage by name: what it is, the row of the checklist it breaks, and its bytes. Plain data, in Node and in
 * a page. `garbageUrl` sends it over HTTP, `garbage-stdio.mjs` over stdio:
 *
 *     <garbageUrl>/<anything>?kind=<name>   JSON where it is one text, else a stream; `&as=sse` makes it a stream always
 *     node garbage-stdio.mjs <name>         a line, or several
 *
 * Opening a session is well (`server/discover` and `initialize`); every request after that gets garbage. Two more
 * settings, in the query or as arguments: `then=answer` sends the true answer too, behind the garbage; `era=handshake` or
 * `era=modern` speaks one era alone. The kind `all` begins with the first, and takes the next for each request.
 */
import { envelopes } from './garbage/envelopes.ts'
import type { GarbageKinds } from './garbage/kind.ts'
import { results } from './garbage/results.ts'
import { strays } from './garbage/strays.ts'
import { texts } from './garbage/texts.ts'

export type { Asked, Garbage } from './garbage/kind.ts'

export const garbageKinds: GarbageKinds = { ...texts, ...envelopes, ...results, ...strays }
