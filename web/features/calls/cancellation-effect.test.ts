import { expect, test } from 'vitest'
import { cancellationEffect, cancellationText } from './cancellation-effect.ts'
import en from '../text/en.ts'

test.each([
  ['2026-07-28', 'Streamable HTTP', 'stream-closed'],
  ['2026-07-28', 'stdio', 'notified'],
  ['2025-11-25', 'Streamable HTTP', 'notified-then-closed'],
  ['2025-11-25', 'stdio', 'notified'],
  ['2024-11-05', 'HTTP+SSE', 'notified'],
] as const)('after a cancel at %s over %s: %s', (revision, transport, after) => {
  expect(cancellationEffect(revision, transport)).toBe(after)
})

test('a late response is promised only where one can arrive', () => {
  const text = (revision: '2026-07-28' | '2025-11-25', transport: string) =>
    cancellationText({ peer: { revision }, transport }, en)
  expect(text('2026-07-28', 'Streamable HTTP')).toBe(
    'Closing the response stream cancelled the request. No later response can arrive.',
  )
  expect(text('2025-11-25', 'Streamable HTTP')).toContain('closes after 3 s')
  expect(text('2025-11-25', 'stdio')).toContain('A late response still appears in the trace.')
})
