import { expect, test } from 'vitest'
import en from './text/en.ts'
import zh from './text/zh-CN.ts'

test.each([en, zh])('the question before a destructive tool names the tool and the connection', ({ confirmText }) => {
  const question = confirmText('erase', 'production')
  expect(question).toContain('erase')
  expect(question).toContain('production')
})
