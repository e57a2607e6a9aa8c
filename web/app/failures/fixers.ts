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

/** The others are the server's fault. */
const BY_WHAT: Readonly<Partial<Record<What, Fixers>>> = {
  unreachable: ['you', 'server'],
  'blocked-port': ['server', 'you'],
  timeout: ['server', 'you'],
  'probe-used-up': ['server', 'you'],
  'login-page': ['server', 'you'],
  status: ['server', 'you'],
  'foreign-endpoint': ['server', 'you'],
  'unsupported-revision': ['server', 'you'],
  'sign-in-unread': ['server', 'you'],
  'plain-http': YOU,
  'other-protocol': YOU,
  graphql: YOU,
  'certificate-not-yet-valid': ['you', 'server'],
  'certificate-unknown-issuer': ['server', 'you'],
  forbidden: ['you', 'server'],
  'not-found': YOU,
  rate: YOU,
  unauthorized: YOU,
  'not-mcp': YOU,
  redirect: ['you', 'server'],
  'no-route': YOU,
  upgrade: ['you', 'server'],
  credentials: YOU,
  'tunnel-page': YOU,
  echo: YOU,
  'wants-credentials': YOU,
  'https-port': YOU,
  'not-json-rpc': ['you', 'server'],
  'web-socket': ['server', 'you'],
  'speaks-http': YOU,
  'not-opened': YOU,
  'process-exited': ['you', 'server'],
  'spawn-failed': YOU,
  'no-proxy': YOU,
  'new-token': YOU,
  'no-relay': YOU,
  'proxy-lost': YOU,
  'proxy-refused': YOU,
  'not-sendable': YOU,
  unanswered: YOU,
  stopped: YOU,
  internal: ['periscope'],
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
  if (what !== 'process') return BY_WHAT[what] ?? SERVER
  if (finding?.is === 'no-network') return ['network', 'you']
  if (finding && OF_PACKAGE.has(finding.is)) return ['server', 'you']
  return finding && !OF_PROGRAM.has(finding.is) ? YOU : SERVER
}
