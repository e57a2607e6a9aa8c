/**
 * AU-FLOW-10: nothing from another issuer's response is displayed, on any path; tested with real responses of lying
 * servers.
 */
import { afterEach, describe, expect, inject, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { until } from '../../../tests/patience.ts'
import { worldOf } from '../../../tests/servers/hostile-oauth/control.ts'
import { foldAll, relayFetch, Trace } from '../../mcp/index.ts'
import { authFold, isStrange, returnedOf, type FlowRecord } from './sign-in-records.ts'
import { SignIn } from '../sign-in.ts'
import { Vault } from '../vault/vault.ts'

/** A page can't see a redirect's target. */
const follow: typeof fetch = (input, init) =>
  inPage ? relayFetch({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })(input, init) : fetch(input, init)

const open: SignIn[] = []
afterEach(() => open.splice(0).forEach((signIn) => signIn.cancel()))

/** Runs until the sign-in waits for the user or ends. */
const signedIn = async (kind: string): Promise<{ signIn: SignIn; flow: () => FlowRecord }> => {
  const { mcp } = await worldOf(inject('hostileOauthUrl'), kind, crypto.randomUUID())
  const trace = new Trace()
  const signIn: SignIn = new SignIn(
    { trace, link: 's1', url: mcp, authorized: async () => undefined },
    {
      vault: new Vault({}),
      redirectUri: 'http://127.0.0.1:40123/oauth/callback.html',
      awaitReturn: async () => {
        const answer = await follow(signIn.consentUrl!, { redirect: 'manual' })
        return new URL(answer.headers.get('location')!).search.slice(1)
      },
    },
  )
  open.push(signIn)
  void signIn.begin('automatic')
  await until(() => signIn.flow!.over || signIn.flow!.waiting?.for === 'help')
  return { signIn, flow: () => foldAll(authFold, trace).get('s1')!.flows[0]! }
}
const callback = (flow: FlowRecord) => flow.steps.find(({ step }) => step === 'callback')!.run!

describe('what came back', () => {
  test.each(['iss-wrong-error', 'iss-missing-error', 'iss-evil', 'state-changed', 'iss-twice'])(
    'is not shown: %s',
    async (kind) => {
      const { flow } = await signedIn(kind)
      expect(callback(flow()).status).toBe('waiting')
      expect(returnedOf(flow())).toEqual({ shown: false, why: 'strange' })
    },
  )

  test('is not shown either when its user goes on, and meets the error in it', async () => {
    const { signIn, flow } = await signedIn('iss-wrong-error')
    signIn.act({ do: 'go-on' })
    await expect.poll(() => callback(flow()).stops.length).toBe(2)
    expect(callback(flow()).fault!.code).not.toBe('iss-mismatch')
    expect(isStrange(callback(flow()))).toBe(true)
    expect(returnedOf(flow())).toEqual({ shown: false, why: 'strange' })
  })

  test('is shown when it is of the issuer that was asked, and an error in it as it was', async () => {
    const { flow } = await signedIn('error-target')
    const returned = returnedOf(flow())
    expect(returned?.shown && new Map(returned.parameters).get('error')).toBe('invalid_target')
    expect(isStrange(callback(flow()))).toBe(false)
  })

  test('waits to be judged: before that nothing is shown', async () => {
    const { flow } = await signedIn('error-target')
    const whole = flow()
    const before = {
      ...whole,
      steps: whole.steps.map(({ run, ...one }) =>
        one.step === 'callback' ? one : { ...one, ...(run ? { run } : {}) },
      ),
    }
    expect(returnedOf(before)).toEqual({ shown: false, why: 'judged' })
  })
})
