import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { until } from '../../../tests/patience.ts'
import { configReader, Draft, rowFaults } from './draft.svelte.ts'
import { recall } from './recall.ts'
import type { Target } from './target.ts'
import { storedDraft, valuesToKeep } from './without-secrets.ts'

const url = (...headers: [string, string][]): Target => ({ kind: 'url', url: 'http://x/', headers })

test('what passes can really be set, so that connecting never throws for it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
      if (rowFaults(url([name, value]), []).length > 0) return
      new Headers().append(name, value)
    }),
  )
  const cases: [string, string][] = [
    ['Authorization', 'Bearer x'],
    ['X-Key', ''],
    ['X-Key', 'é'],
  ]
  for (const [name, value] of cases) {
    expect(rowFaults(url([name, value]), [])).toEqual([])
    new Headers().append(name, value)
  }
})

test('a file takes the place of the text, and nothing of it is stored', async () => {
  await until(() => configReader() !== undefined)
  const secret = 'Zx81qLmN0pQrS7tUvW'
  const draft = Draft.ofFile({ name: 'mcp.json', text: `{"command":"node","args":["${secret}"],"env":{"A":"${secret}"}}` })
  expect(draft.isEmpty).toBe(false)
  expect(draft.target).toMatchObject({ command: 'node', env: { A: secret } })
  expect(storedDraft(draft)).not.toContain(secret)
  expect(Draft.fromStored(storedDraft(draft)).isEmpty).toBe(true)
}) // prettier-ignore

test('inputs give their defaults until a value is entered', async () => {
  await until(() => configReader() !== undefined)
  const draft = new Draft()
  const inputs = [{ id: 'a', type: 'promptString', default: 'one' }, { id: 'b', type: 'promptString' }] // prettier-ignore
  draft.text = JSON.stringify({ inputs, servers: { s: { command: 'x', args: ['${input:a}', '${input:b}'] } } })
  expect(draft.missingIn(draft.target)).toEqual(['${input:b}'])
  draft.fill({ '${input:b}': 'two' })
  expect(draft.values).toEqual({ '${input:a}': 'one', '${input:b}': 'two' })
  draft.fill({ '${input:a}': 'other' })
  expect(draft.values['${input:a}']).toBe('other')
})

describe('what was entered for one server', () => {
  const config = (url: string) =>
    JSON.stringify({
      inputs: [{ id: 'key', type: 'promptString', password: true }],
      servers: { s: { url, headers: { Authorization: 'Bearer ${input:key}' } } },
    })
  const [one, other] = ['https://one.example/mcp', 'https://other.example/mcp']

  test('stays with it when another configuration, URL or command takes its place, and is back with it', async () => {
    await until(() => configReader() !== undefined)
    const draft = new Draft()
    draft.text = config(one)
    draft.fill({ '${input:key}': 'secret' })
    const of = draft.target
    expect(draft.missingIn(of)).toEqual([])
    for (const text of [config(other), `${other}?key=\${input:key}`, "node s.js '${input:key}'"]) {
      draft.text = text
      expect(draft.missingIn(draft.target)).toEqual(['${input:key}'])
      expect(JSON.stringify([draft.values, draft.ownValues, draft.filled])).not.toContain('secret')
      // A server that was connected with it may connect again meanwhile.
      expect(draft.valuesFor(of)).toEqual({ '${input:key}': 'secret' })
    }
    draft.text = config(one)
    expect(draft.values).toEqual({ '${input:key}': 'secret' })
  })

  test('is still not for another one if it was remembered', async () => {
    await until(() => configReader() !== undefined)
    const draft = new Draft()
    draft.text = config(one)
    recall(draft, [['Authorization', 'Bearer secret']])
    expect(draft.target).toMatchObject({ headers: [['Authorization', 'Bearer secret']] })
    draft.text = config(other)
    expect(draft.target).toMatchObject({ url: other, headers: [['Authorization', 'Bearer ${input:key}']] })
    draft.text = other
    expect(draft.target).toMatchObject({ url: other, headers: [] })
  })
})

test('faults are named with the header they are in', () => {
  expect(rowFaults(url(['bad name', 'x'], ['X-A', 'line\nend'], ['X-B', '中'], ['Cookie', 'a=b']), [])).toEqual([
    { fault: 'header-name', name: 'bad name' },
    { fault: 'header-value', name: 'X-A' },
    { fault: 'header-value', name: 'X-B' },
    { fault: 'header-forbidden', name: 'Cookie' },
  ])
})

test('a variable needs a name without =, an empty row is no fault', () => {
  const command: Target = { kind: 'command', command: 'x', args: [], env: { 'A=B': '1' } }
  expect(rowFaults(command, [{ name: '', value: '' }])).toEqual([{ fault: 'variable-name', name: 'A=B' }])
  expect(rowFaults(command, [{ name: '', value: 'v' }])).toHaveLength(2)
  expect(rowFaults(undefined, [])).toEqual([])
})

describe('remembered values', () => {
  const recalled = (target: Target, dropped: readonly string[], pairs: readonly (readonly [string, string])[]) => {
    const draft = Draft.of(target, dropped)
    recall(draft, pairs)
    return draft
  }

  test('fill in the headers that have none, whatever their case, and leave what the user typed since', () => {
    const draft = recalled(
      url(['X-Key', ''], ['X-Typed', 'new'], ['X-Ref', '${env:A}']),
      ['X-Key'],
      [
        ['x-key', 'stored'],
        ['X-Typed', 'old'],
        ['X-Ref', 'old'],
        ['X-Removed', 'old'],
      ],
    )
    expect(draft.target).toEqual(url(['X-Key', 'stored'], ['X-Typed', 'new'], ['X-Ref', '${env:A}']))
    expect([draft.dropped, draft.remember]).toEqual([[], true])
  })

  test('fill in the placeholders of a configuration, but no secret of its command', async () => {
    await until(() => configReader() !== undefined)
    const draft = new Draft()
    draft.text = JSON.stringify({ command: 'node', args: ['s.js'], env: { KEY: '${KEY}', MODE: 'x' } })
    draft.dropped = ['--token']
    recall(draft, [
      ['KEY', 'stored'],
      ['MODE', 'old'],
    ])
    expect(draft.target).toMatchObject({ env: { KEY: 'stored', MODE: 'x' } })
    expect(draft.missingIn(draft.target)).toEqual([])
    expect(draft.dropped).toEqual(['--token'])
  })

  test('are the literal ones, and none of a server whose URL or command holds a secret', () => {
    const typed = url(['X-Key', 'v'], ['X-Ref', 'Bearer ${env:A}'], ['X-Empty', ''])
    expect(valuesToKeep(typed)).toEqual({ pairs: [['X-Key', 'v']], holdsSecret: false })
    expect(valuesToKeep({ ...typed, url: 'http://x/?api_key=Zx81qLmN0pQrS7tUvW' } as Target).holdsSecret).toBe(true)
    const command: Target = { kind: 'command', command: 'x', args: ['--token', 'Zx81qLmN0pQrS7tUvW'], env: { A: 'v' } }
    expect(valuesToKeep(command)).toEqual({ pairs: [['A', 'v']], holdsSecret: true })
  })
})
