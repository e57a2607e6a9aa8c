/**
 * What the official SDKs support, as data: from the sources of each version that is named here. Update a column as a
 * whole, with its version and the date.
 */
import { curlOf } from './http.ts'
import { goOf } from './go.ts'
import { pythonOf } from './python.ts'
import type { CodeOrNot, SentRequest } from './request.ts'
import { typescript1Of, typescript2Of } from './typescript.ts'

export type SdkId = 'typescript-2' | 'typescript-1' | 'python' | 'go' | 'curl'

/** `partly`: with limits that its source describes. */
export type Support = 'yes' | 'partly' | 'no'

/** What a client can do with it. */
export type SdkFeature =
  | 'stdio'
  | 'streamable-http'
  | 'http-sse'
  | 'web-socket'
  | 'stateless'
  | 'sign-in'
  | 'sampling'
  | 'elicitation'
  | 'elicitation-url'
  | 'tasks'
  | 'exact-numbers'

export interface Sdk {
  readonly id: SdkId
  readonly name: string
  /** Of the package, when this was written. Empty: any. */
  readonly version: string
  /** The file extension of its programs. */
  readonly extension: string
  /** First and last protocol version. */
  readonly versions: readonly [oldest: string, newest: string]
  readonly supports: Readonly<Record<SdkFeature, Support>>
  readonly source: string
  readonly write: (sent: SentRequest) => CodeOrNot
}

/** When the table was last compared with its sources. */
export const SDKS_AS_OF = '2026-11-28'

/** WebSocket isn't a transport of the specification, so only one of them has it. */
const EVERYTHING = {
  stdio: 'yes',
  'streamable-http': 'yes',
  'http-sse': 'yes',
  'web-socket': 'no',
  stateless: 'yes',
  'sign-in': 'yes',
  sampling: 'yes',
  elicitation: 'yes',
  'elicitation-url': 'yes',
  tasks: 'yes',
  'exact-numbers': 'yes',
} as const satisfies Record<SdkFeature, Support>

export const SDKS: readonly Sdk[] = [
  {
    id: 'typescript-2',
    name: 'TypeScript 2',
    version: '2.4.0',
    extension: 'mjs',
    versions: ['2024-11-05', '2026-07-28'],
    // Its task types are deprecated, and nothing but a request of one's own sends them.
    supports: { ...EVERYTHING, tasks: 'partly', 'exact-numbers': 'no' },
    source: 'https://ts.sdk.modelcontextprotocol.io/v2/',
    write: typescript2Of,
  },
  {
    id: 'typescript-1',
    name: 'TypeScript 1',
    version: '1.32.2',
    extension: 'mjs',
    versions: ['2024-11-05', '2025-11-25'],
    // Tasks are in its experimental part.
    supports: { ...EVERYTHING, 'web-socket': 'yes', stateless: 'no', tasks: 'partly', 'exact-numbers': 'no' },
    source: 'https://ts.sdk.modelcontextprotocol.io/',
    write: typescript1Of,
  },
  {
    id: 'python',
    name: 'Python',
    version: '2.3.0',
    extension: 'py',
    versions: ['2024-11-05', '2026-07-28'],
    supports: { ...EVERYTHING, tasks: 'no', 'exact-numbers': 'partly' },
    source: 'https://py.sdk.modelcontextprotocol.io/',
    write: pythonOf,
  },
  {
    id: 'go',
    name: 'Go',
    version: '1.7.0',
    extension: 'go',
    versions: ['2024-11-05', '2026-07-28'],
    // Sign-in of clients is experimental.
    supports: { ...EVERYTHING, 'sign-in': 'partly', tasks: 'no' },
    source: 'https://go.sdk.modelcontextprotocol.io/',
    write: goOf,
  },
  {
    id: 'curl',
    name: 'cURL',
    version: '',
    extension: 'sh',
    versions: ['2025-03-26', '2026-07-28'],
    supports: {
      ...EVERYTHING,
      stdio: 'no',
      'http-sse': 'no',
      'sign-in': 'no',
      sampling: 'no',
      elicitation: 'no',
      'elicitation-url': 'no',
      tasks: 'partly',
    },
    source: 'https://curl.se/docs/manpage.html',
    write: curlOf,
  },
]
