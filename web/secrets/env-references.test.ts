import { describe, expect, test } from 'vitest'
import { ConnectionSecrets } from './connection-secrets.ts'
import { isReferences, variablesIn } from './env-references.ts'
import { maskHeaders } from './mask.ts'
import { secretsInWords } from './user-input.ts'

describe('a value that consists of references', () => {
  test.each(['${env:A}', 'Bearer ${env:A}', '${env:USER}:${env:PASS}', 'Basic ${env:_a1}', '${env:A} ${env:B}'])(
    '%s is one',
    (value) => expect(isReferences(value)).toBe(true),
  )

  test.each([
    '',
    'Bearer',
    '${A}',
    '${env:}',
    '${env:A-B}',
    'hunter2 ${env:A}',
    'hunter ${env:A}',
    'Bearer hunter2${env:A}',
    'Bearer hunter ${env:A}',
    '${env:A}hunter',
    '${env:A} hunter',
    '${env:A}=correct horse ${env:B}',
    's3cr3t${env:A}',
    '${env:${env:A}}',
  ])('%s is not, because it may hold a secret', (value) => expect(isReferences(value)).toBe(false))

  test('names its variables once each', () => {
    expect(variablesIn('Bearer ${env:A}${env:B}${env:A} ${C}')).toEqual(['A', 'B'])
  })
})

describe('masks', () => {
  const secret = 'hunter2-and-more-91x'

  test('leave references in headers, and take every other value', () => {
    expect(maskHeaders([['authorization', 'Bearer ${env:A}']])).toEqual([['authorization', 'Bearer ${env:A}']])
    expect(maskHeaders([['authorization', `Bearer \${env:A}${secret}`]])[0]![1]).not.toContain(secret)
  })

  test('leave them in every frame of the connection, and still mask what else was typed', () => {
    const secrets = new ConnectionSecrets()
    const headers = [
      ['X-Api-Key', '${env:MY_TOKEN}'],
      ['X-Other', secret],
    ] as const
    secrets.know({ url: 'https://mcp.example/', headers, env: { TOKEN: '${env:MY_TOKEN}' } })
    const frame = { kind: 'http', phase: 'request', url: 'https://mcp.example/', headers, note: `\${env:MY_TOKEN}` }
    const masked = JSON.stringify(secrets.mask(frame))
    expect(masked).toContain('["X-Api-Key","${env:MY_TOKEN}"]')
    expect(masked).toContain('"note":"${env:MY_TOKEN}"')
    expect(masked).not.toContain(secret)
  })

  test.each([
    ['--token', '${env:T}'],
    ['--token=${env:T}'],
    ['-H', 'Authorization: Bearer ${env:T}'],
    ['--header=Authorization: Bearer ${env:T}'],
    ['-e', 'API_KEY=${env:T}'],
    ['-p', '${env:T}'],
    ['-c', 'serve --token ${env:T} --password=${env:P}'],
  ])('leave them in arguments: %s', (...words) => {
    expect(secretsInWords(['server', 'run', ...words])).toEqual([])
  })

  test('take a secret beside a reference in an argument', () => {
    const words = ['server', '--token', `\${env:T}${secret}`]
    expect(secretsInWords(words)).toMatchObject([{ word: 2 }])
  })
})
