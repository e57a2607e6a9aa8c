/** Signs in to a world like the page does, uses its server, and lists what the lint finds. */
import { deferredChecks, findings } from '../../web/lint/run.ts'
import { levels, listed } from '../../web/lint/talk.case.ts'
import {
  isRevision,
  Session,
  StreamableHttpTransport,
  Trace,
  type Frame,
  type JsonObject,
} from '../../web/mcp/index.ts'
import { isRefusal, signInFor } from '../conformance/sign-in.ts'
import type { Change } from './change.ts'
import type { Violation } from './violation.ts'
import { start, STATIC_CLIENT } from './world.ts'

interface Walk {
  readonly change: Change
  readonly needs?: Violation['needs']
  readonly registered?: true
}

export interface Found {
  readonly rule: string
  readonly keyword: string
  readonly explanation: string
  readonly also?: readonly string[]
}

/** Sign-ins for one request. */
const MOST = 3

export const walk = async (one: Walk): Promise<readonly Found[]> => {
  const world = await start(one.change)
  const trace = new Trace()
  const [pinned] = one.change.revisions ?? []
  if (!isRevision(pinned)) throw new Error('A world has one revision')
  const link = 's1'
  const context: JsonObject = one.registered ? { client_id: STATIC_CLIENT } : {}
  const signIn = signInFor({ serverUrl: world.mcpUrl, scenario: 'auth/x', context }, { trace, link, pinned })
  const open = () => {
    const transport = new StreamableHttpTransport({ url: world.mcpUrl, authorizer: signIn.credential })
    return new Session({
      trace,
      link,
      pinned,
      transport,
      clientInfo: { name: 'test', version: '0' },
      autoListen: false,
    })
  }
  let session = open()
  const use = async () => {
    if (session.state !== 'open') {
      if (session.state !== 'idle') {
        await session.close()
        session = open()
      }
      await session.open()
    }
    await session.request('tools/list', {})
    if (one.needs === 'step-up') await session.request('tools/call', { name: 'echo', arguments: { text: 'x' } })
  }
  /** @returns whether the server served the client in the end */
  const signedIn = async (): Promise<boolean> => {
    for (let attempt = 1; ; attempt++) {
      try {
        await use()
        return true
      } catch (error) {
        if (!isRefusal(error) || attempt === MOST || !(await signIn.begin('automatic'))) return false
      }
    }
  }
  if (await signedIn()) {
    if (one.needs === 'refresh') {
      world.expire()
      await signedIn()
    }
    if (one.needs === 'revoke') await signIn.revoke()
    if (one.needs === 'second-connection') {
      await session.close()
      signIn.forget()
      session = open()
      await signedIn()
    }
  }
  await session.close()
  signIn.cancel()
  await world.close()
  return await judged([...trace])
}

const judged = async (frames: readonly Frame[]): Promise<readonly Found[]> => {
  const fold = findings({ levels })
  const state = fold.initial()
  for (const frame of frames) {
    fold.step(state, frame)
    await deferredChecks(state)
  }
  return listed(state)
}
