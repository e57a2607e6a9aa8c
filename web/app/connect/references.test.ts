import { describe, expect, test } from 'vitest'
import { readCommand } from './command-line.ts'
import { missingIn, variablesOf, waitingForRelay, type Entered } from './references.ts'
import type { Settings } from './settings.ts'
import type { Target } from './target.ts'
import { withoutSecrets } from './without-secrets.ts'

const NOTHING: Entered = { filled: {}, asIs: [] }
const RELAY: Settings = { relay: true }
const url = (value: string, address = 'https://mcp.example/mcp'): Target => ({
  kind: 'url',
  url: address,
  headers: [['Authorization', value]],
})
const command = (more: Partial<Extract<Target, { kind: 'command' }>>): Target => ({
  kind: 'command',
  command: 'node',
  args: [],
  env: {},
  ...more,
})

describe('what a reference needs before anything may be sent', () => {
  test('over HTTP, the relay: neither the automatic nor the direct route will do', () => {
    const target = url('Bearer ${env:TOKEN}')
    for (const settings of [{}, { relay: false }]) {
      expect(missingIn(target, NOTHING, settings)).toEqual(['${env:TOKEN}'])
      expect(waitingForRelay(target, NOTHING, settings)).toEqual(['TOKEN'])
    }
    expect(missingIn(target, NOTHING, RELAY)).toEqual([])
    expect(variablesOf(target, NOTHING)).toEqual(['TOKEN'])
  })

  test('for a process, nothing', () => {
    const target = command({ args: ['--key=${env:A}'], env: { B: '${env:B} ${env:A}' } })
    expect(missingIn(target, NOTHING, {})).toEqual([])
    expect(variablesOf(target, NOTHING)).toEqual(['A', 'B'])
  })

  test('a value, where the proxy inserts none: in a URL, a command or a folder', () => {
    const inUrl = url('x', 'https://mcp.example/mcp?key=${env:TOKEN}')
    for (const target of [inUrl, command({ command: '${env:TOKEN}' }), command({ cwd: '/${env:TOKEN}' })]) {
      expect(missingIn(target, NOTHING, RELAY)).toEqual(['${env:TOKEN}'])
      expect(variablesOf(target, NOTHING)).toEqual([])
    }
    // One value for all places: typed for the URL, it is sent in the header as well.
    const both = url('${env:TOKEN}', 'https://mcp.example/mcp?key=${env:TOKEN}')
    expect(missingIn(both, NOTHING, RELAY)).toEqual(['${env:TOKEN}'])
    expect(variablesOf(both, { filled: { '${env:TOKEN}': 'x' }, asIs: [] })).toEqual([])
  })

  test('nothing once a value is typed, or the text is to be sent as it is', () => {
    const target = url('${env:TOKEN}')
    const either: readonly Entered[] = [
      { filled: { '${env:TOKEN}': 'x' }, asIs: [] },
      { filled: {}, asIs: ['${env:TOKEN}'] },
    ]
    for (const entered of either) {
      expect(missingIn(target, entered, {})).toEqual([])
      expect(variablesOf(target, entered)).toEqual([])
    }
  })

  test('the same if it was typed for another placeholder', () => {
    const entered: Entered = { filled: { '<TOKEN>': '${env:TOKEN}' }, asIs: [] }
    expect(missingIn(url('Bearer <TOKEN>'), entered, {})).toEqual(['<TOKEN>'])
    expect(missingIn(url('Bearer <TOKEN>'), entered, RELAY)).toEqual([])
    expect(variablesOf(url('Bearer <TOKEN>'), entered)).toEqual(['TOKEN'])
    expect(missingIn(url('x', 'https://mcp.example/<TOKEN>'), entered, RELAY)).toEqual(['<TOKEN>'])
  })
})

test('in a command line it is an argument, and any other variable is still refused', () => {
  expect(readCommand('K=${env:A} node s.js "--key=${env:B}" \'${env:C}\'')).toMatchObject({
    env: { K: '${env:A}' },
    args: ['s.js', '--key=${env:B}', '${env:C}'],
  })
  expect(readCommand('node ${env:A-B}')).toMatchObject({ cause: 'variable' })
  expect(readCommand('node ${HOME}')).toMatchObject({ cause: 'variable' })
})

test('references are stored, other values are not', () => {
  expect(withoutSecrets(url('Bearer ${env:TOKEN}'))).toEqual({ target: url('Bearer ${env:TOKEN}'), dropped: [] })
  expect(withoutSecrets(url('Bearer x${env:TOKEN}'))).toEqual({ target: url(''), dropped: ['Authorization'] })
  const env = { A: '${env:A}', B: 'secret' }
  expect(withoutSecrets(command({ args: ['--token', '${env:T}'], env }))).toEqual({
    target: command({ args: ['--token', '${env:T}'], env: { A: '${env:A}', B: '' } }),
    dropped: ['B'],
  })
})
