/** Reports findings with the level of the protocol version in force, and drops rules that it doesn't have. */
import type { Finding, Frame, Revision, Seq } from '../mcp/index.ts'
import type { Level, Levels } from './requirements.ts'
import type { Details, FeatureFinding, FeatureReport, RuleFinding, Say, SayLater } from './rule.ts'

export interface FindingSink {
  add(found: RuleFinding): void
  /** Asynchronous checks, in the order of the frames. */
  readonly deferred: (() => Promise<void>)[]
}

/** A finding before it is placed on a frame. */
interface Cited {
  readonly rule: string
  readonly keyword: Level
  readonly explanation: string
  readonly revision: Revision | undefined
  readonly pointer?: string | undefined
  readonly related?: Seq | undefined
  readonly also?: readonly string[] | undefined
}

/** Reports the findings of one frame at a time, each at the level of the protocol version, which must have the rule. */
export class Reporter {
  readonly #into: FindingSink
  readonly #levels: Levels
  readonly #once = new Set<string>()
  /** The rules cited for this frame so far, and where. */
  readonly said = new Map<string, (string | undefined)[]>()
  #frame!: Frame
  #client = false
  /** Frames whose findings aren't reported. */
  readonly #spared = new WeakSet<Frame>()
  #revision: Revision | undefined

  constructor(into: FindingSink, levels: Levels) {
    this.#into = into
    this.#levels = levels
  }

  /**
   * Sets the frame of the following findings, and the protocol version to use unless one is given.
   *
   * @param isSpared nothing is reported about it: the user let Periscope change what arrived
   */
  about(frame: Frame, revision: Revision | undefined, isSpared = false): void {
    this.#frame = frame
    if (isSpared) this.#spared.add(frame)
    this.#revision = revision
    if (this.said.size > 0) this.said.clear()
  }

  by(revision: Revision | undefined): void {
    this.#revision = revision
  }

  /** Findings inside the callback are about the client. */
  ofClient(judge: () => void): void {
    this.#client = true
    judge()
    this.#client = false
  }

  readonly say: Say = Object.assign(
    (rules: string | readonly string[], explanation: string, details?: Details) =>
      this.#say(typeof rules === 'string' ? [rules] : rules, explanation, details),
    { later: (check: (say: SayLater) => Promise<void>) => this.#later(check) },
  )

  #say(rules: readonly string[], explanation: string, details: Details = {}): void {
    // Before `once`, which must count for what the server really does.
    if (this.#spared.has(this.#frame)) return
    const { pointer, related, revision = this.#revision, once } = details
    const [rule, ...also] = this.#inForce(rules, revision)
    const keyword = rule === undefined ? undefined : (details.keyword ?? this.#levels(rule, revision))
    if (rule === undefined || keyword === undefined) return
    if (once !== undefined) {
      const habit = once === true ? rule : `${rule} ${once}`
      if (this.#once.has(habit)) return
      this.#once.add(habit)
    }
    this.#add({ rule, keyword, explanation, revision, pointer, related, also })
  }

  /** An RFC binds the server in every protocol version; only rows differ. */
  #inForce(rules: readonly string[], revision: Revision | undefined): string[] {
    const isOlder = revision !== undefined && revision < WITH_RESOURCES
    const isOAuth = revision === '2025-03-26' && rules.some((each) => OAUTH.test(each))
    const all = isOAuth ? [...new Set([...rules, 'AU-0326-04'])] : rules
    return all.filter((each) => (this.#levels.has(each) ? this.#levels(each, revision) !== undefined : !(isOlder && each.startsWith('RFC 9728 ')))) // prettier-ignore
  }

  #later(check: (say: SayLater) => Promise<void>): void {
    const [frame, revision] = [this.#frame, this.#revision]
    this.#into.deferred.push(() =>
      check((rule, explanation, pointer) => {
        const keyword = this.#levels(rule, revision)
        if (keyword) this.#keep(frame, { rule, keyword, explanation, revision, pointer })
      }),
    )
  }

  /**
   * Reports a finding made elsewhere, at the level of the protocol version. Advice keeps its own keyword.
   *
   * @param isShape it breaks the schema, which is MUST whatever the row says
   */
  pass({ rule, keyword, explanation, pointer }: Finding, isShape = false): void {
    const level = keyword === 'MAY' ? keyword : this.#levels(rule, this.#revision)
    if (!level && this.#revision !== undefined && this.#levels.has(rule)) return
    // A row may say SHOULD or MAY of whether a member is there, but what is there must fit the schema.
    const isStricter = keyword === 'MUST' && (isShape || level === 'MAY')
    const own = isStricter ? keyword : (level ?? keyword)
    const found = { rule, keyword: own, explanation, revision: this.#revision }
    this.#add({ ...found, pointer: pointer === '' ? undefined : pointer })
  }

  /** Reports a finding of a sign-in unchanged: its rules include RFCs. */
  keep({ rule, keyword, explanation }: Finding): void {
    const [own = rule, ...also] = this.#inForce([rule, ...(SAME[rule] ?? [])], this.#revision)
    const level = keyword === 'MAY' ? keyword : (this.#levels(own, this.#revision) ?? keyword)
    this.#add({ rule: own, keyword: level, explanation, revision: this.#revision, also })
  }

  /** Reports what a feature's check finds in this frame. */
  get feature(): FeatureReport {
    const [frame, revision] = [this.#frame, this.#revision]
    const report = (finding: FeatureFinding) => this.#contribute(finding, frame, revision, this.said)
    return Object.assign(report, {
      later: (check: () => Promise<readonly FeatureFinding[]>) => {
        const said = new Map(this.said)
        this.#into.deferred.push(async () => {
          for (const finding of await check()) this.#contribute(finding, frame, revision, said)
        })
      },
    })
  }

  #contribute(finding: FeatureFinding, frame: Frame, revision: Revision | undefined, said: typeof this.said): void {
    if (this.#spared.has(frame)) return
    const { rule, keyword, explanation, pointer, related, once } = finding
    if (!this.#levels(rule, revision)) return
    if (said.get(rule)?.some((place) => samePlace(place, pointer))) return
    if (once) {
      if (this.#once.has(rule)) return
      this.#once.add(rule)
    }
    this.#keep(frame, { rule, keyword: levelOfKeyword(keyword), explanation, revision, pointer, related })
  }

  #add(found: Cited): void {
    const places = this.said.get(found.rule)
    if (places) places.push(found.pointer)
    else this.said.set(found.rule, [found.pointer])
    this.#keep(this.#frame, found)
  }

  #keep(frame: Frame, { revision, pointer, related, also, ...found }: Cited): void {
    if (this.#spared.has(frame)) return
    const { link, seq } = frame
    this.#into.add({
      ...found,
      link,
      seq,
      ...(this.#client ? { by: 'client' as const } : {}),
      ...(revision === undefined ? {} : { revision }),
      ...(pointer === undefined ? {} : { pointer }),
      ...(related === undefined ? {} : { related }),
      ...(also === undefined || also.length === 0 ? {} : { also }),
    })
  }
}

/** What OAuth 2.1 contains; 2025-03-26 has one row for all of it. */
const OAUTH = /^RFC (6749|6750|7636) /

/** The first version with protected resource metadata (RFC 9728). */
const WITH_RESOURCES: Revision = '2025-06-18'

/**
 * What says the same as the rule of a sign-in's step, and covers it in protocol versions before it had a row: another row,
 * or the RFC that binds the server.
 */
const SAME: Readonly<Record<string, readonly string[]>> = {
  'AU-ASM-06': ['RFC 8414 section 3.3', 'AU-ASM-01'],
  'AU-FLOW-06': ['RFC 6749 section 4.1.2'],
  'AU-FLOW-08': ['RFC 9207 section 2'],
  'AU-FLOW-09': ['RFC 9207 section 2.4'],
  'AU-PRM-02': ['RFC 6750 section 3', 'RFC 9110 section 11.6.1'],
  'AU-PRM-05': ['RFC 9728 section 3.3'],
  'AU-ASM-01': ['RFC 8414 section 2'],
  'AU-ASM-07': ['RFC 8414 section 2'],
  'AU-FLOW-02': ['RFC 7636 section 4.2'],
  'AU-FLOW-03': ['RFC 8414 section 2'],
  'AU-PRM-06': ['RFC 9728 section 2'],
  'AU-REG-06': ['RFC 7591 section 3.2.1'],
  'AU-REG-10': ['RFC 7591 section 3.2.1'],
  'RFC 6749 appendix A.11': ['RFC 6749 section 4.1.2'],
  'RFC 6749 appendix A.17': ['RFC 6749 section 5.1'],
}

/** `SHOULD NOT` is as strong as `SHOULD`. */
const levelOfKeyword = (keyword: FeatureFinding['keyword']): Finding['keyword'] =>
  keyword.startsWith('MUST') ? 'MUST' : keyword.startsWith('SHOULD') ? 'SHOULD' : 'MAY'

/** Whether two places are equal or one contains the other. Without a pointer, a finding is about the whole message. */
const samePlace = (one = '', other = ''): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return long.startsWith(short) && (long.length === short.length || long[short.length] === '/')
}
