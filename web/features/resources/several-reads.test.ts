import { expect, test } from 'vitest'
import type { Call, JsonObject } from '../../mcp/index.ts'
import type { ServerView } from '../feature.ts'
import { severalReads } from './several-reads.svelte.ts'

/** A server whose reads end when the test says so. */
class Held {
  readonly pending = new Map<string, { readonly resolve: () => void; readonly reject: () => void }>()
  readonly cancelled: string[] = []
  readonly view: ServerView

  constructor(slot: string) {
    const call = (_: string, { uri }: JsonObject): Call => {
      let resolve!: (result: JsonObject) => void
      let reject!: (error: Error) => void
      const promise = new Promise<JsonObject>((yes, no) => ([resolve, reject] = [yes, no]))
      const name = uri as string
      const end = (how: () => void) => () => {
        this.pending.delete(name)
        how()
      }
      const fail = end(() => reject(new Error('no')))
      this.pending.set(name, { resolve: end(() => resolve({})), reject: fail })
      const cancel = () => {
        this.cancelled.push(name)
        fail()
      }
      return { id: 1, seq: 1, result: promise, cancel, extend: () => {} }
    }
    this.view = { slot, link: slot, session: { call } } as unknown as ServerView
  }

  get names(): string[] {
    return [...this.pending.keys()]
  }
}

const URIS = ['a:1', 'a:2', 'a:3', 'a:4', 'a:5', 'a:6']
const turn = () => new Promise((resolve) => setTimeout(resolve))

test('four are read at once, the next one begins when one ends, and one that fails ends none of the others', async () => {
  const server = new Held('four')
  const several = severalReads.of('four')
  const all = several.start(server.view, URIS)
  expect(server.names).toEqual(['a:1', 'a:2', 'a:3', 'a:4'])
  expect(several.states.get('a:5')).toBe('queued')
  server.pending.get('a:2')!.reject()
  await turn()
  expect(server.names).toEqual(['a:1', 'a:3', 'a:4', 'a:5'])
  expect(several.states.get('a:2')).toBe('done')
  while (server.pending.size > 0) {
    server.pending.get(server.names[0]!)!.resolve()
    await turn()
  }
  await all
  expect([...several.states.values()]).toEqual(URIS.map(() => 'done'))
  expect(several.running).toBe(false)
})

test('cancelling ends the pending ones and begins none of the rest', async () => {
  const server = new Held('cancel')
  const several = severalReads.of('cancel')
  const all = several.start(server.view, URIS)
  several.cancel(server.view)
  await all
  expect(server.cancelled).toEqual(['a:1', 'a:2', 'a:3', 'a:4'])
  expect([...several.states.keys()]).toEqual(['a:1', 'a:2', 'a:3', 'a:4'])
  expect(server.pending.size).toBe(0)
})

test('without a session nothing is sent, and each read says so', async () => {
  const several = severalReads.of('none')
  await several.start({ slot: 'none', link: 'none', session: undefined } as unknown as ServerView, ['a:1', 'a:2'])
  expect([...several.states.values()]).toEqual(['unsent', 'unsent'])
})
