/** The interface between a step and its driver. The driver decides whether to ask the user first. */
import type { AuthCheck, AuthStep, JsonObject } from '../../mcp/index.ts'
import type { Fault, FaultCode, SignInState, SignInOptions, Profile, Registration, TokenSet } from '../model/index.ts'
import type { Answer, RequestDraft, Unanswered } from './request.ts'

/** What the user may supply if a request can't get it. */
export type Supply =
  | { readonly kind: 'metadata'; readonly document: JsonObject }
  | { readonly kind: 'tokens'; readonly tokens: TokenSet }

export interface Port {
  readonly profile: Profile
  readonly options: SignInOptions
  /** The URL to which the browser returns. */
  readonly redirectUri: string
  /** URL of our client id metadata document, if this copy of the page has one. */
  clientDocument(): Promise<string | undefined>
  /** ms since the epoch. */
  now(): number
  /** Sends a request; the user may see and edit it first. */
  send(draft: RequestDraft, note?: SendNote): Promise<Answer | Unanswered>
  /** Records a check. */
  check(check: AuthCheck): void
  /**
   * Records a check. If it failed, the flow ends here unless the user continues anyway.
   * @param rule names another rule than the check's
   * @throws {AuthError} it failed, and the user doesn't continue
   */
  must(check: AuthCheck, code: FaultCode, explanation: string, rule?: string): Promise<void>
  /** The step ends here: it can only be run again. @throws {AuthError} the user doesn't help */
  stop(fault: Fault): Promise<never>
  /**
   * The step can't continue with what it has.
   * @param takes what the user may supply instead; `go-on`: it can continue without, with limitations
   * @returns what was supplied, or `undefined` to continue without
   * @throws {AuthError} the user doesn't help
   */
  stop(fault: Fault, takes: readonly (Supply['kind'] | 'go-on')[]): Promise<Supply | undefined>
  /** Chooses one of several: the first unless the user chooses another. */
  choose(offered: readonly string[]): Promise<string>
  /**
   * Lets the user sign in at the authorization URL; resolves with the query with which the browser returned.
   * @param known what must be restored if the page is reloaded meanwhile
   */
  consent(known: SignInState): Promise<string>
  /** Whether an earlier sign-in received this code. From now on, later ones do. */
  isRepeated(code: string): boolean
  /** A client registered earlier with this issuer. */
  registrationFor(issuer: string): Registration | undefined
  keep(registration: Registration): void
  /** Uses the tokens; rejects with an AuthError if the server rejects them. */
  use(tokens: TokenSet): Promise<void>
}

export interface SendNote {
  /** The request uses something up, so it must not be sent if the browser might hide its response. */
  readonly once?: true
  /** Follow redirects: for public documents. */
  readonly follow?: true
}

export interface Step {
  readonly id: AuthStep
  /** The requirements and RFCs that it follows, as references for the user. */
  readonly rules: readonly string[]
  run(known: SignInState, port: Port): Promise<Learned>
}

/** What a step adds to the state. */
export type Learned = Partial<SignInState>
