import { expect, test } from 'vitest'
import type { MetadataResponse } from '../../doctor/index.ts'
import { metadataFault } from './sign-in-metadata.ts'

const SERVER = 'https://e.com/v1/mcp'
const URL = 'https://e.com/.well-known/oauth-protected-resource/v1/mcp'
const right = { resource: SERVER, authorization_servers: ['https://e.com'] }
const faultOf = (body: unknown, { named = true, ...more }: Partial<MetadataResponse> & { named?: boolean } = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return metadataFault({ seq: 2, request: 1, url: URL, status: 200, body: text, ...more }, SERVER, named)?.is
}

test('metadata that a client can use is not called wrong', () => {
  expect(faultOf(right)).toBeUndefined()
  // As the URL of the metadata says, and a parent path on the same origin.
  expect(faultOf({ ...right, resource: 'https://e.com/v1' })).toBeUndefined()
  expect(faultOf({ ...right, resource: 'https://E.com/v1/mcp' })).toBeUndefined()
})

test('metadata for another resource or without an authorization server is named', () => {
  expect(faultOf({ ...right, resource: 'http://localhost:3000/mcp' })).toBe('other-resource')
  expect(faultOf({ ...right, resource: 'https://e.com/v2' })).toBe('other-resource')
  expect(faultOf({ resource: SERVER })).toBe('no-servers')
  expect(faultOf({ ...right, authorization_servers: [] })).toBe('no-servers')
})

test('metadata that nobody can read is a fault only where the challenge names it, and says how it was asked for', () => {
  const unread = { seq: 1, request: 1, url: URL, unread: true } as const
  expect(metadataFault(unread, SERVER, true)?.is).toBe('unread')
  expect(metadataFault({ ...unread, relayed: true }, SERVER, true)?.is).toBe('unreachable')
  expect(metadataFault(unread, SERVER, false)).toBeUndefined()
})

test('a missing document, or a page in its place, is a fault only where the challenge names it', () => {
  const page = '<!doctype html><title>App</title>'
  expect(faultOf(page)).toBe('not-json')
  expect(faultOf('[]')).toBe('not-json')
  expect(faultOf(page, { named: false })).toBeUndefined()
  expect(faultOf('{}', { status: 404 })).toBe('missing')
  expect(faultOf('{}', { status: 404, named: false })).toBeUndefined()
  // The server fails, or nothing has arrived yet.
  expect(faultOf('{}', { status: 500 })).toBeUndefined()
  expect(metadataFault({ seq: 1, request: 1, url: URL }, SERVER, true)).toBeUndefined()
})
