/**
 * What an elicitation requests, by its parameters: the mode, the message, and whether the mode was declared.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 */
import type { Json, JsonObject } from '../../mcp/index.ts'

export interface ModeFinding {
  readonly code: 'mode-unknown' | 'mode-undeclared' | 'no-message' | 'no-id' | 'stale-id' | 'not-in-revision'
  /** Rule ID in web/lint/requirements.json. */
  readonly rule: string
  readonly keyword: 'MUST' | 'MUST NOT' | 'SHOULD' | 'MAY'
  /** JSON pointer into the parameters. */
  readonly pointer?: string
  readonly found?: string
}

export interface Elicitation {
  /** As sent; `form` if absent (CF-ELIC-02). */
  readonly mode: string
  readonly implied: boolean
  /** We declared this mode for this protocol version. */
  readonly declared: boolean
  /** '' if absent. */
  readonly message: string
  /** 2025-11-25, URL mode (CF-URL-05). */
  readonly elicitationId: string | undefined
  readonly findings: readonly ModeFinding[]
}

/** The client capability (CF-ELIC-01, LC-10). An empty object means form mode only. */
export const declareElicitation = (revision: string): JsonObject => {
  if (revision < '2025-06-18') return {}
  return { elicitation: revision < '2025-11-25' ? {} : { form: {}, url: {} } }
}

/** The modes that `declareElicitation` declares. */
const modesOf = (revision: string): readonly string[] =>
  revision < '2025-06-18' ? [] : revision < '2025-11-25' ? ['form'] : ['form', 'url']

/** @param revision absent if a recording doesn't say; the latest is assumed */
export const readElicitation = (params: JsonObject, revision = '2026-07-28'): Elicitation => {
  const { mode: sent, message, elicitationId: id } = params
  const findings: ModeFinding[] = []
  const implied = sent === undefined
  const mode = implied ? 'form' : typeof sent === 'string' ? sent.slice(0, 100) : shown(sent)
  const declared = modesOf(revision).includes(mode)
  const find = (
    code: ModeFinding['code'],
    rule: string,
    keyword: ModeFinding['keyword'],
    pointer?: string,
    found?: string,
  ) => findings.push({ code, rule, keyword, pointer, found })
  if (revision < '2025-06-18') find('not-in-revision', 'LC-09', 'SHOULD', undefined, revision)
  else if (mode !== 'form' && mode !== 'url') find('mode-unknown', undeclaredRule(revision), 'MUST NOT', '/mode', mode)
  else if (!declared) find('mode-undeclared', 'CF-ELIC-01', 'MUST NOT', '/mode', mode)
  // Both modes require the string `message`. An empty one is valid but tells the user nothing.
  if (typeof message !== 'string' || message === '') {
    const keyword = typeof message === 'string' ? 'MAY' : 'MUST'
    find('no-message', mode === 'url' ? 'CF-URL-02' : 'CF-FORM-01', keyword, '/message')
  }
  const elicitationId = typeof id === 'string' && id !== '' ? id : undefined
  if (mode === 'url' && revision === '2025-11-25' && elicitationId === undefined) {
    find('no-id', 'CF-URL-05', 'MUST', '/elicitationId')
  }
  if (mode === 'url' && revision >= '2026-07-28' && id !== undefined) {
    find('stale-id', 'CF-URL-08', 'MUST NOT', '/elicitationId')
  }
  return { mode, implied, declared, message: typeof message === 'string' ? message : '', elicitationId, findings }
}

/**
 * CF-ELIC-05 applies to requests. MRTR-09 is the same rule for requests in results, without an error response
 * (MRTR-10).
 */
const undeclaredRule = (revision: string): string => (revision >= '2026-07-28' ? 'MRTR-09' : 'CF-ELIC-05')

/** A short description for lists. */
export const gistOf = ({ message, url }: JsonObject): string => {
  const text = typeof message === 'string' && message !== '' ? message : typeof url === 'string' ? url : ''
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}

const shown = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 100)
