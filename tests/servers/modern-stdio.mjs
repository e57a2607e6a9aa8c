/**
 * A server on the official SDK v2 over stdio: `node modern-stdio.mjs [modern]`. By itself it serves 2026-07-28 and the
 * handshake, by what the first message is; `modern` refuses the handshake.
 */
import { tsImport } from 'tsx/esm/api'

const { serve } = await tsImport('./modern-stdio.ts', import.meta.url)
serve(process.argv[2])
