import { expect, test } from 'vitest'
import { newTraceparent } from './stateless.ts'

test('META-15: a traceparent is one by the W3C grammar, never all zeros, and never the same twice', () => {
  const made = Array.from({ length: 500 }, newTraceparent)
  for (const value of made) {
    expect(value).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(value).not.toMatch(/-0+-/)
  }
  expect(new Set(made).size).toBe(500)
})
