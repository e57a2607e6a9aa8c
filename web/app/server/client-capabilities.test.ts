import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { features } from '../../features/index.ts'
import {
  CLIENT_CAPABILITIES,
  existsIn,
  isObject,
  neededFor,
  refusalOf,
  REVISIONS,
  wholeOf,
  type ClientCapability,
  type Json,
  type JsonObject,
} from '../../mcp/index.ts'
import { clientCapabilities } from './transport-for.ts'

test('features that declare parts of one capability do not overwrite each other', () => {
  const parts = [
    { declares: () => ({ extensions: { 'a.example/x': {} }, roots: {} }) },
    {},
    { declares: (revision: string) => ({ extensions: { 'b.example/y': { revision } } }) },
  ]
  expect(clientCapabilities(parts, '2026-07-28')).toEqual({
    roots: {},
    extensions: { 'a.example/x': {}, 'b.example/y': { revision: '2026-07-28' } },
  })
})

const at = (capabilities: JsonObject, path: string): Json | undefined => {
  const steps = path.startsWith('extensions.') ? ['extensions', path.slice(11)] : path.split('.')
  return steps.reduce<Json | undefined>((here, step) => (isObject(here) ? here[step] : undefined), capabilities)
}

/** Withheld itself, or with what it needs: tasks need a request to run, and elicitation a mode. */
const isOff = (one: ClientCapability, withheld: readonly ClientCapability[]): boolean => {
  const off = (other: ClientCapability) => isOff(other, withheld)
  if (withheld.includes(one) || neededFor(one).some((other) => withheld.includes(other))) return true
  if (one === 'tasks') return off('tasks.requests.sampling') && off('tasks.requests.elicitation')
  const modes: ClientCapability[] = ['elicitation.form', 'elicitation.url']
  return one === 'tasks.requests.elicitation' && modes.every((mode) => withheld.includes(mode))
}

describe.each(REVISIONS)('capabilities that the user withholds, in %s', (revision) => {
  const all = clientCapabilities(features, revision)
  const subset = fc.subarray([...CLIENT_CAPABILITIES])

  test('LC-10, META-12: are not declared, whatever is chosen, and everything else still is', () => {
    fc.assert(
      fc.property(subset, (withheld) => {
        const declared = clientCapabilities(features, revision, withheld)
        for (const one of CLIENT_CAPABILITIES) {
          const whole = wholeOf(one)
          const off = isOff(one, withheld)
          if (off) expect(at(declared, one), `${one} in ${JSON.stringify(declared)}`).toBeUndefined()
          else if (whole !== undefined) expect(at(declared, one)).toEqual(at(all, one))
        }
      }),
      { numRuns: 300 },
    )
  })

  test('CF-ELIC-01: elicitation without any mode is not declared, because an empty object declares form mode', () => {
    const modes = CLIENT_CAPABILITIES.filter((one) => one.startsWith('elicitation.'))
    expect(clientCapabilities(features, revision, modes)).not.toHaveProperty('elicitation')
  })

  test('everything that is declared can be withheld, except experiments', () => {
    expect(clientCapabilities(features, revision, CLIENT_CAPABILITIES)).toEqual({})
    for (const name of Object.keys(all).filter((each) => each !== 'extensions'))
      expect(existsIn(name as ClientCapability, revision)).toBe(true)
  })
})

test('BP-13: a request for a withheld method is refused with -32601, for a withheld part with -32602', () => {
  const code = (method: string, params: JsonObject, ...withheld: ClientCapability[]) =>
    refusalOf(method, params, withheld, '2025-11-25')?.code
  expect(code('roots/list', {})).toBeUndefined()
  expect(code('roots/list', {}, 'roots')).toBe(-32601)
  expect(code('roots/list', {}, 'roots.listChanged')).toBeUndefined()
  expect(code('sampling/createMessage', {}, 'sampling')).toBe(-32601)
  expect(code('sampling/createMessage', { tools: [] }, 'sampling.tools')).toBe(-32602)
  expect(code('sampling/createMessage', {}, 'sampling.tools')).toBeUndefined()
  expect(code('elicitation/create', { mode: 'url' }, 'elicitation.url')).toBe(-32602)
  expect(code('elicitation/create', {}, 'elicitation.url')).toBeUndefined()
  expect(code('elicitation/create', {}, 'elicitation.form', 'elicitation.url')).toBe(-32601)
  expect(code('ping', {}, ...CLIENT_CAPABILITIES)).toBeUndefined()
})
