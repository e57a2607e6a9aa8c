/**
 * The state machine of one sign-in: runs its steps in order and records each as frames. Stepwise mode
 * differs only in where it waits.
 */
import { Signal } from '../../mcp/index.ts'
import type { AuthCheck, AuthStep, Finding, FrameDraft, Link, Seq, Trace } from '../../mcp/index.ts'
import { randomUuid } from '../../mcp/web-crypto.ts'
import { fits, type Act, type Mode, type Waiting } from './acts.ts'
import {
  type Registration,
  type TokenSet,
  AuthError,
  fault,
  type SignInState,
  type SignInOptions,
  learnedFrom,
  masked,
  remember,
  type Profile,
} from '../model/index.ts'
import {
  type Port,
  type SendNote,
  type Step,
  noteRelayed,
  type Answer,
  type RequestDraft,
  type Unanswered,
  type Wire,
} from '../wire/index.ts'
import type { KnownSecrets } from '../../secrets/capture.ts'
import { stepsOf } from './steps.ts'

export type { Act, Mode, Waiting } from './acts.ts'

export interface FlowHost {
  readonly trace: Trace
  readonly link: Link
  readonly wire: Wire
  readonly secrets: KnownSecrets
  readonly redirectUri: string
  clientDocument(): Promise<string | undefined>
  readonly now: () => number
  registrationFor(issuer: string): Registration | undefined
  keep(registration: Registration): void
  /**
   * Lets the user sign in at this URL; resolves with the query that was returned for this state.
   * @param known what must be restored if the page is reloaded meanwhile
   * @throws {AuthError} the browser can't be sent there
   */
  consent(url: string, state: string, known: SignInState, signal: AbortSignal): Promise<string>
  /** @throws {AuthError} the server rejects them */
  use(tokens: TokenSet): Promise<void>
}

export interface FlowOptions {
  readonly known: SignInState
  readonly profile: Profile
  readonly options: SignInOptions
  readonly mode: Mode
  readonly why: 'asked' | 'unauthorized' | 'insufficient-scope'
  /** A user can help when a step fails; otherwise the first failure ends the flow. */
  readonly attended: boolean
  /** Scopes requested earlier (AU-SCOPE-04). */
  readonly held?: string
  /** Start at this step: the results of the previous ones are already known. */
  readonly from?: AuthStep
  readonly id?: string
}

/** Leaves the current step for another one, or restarts it. */
class Detour extends Error {
  readonly index: number
  constructor(index: number) {
    super('The step was left')
    this.index = index
  }
}

class Cancelled extends Error {}

/** High enough for users who repeat steps, but it stops automated loops. */
const MOST_RUNS = 200

export class Flow {
  readonly id: string
  readonly #host: FlowHost
  readonly #settings: FlowOptions
  readonly #steps: readonly Step[]
  /** The state before each step. */
  readonly #before: SignInState[]
  #options: SignInOptions
  #mode: Mode
  #waiting: Waiting | undefined
  #index: number
  #resume: ((act: Act) => void) | undefined
  #leave: ((error: Error) => void) | undefined
  /** Set when an act arrives between two steps; the next step then leaves at once. */
  #left: Error | undefined
  #abort = new AbortController()
  #over = false
  /** Registration was repeated on request, so a known client isn't reused. */
  #registersAnew = false
  readonly #changes = new Signal()
  /** Notifies about every change of the public state. */
  readonly subscribe = this.#changes.subscribe

  constructor(host: FlowHost, settings: FlowOptions) {
    this.#host = host
    this.#settings = settings
    this.#options = settings.options
    this.#mode = settings.mode
    this.id = settings.id ?? randomUuid().slice(0, 8)
    const { options, profile, held, from, known } = settings
    this.#steps = stepsOf(options.grant ?? 'authorization-code', profile.has('resourceMetadata'), held)
    this.#index = from
      ? Math.max(
          0,
          this.#steps.findIndex(({ id }) => id === from),
        )
      : 0
    this.#before = Array.from({ length: this.#index + 1 }, () => known)
  }

  get mode(): Mode {
    return this.#mode
  }
  get options(): SignInOptions {
    return this.#options
  }
  get waiting(): Waiting | undefined {
    return this.#waiting
  }
  /** It has ended, successfully or not. */
  get over(): boolean {
    return this.#over
  }
  /** The current step. */
  get step(): AuthStep {
    return this.#steps[Math.min(this.#index, this.#steps.length - 1)]!.id
  }
  /** The state before the current step. Contains secrets. */
  get known(): SignInState {
    return this.#before[this.#index]!
  }

  /**
   * Runs to the end.
   * @throws {AuthError} a step failed and wasn't helped, or it was cancelled (`no-answer`)
   */
  async run(): Promise<TokenSet> {
    const { profile, why } = this.#settings
    const grant = this.#options.grant ?? 'authorization-code'
    this.#append({ event: 'flow', grant, revision: profile.revision, why, steps: this.#steps.map(({ id }) => id) })
    try {
      for (let runs = 0; this.#index < this.#steps.length; runs++) {
        if (runs > MOST_RUNS) throw new AuthError(this.step, fault('too-many-attempts', 'The steps ran too many times'))
        try {
          this.#throwIfLeft()
          const after = await this.#run(this.#steps[this.#index]!)
          this.#index += 1
          this.#before[this.#index] = after
        } catch (error) {
          if (!(error instanceof Detour)) throw error
          this.#index = error.index
        }
        this.#changed()
      }
      const { tokens } = this.known
      if (!tokens) throw new AuthError('token', fault('no-access-token', 'The sign-in ended without a token'))
      this.#append({ event: 'end', outcome: 'authorized' })
      return tokens
    } catch (error) {
      const cancelled = error instanceof Cancelled
      const reason = cancelled
        ? new AuthError(this.step, fault('no-answer', 'The sign-in was cancelled'))
        : error instanceof AuthError
          ? error
          : new AuthError(this.step, masked(fault('internal', String(error)), this.#host.secrets), { cause: error })
      this.#append({ event: 'end', outcome: cancelled ? 'cancelled' : 'failed', fault: reason.fault })
      throw reason
    } finally {
      this.#over = true
      this.#waiting = undefined
      this.#changed()
    }
  }

  act(act: Act): void {
    if (this.#over) return
    switch (act.do) {
      case 'cancel':
        return this.#leaveFor(new Cancelled('stopped'))
      case 'mode':
        this.#mode = act.mode
        // Send a request that waits to be reviewed.
        if (act.mode === 'automatic') this.#answer({ do: 'send' })
        return this.#changed()
      case 'back': {
        const index = this.#steps.findIndex(({ id }) => id === act.to)
        if (index < 0 || index > this.#index) return
        // Running registration again means registering again, not reusing its result.
        if (act.to === 'registration') this.#registersAnew = true
        this.#leaveFor(new Detour(index))
        return
      }
      case 'again':
        if (act.options) this.#options = { ...this.#options, ...act.options }
        if (act.relay !== undefined) this.#host.wire.agreeToRelay(act.relay)
        return this.#leaveFor(new Detour(this.#index))
      default:
        this.#answer(act)
    }
  }

  #answer(act: Act): void {
    const resume = this.#resume
    if (!resume || !this.#waiting || !fits(this.#waiting, act)) return
    this.#resume = undefined
    resume(act)
  }

  #leaveFor(error: Error): void {
    this.#abort.abort(error)
    if (this.#leave) this.#leave(error)
    else this.#left ??= error
  }

  #throwIfLeft(): void {
    const left = this.#left
    this.#left = undefined
    if (left) throw left
  }

  async #run(step: Step): Promise<SignInState> {
    const known = this.known
    const begun = this.#append({ event: 'step', step: step.id })
    const checks: AuthCheck[] = []
    let forced = false
    this.#abort = new AbortController()
    const left = new Promise<never>((_, reject) => (this.#leave = reject))
    left.catch(() => {})
    const port = this.#port(step.id, begun, checks, () => (forced = true))
    try {
      const learned = await Promise.race([step.run(known, port), left])
      if (step.id === 'registration') this.#registersAnew = false
      remember(learned, this.#host.secrets)
      const facts = learnedFrom(learned, this.#host.secrets)
      const outcome = forced ? 'forced' : 'ok'
      this.#append({ event: 'done', step: step.id, begun, outcome, checks, learned: facts, ...findingsOf(checks) })
      return { ...known, ...learned }
    } catch (error) {
      const undone = error instanceof Detour
      const reason = error instanceof AuthError ? error.fault : undefined
      this.#append({
        event: 'done',
        step: step.id,
        begun,
        outcome: undone ? 'undone' : 'failed',
        checks,
        learned: {},
        ...(reason ? { fault: reason } : {}),
        ...findingsOf(checks),
      })
      throw error
    } finally {
      this.#abort.abort(new Error('The step is over'))
      this.#waiting = undefined
      this.#resume = undefined
      this.#leave = undefined
    }
  }

  #port(step: AuthStep, begun: Seq, checks: AuthCheck[], force: () => void): Port {
    const host = this.#host
    const options = () => this.#options
    const { signal } = this.#abort
    // A step that was left may still run for a moment, but must not wait for anything.
    const stop: Port['stop'] = async (said, takes = []) => {
      signal.throwIfAborted()
      const reason = masked(said, host.secrets)
      if (!this.#settings.attended) throw new AuthError(step, reason)
      this.#append({ event: 'waiting', step, begun, fault: reason })
      const act = await this.#wait({ for: 'help', step, fault: reason, takes })
      if (act.do === 'supply') return act.supply
      force()
      return undefined
    }
    return {
      profile: this.#settings.profile,
      get options() {
        return options()
      },
      redirectUri: host.redirectUri,
      clientDocument: () => host.clientDocument(),
      now: host.now,
      check: (check) => void checks.push(masked(check, host.secrets)),
      must: async (check, reason) => {
        checks.push(masked(check, host.secrets))
        if (check.ok === false) await stop(reason, ['go-on'])
      },
      stop,
      send: async (draft, note?: SendNote): Promise<Answer | Unanswered> => {
        signal.throwIfAborted()
        const probe = async (of: RequestDraft) => {
          const first = note?.once && this.#mode === 'stepwise' ? host.wire.probeFor(of) : undefined
          if (!first) return
          const act = await this.#wait({ for: 'request', step, draft: first, probe: true })
          await host.wire.probe(act.do === 'send' && act.draft ? act.draft : first, begun, signal)
        }
        await probe(draft)
        const act = this.#mode === 'stepwise' ? await this.#wait({ for: 'request', step, draft }) : undefined
        const asked = act?.do === 'send' && act.draft ? act.draft : draft
        // The user may have changed the URL.
        await probe(asked)
        const answer = await host.wire.send(asked, begun, signal, note)
        noteRelayed(answer, (check) => void checks.push(masked(check, host.secrets)))
        return answer
      },
      choose: async (offered) => {
        if (this.#mode === 'automatic' || offered.length < 2) return offered[0]!
        const act = await this.#wait({ for: 'choice', step, offered })
        return act.do === 'choose' ? act.issuer : offered[0]!
      },
      consent: async (url, state, known) => {
        signal.throwIfAborted()
        const act = this.#mode === 'stepwise' ? await this.#wait({ for: 'leave', step, url }) : undefined
        const to = act?.do === 'leave' && act.url !== undefined ? act.url : url
        return await this.#consented(step, to, state, known, stop, signal)
      },
      registrationFor: (issuer) => {
        // Call it in any case, because it drops what belonged to another issuer (AU-PRM-08).
        const known = host.registrationFor(issuer)
        return this.#registersAnew ? undefined : known
      },
      keep: (registration) => {
        remember({ registration }, host.secrets)
        host.keep(registration)
      },
      use: async (tokens) => {
        signal.throwIfAborted()
        remember({ tokens }, host.secrets)
        try {
          await host.use(tokens)
        } catch (error) {
          if (!(error instanceof AuthError)) throw error
          await stop(error.fault, ['go-on'])
        }
      },
    }
  }

  /** By the window, or by the URL that the user copies from it. */
  async #consented(
    step: AuthStep,
    url: string,
    state: string,
    known: SignInState,
    stop: Port['stop'],
    signal: AbortSignal,
  ): Promise<string> {
    for (;;) {
      const byHand = this.#wait({ for: 'consent', step, url }).then((act) => (act.do === 'returned' ? act.query : ''))
      byHand.catch(() => {})
      try {
        const query = await Promise.race([this.#host.consent(url, state, known, signal), byHand])
        if (query !== '') return query
      } catch (error) {
        if (!(error instanceof AuthError)) throw error
        await stop(error.fault)
      }
    }
  }

  #wait(waiting: Waiting): Promise<Act> {
    this.#waiting = waiting
    this.#changed()
    return new Promise((resolve) => {
      this.#resume = (act) => {
        this.#waiting = undefined
        resolve(act)
        this.#changed()
      }
    })
  }

  #changed(): void {
    this.#changes.emit()
  }

  #append(draft: AuthEvent): Seq {
    return this.#host.trace.append({ kind: 'auth', flow: this.id, link: this.#host.link, ...draft }).seq
  }
}

type AuthDraftOf<Draft> = Draft extends FrameDraft ? Omit<Draft, 'kind' | 'flow' | 'link'> : never
type AuthEvent = AuthDraftOf<Extract<FrameDraft, { kind: 'auth' }>>

/** Violated rules are findings, as for any message. The rule determines whether it is the server's fault. */
export const findingsOf = (checks: readonly AuthCheck[]): { findings?: readonly Finding[] } => {
  const findings = checks.flatMap(({ ok, rule, keyword, say, values }): Finding[] =>
    ok === false
      ? [{ rule, keyword, explanation: `${say}${values ? ` ${JSON.stringify(values)}` : ''}`.slice(0, 500) }]
      : [],
  )
  return findings.length > 0 ? { findings } : {}
}
