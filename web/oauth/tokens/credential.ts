/**
 * The credential of one connection: adds the access token, with a DPoP proof if needed, refreshes it when it expires,
 * and handles 401 and `insufficient_scope` responses (step-up, AU-SCOPE-03) as far as possible without the user.
 * Repeats a request once with the server's DPoP nonce; for the token endpoint, `../wire/token-request.ts` does that.
 */
import {
  refusedBy,
  type Authorizer,
  type FrameDraft,
  type JsonObject,
  type Refusal,
  type Refused,
} from '../../mcp/index.ts'
import { isSendable, type TokenSet, AuthError } from '../model/index.ts'
import { type KnownSecrets, SHORTEST_SECRET } from '../../secrets/capture.ts'
import type { SignInServer } from '../sign-in-host.ts'
import { dpopHeaders, type DpopKey, dpopKeyOf } from '../wire/index.ts'
import type { TokenLifecycle } from './refresh-and-revoke.ts'

/** The credential events in the Trace. */
export type CredentialEvent = Extract<FrameDraft, { event: 'credential' }>['what']

/** What the credential takes from the sign-in. */
interface CredentialHost {
  readonly now: () => number
  /** The tokens to send; absent if the user's own header is sent instead. */
  readonly tokens: () => TokenSet | undefined
  readonly secrets: KnownSecrets
  readonly lifecycle: TokenLifecycle
  /**
   * The server requires more scopes than the tokens grant.
   * @returns whether there are new tokens
   */
  stepUp(wanted: StepUp, signal: AbortSignal): Promise<boolean>
  /** Records a credential event in the Trace. */
  tell(what: CredentialEvent, details: JsonObject): void
  /** A rejection that can't be handled here; the next sign-in starts from it. */
  keepRefusal(refused: Refused): void
}

export interface StepUp {
  /** The rejection with the scopes required for this operation (AU-SCOPE-02). */
  readonly refused: Refused
  readonly operation: string
  /** From 1. */
  readonly attempt: number
}

/** AU-SCOPE-05: maximum number of sign-ins for one operation, beyond the first. */
export const MOST_STEP_UPS = 2

/**
 * ms before its expiry that a token is treated as expired, because clocks differ and requests take time. At most this
 * fraction of its lifetime, so that a token valid for seconds isn't expired from the start.
 */
const EARLY = 5_000
const EARLY_PART = 0.1

/** Maximum number of recent tokens to look for in responses. */
const MOST_SENT = 8

/** Maximum number of operations whose rejections are counted. */
const MOST_COUNTED = 1_000

export class Credential implements Authorizer {
  readonly #server: SignInServer
  readonly #host: CredentialHost
  /** Number of step-ups by operation. */
  readonly #stepUps = new Map<string, number>()
  /** Operations whose first rejection only required a nonce, without judging the token. */
  readonly #nonced = new Set<string>()
  /** The token for which a refresh failed: it isn't tried again. */
  #spent: string | undefined
  /** Kept as long as the key is the same, because it remembers the server's nonces. */
  #dpop: DpopKey | undefined
  #lastToken: string | undefined
  /** The last tokens sent, which responses may repeat: as they are, and JSON-escaped. */
  #sent: readonly string[] = []

  constructor(server: SignInServer, host: CredentialHost) {
    this.#server = server
    this.#host = host
  }

  async headers({ method, url }: { readonly method: string; readonly url: string }): Promise<[string, string][]> {
    let tokens = this.#usable(url)
    if (!tokens) return []
    if (this.#isExpired(tokens) && this.#mayRefresh(tokens)) {
      this.#host.tell('expired', { expiresAt: tokens.expiresAt! })
      tokens = (await this.#refresh(tokens)) ?? tokens
    }
    if (this.#lastToken !== tokens.accessToken) {
      const { accessToken } = tokens
      this.#lastToken = accessToken
      const forms = [accessToken, JSON.stringify(accessToken).slice(1, -1)]
      if (accessToken.length >= SHORTEST_SECRET)
        this.#sent = [...new Set([...forms, ...this.#sent])].slice(0, MOST_SENT)
      this.#host.tell('used', { type: tokens.tokenType, issuer: tokens.issuer ?? null })
    }
    return await this.#authorization(tokens, { method, url })
  }

  masked(text: string): string {
    return this.#sent.some((token) => text.includes(token)) ? this.#host.secrets.without(text, this.#sent) : text
  }

  async answerRefusal(refusal: Refusal): Promise<boolean> {
    try {
      return await this.#handleRefusal(refusal)
    } catch (error) {
      if (error instanceof AuthError) return false
      throw error
    }
  }

  /**
   * The user signed in or pasted a token. Counters are kept, so that a server that is never satisfied
   * isn't retried indefinitely.
   */
  reset(tokens: TokenSet): void {
    if (tokens.accessToken !== this.#spent) this.#spent = undefined
  }

  async #handleRefusal(refusal: Refusal): Promise<boolean> {
    const { status, challenge, crossOrigin, sent, attempt, operation } = refusal
    const refused = refusedBy(status, challenge, crossOrigin)
    const found = refused.challenge
    const used = tokenIn(sent)
    const tokens = this.#usable(refusal.url)
    // RFC 9449 section 9: the server requires its nonce in the proof. Only once, because it may
    // require one indefinitely.
    if (status === 401 && found?.error === 'use_dpop_nonce' && refusal.dpopNonce !== null && attempt === 1 && tokens) {
      await this.#authorization(tokens, refusal, refusal.dpopNonce)
      if (this.#nonced.size >= MOST_COUNTED) this.#nonced.clear()
      this.#nonced.add(operation)
      return true
    }
    if (status === 403) {
      const error = found?.error ?? (await bodyError(refusal))
      if (error !== 'insufficient_scope' || used === undefined) return false
      return await this.#stepUp({ refused, operation, attempt: (this.#stepUps.get(operation) ?? 0) + 1 }, refusal)
    }
    // Another request got new tokens in the meantime.
    if (tokens && used !== undefined && tokens.accessToken !== used) return attempt <= 2
    if (used !== undefined && tokens) {
      this.#host.tell('refused', { status, operation, error: found?.error ?? null })
      // AU-TOK-05: refresh once, then the user has to sign in again.
      const first = attempt === 1 || (attempt === 2 && this.#nonced.has(operation))
      this.#nonced.delete(operation)
      if (first && this.#mayRefresh(tokens) && (await this.#refresh(tokens))) return true
    }
    this.#host.keepRefusal(refused)
    return false
  }

  async #stepUp(wanted: StepUp, { signal }: Refusal): Promise<boolean> {
    const { operation, attempt, refused } = wanted
    const scope = refused.challenge?.scope ?? null
    if (attempt > MOST_STEP_UPS) {
      this.#host.tell('gave-up', { operation, attempts: attempt - 1, scope })
      this.#host.keepRefusal(refused)
      return false
    }
    this.#host.tell('step-up', { operation, attempt, most: MOST_STEP_UPS, scope })
    if (!(await this.#host.stepUp(wanted, signal))) return false
    // Declining isn't counted as an attempt, so a user who changes their mind is asked again.
    if (this.#stepUps.size >= MOST_COUNTED) this.#stepUps.clear()
    this.#stepUps.set(operation, attempt)
    return true
  }

  /** AU-GEN-04: tokens are only sent to the server they are for. */
  #usable(url: string): TokenSet | undefined {
    const tokens = this.#host.tokens()
    const server = this.#server.url
    const isFor = tokens?.server === server && new URL(url).origin === new URL(server).origin
    // A token that headers can't carry would only cause a runtime error; without it, the server
    // responds with its challenge.
    return isFor && isSendable(tokens.accessToken) ? tokens : undefined
  }

  #isExpired({ expiresAt, receivedAt }: TokenSet): boolean {
    if (expiresAt === undefined) return false
    return expiresAt - Math.min(EARLY, (expiresAt - receivedAt) * EARLY_PART) <= this.#host.now()
  }

  #mayRefresh({ accessToken }: TokenSet): boolean {
    return accessToken !== this.#spent && this.#host.lifecycle.renews
  }

  async #refresh({ accessToken }: TokenSet): Promise<TokenSet | undefined> {
    try {
      return await this.#host.lifecycle.renew()
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      this.#spent = accessToken
      return undefined
    }
  }

  async #authorization(
    tokens: TokenSet,
    request: { readonly method: string; readonly url: string },
    nonce?: string,
  ): Promise<[string, string][]> {
    if (this.#dpop?.key !== tokens.dpopKey) this.#dpop = dpopKeyOf(tokens)
    if (!this.#dpop) return [['authorization', `Bearer ${tokens.accessToken}`]]
    return await dpopHeaders(tokens.accessToken, this.#dpop.handle, request, nonce)
  }
}

export interface PendingStepUp extends StepUp {
  /** The scopes requested so far (AU-SCOPE-04). */
  readonly held: string | undefined
}

/** Step-up authorization: requests that need more scopes wait here for one decision of the user (AU-SCOPE-03). */
export class StepUps {
  readonly #changed: () => void
  #pending: { readonly stepUp: PendingStepUp; readonly waiting: Set<(granted: boolean) => void> } | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get current(): PendingStepUp | undefined {
    return this.#pending?.stepUp
  }

  /** @param signal aborted when the request is cancelled; when the last request is gone, the decision is dropped */
  async ask(stepUp: PendingStepUp, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    const pending = (this.#pending ??= { stepUp, waiting: new Set() })
    this.#changed()
    return await new Promise((resolve) => {
      const decided = (granted: boolean) => {
        signal.removeEventListener('abort', gone)
        pending.waiting.delete(decided)
        resolve(granted)
      }
      const gone = () => {
        decided(false)
        if (pending.waiting.size === 0 && this.#pending === pending) this.decide(false)
      }
      signal.addEventListener('abort', gone)
      pending.waiting.add(decided)
    })
  }

  decide(granted: boolean): void {
    const pending = this.#pending
    if (!pending) return
    this.#pending = undefined
    this.#changed()
    for (const decided of [...pending.waiting]) decided(granted)
  }
}

/** The token that a request carried. */
const tokenIn = (sent: Refusal['sent']): string | undefined =>
  sent.find(([name]) => name === 'authorization')?.[1].replace(/^\S+ /, '')

/**
 * RFC 6750 puts the error into the header. A page may not be able to see it there, but some
 * servers repeat it in the body.
 */
const bodyError = async (refusal: Refusal): Promise<string | undefined> => {
  if (refusal.challenge !== null) return undefined
  try {
    const said = JSON.parse(await refusal.body()) as { error?: unknown }
    return typeof said.error === 'string' ? said.error : undefined
  } catch {
    return undefined
  }
}
