import { expect, test } from 'vitest'
import { ConnectionSecrets } from './capture.ts'

const masked = (name: string, value: string, text: string): string => {
  const secrets = new ConnectionSecrets()
  secrets.know({ kind: 'url', url: 'https://mcp.example/mcp', headers: [[name, value]] })
  return secrets.mask({ kind: 'stderr', text }).text
}

test.each([
  ['X-Custom', 'correct horse battery staple'],
  ['X-Custom', 'open sesame now'],
  ['Authorization', 'Bearer correct horse battery staple'],
])('SEC-15: a passphrase in %s is masked wherever it comes back', (name, value) => {
  expect(masked(name, value, `no such user: ${value.replace('Bearer ', '')}!`)).toMatch(/^no such user: .*•.*!$/)
})

test('SEC-15: a token in the URL of a WebSocket is masked in the frame that opens it', () => {
  const secrets = new ConnectionSecrets()
  const url = 'wss://mcp.example/mcp?token=hunter2-hunter2&x=1'
  secrets.know({ kind: 'custom', url })
  const frame = secrets.mask({ kind: 'transport', event: 'opening', transport: 'WebSocket', url })
  expect(frame.url).not.toContain('hunter2')
  expect(frame.url).toContain('x=1')
})

test('a header of one or two plain words is masked by its name alone: texts keep those words', () => {
  expect(masked('X-Mode', 'read only', 'The folder is read only.')).toBe('The folder is read only.')
})

test('SEC-15: the password of a connection string is masked wherever it comes back, even without a digit', () => {
  const secrets = new ConnectionSecrets()
  const env = { DATABASE_URL: 'mysql://root:uLPnCmVNxGkGFmgHcwFx@127.0.0.1:3306/app' }
  secrets.know({ kind: 'command', command: 'node', env })
  expect(secrets.mask({ kind: 'stderr', text: 'Access denied (uLPnCmVNxGkGFmgHcwFx)' }).text).toMatch(
    /^Access denied \(.*•.*\)$/,
  )
})
