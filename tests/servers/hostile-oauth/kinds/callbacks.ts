/** The authorization endpoint and its redirect: RFC 6749 section 4.1.2, RFC 9207. */
import { html, NASTY, never, text } from '../answers.ts'
import {
  addresses,
  callback,
  members,
  orStops,
  orWorks,
  stops,
  works,
  type Exchange,
  type Hook,
  type Kind,
  type Kinds,
} from '../kind.ts'

const right = ({ world, door }: Exchange) => addresses(world, door).issuer

const unadvertised = members({ authorization_response_iss_parameter_supported: undefined })

type Change = Parameters<typeof callback>[0]

/** A wrong `iss`, although support was advertised. */
const iss = (says: string, change: (right: string, exchange: Exchange) => string, rules: string[]): Kind =>
  stops(says, 'callback', rules, {
    on: { authorize: callback((parameters, exchange) => parameters.set('iss', change(right(exchange), exchange))) },
  })

const led = (says: string, rules: string[], change: Change): Kind =>
  stops(says, 'callback', rules, { on: { authorize: callback(change) } })

/** An error instead of a code. */
const fails =
  (parameters: { readonly [name: string]: string }, more?: Change): Change =>
  (given, exchange) => {
    given.delete('code')
    for (const [name, value] of Object.entries(parameters)) given.set(name, value)
    more?.(given, exchange)
  }

/** Repeats the world's first one on every later redirect. */
const replay =
  (name: 'code' | 'state'): Change =>
  (parameters, { world }) => {
    const first = world.kept.get(name) ?? parameters.get(name) ?? ''
    world.kept.set(name, first)
    parameters.set(name, first)
  }

/** Names the second origin as its authorization server, which sends the browser to the first. */
const mixUp = (advertised: boolean): NonNullable<Kind['on']> => ({
  'resource-metadata': members(({ world }) => ({ authorization_servers: [addresses(world, 'evil').issuer] })),
  'server-metadata': members(({ world }) => ({
    authorization_endpoint: addresses(world).authorize,
    authorization_response_iss_parameter_supported: advertised,
  })),
})

const noAnswer = (says: string, hook: Hook): Kind =>
  stops(says, 'authorization', ['RFC 6749 §4.1.2.1'], { slow: true, on: { authorize: hook } })

export const callbacks: Kinds = {
  'authorize-page': noAnswer('400 with a page: nobody is led back', html(400)),
  'authorize-200': noAnswer('A page that asks to sign in, for ever', html()),
  'authorize-500': noAnswer('500 with plain text', text(500, 'stack overflow in line 7')),
  'authorize-never': noAnswer('Takes the browser, and never says a word', never),
  'authorize-fragment': stops('The answer is in the fragment, not in the query', 'callback', ['RFC 6749 §4.1.2'], {
    on: {
      authorize: async (_, well) => {
        const reply = await well()
        const location = String(reply.headers?.['Location'])
        return { ...reply, headers: { ...reply.headers, Location: location.replace('?', '#') } }
      },
    },
    tolerated: {
      why: 'To one who waits for a query there is no answer',
      ends: [{ outcome: 'stopped', step: 'authorization' }],
    },
  }),

  'mix-up': stops(
    'The authorization server named sends the browser to an honest one, to get hold of its code',
    'callback',
    ['AU-FLOW-08', 'AU-FLOW-11', 'RFC 9207 §1'],
    { on: mixUp(true) },
  ),
  'mix-up-unadvertised': stops('The same, and it does not advertise iss', 'callback', ['AU-FLOW-08', 'RFC 9207 §1'], {
    on: mixUp(false),
  }),
  'iss-wrong': iss('iss is another host', () => 'https://honest.example', ['AU-FLOW-08', 'AU-FLOW-11']),
  'iss-evil': iss('iss is the other origin', (_, { world }) => addresses(world, 'evil').issuer, ['AU-FLOW-08']),
  'iss-empty': iss('iss is the empty string', () => '', ['AU-FLOW-08']),
  'iss-slash': iss('iss has a slash at the end more', (right) => `${right}/`, ['AU-FLOW-09']),
  'iss-case': iss('iss has its scheme in capitals', (right) => right.replace('http', 'HTTP'), ['AU-FLOW-09']),
  'iss-path-case': iss('iss has its path in capitals', (right) => right.replace(/as$/, 'AS'), ['AU-FLOW-09']),
  // A loopback URL has no default port to omit or add, so a leading zero tests the same.
  'iss-port': iss('iss has a zero before its port', (right) => right.replace(/:(\d+)/, ':0$1'), ['AU-FLOW-09']),
  'iss-percent': iss('iss has a letter percent-encoded', (right) => right.replace(/as$/, '%61s'), ['AU-FLOW-09']),
  'iss-encoded-twice': iss('iss is form-encoded one time too many', encodeURIComponent, ['AU-FLOW-09']),
  'iss-dots': iss('iss has a detour in its path', (right) => right.replace(/as$/, 'x/../as'), ['AU-FLOW-09']),
  'iss-space': iss('iss has a space at the end', (right) => `${right} `, ['AU-FLOW-09']),
  'iss-missing': led('iss is missing, though advertised', ['AU-FLOW-08'], (parameters) => parameters.delete('iss')),
  'iss-twice': led('iss twice: the right one, then another', ['RFC 6749 §3.1', 'AU-FLOW-08'], (parameters) =>
    parameters.append('iss', 'https://honest.example'),
  ),
  'iss-unadvertised': works('iss is right, and was not advertised', ['AU-FLOW-08'], {
    on: { 'server-metadata': unadvertised },
  }),
  'iss-unadvertised-wrong': stops('iss is wrong, and was not advertised', 'callback', ['AU-FLOW-08'], {
    on: {
      'server-metadata': unadvertised,
      authorize: callback((parameters) => parameters.set('iss', 'https://honest.example')),
    },
  }),
  'iss-unadvertised-slash': stops('iss has a slash more, and was not advertised', 'callback', ['AU-FLOW-09'], {
    on: {
      'server-metadata': unadvertised,
      authorize: callback((parameters, exchange) => parameters.set('iss', `${right(exchange)}/`)),
    },
  }),
  'iss-wrong-error': led(
    'An error with a wrong iss: its words must not be shown',
    ['AU-FLOW-10', 'AU-FLOW-08'],
    fails({
      error: 'server_error',
      error_description: `Call 555-0100. ${NASTY}`,
      error_uri: 'https://evil.example/help',
      iss: 'https://honest.example',
    }),
  ),
  'iss-missing-error': led(
    'An error without iss, though advertised: its words must not be shown',
    ['AU-FLOW-10', 'AU-FLOW-08'],
    fails({ error: 'server_error', error_description: `Call 555-0100. ${NASTY}` }, (given) => given.delete('iss')),
  ),

  'state-missing': led('state is missing', ['AU-FLOW-06'], (parameters) => parameters.delete('state')),
  'state-changed': led('state is another', ['AU-FLOW-06'], (parameters) => parameters.set('state', 'x'.repeat(43))),
  'state-empty': led('state is the empty string', ['AU-FLOW-06'], (parameters) => parameters.set('state', '')),
  'state-longer': led('state has a letter more', ['AU-FLOW-06'], (parameters) =>
    parameters.set('state', `${parameters.get('state')}x`),
  ),
  'state-case': led('state has its letters in the other case', ['AU-FLOW-06'], (parameters) =>
    parameters.set(
      'state',
      // A state without letters wouldn't change.
      `${parameters.get('state')}`.replace(/[a-z]/gi, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase())),
    ),
  ),
  'state-twice': led('state twice: the right one, then another', ['RFC 6749 §3.1', 'AU-FLOW-06'], (parameters) =>
    parameters.append('state', 'x'),
  ),
  'state-replayed': {
    ...led('The state of the first sign-in comes with every one', ['AU-FLOW-06'], replay('state')),
    drive: 'again',
  },
  'state-huge': led('state is 4,000 characters', ['AU-FLOW-06'], (parameters) =>
    parameters.set('state', 'x'.repeat(4000)),
  ),

  'code-missing': led('code is missing, and there is no error', ['RFC 6749 §4.1.2'], (parameters) =>
    parameters.delete('code'),
  ),
  'code-empty': led('code is the empty string', ['RFC 6749 §4.1.2'], (parameters) => parameters.set('code', '')),
  'code-twice': led('code twice: the right one, then another', ['RFC 6749 §3.1'], (parameters) =>
    parameters.append('code', 'injected'),
  ),
  'code-and-error': led('code and error', ['RFC 6749 §4.1.2.1'], (parameters) =>
    parameters.set('error', 'access_denied'),
  ),
  'code-wrong': stops('code is one that nobody gave out', 'token', ['RFC 6749 §5.2'], {
    on: { authorize: callback((parameters) => parameters.set('code', 'nobody-gave-this-out')) },
  }),
  'code-replayed': stops(
    'The code of the first sign-in comes with every one',
    'token',
    ['RFC 6749 §4.1.2', 'RFC 6749 §5.2'],
    {
      drive: 'again',
      on: { authorize: callback(replay('code')) },
    },
  ),
  'callback-more': works('Parameters of other flows beside the code', ['RFC 6749 §4.1.2'], {
    on: {
      authorize: callback((parameters) => {
        for (const [name, value] of Object.entries({
          access_token: 'from-the-callback',
          token_type: 'Bearer',
          expires_in: '3600',
          session_state: 'x',
          next: 'javascript:alert(1)',
          redirect_uri: 'https://evil.example/',
          ['__proto__']: 'x',
          constructor: 'x',
        }))
          parameters.append(name, value)
        parameters.append('__proto__', 'x')
      }),
    },
    ...orStops('RFC 9700 §2.1.2 wants no token there', 'callback'),
  }),

  'error-denied': led('The user said no', ['RFC 6749 §4.1.2.1'], fails({ error: 'access_denied' })),
  'error-scope': led('The scope is refused', ['RFC 6749 §4.1.2.1'], fails({ error: 'invalid_scope' })),
  'error-target': {
    ...led(
      'The resource is refused',
      ['RFC 8707 §2'],
      fails({ error: 'invalid_target', error_description: 'I know nothing of resources' }),
    ),
    ...orWorks('Without resource, when its user leaves it out'),
  },
  'error-unavailable': led('It is too busy', ['RFC 6749 §4.1.2.1'], fails({ error: 'temporarily_unavailable' })),
  'error-unknown': led('An error that nobody knows', ['RFC 6749 §4.1.2.1'], fails({ error: 'x_out_of_tea' })),
  'error-empty': led('An error that is the empty string', ['RFC 6749 §4.1.2.1'], fails({ error: '' })),
  'error-nasty': led(
    'An error with words that are no words, and an address of another kind',
    ['RFC 6749 §4.1.2.1', 'SEC-03'],
    fails({ error: '<b>x</b>', error_description: NASTY, error_uri: 'javascript:alert(1)' }),
  ),
  'error-long': led(
    'An error_description of 8,000 characters',
    ['RFC 6749 §4.1.2.1', 'SEC-03'],
    fails({ error: 'server_error', error_description: 'x'.repeat(8000) }),
  ),
  'error-no-state': led(
    'An error without state',
    ['AU-FLOW-06'],
    fails({ error: 'access_denied' }, (given) => {
      given.delete('state')
    }),
  ),
}
