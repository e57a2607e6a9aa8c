/** Error codes: their meaning in each protocol version, and their `data`. */
import { ErrorCode } from '../jsonrpc.ts'
import { isWithin, type Revision, type Span } from '../revision.ts'
import { clientCapabilities } from './capabilities.ts'
import { elicitUrlParams } from './server-requests.ts'
import { array, by, object, string, type Node } from './shape.ts'

interface ErrorRow {
  readonly code: number
  readonly name: string
  readonly meaning: string
  /** Protocol versions in which a peer may send it; absent if in all. */
  readonly span?: Span
  readonly data?: Node
}

export interface ErrorMeaning {
  /** The name in the specification. */
  readonly name: string
  /** One line. */
  readonly meaning: string
  /** Whether a peer may send this code in the protocol version. */
  readonly ok: boolean
}

const MODERN: Span = { since: '2026-07-28' }
const LEGACY: Span = { since: '2024-11-05', until: '2025-11-25' }

const ROWS: readonly ErrorRow[] = [
  { code: ErrorCode.ParseError, name: 'ParseError', meaning: "The message isn't JSON" },
  { code: ErrorCode.InvalidRequest, name: 'InvalidRequest', meaning: "The message isn't a valid request" },
  {
    code: ErrorCode.MethodNotFound,
    name: 'MethodNotFound',
    meaning: "The method doesn't exist, or its capability wasn't declared",
  },
  {
    code: ErrorCode.InvalidParams,
    name: 'InvalidParams',
    meaning: 'The parameters are invalid, for example an unknown name, an invalid cursor or a missing value',
  },
  { code: ErrorCode.InternalError, name: 'InternalError', meaning: 'The receiver failed' },
  // BP-35.
  { code: -32002, name: 'ResourceNotFound', meaning: "The resource doesn't exist", span: LEGACY },
  {
    // BP-34.
    code: -32042,
    name: 'URLElicitationRequired',
    meaning: 'The user must first open the URLs in data.elicitations',
    span: { since: '2025-11-25', until: '2025-11-25' },
    data: by('BP-34', object({ elicitations: array(elicitUrlParams) })),
  },
  // BP-33.
  {
    code: ErrorCode.HeaderMismatch,
    name: 'HeaderMismatch',
    meaning: 'HTTP headers and the message disagree',
    span: MODERN,
  },
  {
    code: ErrorCode.MissingRequiredClientCapability,
    name: 'MissingRequiredClientCapability',
    meaning: 'The request needs the client capabilities in data.requiredCapabilities',
    span: MODERN,
    data: by('BP-33', object({ requiredCapabilities: clientCapabilities })),
  },
  {
    code: ErrorCode.UnsupportedProtocolVersion,
    name: 'UnsupportedProtocolVersion',
    meaning: 'The server supports only the protocol versions in data.supported',
    span: MODERN,
    data: by('BP-33', object({ supported: array(string()), requested: string() })),
  },
  // CF-SAMP-12.
  { code: -1, name: 'UserRejected', meaning: 'The user rejected the request', span: LEGACY },
]

/** The row of a code, in one protocol version or in any. */
export const errorIn = (code: number, revision?: Revision): ErrorRow | undefined =>
  ROWS.find((row) => row.code === code && (!revision || !row.span || isWithin(row.span, revision)))

/** The definition of `error.data` for a code in a protocol version. */
export const errorData = (code: number, revision: Revision): Node | undefined => errorIn(code, revision)?.data

/** What an error code means in a protocol version (BP-30 to BP-38), for display. */
export const errorMeaning = (code: number, revision: Revision): ErrorMeaning => {
  const modern = revision >= '2026-07-28'
  if (code === ErrorCode.InvalidParams && modern) {
    return { name: 'InvalidParams', meaning: `${errorIn(code)!.meaning}; or the resource doesn't exist`, ok: true }
  }
  const here = errorIn(code, revision)
  if (here) return { name: here.name, meaning: here.meaning, ok: true }
  const elsewhere = errorIn(code)
  // An application's own code: anything is allowed outside the reserved range.
  if (elsewhere && code < -32000) {
    const { since, until } = elsewhere.span!
    const when = since === until ? `only in ${since}` : until ? `only up to ${until}` : `only from ${since}`
    return { name: elsewhere.name, meaning: `${elsewhere.meaning} (${when})`, ok: !modern && isServerCode(code) }
  }
  if (modern && code <= -32020 && code >= -32099) {
    return {
      name: 'Reserved',
      meaning: "The specification reserves this code and doesn't define it",
      ok: false,
    }
  }
  if (isServerCode(code)) {
    // BP-31: no guesses. The usual meaning of -32001 up to 2025-11-25 is a convention of libraries, not a rule.
    const habit = code === -32001 && !modern ? '; libraries use it for a lost session or a timeout' : ''
    return { name: 'ImplementationDefined', meaning: `The peer's own code${habit}`, ok: true }
  }
  if (code >= -32768 && code < -32099) {
    return { name: 'Reserved', meaning: "JSON-RPC reserves this code and doesn't define it", ok: false }
  }
  return { name: 'ApplicationDefined', meaning: "The application's own code", ok: true }
}

/** JSON-RPC leaves these to servers; since 2026-07-28 only -32000 to -32019 remain (BP-32). */
const isServerCode = (code: number): boolean => code <= -32000 && code >= -32099
