/** Starts the proxy in `proxy-process.ts` for an attack. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { askRelay } from '../../proxy/fixtures/relaying.ts'
import type { RelayRequest } from '../../proxy/wire.ts'
import type { Measured } from './proxy-process.ts'

export interface MeasuredProxy {
  readonly base: string
  readonly token: string
  /** Sends the same request as a page. */
  relay(request: Partial<RelayRequest> & { readonly url: string }, signal?: AbortSignal): Promise<Response>
  /** Measurements since the last call. */
  measure(): Promise<Measured>
  close(): Promise<void>
}

export const startMeasuredProxy = async (): Promise<MeasuredProxy> => {
  const child = fork(join(import.meta.dirname, 'proxy-process.ts'), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ base, token }] = (await once(child, 'message')) as [{ base: string; token: string }]
  return {
    base,
    token,
    relay: (request, signal) =>
      askRelay({ base, token }, { decode: true, ...request }, { ...(signal ? { signal } : {}) }),
    measure: async () => {
      const answer = once(child, 'message')
      child.send('measure')
      const [measured] = (await answer) as [Measured]
      return measured
    },
    close: async () => {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
