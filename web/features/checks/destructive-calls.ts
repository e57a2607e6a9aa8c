/** Which tools in a run claim to be destructive, and the connections that receive the calls. */
import type { Link } from '../../mcp/index.ts'
import type { Step } from '../../replay/index.ts'
import type { ServerView } from '../feature.ts'
import { subjectOf } from './steps-edit.ts'

type Target = Pick<ServerView, 'link' | 'name'>

export interface DestructiveCalls {
  readonly tools: readonly string[]
  /** Names of the connections that receive such a call; others are left out. */
  readonly servers: readonly string[]
}

export const destructiveCalls = <Server extends Target>(
  steps: readonly Step[],
  targetOf: (link: Link) => Server | undefined,
  destructiveOf: (server: Server) => ReadonlySet<string>,
): DestructiveCalls => {
  const tools = new Set<string>()
  const servers = new Map<Link, string>()
  const known = new Map<Link, ReadonlySet<string>>()
  for (const step of steps) {
    const target = targetOf(step.link)
    if (!target || step.skip || step.method !== 'tools/call') continue
    let destructive = known.get(target.link)
    if (!destructive) known.set(target.link, (destructive = destructiveOf(target)))
    if (!destructive.has(subjectOf(step))) continue
    tools.add(subjectOf(step))
    servers.set(target.link, target.name)
  }
  return { tools: [...tools], servers: [...servers.values()] }
}
