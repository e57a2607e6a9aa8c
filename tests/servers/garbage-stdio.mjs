/** Garbage over stdio: `node garbage-stdio.mjs [<kind>] [then=answer] [era=handshake|modern]`; see `garbage-kinds.ts`. */
import { tsImport } from 'tsx/esm/api'

const { serveGarbage } = await tsImport('./era-stdio.ts', import.meta.url)
serveGarbage(process.argv.slice(2))
