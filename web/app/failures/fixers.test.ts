import { expect, test } from 'vitest'
import { fixersOf } from './fixers.ts'
import type { What } from './verdict.ts'

const of = (what: What, known: Parameters<typeof fixersOf>[1] = {}) => fixersOf({ what, remedies: [] }, known)

test.each<[What, string]>([
  ['cors', 'server'],
  ['invalid-json', 'server'],
  ['server-error', 'server'],
  ['not-found', 'you'],
  ['new-token', 'you'],
  ['internal', 'periscope'],
])('%s is for %s to fix', (what, who) => {
  expect(of(what)).toEqual([who])
})

test('what the relay saw tells the network, the server and the user apart', () => {
  expect(of('relay', { relayCode: 'forward-proxy-refused' })[0]).toBe('network')
  expect(of('relay', { relayCode: 'dns' })[0]).toBe('you')
  expect(of('relay', { relayCode: 'tls-version' })).toEqual(['server'])
})

test('a process that frames its messages wrongly is its author’s fault, a missing variable isn’t', () => {
  expect(of('process', { finding: { is: 'pretty-json' } })).toEqual(['server'])
  expect(of('process', { finding: { is: 'missing-variable', name: 'API_KEY' } })).toEqual(['you'])
  expect(of('process', { finding: { is: 'no-network' } })[0]).toBe('network')
})
