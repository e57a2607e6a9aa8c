import { expect, test } from 'vitest'
import type { ServerView } from '../feature.ts'
import type { ServerRequest, ServerRequestState } from '../server-request.ts'
import { inOrder, RULES, waitingInstead } from './inbox-order.ts'

const question = (id: string, state: ServerRequestState, link = 's1') => ({ id, link, state }) as ServerRequest
const serverOf = (link: string) => (link === 's1' ? ({ link } as ServerView) : undefined)
const inbox = (...questions: ServerRequest[]) => inOrder(questions, serverOf)
const ids = (...questions: ServerRequest[]) => inbox(...questions).map(({ request: { id } }) => id)

test('what waits comes first, the longest at the top; then what is over, the latest first', () => {
  expect(ids(question('1', 'answered'), question('2', 'open'), question('3', 'lost'), question('4', 'open'))).toEqual([
    '2',
    '4',
    '3',
    '1',
  ])
  expect(ids(question('1', 'open', 'gone'), question('2', 'open'))).toEqual(['2'])
})

test('the Inbox opens with the request that waits, and not with an answered one that was looked at last', () => {
  const asked = inbox(question('1', 'answered'), question('2', 'open'), question('3', 'open'))
  expect(waitingInstead(asked, '1')).toBe('2')
  expect(waitingInstead(asked, '')).toBe('2')
  // The selected request no longer exists.
  expect(waitingInstead(asked, '9')).toBe('2')
})

test('what is selected stays where it waits itself, where nothing waits, and where it is the rules', () => {
  const asked = inbox(question('1', 'answered'), question('2', 'open'), question('3', 'open'))
  expect(waitingInstead(asked, '3')).toBeUndefined()
  expect(waitingInstead(asked, RULES)).toBeUndefined()
  expect(waitingInstead(inbox(question('1', 'answered'), question('2', 'refused')), '1')).toBeUndefined()
  expect(waitingInstead(inbox(), '')).toBeUndefined()
})
