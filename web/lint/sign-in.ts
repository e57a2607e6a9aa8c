/**
 * What rules need to know of the sign-ins of one connection: by which revision they go, their steps, and the requests of
 * these, which go to other servers and by other rules than those of the transport.
 */
import { signInsOf, type FrameOf, type RequestRecord, type Revision, type Seq, type StepRun } from '../mcp/index.ts'

/** Flows, steps and open requests that are remembered; a sign-in has about ten steps. */
const MOST = 500

/** A breach that shows in a request of a step, and is told where the step ends. */
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

  /** @returns the request that the frame is of, unless it is of the transport */
  meetHttp(frame: FrameOf<'http'>): SignInRequest | undefined {
    signIns.step(this.#state, frame)
    const { run, request } = this.#state.last
    return request && { ...request.record, step: this.#stepOf(run) }
  }

  /** @returns the step that the frame is of */
  meetAuth(frame: FrameOf<'auth'>): SignInStep | undefined {
    signIns.step(this.#state, frame)
    return this.#stepOf(this.#state.last.run)
  }

  /** By which rules a sign-in goes, where the trace holds its beginning. */
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
