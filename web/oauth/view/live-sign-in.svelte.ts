/** The state of a sign-in beyond the Trace: a snapshot of the live object, replaced on each change. */
import type { SignIn } from '../sign-in.ts'
import { live } from '../../ui/index.svelte.ts'

const pictureOf = (signIn: SignIn) => {
  const { flow, tokens, options, error, busy, refused, stepUp, window, astray, remembered } = signIn
  const { hasRelay, canRedirect } = signIn
  return {
    ...{ flow, tokens, options, error, busy, refused, stepUp, window, astray, remembered, hasRelay, canRedirect },
    /** A sign-in is running. */
    running: flow !== undefined && !flow.over,
    mode: flow?.mode,
    waiting: flow?.waiting,
    /** The options that the user chose for the flow. */
    flowOptions: flow?.options ?? options,
    /** The MCP endpoint. */
    server: flow?.known.server,
  }
}

export type SignInPicture = ReturnType<typeof pictureOf>

/** Read `current` in a component or `$derived`. */
export const liveSignIn = (signIn: SignIn): { readonly current: SignInPicture } =>
  live({
    get current() {
      return pictureOf(signIn)
    },
    subscribe: (listener) => signIn.subscribe(listener),
  })
