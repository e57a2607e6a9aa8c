/**
 * Parses `WWW-Authenticate` (RFC 9110 section 11.6.1, AU-PRM-02), and reports mistakes without giving up.
 *
 * A page gets several header fields joined by commas, and commas also separate the parameters of one challenge. A word
 * followed by `=` is therefore a parameter, and a word followed by anything else begins the next challenge.
 */

/** Names are in lower case, values are unquoted. Malformed input is read as far as possible. */
export interface AuthChallenge {
  /** As written; empty if parameters come before any scheme. */
  readonly scheme: string
  /** Has no prototype, because a server may name a parameter `constructor`. */
  readonly params: Readonly<Record<string, string>>
  readonly token68?: string
  /** Description of the mistakes, in English. */
  readonly malformed?: string
}

/** A challenge for a token (RFC 6750 section 3, RFC 9449 section 7.1, RFC 9728 section 5.1). */
export interface BearerChallenge {
  readonly scheme: 'Bearer' | 'DPoP'
  readonly resourceMetadata?: string
  /** AU-SCOPE-01, AU-SCOPE-02. */
  readonly scope?: string
  readonly error?: string
  readonly errorDescription?: string
  readonly realm?: string
  /** The JWS algorithms accepted for DPoP proofs, from whichever challenge is for DPoP. */
  readonly algs?: readonly string[]
  /** All challenges in the header, in order. */
  readonly all: readonly AuthChallenge[]
}

/** Maximum length of a value in UTF-16 units, and maximum number of challenges and of parameters of each. */
const LONGEST = 16 * 1024
const MOST_CHALLENGES = 32
const MOST_PARAMS = 64
/** Maximum number of mistakes reported per challenge. */
const MOST_FAULTS = 6

/** Parses one or more joined header values. Never throws; runs in linear time. */
export const parseChallenges = (value: string): readonly AuthChallenge[] => new ChallengeParser(value).challenges()

/** The most informative challenge for `Bearer` or `DPoP`; if two are equally informative, the first. */
export const bearerChallenge = (value: string | null): BearerChallenge | undefined => {
  if (value === null) return undefined
  const all = parseChallenges(value)
  let best: AuthChallenge | undefined
  for (const challenge of all) {
    if (schemeOf(challenge) && (best === undefined || worth(challenge) > worth(best))) best = challenge
  }
  const scheme = best && schemeOf(best)
  if (!best || !scheme) return undefined
  const {
    resource_metadata: resourceMetadata,
    scope,
    error,
    error_description: errorDescription,
    realm,
  } = best.params as Readonly<Record<string, string | undefined>>
  const algs = all.find((challenge) => schemeOf(challenge) === 'DPoP' && challenge.params.algs)?.params.algs
  return {
    scheme,
    resourceMetadata: resourceMetadata || undefined,
    scope: scope || undefined,
    error: error || undefined,
    errorDescription: errorDescription || undefined,
    realm: realm || undefined,
    algs: algs?.split(' ').filter((alg) => alg !== ''),
    all,
  }
}

/** How a server rejected a request, as far as a page can see it. */
export interface Refused {
  readonly status: number
  /** As received, if the page can see it. */
  readonly header?: string
  readonly challenge?: BearerChallenge
  /** CORS hides the header from the page, so it may exist. */
  readonly hidden?: boolean
}

export const refusedBy = (status: number, header: string | null, crossOrigin: boolean): Refused => {
  const challenge = bearerChallenge(header)
  return {
    status,
    header: header?.slice(0, 4000),
    challenge,
    hidden: (header === null && crossOrigin) || undefined,
  }
}

/** Scheme names are case-insensitive (RFC 9110 section 11.1). */
const schemeOf = ({ scheme }: AuthChallenge): BearerChallenge['scheme'] | undefined => {
  const name = scheme.toLowerCase()
  return name === 'bearer' ? 'Bearer' : name === 'dpop' ? 'DPoP' : undefined
}

/** Ordered by usefulness to a client: each name outweighs all that follow. */
const TELLING = ['resource_metadata', 'scope', 'error', 'error_description', 'realm']

const worth = ({ params }: AuthChallenge): number =>
  TELLING.reduce((sum, name, place) => sum + (params[name] ? 2 ** (TELLING.length - place) : 0), 0)

interface Draft {
  readonly scheme: string
  readonly params: Map<string, string>
  readonly faults: string[]
  token68?: string
}

const TOKEN = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
const TOKEN68 = /[0-9A-Za-z\-._~+/]+=*(?=\s*(?:,|$))/y
const SPACE = /\s*/y
/** Unquoted text where a value is expected. */
const UNQUOTED = /[^\s,;"]+/y
/** Characters that are neither a word nor a separator. */
const RUBBISH = /[^!#$%&'*+\-.^_`|~0-9A-Za-z\s,;"]+/y

class ChallengeParser {
  readonly #text: string
  readonly #cut: boolean
  #at = 0
  readonly #found: Draft[] = []
  /** Mistakes found before the first challenge, reported with it. */
  readonly #early: string[] = []

  constructor(value: string) {
    this.#cut = value.length > LONGEST
    this.#text = value.slice(0, LONGEST)
  }

  challenges(): readonly AuthChallenge[] {
    while (this.#more()) this.#next()
    if (this.#cut) this.#fault(`cut after ${LONGEST} characters`)
    if (this.#found.length === 0 && this.#early.length > 0) this.#begin('')
    return this.#found.map(({ scheme, params, faults, token68 }) => ({
      scheme,
      params: withoutPrototype(params),
      token68,
      ...(faults.length === 0 ? {} : { malformed: faults.join('; ') }),
    }))
  }

  /** Skips list separators; empty elements are allowed (RFC 9110 section 5.6.1). */
  #more(): boolean {
    for (;;) {
      this.#take(SPACE)
      const unit = this.#text[this.#at]
      if (unit === ';') this.#fault('";" where "," is expected')
      else if (unit !== ',') return unit !== undefined
      this.#at++
    }
  }

  #next(): void {
    const word = this.#take(TOKEN)
    if (word === undefined) return this.#skip()
    const after = this.#at
    this.#take(SPACE)
    if (this.#text[this.#at] === '=') {
      this.#at++
      this.#take(SPACE)
      return this.#param(word)
    }
    this.#begin(word)
    if (this.#at === after) return
    const token68 = this.#take(TOKEN68)
    if (token68 !== undefined) this.#found.at(-1)!.token68 = token68
    else if (this.#atWord() && !this.#atParam()) this.#fault(`neither a parameter nor a token68 after ${shown(word)}`)
  }

  #skip(): void {
    const rubbish = this.#text[this.#at] === '"' ? this.#quoted() : (this.#take(RUBBISH) ?? '')
    this.#fault(`${shown(rubbish)} where a scheme or a parameter is expected`)
  }

  #begin(scheme: string): void {
    if (this.#found.length >= MOST_CHALLENGES) {
      this.#fault(`more than ${MOST_CHALLENGES} challenges`)
      this.#at = this.#text.length
      return
    }
    this.#found.push({ scheme, params: new Map(), faults: this.#early.splice(0) })
  }

  #param(name: string): void {
    if (this.#found.length === 0) {
      this.#begin('')
      this.#fault(`${shown(name)} precedes any scheme`)
    }
    const value = this.#text[this.#at] === '"' ? this.#quotedValue(name) : this.#bareValue(name)
    this.#keep(name.toLowerCase(), value)
  }

  #quotedValue(name: string): string {
    const value = this.#quoted(name)
    const end = this.#at
    this.#take(SPACE)
    const unit = this.#text[this.#at]
    if (unit === undefined || unit === ',' || unit === ';') return value
    const direct = this.#at === end
    if (direct && unit !== '"' && !this.#atParam())
      this.#fault(`${shown(this.#take(UNQUOTED) ?? '')} after ${name}="…"`)
    else this.#fault(`no "," after ${name}`)
    return value
  }

  /** An unquoted value is a single token, but URLs and scope lists are often written unquoted, so take the whole. */
  #bareValue(name: string): string {
    let value = this.#take(UNQUOTED) ?? ''
    if (value === '') this.#fault(`${name} has no value`)
    let plain = value === '' || isToken(value)
    for (;;) {
      this.#take(SPACE)
      const unit = this.#text[this.#at]
      if (unit === undefined || unit === ',' || unit === ';') break
      if (value === '' || unit === '"' || this.#atParam()) {
        this.#fault(`no "," after ${name}`)
        break
      }
      value += ` ${this.#take(UNQUOTED) ?? ''}`
      plain = false
    }
    if (!plain) this.#fault(`${name} isn't in quotes`)
    return value
  }

  /** Reads up to the closing quotation mark, or to the end. */
  #quoted(name = 'a text'): string {
    let value = ''
    this.#at++
    for (let from = this.#at; ;) {
      const unit = this.#text[this.#at]
      if (unit === '"' || unit === undefined) {
        value += this.#text.slice(from, this.#at)
        if (unit === undefined) this.#fault(`the quotes of ${name} aren't closed`)
        else this.#at++
        return value
      }
      if (unit === '\\' && this.#at + 1 < this.#text.length) {
        value += this.#text.slice(from, this.#at)
        from = this.#at + 1
        this.#at++
      }
      this.#at++
    }
  }

  /** The first parameter of a name counts (RFC 9110 allows only one). */
  #keep(name: string, value: string): void {
    const draft = this.#found.at(-1)!
    if (draft.token68 !== undefined) {
      // `realm=` alone can't be distinguished from a token68, but with parameters beside it, it can.
      const [, empty] = /^([^=/]+)=$/.exec(draft.token68) ?? []
      if (empty === undefined) this.#fault('parameters beside a token68')
      else {
        draft.params.set(empty.toLowerCase(), '')
        delete draft.token68
        this.#fault(`${empty} has no value`)
      }
    }
    if (draft.params.has(name)) this.#fault(`${shown(name)} occurs more than once`)
    else if (draft.params.size >= MOST_PARAMS) this.#fault(`more than ${MOST_PARAMS} parameters`)
    else draft.params.set(name, value)
  }

  #atWord(): boolean {
    TOKEN.lastIndex = this.#at
    return TOKEN.test(this.#text)
  }

  /** Whether a word and `=` follow. */
  #atParam(): boolean {
    const before = this.#at
    const word = this.#take(TOKEN)
    this.#take(SPACE)
    const found = word !== undefined && this.#text[this.#at] === '='
    this.#at = before
    return found
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #fault(what: string): void {
    const faults = this.#found.at(-1)?.faults ?? this.#early
    if (faults.includes(what) || faults.length > MOST_FAULTS) return
    faults.push(faults.length === MOST_FAULTS ? 'and more' : what)
  }
}

const isToken = (text: string): boolean => {
  TOKEN.lastIndex = 0
  return TOKEN.exec(text)?.[0].length === text.length
}

const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)

const withoutPrototype = (params: ReadonlyMap<string, string>): Readonly<Record<string, string>> => {
  const record = Object.create(null) as Record<string, string>
  for (const [name, value] of params) record[name] = value
  return record
}
