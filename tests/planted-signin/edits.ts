/** Small changes of responses, from which worlds are built. */
import type { Json } from '../../web/mcp/index.ts'
import { type Ctx, jsonReply, type Members, type Reply, textReply } from './change.ts'

export const far = 'http://auth.example.test'
type Edit = (r: Reply, x: Ctx) => void
export const both =
  (...edits: readonly Edit[]): Edit =>
  (r, x) => {
    for (const edit of edits) edit(r, x)
  }
export const drop =
  (...names: readonly string[]): Edit =>
  (r) => {
    for (const name of names) delete r.body[name]
  }
export const set =
  (members: Members): Edit =>
  (r) =>
    void Object.assign(r.body, members)
export const edit =
  (name: string, change: (value: string, x: Ctx) => Json | undefined): Edit =>
  (r, x) => {
    const value = r.body[name]
    r.body[name] = change(String(Array.isArray(value) ? value[0] : value), x)
  }
export const status =
  (value: number): Edit =>
  (r) => {
    r.status = value
  }
export const head =
  (name: string, value: string): Edit =>
  (r) => {
    r.headers[name] = value
  }
export const type = (value: string): Edit => head('content-type', value)
export const cacheable: Edit = (r) => {
  delete r.headers['cache-control']
  delete r.headers.pragma
}
export const param =
  (name: string, value: (x: Ctx) => string): Edit =>
  (r, x) => {
    if (r.auth) r.auth.params[name] = value(x)
  }
export const noParam =
  (...names: readonly string[]): Edit =>
  (r) => {
    for (const name of names) if (r.auth) delete r.auth.params[name]
  }
export const rawChallenge =
  (write: (x: Ctx) => string | undefined): Edit =>
  (r, x) => {
    r.auth = undefined
    const value = write(x)
    if (value !== undefined) r.headers['www-authenticate'] = value
  }
export const noChallenge = rawChallenge(() => undefined)
export const rpcSays =
  (value: number, message = 'Unauthorized'): Edit =>
  (r, x) => {
    const body = { jsonrpc: '2.0', id: x.json?.id ?? null, error: { code: -32000, message } }
    Object.assign(r, { ...jsonReply(value, body), auth: undefined, text: undefined })
  }
export const onlyWhen =
  (reason: Ctx['reason'], edit: Edit): Edit =>
  (r, x) => {
    if (x.reason === reason) edit(r, x)
  }
export const page = (value: number): Reply =>
  textReply(value, '<!doctype html><title>Error</title><h1>Something went wrong</h1>', 'text/html; charset=utf-8')
export const register =
  (method: string, secret: Members & { client_secret: string }): Edit =>
  (r, x) => {
    x.client!.client_secret = secret.client_secret
    x.client!.token_endpoint_auth_method = method
    Object.assign(r.body, { ...secret, token_endpoint_auth_method: method })
  }
export const openId: Edit = (r, { asOrigin }) =>
  void Object.assign(r.body, {
    jwks_uri: `${asOrigin}/jwks`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
/** RFC 6749 section 3.1: GET must be supported. */
export const refusesGet: Edit = (r) =>
  void Object.assign(r, { ...textReply(405, 'POST only'), headers: { allow: 'POST', 'content-type': 'text/plain' } })
/** A JWT; its signature is never checked. */
export const signed = (claims: Members, alg = 'ES256'): string => {
  const part = (value: Members) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg, typ: 'JWT' })}.${part(claims)}.${alg === 'none' ? '' : Buffer.alloc(64, 7).toString('base64url')}`
}
