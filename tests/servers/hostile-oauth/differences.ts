/** What a walk showed, in comparable lines: URLs and random values are replaced with names. */
import { NASTY, PAGE } from './answers.ts'
import type { WorldControl } from './control.ts'
import { documentOf, STATE, type Answer, type Outcome, type Walk } from './walk.ts'

/** By request, then by part of the response. */
type Shown = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Longer texts are truncated. */
const MOST = 200

const HEADERS = ['content-type', 'location', 'www-authenticate', 'retry-after', 'cross-origin-opener-policy']

/** New on each run, and irrelevant. */
const PASSING = new Set(['client_id_issued_at'])

export const show = ({ answers, backs }: Walk, world: WorldControl): Shown => {
  const names = naming(world)
  const shown = new Map<string, Map<string, string>>()
  const begin = (request: string) => {
    const parts = new Map<string, string>()
    shown.set(request, parts)
    return (name: string, value: string) => void parts.set(name, cut(names(value)))
  }
  for (const [request, outcome] of answers) {
    const say = begin(request)
    say('', status(outcome))
    const authorize = /^authorize(.*)/.exec(request)
    if (typeof outcome === 'object') {
      for (const header of HEADERS) {
        const value = outcome.headers.get(header)
        // The redirect's parameters are compared separately.
        if (value !== null) say(` ${header}`, value.replace(/\?.*/s, authorize ? '?' : '$&'))
      }
      if (!outcome.headers.has('access-control-allow-origin')) say(' cors', 'none')
      if (!outcome.headers.has('access-control-expose-headers')) say(' exposed', 'nothing')
      for (const [member, value] of contents(outcome)) if (!PASSING.has(member)) say(`.${member}`, value)
    }
    const token = documentOf(outcome)?.['access_token']
    if (request.startsWith('refresh') && token === documentOf(answers.get('token'))?.['access_token'])
      say('.access_token', 'the first one')
    const at = authorize?.[1] === '' ? 0 : 1
    const back = backs[at]
    if (!authorize || !back) continue
    const lead = begin(`back${authorize[1]}`)
    for (const name of new Set(back.keys())) {
      const sent = STATE + authorize[1]
      const values = back.getAll(name).map((value) => (name === 'state' && value === sent ? 'as sent' : write(value)))
      lead(`.${name}`, values.join(' AND '))
    }
    if (at > 0 && back.get('code') === backs[0]?.get('code')) lead('.code', 'the first one')
  }
  return shown
}

const status = (outcome: Outcome): string => {
  if (typeof outcome === 'string') return outcome
  return outcome.end === 'well' ? String(outcome.status) : `${outcome.status}, then ${outcome.end}`
}

const MEGABYTE = 1024 * 1024

const contents = (answer: Answer): [name: string, value: string][] => {
  const { text, json, end } = answer
  if (end !== 'well') return text === '' || text.trim() !== '' ? [] : [['text', 'spaces']]
  const size: [string, string][] = text.length > MEGABYTE ? [['size', `${Math.round(text.length / MEGABYTE)} MB`]] : []
  const document = documentOf(answer)
  if (document)
    return [...size, ...Object.entries(document).map(([name, value]): [string, string] => [name, write(value)])]
  if (text === '') return [['text', 'none']]
  return [...size, json === undefined ? ['text', text] : ['json', write(json)]]
}

/** A string without its quotes, if that isn't ambiguous. */
const write = (value: unknown): string => {
  if (typeof value === 'string') {
    const claims = jwtIn(value)
    if (claims !== undefined) return claims
    return /^[a-z][\x21-\x7e]*$/i.test(value) ? value : JSON.stringify(value)
  }
  try {
    return JSON.stringify(value)
  } catch {
    return 'too deep to write'
  }
}

/** The content of a JWT, with times relative to now. */
const jwtIn = (value: string): string | undefined => {
  if (!value.startsWith('eyJ')) return
  const read = (part: string) => Buffer.from(part, 'base64url').toString()
  const [header = '', claims = ''] = value.split('.')
  const times = read(claims).replace(/"(exp|iat|nbf)":(\d{10})\b/g, (_, name: string, time: string) => {
    return `"${name}":${Number(time) * 1000 > Date.now() ? 'later' : 'before'}`
  })
  return `JWT ${read(header)} ${times}`
}

const cut = (value: string): string =>
  value.length > MOST ? `${value.slice(0, 40)}…${value.slice(-20)} (${value.length} characters)` : value

/** Names for values that differ on each run. */
const naming = ({ base, evil }: WorldControl): ((text: string) => string) => {
  const own = new URL(base)
  const other = new URL(evil)
  const replaced: readonly (readonly [string, string])[] = [
    [PAGE, 'PAGE'],
    [NASTY, 'NASTY'],
    [JSON.stringify(NASTY).slice(1, -1), 'NASTY'],
    [encodeURIComponent(base), 'ENCODED-OWN'],
    [encodeURIComponent(evil), 'ENCODED-EVIL'],
    [base, 'OWN'],
    [evil, 'EVIL'],
    [own.origin, 'ORIGIN'],
    [other.origin, 'EVILORIGIN'],
    [
      own.origin
        .replace(':', ':0')
        .replace('http:0', 'http:')
        .replace(/:(\d+)$/, ':0$1'),
      '0ORIGIN',
    ],
    [own.origin.slice('http'.length), '://ORIGIN'],
    [own.host, 'ORIGIN'],
    ...(own.pathname === '/' ? [] : ([[own.pathname, '/WORLD']] as const)),
  ]
  return (text) => {
    let named = text
    for (const [from, to] of replaced) named = named.replaceAll(from, to)
    return named.replace(/\b(access|refresh|client|code|secret|manage|x)-[0-9a-f]{32}\b/g, (_, what: string) =>
      what.toUpperCase(),
    )
  }
}

/** The first-round request to compare a request of a later round, or of another place, with. */
const standIn = (request: string): string =>
  request
    .replace(/^refresh/, 'token')
    .replace(/^oidc-.*/, 'asm')
    .replace(/-(\d|again|revoked)$/, '')

/**
 * What differs in `there`, one line per request, in its order. Requests with the same differences share a line.
 *
 * @param here the correct behaviour
 */
export const differences = (here: Shown, there: Shown): string[] => {
  const found: { requests: string[]; what: string }[] = []
  for (const [request, parts] of there) {
    const otherwise = difference(here.get(request) ?? here.get(standIn(request)), parts)
    // Its mere existence deserves a line.
    const what = otherwise === '' && request.startsWith('oidc-') ? ': as asm' : otherwise
    const last = found.at(-1)
    if (what === '') continue
    if (last?.what === what) last.requests.push(request)
    else found.push({ requests: [request], what })
  }
  return found.map(({ requests, what }) => `${requests.join(', ')}${what}`)
}

const difference = (was: ReadonlyMap<string, string> | undefined, parts: ReadonlyMap<string, string>): string => {
  const changed = [...parts].flatMap(([name, value]) =>
    name === '' || was?.get(name) === value ? [] : [`${name.slice(1)}=${value}`],
  )
  const status = parts.get('') ?? ''
  // A different kind of response: don't list what is missing from it.
  if (status !== (was?.get('') ?? '')) return ` ${[status, ...changed].join(' | ')}`
  const other = parts.has('.text') !== was?.has('.text') || parts.has('.json')
  const gone = other
    ? []
    : [...(was?.keys() ?? [])].filter((name) => !parts.has(name)).map((name) => `no ${name.slice(1)}`)
  const all = [...changed, ...gone]
  return all.length === 0 ? '' : `: ${all.join(' | ')}`
}
