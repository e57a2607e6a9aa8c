/** What a step may ask of its driver. The driver decides whether to ask the user first. */
import type { AuthCheck, AuthStep, JsonObject } from '../../mcp/index.ts'
import type { Fault, SignInState, SignInOptions, Profile, Registration, TokenSet } from '../model/index.ts'
import type { Answer, RequestDraft, Unanswered } from './request.ts'

/** What its user may hand in where a request does not get it. */
export type Supply =
  { readonly kind: 'metadata'; readonly document: JsonObject } | { readonly kind: 'tokens'; readonly tokens: TokenSet }

export interface Port {
  readonly profile: Profile
  readonly options: SignInOptions
  /** Where the browser comes back to. */
  readonly redirectUri: string
  /** Address of our client id metadata document, where this copy of the page has one. */
  clientDocument(): Promise<string | undefined>
  /** ms since the epoch. */
  now(): number
  /** Sends; the user may see it before, and change it. */
  send(draft: RequestDraft, note?: SendNote): Promise<Answer | Unanswered>
  /** Notes what was looked at. */
  check(check: AuthCheck): void
  /**
   * Notes what was looked at; where the rule is broken the flow ends here, unless its user goes on in spite of it.
   * @throws {AuthError} it is broken and nobody goes on
   */
  must(check: AuthCheck, fault: Fault): Promise<void>
  /**
   * Nothing can be done with what there is.
   * @param takes what its user may hand in instead; `go-on`: there is a poor way to go on
   * @returns what was handed in, or `undefined` to go on without
   * @throws {AuthError} nobody helps
   */
  stop(fault: Fault, takes?: readonly (Supply['kind'] | 'go-on')[]): Promise<Supply | undefined>
  /** One of several, the first unless its user says otherwise. */
  choose(offered: readonly string[]): Promise<string>
  /** Lets the user sign in with the server, and resolves with the query that the browser brought back. */
  consent(url: string, state: string, known: SignInState): Promise<string>
  /** A client registered before with this issuer. */
  registrationFor(issuer: string): Registration | undefined
  keep(registration: Registration): void
  /** Uses the tokens; rejects with an AuthError where the server does not take them. */
  use(tokens: TokenSet): Promise<void>
}

export interface SendNote {
  /** A request that uses something up, and must therefore not be sent where a browser may hide its answer. */
  readonly once?: true
  /** Follow where it leads: for documents that anybody may read. */
  readonly follow?: true
}

export interface Step {
  readonly id: AuthStep
  /** Requirements and RFCs that it follows, for whoever wants to read. */
  readonly rules: readonly string[]
  run(known: SignInState, port: Port): Promise<Partial<SignInState>>
}
