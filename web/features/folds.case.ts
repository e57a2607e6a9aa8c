/** Finds the folds that sources read with `server.state(toolsFold)`, resolved by import, whatever the local name. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Fold } from '../mcp/index.ts'

/** Path from `web/features`, with forward slashes -> source text. */
export type Sources = ReadonlyMap<string, string>

export const featureSources = (): Sources => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.(ts|svelte)$/.test(file) && !/\.(test|case)\.ts$/.test(file))
  return new Map(
    sources.map((file) => [file.split(sep).join('/'), readFileSync(join(import.meta.dirname, file), 'utf8')]),
  )
}

/** @returns name -> fold; `undefined` if the name isn't imported, so it can't be resolved */
export const foldsAskedFor = async (sources: Sources): Promise<Map<string, Fold<unknown> | undefined>> => {
  const found = new Map<string, Fold<unknown> | undefined>()
  for (const [path, text] of sources) {
    for (const [, name] of text.matchAll(/\.state\(\s*(\w+)\s*\)/g)) {
      // `fold` is the loop variable over lists such as COUNTED.
      if (name !== 'fold') found.set(name!, await imported(path, text, name!))
    }
  }
  return found
}

const imported = async (path: string, text: string, name: string): Promise<Fold<unknown> | undefined> => {
  for (const [, names, specifier] of text.matchAll(/import\s*\{([^}]*)\}\s*from\s*'(\.[^']*)'/g)) {
    const [exported] = names!.split(',').flatMap((each) => {
      const [from, local = from] = each.trim().split(' as ')
      return local === name ? [from!] : []
    })
    if (exported === undefined) continue
    const file = join(import.meta.dirname, dirname(path), specifier!)
    return ((await import(/* @vite-ignore */ file)) as Record<string, Fold<unknown>>)[exported]
  }
  return undefined
}
