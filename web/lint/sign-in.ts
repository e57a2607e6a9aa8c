/**
 * What rules need to know of the sign-ins of one connection: by which revision they go, their steps, and the requests of
 * these, which go to other servers and by other rules than those of the transport.
 */
import type { AuthStep, FrameOf, Revision, Seq } from '../mcp/index.ts'
import { Recent } from './recent.ts'

/** Steps and requests that are remembered; a sign-in has about ten of each. */
const MOST_STEPS = 500
const MOST_REQUESTS = 1_000
const MOST_FLOWS = 200

/** A breach that shows in a request of a step, and is told where the step ends. */
export interface StepNote {
  readonly rule: string
  readonly explanation: string
  /** The frame that shows it. */
  readonly related: Seq
}

export interface SignInStep {
  readonly begun: Seq
  readonly step: AuthStep
  /** That of its sign-in, where the trace holds its beginning. */
  readonly revision: Revision | undefined
  readonly notes: StepNote[]
}

export interface SignInRequest {
  readonly seq: Seq
  readonly url: string
  readonly relayed: boolean
  readonly step: SignInStep | undefined
  status?: number
}

export class SignInView {
  readonly #flows = new Recent<string, Revision>(MOST_FLOWS)
  readonly #steps = new Recent<Seq, SignInStep>(MOST_STEPS)
  readonly #requests = new Recent<Seq, SignInRequest>(MOST_REQUESTS)

  /** @returns the request that the frame is of, unless it is of the transport */
  meetHttp(frame: FrameOf<'http'>): SignInRequest | undefined {
    if (frame.phase !== 'request') {
      const request = this.#requests.get(frame.request)
      if (request && frame.phase === 'response') request.status = frame.status
      return request
    }
    if (frame.purpose !== 'authorization') return undefined
    const { seq, url, relayed = false } = frame
    const step = frame.step === undefined ? undefined : this.#steps.get(frame.step)
    const request: SignInRequest = { seq, url, relayed, step }
    this.#requests.set(seq, request)
    return request
  }

  /** @returns the step that the frame is of */
  meetAuth(frame: FrameOf<'auth'>): SignInStep | undefined {
    switch (frame.event) {
      case 'flow':
        this.#flows.set(frame.flow, frame.revision)
        return undefined
      case 'step': {
        const revision = this.#flows.get(frame.flow)
        const step: SignInStep = { begun: frame.seq, step: frame.step, revision, notes: [] }
        this.#steps.set(frame.seq, step)
        return step
      }
      case 'done':
      case 'waiting':
        return this.#steps.get(frame.begun)
      default:
        return undefined
    }
  }

  /** By which rules a sign-in goes, where the trace holds its beginning. */
  revisionOf({ flow }: FrameOf<'auth'>): Revision | undefined {
    return this.#flows.get(flow)
  }
}
