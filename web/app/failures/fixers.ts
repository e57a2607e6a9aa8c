/** Who usually fixes what a diagnosis names. Where it depends, the likelier one comes first. */
import type { ProcessFinding } from '../../doctor/index.ts'
import type { FailedAttempt } from './failed-attempt.ts'
import { isForwardProxyCode } from './failure.ts'
import type { Verdict, What } from './verdict.ts'

/**
 * `server`: who writes or runs the server. `you`: who connects, in Periscope or on this machine. `network`: who runs the network
 * in between. `periscope`: its authors.
 */
export type Fixer = 'server' | 'you' | 'network' | 'periscope'

type Fixers = readonly [Fixer, ...Fixer[]]

const SERVER: Fixers = ['server']
const YOU: Fixers = ['you']

const BY_WHAT: Readonly<Record<Exclude<What, 'relay' | 'process'>, Fixers>> = {
  cors: SERVER,
  preflight: SERVER,
  'certificate-expired': SERVER,
  'certificate-other-name': SERVER,
  'server-error': SERVER,
  'host-check': SERVER,
  'origin-check': SERVER,
  firewall: SERVER,
  'sign-in-metadata': SERVER,
  'body-lost': SERVER,
  'wrong-encoding': SERVER,
  'hidden-session': SERVER,
  'unknown-session': SERVER,
  platform: SERVER,
  'one-transport': SERVER,
  'session-never-sent': SERVER,
  'short-length': SERVER,
  'version-header': SERVER,
  'parse-error': SERVER,
  'internal-error': SERVER,
  'session-first': SERVER,
  'json-string': SERVER,
  'endpoint-refused': SERVER,
  'redirect-loop': SERVER,
  'stream-ended': SERVER,
  compressed: SERVER,
  'empty-response': SERVER,
  'invalid-json': SERVER,
  'cut-json': SERVER,
  'other-id': SERVER,
  'no-response': SERVER,
  'unfinished-event': SERVER,
  'stray-lines': SERVER,
  'connection-closed': ['server', 'you'],
  'exited-after-response': SERVER,
  refused: ['server', 'you'],
  'invalid-handshake': SERVER,
  'invalid-result': SERVER,
  unreachable: ['you', 'server'],
  'blocked-port': ['server', 'you'],
  timeout: ['server', 'you'],
  'probe-used-up': ['server', 'you'],
  'login-page': ['server', 'you'],
  status: ['server', 'you'],
  'foreign-endpoint': ['server', 'you'],
  'unsupported-revision': ['server', 'you'],
  'sign-in-unread': ['server', 'you'],
  'certificate-not-yet-valid': ['you', 'server'],
  'certificate-unknown-issuer': ['server', 'you'],
  forbidden: ['you', 'server'],
  redirect: ['you', 'server'],
  upgrade: ['you', 'server'],
  'not-json-rpc': ['you', 'server'],
  'web-socket': ['server', 'you'],
  'process-exited': ['you', 'server'],
  internal: ['periscope'],
  'post-lost': ['server', 'you'],
  gateway: ['server', 'you'],
  'stream-lost': ['server', 'you'],
  'plain-http': YOU,
  'other-protocol': YOU,
  graphql: YOU,
  'not-found': YOU,
  rate: YOU,
  unauthorized: ['you', 'server'],
  'not-mcp': YOU,
  'no-route': YOU,
  credentials: YOU,
  'tunnel-page': YOU,
  echo: YOU,
  'wants-credentials': YOU,
  'https-port': YOU,
  'speaks-http': YOU,
  'not-opened': YOU,
  'spawn-failed': YOU,
  'no-proxy': YOU,
  'new-token': YOU,
  'no-relay': YOU,
  'proxy-lost': YOU,
  'proxy-refused': YOU,
  'not-sendable': YOU,
  unanswered: YOU,
  stopped: YOU,
}

/** By the code of the relay's error. */
const BY_RELAY: Readonly<Record<string, Fixers>> = {
  dns: ['you', 'network'],
  refused: ['you', 'server'],
  'no-route': ['network', 'you'],
  timeout: ['network', 'server'],
  'not-tls': YOU,
  'self-signed': ['server', 'you'],
  certificate: ['server', 'you'],
  'certificate-changed': ['server', 'you'],
  'not-http': YOU,
  'client-certificate': YOU,
}

/** Up to its program or package; all else is about this machine or what was typed. */
const OF_PROGRAM: ReadonlySet<ProcessFinding['is']> = new Set<ProcessFinding['is']>([
  'no-newline',
  'content-length',
  'pretty-json',
  'utf-16',
  'colour',
  'concatenated',
  'prefix',
  'not-json',
  'json-string',
  'on-stderr',
  'reads-to-end',
  'line-endings',
  'syntax-error',
  'missing-export',
  'crash',
  'exception',
])

/** Up to its author, unless another version or another platform of it will do. */
const OF_PACKAGE: ReadonlySet<ProcessFinding['is']> = new Set<ProcessFinding['is']>([
  'no-executable',
  'old-runtime',
  'wrong-module',
  'library-version',
  'wrong-architecture',
  'shadowed-package',
])

/** @param failed what is known of the attempt */
export const fixersOf = (
  { what }: Verdict,
  { relayCode, finding, settings }: Pick<FailedAttempt, 'relayCode' | 'finding' | 'settings'>,
): Fixers => {
  if (what === 'unsupported-revision' && settings?.revision !== undefined) return YOU
  if (what === 'relay')
    return isForwardProxyCode(relayCode) ? ['network', 'you'] : (BY_RELAY[relayCode ?? ''] ?? SERVER)
  if (what !== 'process') return BY_WHAT[what]
  if (finding?.is === 'no-network') return ['network', 'you']
  if (finding && OF_PACKAGE.has(finding.is)) return ['server', 'you']
  return finding && !OF_PROGRAM.has(finding.is) ? YOU : SERVER
}
