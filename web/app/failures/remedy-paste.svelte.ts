/** Commands and headers to paste, below the remedies that name them. */
import { corsPolicy, policyLines, type Reach } from '../../doctor/index.ts'
import { commandLine, quote, type Target } from '../connect/index.ts'
import { missingHeaders } from './labels.svelte.ts'
import type { Remedy } from './verdict.ts'

/** Remedies that need all permissions. */
const PERMITTED: readonly Remedy[] = ['allow-page', 'allow-origin', 'allow-options', 'allow-messages']

/** What every MCP server must allow, and the credentials of most. */
const permission = () =>
  policyLines(corsPolicy([], { origin: location.origin, method: 'POST', headers: ['authorization'] })).join('\n')

/** The text to paste, for remedies that have one. */
export const remedyPaste = (remedy: Remedy, target: Target, reach: Reach | undefined): string | undefined => {
  if (remedy === 'run-by-hand' && target.kind === 'command') return commandLine(target.command, target.args)
  if (remedy === 'is-it-running' && target.kind === 'url') return `curl -i ${quote(target.url)}`
  if (remedy === 'start-proxy' && target.kind === 'command')
    return `npx mcp-periscope -- ${commandLine(target.command, target.args)}`
  if (remedy === 'start-proxy' && target.kind === 'custom') return `npx mcp-periscope ${quote(target.url)}`
  if (remedy === 'restart-proxy' || remedy === 'start-relay' || remedy === 'run-proxy') return 'npx mcp-periscope'
  if (PERMITTED.includes(remedy)) return permission()
  if (remedy === 'allow-headers' && reach?.is === 'headers')
    return `Access-Control-Allow-Headers: ${missingHeaders(reach)}`
  if (remedy === 'expose-session') return 'Access-Control-Expose-Headers: Mcp-Session-Id'
  return remedy === 'allow-response' ? `Access-Control-Allow-Origin: ${location.origin}` : undefined
}
