/**
 * A stdio server of one kind: `node era-stdio.mjs <kind>`; without a kind, it lists all. They are defined in
 * `eras/kinds.ts`.
 */
import { tsImport } from 'tsx/esm/api'

const { serve } = await tsImport('./era-stdio.ts', import.meta.url)
serve(process.argv[2])
