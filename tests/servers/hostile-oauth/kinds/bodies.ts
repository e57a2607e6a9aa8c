/** Bodies that a client must not wait for or accept, at each step that reads one. */
import { broken, DEEP, dies, endless, html, huge, json, nested, never, trickle } from '../answers.ts'
import { orStops, stops, UNREACHED, works, type Endpoint, type Hook, type Kind, type Kinds } from '../kind.ts'

/** The endpoint, and the step that reads its response. */
const READ = {
  prm: ['resource-metadata', 'resource-metadata', 'RFC 9728 §3.2'],
  asm: ['server-metadata', 'server-metadata', 'RFC 8414 §3.2'],
  register: ['register', 'registration', 'RFC 7591 §3.2.1'],
  token: ['token', 'token', 'RFC 6749 §5.1'],
} as const satisfies Record<string, readonly [Endpoint, string, string]>

type Fault = readonly [says: string, hook: Hook, rule?: string | readonly string[], rest?: Partial<Kind>]

const FAULTS: Readonly<Record<string, Fault>> = {
  page: ['A page with status 200', html()],
  empty: ['200, and no body', () => ({ status: 200, headers: { 'Content-Type': 'application/json' } })],
  broken: ['JSON that breaks off', broken],
  list: ['A list in place of an object', json(200, [])],
  huge: ['What is well, after 50 MB of spaces', huge, 'SEC-03'],
  endless: ['A string without an end', endless, 'SEC-03'],
  never: ['Never says a word', never, 'UT-TIME-01', { slow: true }],
  trickle: ['A space now and then, for ever', trickle, 'UT-TIME-04', { slow: true }],
  dies: ['Breaks the connection', dies, UNREACHED],
}

const atEach = Object.entries(READ).flatMap(([name, [endpoint, step, shape]]) =>
  Object.entries(FAULTS).map(([fault, [says, hook, rule, rest]]): [string, Kind] => [
    `${name}-body-${fault}`,
    stops(says, step, [rule ?? shape].flat(), { ...rest, on: { [endpoint]: hook } }),
  ]),
)

/** A parser may fail on these or accept them. */
const deep = Object.entries(READ).map(([name, [endpoint, step, shape]]): [string, Kind] => [
  `${name}-body-nested`,
  works(`What is well, with a member nested ${DEEP.toLocaleString('en')} deep`, [shape, 'SEC-03'], {
    on: { [endpoint]: nested },
    ...orStops('Too deep', step),
  }),
])

export const bodies: Kinds = Object.fromEntries([...atEach, ...deep])
