import { expect, test } from 'vitest'
import { parsedUrl } from './url.ts'

test('an address is one however often it is asked', () => {
  // In Node 20, `URL.canParse` returns false from about the 9,000th call on.
  for (let time = 0; time < 50_000; time++) {
    if (!parsedUrl('https://bücher.example/')) expect.fail(`not the ${time + 1}th time`)
  }
})

test.each(['', 'example.com', '/mcp', 'http://', 'http://[::1'])('“%s” is no address', (text) => {
  expect(parsedUrl(text)).toBeUndefined()
})

test('a relative address is one where its base is', () => {
  expect(parsedUrl('/message?id=1', 'http://localhost:3000/sse')?.href).toBe('http://localhost:3000/message?id=1')
  expect(parsedUrl('/message', '')).toBeUndefined()
})
