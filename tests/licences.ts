/** Which packages the page contains, according to its sources, and whether the build names the licence of each. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSource } from './source.ts'

/** Sources of the page; the others are loaded by tests only. */
const SOURCE = /(?<!\.(test|case|d))\.ts$|\.svelte$/

/** The packages that the page's sources import at run time. @param root folder of the project */
const imported = (root: string): Set<string> => {
  const names = new Set<string>()
  const web = join(root, 'web')
  for (const path of readdirSync(web, { recursive: true, encoding: 'utf8' })) {
    if (!SOURCE.test(path)) continue
    for (const { specifier, typeOnly } of parseSource(path, readFileSync(join(web, path), 'utf8')).imports) {
      if (typeOnly || /^(\.|node:|virtual:)/.test(specifier)) continue
      names.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    }
  }
  return names
}

/** Packages in the page whose licence the build doesn't name. @param root folder of the project, after a build */
export const unlicensed = (root: string): string[] => {
  const licences = readFileSync(join(root, 'dist/web/licences.txt'), 'utf8')
  const named = new Set([...licences.matchAll(/^--- (\S+) /gm)].map(([, name]) => name!))
  return [...imported(root)].filter((name) => !named.has(name)).sort()
}
