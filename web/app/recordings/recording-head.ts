/** The head of the live session: what it is and whom it is with, without a secret. */
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

/** @param version of the page */
export const liveHead = (bench: Bench, version: string): HeadDraft => ({
  begunAt: new Date(bench.trace.begunAt).toISOString(),
  tool: { name: 'mcp-periscope', version },
  // The trace holds nothing of a server that was never connected.
  servers: bench.servers.filter(({ link }) => bench.connectionOf(link) !== undefined).map(recorded),
})

const recorded = ({ link, name, target, transport }: Bench['servers'][number]): RecordedServer => ({
  link,
  name,
  ...(transport === undefined ? {} : { transport }),
  target: recordedTarget(target),
})

/** Names of headers and variables stay; their values, and what looks secret in addresses and arguments, do not. */
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
