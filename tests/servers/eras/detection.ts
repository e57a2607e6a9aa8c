/** Outcomes of the first contact: every possible response to `server/discover`, and what each one means. */
import { answerWell, discovered, refuseVersion } from './well-kept.ts'
import {
  capabilitiesOf,
  complete,
  count,
  MODERN,
  versionOf,
  type Handler,
  type JsonObject,
  type Kinds,
} from './wire.ts'

const OLD = ['2025-11-25', '2025-06-18']

const discoverError = (code: number, data?: JsonObject): { readonly [method: string]: Handler } => ({
  'server/discover': ({ refuse }) => refuse(code, 'No', { data, status: 400 }),
})

/** For every request with a stateless envelope, whatever its method. */
const modernAlways = (handler: Handler): { readonly [method: string]: Handler } => ({
  '*': (exchange) => (versionOf(exchange.message) === undefined ? 'well' : handler(exchange)),
})

const LEGACY_CODES = [-32601, -32602, -32603, -32000, 0]

export const detection = {
  'good-handshake': { says: 'Speaks the handshake, and knows of nothing later', speaks: 'handshake' },
  'good-modern': { says: 'Speaks 2026-07-28 alone, and names it in its refusal of initialize', speaks: 'modern' },
  'good-both': { says: 'Speaks both eras', speaks: 'both' },

  'discover-dies': {
    says: 'Ends, or breaks the connection, when it gets server/discover; speaks the handshake',
    speaks: 'handshake',
    on: { 'server/discover': ({ die }) => die() },
  },
  'discover-never': {
    says: 'Never answers server/discover; speaks the handshake',
    speaks: 'handshake',
    on: { 'server/discover': () => {} },
  },
  ...(Object.fromEntries(
    LEGACY_CODES.map((code) => [
      `discover-error${code}`,
      {
        says: `Answers server/discover with the error ${code} (HTTP 400); speaks the handshake`,
        speaks: 'handshake',
        on: discoverError(code),
      },
    ]),
  ) as Kinds),
  'discover-draft-32004': {
    says: 'The draft number of UnsupportedProtocolVersion, with data; speaks the handshake',
    speaks: 'handshake',
    on: discoverError(-32004, { supported: ['DRAFT-2026-v1'], requested: MODERN }),
  },
  'discover-draft-32001': {
    says: 'The draft number of HeaderMismatch, which some say for a session not found; speaks the handshake',
    speaks: 'handshake',
    on: discoverError(-32001),
  },
  'discover-lists-2025': {
    says: 'Answers server/discover, and lists 2025 revisions alone; speaks the handshake',
    speaks: 'handshake',
    on: { 'server/discover': ({ answer }) => answer(complete({ ...discovered, supportedVersions: OLD })) },
  },
  'discover-lists-future': {
    says: 'Answers server/discover, and lists 2027-01-01 alone; refuses initialize with the same',
    speaks: 'modern',
    on: {
      'server/discover': ({ answer }) => answer(complete({ ...discovered, supportedVersions: ['2027-01-01'] })),
      initialize: (exchange) => refuseVersion(exchange, ['2027-01-01']),
    },
  },
  'discover-empty-result': {
    says: 'Answers every method that it does not know with {}; speaks the handshake',
    speaks: 'handshake',
    on: { 'server/discover': ({ answer }) => answer({}) },
  },
  'discover-no-versions': {
    says: 'A modern result without supportedVersions; speaks both eras',
    speaks: 'both',
    on: { 'server/discover': ({ answer }) => answer(complete({ capabilities: {} })) },
  },
  'discover-spoils-handshake': {
    says: 'Speaks both eras, and refuses initialize once it has seen server/discover',
    speaks: 'both',
    on: {
      'server/discover': ({ place }) => (count(place, 'discover'), 'well'),
      initialize: ({ place, refuse }) => (place.counts.has('discover') ? refuse(-32600, 'Too late') : 'well'),
    },
  },
  'discover-2025-spoils-handshake': {
    says: 'Lists 2025 revisions alone, and refuses initialize in the process that has seen server/discover',
    speaks: 'handshake',
    only: 'stdio',
    on: {
      'server/discover': ({ place, answer }) => {
        count(place, 'discover')
        answer(complete({ ...discovered, supportedVersions: OLD }))
      },
      initialize: ({ place, refuse }) => (place.counts.has('discover') ? refuse(-32600, 'Too late') : 'well'),
    },
  },

  'unsupported-once': {
    says: '-32022 with data.supported 2026-07-28 for the first modern request, whatever it asked for; then well',
    speaks: 'modern',
    on: modernAlways((exchange) =>
      count(exchange.place, 'modern') === 1 ? refuseVersion(exchange, ['2027-01-01', MODERN]) : 'well',
    ),
  },
  'unsupported-none-shared': {
    says: '-32022 with data.supported 2027-01-01 for all, initialize too',
    speaks: 'modern',
    on: { '*': (exchange) => refuseVersion(exchange, ['2027-01-01']) },
  },
  'unsupported-lists-2025': {
    says: '-32022 with data.supported of 2025 revisions; speaks the handshake',
    speaks: 'handshake',
    on: modernAlways((exchange) => refuseVersion(exchange, OLD)),
  },
  'unsupported-no-data': {
    says: '-32022 without data; speaks the handshake',
    speaks: 'handshake',
    on: modernAlways(({ refuse }) => refuse(-32022, 'Unsupported protocol version', { status: 400 })),
  },
  'unsupported-always': {
    says: '-32022 with data.supported 2026-07-28, again and again; refuses initialize likewise',
    speaks: 'modern',
    on: { '*': (exchange) => refuseVersion(exchange, [MODERN]) },
  },

  'header-mismatch': {
    says: '-32020 for every modern request; refuses initialize as a modern server does',
    speaks: 'modern',
    on: modernAlways(({ refuse }) => refuse(-32020, 'Header mismatch: Mcp-Method', { status: 400 })),
  },
  'header-mismatch-call': {
    says: '-32020 for tools/call, always',
    speaks: 'modern',
    on: { 'tools/call': ({ refuse }) => refuse(-32020, 'Header mismatch: Mcp-Name', { status: 400 }) },
  },
  'capability-for-discover': {
    says: '-32021 for server/discover, which wants elicitation; well with it',
    speaks: 'modern',
    on: { 'server/discover': requires('elicitation') },
  },
  'capability-for-call': {
    says: '-32021 for tools/call, which wants sampling; well with it',
    speaks: 'modern',
    on: { 'tools/call': requires('sampling') },
  },
  'capability-nobody-has': {
    says: '-32021 for tools/call, which wants an extension that no client declares',
    speaks: 'modern',
    on: { 'tools/call': requires('com.example/telepathy') },
  },
  'capability-no-data': {
    says: '-32021 without data for tools/call',
    speaks: 'modern',
    on: { 'tools/call': ({ refuse }) => refuse(-32021, 'A capability is missing', { status: 400 }) },
  },
  'no-discover': {
    says: 'A modern server that lacks server/discover: -32601 (HTTP 404), all else is well',
    speaks: 'modern',
    on: { 'server/discover': ({ refuse }) => refuse(-32601, 'Method not found', { status: 404 }) },
  },
  'runs-without-initialize': {
    says: 'Runs tools/call without a handshake, and lists 2025 revisions to nobody (VN-28)',
    speaks: 'handshake',
    on: {
      '*': (exchange) => {
        const { method, params } = exchange.message
        if (method !== 'tools/call') return 'well'
        // It ignores the envelope.
        const rest = { ...params }
        delete rest['_meta']
        answerWell({ says: '', speaks: 'handshake' }, { ...exchange, message: { ...exchange.message, params: rest } })
      },
    },
  },
} as const satisfies Kinds

function requires(capability: string): Handler {
  return ({ message, refuse }) => {
    if (capability in capabilitiesOf(message)) return 'well'
    const data = { requiredCapabilities: { [capability]: {} } }
    refuse(-32021, `The request needs ${capability}`, { data, status: 400 })
  }
}
