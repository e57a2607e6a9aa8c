/**
 * A server on the official SDKs over stdio with everything in `versed/tools.ts`: `node versed-stdio.mjs [newest]`,
 * where `newest` is the newest protocol version it supports; v1 serves those before 2026-07-28, v2 that one.
 */
import { tsImport } from 'tsx/esm/api'

const { serve } = await tsImport('./versed-stdio.ts', import.meta.url)
await serve(process.argv[2])
