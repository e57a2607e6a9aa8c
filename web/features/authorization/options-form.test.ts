import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SignInOptions } from '../../oauth/model/sign-in-state.ts'
import {
  EMPTY_FORM,
  formOf,
  optionsOf,
  type OptionsForm,
  FIELD_OF,
  problemsOf,
  type OptionsProblem,
} from './options-form.ts'

const SERVER = 'https://mcp.example.com/mcp'

const text = fc.oneof(fc.constant(''), fc.constant('  '), fc.string({ maxLength: 12 }))

const forms: fc.Arbitrary<OptionsForm> = fc.record({
  grant: fc.constantFrom('authorization-code', 'client-credentials', 'enterprise', 'workload'),
  clientId: text,
  clientSecret: text,
  method: fc.constantFrom('', 'none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'),
  privateKey: text,
  algorithm: fc.constantFrom('', 'RS256'),
  registration: fc.constantFrom('rules', 'by-hand', 'metadata-document', 'dynamic'),
  clientDocument: text,
  applicationType: fc.constantFrom('rules', 'native', 'web'),
  withoutScope: fc.boolean(),
  scope: text,
  resourceBy: fc.constantFrom('rules', 'given', 'left-out'),
  resource: text,
  authorizationServer: text,
  dpop: fc.constantFrom('rules', 'on', 'off'),
  idpTokenEndpoint: text,
  idpClientId: text,
  idpClientSecret: text,
  idToken: text,
  assertion: text,
})

test('an untouched form leaves everything to the rules', () => {
  expect(optionsOf(EMPTY_FORM)).toEqual({})
  expect(formOf({})).toEqual(EMPTY_FORM)
  expect(problemsOf(EMPTY_FORM, SERVER)).toEqual([])
})

test('what a form says is what comes back of it: options made a form again give the same options', () => {
  fc.assert(
    fc.property(forms, forms, (form, drafts) => {
      const options = optionsOf(form)
      expect(optionsOf(formOf(options), options)).toEqual(options)
      // Whatever else was being typed at the time.
      expect(optionsOf(formOf(options, form), options)).toEqual(options)
      // Secrets of another client or a deselected grant don't carry over into the current choice.
      const { client } = optionsOf(formOf(options, drafts), options)
      if (options.client) expect(client?.id).toBe(options.client.id)
    }),
  )
})

test('what was typed into a field is still there after its options were set', () => {
  fc.assert(
    fc.property(forms, (form) => {
      const shown = formOf(optionsOf(form), form)
      // A client exists if it has an id; blanks around a value are ignored.
      for (const field of ['clientSecret', 'privateKey', 'idToken', 'assertion'] as const) {
        expect(shown[field].trim()).toBe(form[field].trim())
      }
      expect([shown.grant, shown.registration, shown.withoutScope, shown.dpop]).toEqual([
        form.grant,
        form.registration,
        form.withoutScope,
        form.dpop,
      ])
    }),
  )
})

describe('scopes have three states, and none is mistaken for another', () => {
  test.each<[what: string, form: Partial<OptionsForm>, options: SignInOptions]>([
    ['empty: by the rules', { scope: '  ' }, {}],
    ['given', { scope: ' a  b ' }, { scope: 'a  b' }],
    ['none is asked for', { withoutScope: true }, { scope: '' }],
    ['none is asked for, whatever stands in the field', { withoutScope: true, scope: 'a' }, { scope: '' }],
  ])('%s', (_, form, options) => {
    expect(optionsOf({ ...EMPTY_FORM, ...form })).toEqual(options)
  })
})

describe('the resource parameter is left to the rules, given, or left out (AU-0326-07)', () => {
  test.each<[form: Partial<OptionsForm>, options: SignInOptions]>([
    [{ resource: 'https://a.example' }, {}],
    [{ resourceBy: 'given', resource: 'https://a.example' }, { resource: 'https://a.example' }],
    [{ resourceBy: 'given', resource: ' ' }, {}],
    [{ resourceBy: 'left-out', resource: 'https://a.example' }, { resource: false }],
  ])('%j gives %j', (form, options) => {
    expect(optionsOf({ ...EMPTY_FORM, ...form })).toEqual(options)
  })
})

test('a client stays bound to its authorization server for as long as it is the same client (AU-REG-13)', () => {
  const before: SignInOptions = { client: { id: 'one', issuer: 'https://as.example' } }
  const form = formOf(before)
  expect(optionsOf({ ...form, clientSecret: 's' }, before).client).toEqual({
    id: 'one',
    secret: 's',
    issuer: 'https://as.example',
  })
  expect(optionsOf({ ...form, clientId: 'two' }, before).client).toEqual({ id: 'two' })
})

test('secrets of a method that has no use for them stay out of the options', () => {
  const form: OptionsForm = { ...EMPTY_FORM, clientId: 'c', clientSecret: 's', privateKey: '{}', algorithm: 'RS256' }
  expect(optionsOf({ ...form, method: 'none' }).client).toEqual({ id: 'c', method: 'none' })
  expect(optionsOf({ ...form, method: 'client_secret_post' }).client).toEqual({
    id: 'c',
    method: 'client_secret_post',
    secret: 's',
  })
  expect(optionsOf({ ...form, method: 'private_key_jwt' }).client).toEqual({
    id: 'c',
    method: 'private_key_jwt',
    privateKey: '{}',
    algorithm: 'RS256',
  })
})

describe('what cannot work is said before anything is asked:', () => {
  const cases: [problem: OptionsProblem, form: Partial<OptionsForm>, mended: Partial<OptionsForm>][] = [
    ['client-id-missing', { clientSecret: 's' }, { clientId: 'c' }],
    ['client-id-missing', { registration: 'by-hand' }, { clientId: 'c' }],
    ['client-id-missing', { grant: 'client-credentials' }, { clientId: 'c' }],
    ['client-unused', { registration: 'dynamic', clientId: 'c' }, { clientId: '' }],
    ['secret-missing', { clientId: 'c', method: 'client_secret_basic' }, { clientSecret: 's' }],
    ['key-missing', { clientId: 'c', method: 'private_key_jwt' }, { privateKey: '{}' }],
    ['key-odd', { clientId: 'c', privateKey: '-----BEGIN RSA PRIVATE KEY-----' }, { privateKey: '{"kty":"EC"}' }],
    ['document-address', { clientDocument: 'https://host.example/' }, { clientDocument: 'https://host.example/c' }],
    ['document-address', { clientDocument: 'http://host.example/c' }, { registration: 'dynamic' }],
    ['scope-characters', { scope: 'a "b"' }, { scope: 'a b' }],
    ['scope-characters', { scope: 'größe' }, { withoutScope: true }],
    ['resource-missing', { resourceBy: 'given' }, { resource: 'urn:a:b' }],
    ['resource-address', { resourceBy: 'given', resource: 'https://a.example/#x' }, { resourceBy: 'rules' }],
    ['resource-address', { resourceBy: 'given', resource: '/mcp' }, { resource: 'https://a.example/mcp' }],
    ['server-address', { authorizationServer: 'http://a.example' }, { authorizationServer: 'https://a.example' }],
    // AU-ASM-07: a remote server must not direct the page to services on this machine.
    ['server-address', { authorizationServer: 'http://localhost:9000' }, { authorizationServer: '' }],
    ['idp-incomplete', { grant: 'enterprise', idToken: 'a.b.c' }, { grant: 'authorization-code' }],
    [
      'idp-address',
      { grant: 'enterprise', idToken: 'a.b.c', idpClientId: 'c', idpTokenEndpoint: 'ftp://a.example' },
      { idpTokenEndpoint: 'https://a.example/token' },
    ],
    [
      'id-token-odd',
      { grant: 'enterprise', idToken: 'opaque', idpClientId: 'c', idpTokenEndpoint: 'https://a.example/token' },
      { idToken: 'a.b.c' },
    ],
    ['assertion-missing', { grant: 'workload' }, { assertion: 'a.b.c' }],
    ['assertion-odd', { grant: 'workload', assertion: 'opaque' }, { assertion: 'a.b.c' }],
  ]
  test.each(cases)('%s of %j, until %j', (problem, form, mended) => {
    expect(problemsOf({ ...EMPTY_FORM, ...form }, SERVER)).toEqual([problem])
    expect(problemsOf({ ...EMPTY_FORM, ...form, ...mended }, SERVER)).toEqual([])
  })

  test('each of them', () => {
    expect(new Set(cases.map(([problem]) => problem))).toEqual(new Set(Object.keys(FIELD_OF)))
  })
})

test('whatever is typed in, problems are found and never thrown', () => {
  fc.assert(
    fc.property(forms, (form) => {
      for (const problem of problemsOf(form, SERVER)) expect(FIELD_OF).toHaveProperty(problem)
    }),
  )
})
