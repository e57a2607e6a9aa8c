/** The head of the live session: its time, its tool and its servers, without secrets. */
import type { RecordedServer, RecordedTarget, HeadDraft } from '../../session-file/index.ts'
import type { Connection } from '../server/index.ts'
import type { Link, Trace } from '../../mcp/index.ts'
import { withoutSecrets, type Target } from '../connect/index.ts'

interface Bench {
  readonly trace: Trace
  readonly servers: readonly {
    readonly link: Link
    readonly name: string
    readonly target: Target
    readonly transport: string | undefined
  }[]
  connectionOf(link: Link): Connection | undefined
}

/** @param version the page's version */
export const liveHead = (bench: Bench, version: string): HeadDraft => ({
  begunAt: new Date(bench.trace.begunAt).toISOString(),
  tool: { name: 'mcp-periscope', version },
  // The trace has no frames of servers that were never connected.
  servers: bench.servers.filter(({ link }) => bench.connectionOf(link) !== undefined).map(recorded),
})

const recorded = ({ link, name, target, transport }: Bench['servers'][number]): RecordedServer => ({
  link,
  name,
  ...(transport === undefined ? {} : { transport }),
  target: recordedTarget(target),
})

/**
 * Keeps the names of headers and variables, but not their values, nor anything in URLs and arguments that looks secret.
 */
const recordedTarget = (full: Target): RecordedTarget => {
  const { target } = withoutSecrets(full)
  switch (target.kind) {
    case 'url':
      return { kind: 'url', url: target.url, headers: target.headers.map(([name]) => name) }
    case 'command': {
      const { command, args, cwd, env } = target
      return { kind: 'command', command, args, ...(cwd === undefined ? {} : { cwd }), env: Object.keys(env) }
    }
    case 'sample':
      return { kind: 'sample' }
  }
}
