/**
 * A server on the official SDK v2 over stdio: `node modern-stdio.mjs [modern]`. By default it supports 2026-07-28 and
 * the handshake, depending on the first message; `modern` rejects the handshake.
 */
import { tsImport } from 'tsx/esm/api'

const { serve } = await tsImport('./modern-stdio.ts', import.meta.url)
serve(process.argv[2])
