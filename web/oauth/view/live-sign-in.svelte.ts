/** A sign-in as it stands beyond the Trace: a picture of the live object, taken anew at each change. */
import type { ConsentWindow, Astray } from '../consent/index.ts'
import type { Mode, Waiting } from '../flow/index.ts'
import type { SignInOptions } from '../model/index.ts'
import type { SignIn } from '../sign-in.ts'
import { live } from '../../ui/index.svelte.ts'

export interface SignInPicture {
  /** Names the flow in the Trace; absent before the first. */
  readonly flow: string | undefined
  readonly running: boolean
  readonly mode: Mode
  readonly waiting: Waiting | undefined
  /** What its user chose for the flow. */
  readonly options: SignInOptions
  /** The MCP endpoint. */
  readonly server: string | undefined
  readonly window: ConsentWindow | undefined
  readonly astray: Astray | undefined
  readonly hasRelay: boolean
  readonly canRedirect: boolean
  /** Tokens outlive the page, on this device. */
  readonly remembered: boolean
}

const pictureOf = (signIn: SignIn): SignInPicture => {
  const { flow, window, astray, hasRelay, canRedirect, remembered } = signIn
  return {
    flow: flow?.id,
    running: flow !== undefined && !flow.over,
    mode: flow?.mode ?? 'automatic',
    waiting: flow?.waiting,
    options: flow?.options ?? signIn.options,
    server: flow?.known.server,
    ...{ window, astray, hasRelay, canRedirect, remembered },
  }
}

/** Read `current` in a component or `$derived`. */
export const liveSignIn = (signIn: SignIn): { readonly current: SignInPicture } =>
  live({
    get current() {
      return pictureOf(signIn)
    },
    subscribe: (listener) => signIn.subscribe(listener),
  })
