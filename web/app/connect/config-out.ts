/**
 * Writes servers as other clients configure them: `mcpServers`, which most of them read. What isn't stored is a
 * placeholder that they ask for or expand, and that `placeholders.ts` finds when the text comes back.
 */
import type { JsonObject } from '../../mcp/index.ts'
import { placeholderFor } from './placeholders.ts'
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'

interface NamedTarget {
  readonly name: string
  readonly target: Target
  readonly settings: Settings
}

/** An `mcp.json`, indented by two spaces. The second server of a name gets a number. */
export const mcpJson = (servers: readonly NamedTarget[]): string => {
  const entries: Record<string, JsonObject> = {}
  for (const { name, target, settings } of servers) {
    const entry = entryOf(target, settings)
    if (entry) entries[free(name, entries)] = entry
  }
  return `${JSON.stringify({ mcpServers: entries }, null, 2)}\n`
}

const free = (name: string, taken: Readonly<Record<string, unknown>>): string => {
  let [unique, number] = [name, 1]
  while (Object.hasOwn(taken, unique)) unique = `${name} ${++number}`
  return unique
}

/** `undefined` for the sample server, which exists only in this page, and for transports that other clients lack. */
const entryOf = (target: Target, { transport }: Settings): JsonObject | undefined => {
  switch (target.kind) {
    case 'sample':
    case 'custom':
      return undefined
    case 'url': {
      return {
        type: transport === 'http-sse' ? 'sse' : 'http',
        url: expandable(target.url),
        ...(target.headers.length > 0 ? { headers: filled(target.headers) } : {}),
      }
    }
    case 'command': {
      const { command, cwd } = target
      const env = Object.entries(target.env)
      return {
        command: expandable(command),
        args: target.args.map(expandable),
        ...(env.length > 0 ? { env: filled(env) } : {}),
        ...(cwd === undefined ? {} : { cwd: expandable(cwd) }),
      }
    }
  }
}

/** Only this page has environments: other clients read `{{api.key}}` from the variable `API_KEY` of their own. */
const expandable = (text: string): string =>
  text.replaceAll(/\{\{([A-Za-z_][\w.-]{0,63})\}\}/g, (_, name: string) => placeholderFor(name))

/** Values that aren't stored become placeholders. */
const filled = (pairs: readonly (readonly [name: string, value: string])[]): JsonObject =>
  Object.fromEntries(pairs.map(([name, value]) => [name, value === '' ? placeholderFor(name) : expandable(value)]))
