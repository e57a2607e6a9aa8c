/**
 * The state of one connection's sign-ins that the rules need: their protocol version, their steps, and the requests of
 * these steps, which go to other servers, under other rules than those of the transport.
 */
import { signInsOf, type FrameOf, type RequestRecord, type Revision, type Seq, type StepRun } from '../mcp/index.ts'

/** Flows, steps and open requests remembered; a sign-in has about ten steps. */
const MOST = 500

/** A violation in a request of a step, reported when the step ends. */
export interface StepNote {
  readonly rule: string
  readonly explanation: string
  /** The frame that shows it. */
  readonly related: Seq
}

export interface SignInStep {
  readonly run: StepRun
  readonly notes: StepNote[]
}

export interface SignInRequest extends RequestRecord {
  readonly step: SignInStep | undefined
}

const signIns = signInsOf(MOST)

export class SignInView {
  readonly #state = signIns.initial()
  readonly #steps = new WeakMap<StepRun, SignInStep>()

  /** @returns the sign-in request of this frame; `undefined` if it belongs to the transport */
  meetHttp(frame: FrameOf<'http'>): SignInRequest | undefined {
    signIns.step(this.#state, frame)
    const { run, request } = this.#state.last
    return request && { ...request.record, step: this.#stepOf(run) }
  }

  /** @returns the step of this frame */
  meetAuth(frame: FrameOf<'auth'>): SignInStep | undefined {
    signIns.step(this.#state, frame)
    return this.#stepOf(this.#state.last.run)
  }

  /** The protocol version that a sign-in follows, if the trace contains its start. */
  revisionOf({ seq }: FrameOf<'auth'>): Revision | undefined {
    return (this.#state.last.run?.of ?? this.#state.flows.get(seq))?.revision
  }

  #stepOf(run: StepRun | undefined): SignInStep | undefined {
    if (!run) return undefined
    let step = this.#steps.get(run)
    if (!step) this.#steps.set(run, (step = { run, notes: [] }))
    return step
  }
}
