import { expect, test } from 'vitest'
import { BAD_TOOLS, GOOD_TOOLS } from '../../../tests/servers/eras/annotations.ts'
import type { Json, Peer } from '../../mcp/index.ts'
import { rowsOf } from './groups.ts'
import { headerIssuesOf } from './run-gate.ts'
import { TOOLS } from './tools-fold.ts'

const peer = (era: Peer['era'], revision: Peer['revision']): Peer => ({
  era,
  revision,
  info: {},
  capabilities: {},
  evidence: [],
})
const http = { peer: peer('stateless', '2026-07-28'), transport: 'Streamable HTTP' }

const itemsOf = (tools: readonly unknown[]) => {
  const taken = { keys: new Set<string>(), names: new Set<string>() }
  return tools.map((tool, index) => TOOLS.itemOf(tool as Json, index, 0, taken))
}
const bad = itemsOf(Object.values(BAD_TOOLS))
const good = itemsOf(Object.values(GOOD_TOOLS))

test('TR-XH-06, TR-XH-07: a tool whose annotation breaks a rule is set apart over HTTP, with the rule; the others stay', () => {
  expect(bad.length).toBeGreaterThan(5)
  for (const item of bad) {
    expect(headerIssuesOf(item, http), item.key).not.toEqual([])
    for (const { rule, explanation } of headerIssuesOf(item, http)) {
      expect(rule).toMatch(/^TR-XH-0\d$/)
      expect(explanation).not.toBe('')
    }
  }
  for (const item of good) expect(headerIssuesOf(item, http), item.key).toEqual([])
})

test('TR-STDIO-15: where there are no headers, or no such annotations, nothing is set apart', () => {
  const stdio = { ...http, transport: 'stdio' }
  const older = { ...http, peer: peer('handshake', '2025-11-25') }
  for (const item of bad) for (const server of [stdio, older]) expect(headerIssuesOf(item, server)).toEqual([])
})

test('TR-XH-06: what is set apart stands last in the list, under a heading of its own', () => {
  const all = [...bad, ...good]
  const rows = rowsOf(all, (item) => headerIssuesOf(item, http).length > 0)
  const at = rows.findIndex((row) => row.kind === 'group' && row.apart)
  const before = rows.slice(0, at).flatMap((row) => (row.kind === 'tool' ? [row.item] : []))
  const after = rows.slice(at).flatMap((row) => (row.kind === 'tool' ? [row.item] : []))
  expect(before).toEqual(good)
  expect(after).toEqual(bad)
})
