/**
 * The state machine of one sign-in: runs its steps in order and records each as frames. Stepwise mode
 * differs only in where it waits.
 */
import { Signal } from '../../mcp/index.ts'
import type { AuthStep } from '../../mcp/index.ts'
import { randomUuid } from '../../mcp/web-crypto.ts'
import type { Astray, Consent } from '../consent/index.ts'
import {
  AuthError,
  type Fault,
  type FlowWhy,
  type Mode,
  type Profile,
  type Registration,
  type SignInOptions,
  type SignInState,
  type TokenSet,
  fault,
  safeUrl,
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
import { fits, type Act, type Waiting } from './acts.ts'
import { type FrameHost, StepFrames, appendTo, learnedFrom, masked, remember } from './step-frames.ts'
import { IN_FRAGMENT, LONGEST } from './steps/authorization-request.ts'
import { stepsOf } from './steps.ts'

export interface FlowHost extends FrameHost {
  readonly wire: Wire
  readonly redirectUri: string
  clientDocument(): Promise<string | undefined>
  readonly now: () => number
  registrationFor(issuer: string): Registration | undefined
  keep(registration: Registration): void
  readonly consent: Consent
  /** The codes received so far, each with the flow that received it first. */
  readonly codes: Map<string, string>
  /** @throws {AuthError} the server rejects them */
  use(tokens: TokenSet): Promise<void>
}

interface FlowOptions {
  readonly known: SignInState
  readonly profile: Profile
  readonly options: SignInOptions
  readonly mode: Mode
  readonly why: FlowWhy
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

/** Codes remembered per connection. */
const MOST_CODES = 100

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
  /** A response that can't be used arrived in this step. */
  #astray: Astray | undefined
  #over = false
  /** Registration was repeated on request, so a known client isn't reused. */
  #forceRegistration = false
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
    const steps = this.#steps.map(({ id }) => id)
    appendTo(this.#host, this.id, { event: 'flow', grant, revision: profile.revision, why, steps })
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
        this.#changes.emit()
      }
      const { tokens } = this.known
      if (!tokens) throw new AuthError('token', fault('no-access-token', 'The sign-in ended without a token'))
      appendTo(this.#host, this.id, { event: 'end', outcome: 'authorized' })
      return tokens
    } catch (error) {
      const cancelled = error instanceof Cancelled
      const reason = cancelled
        ? new AuthError(this.step, fault('no-answer', 'The sign-in was cancelled'))
        : error instanceof AuthError
          ? error
          : new AuthError(this.step, masked(fault('internal', String(error)), this.#host.secrets), { cause: error })
      const outcome = cancelled ? 'cancelled' : 'failed'
      appendTo(this.#host, this.id, { event: 'end', outcome, fault: reason.fault })
      throw reason
    } finally {
      this.#over = true
      this.#waiting = undefined
      this.#changes.emit()
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
        return this.#changes.emit()
      case 'back': {
        const index = this.#steps.findIndex(({ id }) => id === act.to)
        if (index < 0 || index > this.#index) return
        // Running registration again means registering again, not reusing its result.
        if (act.to === 'registration') this.#forceRegistration = true
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
    const frames = new StepFrames(this.#host, this.id, step.id)
    let forced = false
    this.#astray = undefined
    this.#abort = new AbortController()
    const left = new Promise<never>((_, reject) => (this.#leave = reject))
    left.catch(() => {})
    try {
      const learned = await Promise.race([
        step.run(
          known,
          this.#port(step.id, frames, () => (forced = true)),
        ),
        left,
      ])
      if (step.id === 'registration') this.#forceRegistration = false
      remember(learned, this.#host.secrets)
      frames.done(forced ? 'forced' : 'ok', learnedFrom(learned, this.#host.secrets))
      return { ...known, ...learned }
    } catch (error) {
      const undone = error instanceof Detour
      // Only a hint, because anyone can open the callback page. But no other response came.
      if (this.#astray === 'fragment' && !undone) frames.check(IN_FRAGMENT)
      frames.done(undone ? 'undone' : 'failed', {}, error instanceof AuthError ? error.fault : undefined)
      throw error
    } finally {
      this.#abort.abort(new Error('The step is over'))
      this.#waiting = undefined
      this.#resume = undefined
      this.#leave = undefined
    }
  }

  #port(step: AuthStep, frames: StepFrames, force: () => void): Port {
    const host = this.#host
    const { begun, check } = frames
    const options = () => this.#options
    const { signal } = this.#abort
    // A step that was left may still run for a moment, but must not wait for anything.
    const stop = (async (said: Fault, takes: Extract<Waiting, { for: 'help' }>['takes'] = []) => {
      signal.throwIfAborted()
      const reason = masked(said, host.secrets)
      if (!this.#settings.attended) throw new AuthError(step, reason)
      frames.waiting(reason)
      const act = await this.#wait({ for: 'help', step, fault: reason, takes })
      if (act.do === 'supply') return act.supply
      force()
      return undefined
    }) as Port['stop']
    return {
      profile: this.#settings.profile,
      get options() {
        return options()
      },
      redirectUri: host.redirectUri,
      clientDocument: () => host.clientDocument(),
      now: host.now,
      check,
      must: async (judged, code, explanation, rule = judged.rule) => {
        check(judged)
        if (judged.ok === false) await stop(fault(code, explanation, rule, judged.values), ['go-on'])
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
        noteRelayed(answer, check)
        return answer
      },
      choose: async (offered) => {
        if (this.#mode === 'automatic' || offered.length < 2) return offered[0]!
        const act = await this.#wait({ for: 'choice', step, offered })
        return act.do === 'choose' ? act.issuer : offered[0]!
      },
      consent: async (known) => {
        signal.throwIfAborted()
        const { authorizationUrl = '', server } = known
        const leave = { for: 'leave', step, url: authorizationUrl } as const
        const act = this.#mode === 'stepwise' ? await this.#wait(leave) : undefined
        const url = act?.do === 'leave' && act.url !== undefined ? act.url : authorizationUrl
        for (;;) {
          // The browser returns by the window, or the user copies the URL from it.
          const copied = this.#wait({ for: 'consent', step, url })
          const byHand = copied.then((returned) => (returned.do === 'returned' ? returned.query : ''))
          byHand.catch(() => {})
          const { why, held } = this.#settings
          const pending = { link: host.link, server, known, options: this.#options, mode: this.#mode, why, held }
          try {
            const onAstray = (why: Astray) => void (this.#astray = why)
            const query = await Promise.race([host.consent.ask({ url, pending, signal, onAstray }), byHand])
            if (query !== '') return query
          } catch (error) {
            if (!(error instanceof AuthError)) throw error
            // A page can't see what the window shows, so ask the endpoint itself why nobody returned. Stepwise, the user
            // sees the window, and every request must be shown first.
            const asks = error.fault.code === 'no-answer' && this.#astray === undefined && this.#mode === 'automatic'
            if (asks && safeUrl(url, server, LONGEST)) {
              const draft: RequestDraft = { method: 'GET', url, headers: [['accept', 'text/html']] }
              const asked = host.wire.send(draft, begun, signal)
              asked.catch(() => {})
              // The user may still copy the URL from the window.
              const late = await Promise.race([asked, byHand])
              if (typeof late === 'string') {
                if (late !== '') return late
              } else noteRelayed(late, check)
            }
            await stop(error.fault)
          }
        }
      },
      isRepeated: (code) => {
        const first = host.codes.get(code)
        if (first === undefined && host.codes.size < MOST_CODES) host.codes.set(code, this.id)
        return first !== undefined && first !== this.id
      },
      registrationFor: (issuer) => {
        // Call it in any case, because it drops what belonged to another issuer (AU-PRM-08).
        const known = host.registrationFor(issuer)
        return this.#forceRegistration ? undefined : known
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

  #wait(waiting: Waiting): Promise<Act> {
    this.#waiting = waiting
    this.#changes.emit()
    return new Promise((resolve) => {
      this.#resume = (act) => {
        this.#waiting = undefined
        resolve(act)
        this.#changes.emit()
      }
    })
  }
}
