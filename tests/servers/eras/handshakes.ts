/** Variants of the handshake, for each protocol version that has one, and the batches of 2025-03-26. */
import { initialized } from './well-kept.ts'
import { HANDSHAKES, type Exchange, type Kind, type Kinds } from './wire.ts'

const dieLater = (ms: number) => async (exchange: Exchange) => {
  await exchange.pause(ms)
  exchange.die()
}

const always = (revision: string): Kind => ({
  says: `Answers initialize with ${revision}, whatever is offered`,
  speaks: 'handshake',
  revision,
})

const early = { method: 'notifications/message', params: { level: 'info', data: 'early' } }

export const handshakes = {
  ...(Object.fromEntries(
    [...HANDSHAKES, '2026-07-28', '1999-01-01'].map((revision) => [`handshake-${revision}`, always(revision)]),
  ) as Kinds),
  ...(Object.fromEntries(
    HANDSHAKES.map((revision): [string, Kind] => [
      `handshake-only-${revision}`,
      {
        says: `Refuses any other offer than ${revision} with -32602 and data.supported`,
        speaks: 'handshake',
        revision,
        on: {
          initialize: ({ message, refuse }) => {
            const requested = message.params?.['protocolVersion'] ?? null
            if (requested === revision) return 'well'
            refuse(-32602, 'Unsupported protocol version', { data: { supported: [revision], requested } })
          },
        },
      },
    ]),
  ) as Kinds),
  'empty-info': {
    says: 'serverInfo of empty strings',
    speaks: 'handshake',
    initialize: { serverInfo: { name: '', version: '' } },
  },
  'odd-capabilities': {
    says: 'Capabilities of a client, unknown ones, and some that are no objects',
    speaks: 'handshake',
    initialize: { capabilities: { tools: true, sampling: {}, 'x-odd': [1], extensions: { 'com.example/x': {} } } },
  },
  'no-info': {
    says: 'Neither serverInfo nor capabilities',
    speaks: 'handshake',
    on: { initialize: ({ answer }) => answer({ protocolVersion: '2025-11-25' }) },
  },
  'early-notifications': {
    says: 'A log message and tools/list_changed before the answer to initialize',
    speaks: 'handshake',
    on: {
      initialize: ({ say }) => {
        say(early)
        say({ method: 'notifications/tools/list_changed' })
        return 'well'
      },
    },
  },
  'early-request': {
    says: 'roots/list before the answer to initialize',
    speaks: 'handshake',
    on: { initialize: ({ say }) => (say({ id: 'early', method: 'roots/list' }), 'well') },
  },
  'initialize-error': {
    says: 'An error in answer to initialize',
    speaks: 'handshake',
    on: { initialize: ({ refuse }) => refuse(-32603, 'No database') },
  },
  'initialize-never': {
    says: 'No word in answer to initialize',
    speaks: 'handshake',
    on: { initialize: () => {} },
  },
  'initialize-twice': {
    says: 'Two answers to initialize, of two revisions',
    speaks: 'handshake',
    only: 'stdio',
    on: {
      initialize: ({ message, say }) => {
        const result = initialized({ says: '', speaks: 'handshake', revision: '2025-06-18' }, undefined)
        say({ id: message.id, result })
        return 'well'
      },
    },
  },
  'dies-later': {
    says: 'No answer to any request; ends after 500 ms with 1, and nothing on stderr',
    speaks: 'handshake',
    only: 'stdio',
    on: { '*': dieLater(500) },
  },

  'batch-array': {
    says: '2025-03-26: takes batches; every answer but that to initialize is a JSON array with a log message in it',
    speaks: 'handshake',
    revision: '2025-03-26',
    batch: 'array',
  },
  'batch-event': {
    says: '2025-03-26: takes batches; the array is the data of one event',
    speaks: 'handshake',
    revision: '2025-03-26',
    only: 'http',
    batch: 'event',
  },
  'batch-parts': {
    says: '2025-03-26: takes batches; answers last to first, two to an event or line, with 20 ms between them',
    speaks: 'handshake',
    revision: '2025-03-26',
    batch: 'parts',
  },
  'batch-today': {
    says: 'Batches its answers at 2025-11-25, which knows no batches',
    speaks: 'handshake',
    revision: '2025-11-25',
    batch: 'array',
  },
} as const satisfies Kinds
