import { expect, test } from 'vitest'
import type { ServerView } from '../feature.ts'
import { serversWith } from './two-servers.ts'

const item = (name: string, inputSchema: object = { type: 'object' }) => ({
  key: name,
  name,
  raw: { name, inputSchema },
})

test('a call is offered to other connected servers that list a tool of its name and can call it', () => {
  const view = (slot: string, more: object = {}) =>
    ({ slot, link: slot, session: {}, peer: { revision: '2025-11-25' }, ...more }) as unknown as ServerView
  const here = view('s1')
  const others = [here, view('s2'), view('s3', { session: undefined }), view('s4'), view('s5')]
  const server = Object.assign(here, { others })
  const lists = new Map(
    Object.entries({
      s1: { items: [item('add')] },
      s2: { items: [item('echo'), item('add')] },
      s3: { items: [item('add')] },
      s4: { items: [item('echo')] },
    }),
  )
  expect(serversWith('add', server, lists as never).map(({ slot }) => slot)).toEqual(['s2'])
})
