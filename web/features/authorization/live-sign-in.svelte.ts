/** What is shown of a sign-in beyond the Trace, as it stands: a picture of the live object, taken anew at each change. */
import type { SignIn } from '../../oauth/index.ts'
import { live } from '../../ui/index.svelte.ts'

const pictureOf = (signIn: SignIn) => {
  const { flow, tokens, options, error, busy, refused, stepUp, window, remembered } = signIn
  return {
    ...{ flow, tokens, options, error, busy, refused, stepUp, window, remembered },
    /** A sign-in is under way. */
    running: flow !== undefined && !flow.over,
    mode: flow?.mode,
    waiting: flow?.waiting,
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
