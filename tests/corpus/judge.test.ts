import { expect, test } from 'vitest'
import type { Peer } from '../../web/mcp/index.ts'
import { environmentOf, fill, revisionDue, type HttpExpected, type StdioExpected } from './corpus.ts'
import type { ListSeen } from './drive.ts'
import { judgeHttp, judgeStdio, type Sight } from './judge.ts'

const OLD = '2025-11-25'
const peer: Peer = { era: 'handshake', revision: OLD, info: {}, capabilities: {}, evidence: [] }
const refused: ListSeen = { error: 'server', code: -32601, message: 'Method not found' }
const lost: ListSeen = { error: 'transport', code: 'timeout', message: 'Still waiting' }
const names = (...all: string[]): ListSeen => ({ names: all, pages: 1 })

const sight = (rest: Partial<Sight>): Sight => ({ peer, lists: { tools: names('a', 'b') }, unanswered: 0, ...rest })
const failing = (code: string, details = {}): Sight => ({
  failure: { code, message: 'It went wrong', details },
  lists: {},
  unanswered: 0,
})

const two: StdioExpected = { tools: 2, resources: 0, templates: 0, prompts: 0, protocolVersion: OLD }
const stdio = (seen: Sight, expected: StdioExpected = two) =>
  judgeStdio(expected, OLD, { tools: ['a', 'b'], ping: { code: -32601 }, unknownTool: 'isError result' }, seen)

test('a server that ends as expected has no differences', () => {
  expect(stdio(sight({ ping: 'error -32601', unknownTool: 'isError result' }))).toEqual([])
  expect(stdio(sight({ lists: { tools: names('a', 'b'), templates: refused } }), { ...two, templates: 'ERR' })).toEqual(
    [],
  )
})

test.each<[string, Sight, string]>([
  ['another revision', sight({ peer: { ...peer, revision: '2024-11-05' } }), `revision 2024-11-05 instead of ${OLD}`],
  ['too few', sight({ lists: { tools: names('a') } }), '1 tools instead of 2'],
  ['as many, but others', sight({ lists: { tools: names('a', 'c') } }), 'tools without b'],
  ['a list that fails', sight({ lists: { tools: refused } }), 'tools failed: -32601 Method not found'],
  ['a question without answer', sight({ unanswered: 3 }), "3 of the server's questions got no answer"],
  ['another ping', sight({ ping: 'ok' }), 'ping gives ok instead of error -32601'],
  ['another unknown tool', sight({ unknownTool: 'ok' }), 'unknownTool gives ok instead of isError result'],
])('%s is a difference', (_, seen, difference) => {
  expect(stdio(seen)).toEqual([difference])
})

test('where the server’s error is due, nothing else will do', () => {
  const expected: StdioExpected = { ...two, tools: 'ERR' }
  expect(stdio(sight({}), expected)).toEqual(["tools do not show the server's error: 2 of them"])
  expect(stdio(sight({ lists: { tools: lost } }), expected)).toHaveLength(1)
  expect(stdio(sight({ lists: {} }), expected)).toHaveLength(1)
})

test('a failure is as expected only by the code that names it', () => {
  const exit: StdioExpected = { fails: 'exit' }
  expect(stdio(failing('process-exited', { code: 1, stderr: [] }), exit)).toEqual([])
  expect(stdio(failing('timeout'), { fails: 'timeout' })).toEqual([])
  expect(stdio(failing('process-exited'), exit)).toEqual(['does not tell the end of stderr'])
  expect(stdio(failing('timeout'), exit)).toEqual(['failed with timeout instead of process-exited: It went wrong'])
  expect(stdio(sight({}), exit)).toEqual([`opened at ${OLD} instead of failing (exit)`])
  expect(stdio(failing('timeout'))).toContain('failed with timeout: It went wrong')
})

test('over HTTP what can be seen of it is compared as well', () => {
  const expected: HttpExpected = { protocolVersion: OLD, tools: 2, cors: true, session: true, get: 405 }
  const judge = (seen: Sight, http: Parameters<typeof judgeHttp>[4]) =>
    judgeHttp(expected, OLD, { prompts: 0 }, seen, http)
  expect(judge(sight({}), { cors: true, session: true, get: 405 })).toEqual([])
  expect(judge(sight({}), { cors: true })).toEqual([])
  expect(judge(sight({}), { cors: false, get: 200 })).toEqual([
    'cors is false instead of true',
    'get is 200 instead of 405',
  ])
})

test('one that answers once and never again may have spent it on the probe, but has to say with what', () => {
  const expected: HttpExpected = { protocolVersion: OLD, tools: 'ERR', cors: true, brokenAfterInitialize: 500 }
  const judge = (seen: Sight) => judgeHttp(expected, OLD, {}, seen, { cors: true })
  expect(judge(failing('http-status', { status: 500 }))).toEqual([])
  expect(judge(sight({ lists: { tools: { ...refused, status: 500 } } }))).toEqual([])
  expect(judge(failing('timeout'))).toEqual(['failed with timeout: It went wrong'])
  expect(judge(sight({}))).toEqual(['tools do not show HTTP 500: 2 of them'])
})

test('the newest revision is due only where the server names it', () => {
  expect(revisionDue(OLD, ['2026-07-28', OLD])).toBe('2026-07-28')
  expect(revisionDue(OLD, [OLD])).toBe(OLD)
  expect(revisionDue('2024-11-05', undefined)).toBe('2024-11-05')
})

test('places are put in, and a server sees a home of its own and nothing of ours', () => {
  const places = { ROOT: '/r', FIXTURES: '/f', TMP: '/t', PORT: '80' }
  expect(fill('${ROOT}/a ${TMP} ${PORT} ${FIXTURES} ${HOME}', places)).toBe('/r/a /t 80 /f ${HOME}')
  const env = environmentOf({ KEY: '${TMP}/k' }, places)
  expect(env).toMatchObject({ HOME: '/t', KEY: '/t/k', CI: '1' })
  expect(Object.keys(env).sort()).toEqual(['CI', 'HOME', 'KEY', 'LANG', 'PATH'])
})
