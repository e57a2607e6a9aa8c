import { expect, test } from 'vitest'
import { readCommandLine } from './command-line.ts'

const URL_GIVEN = 'http://localhost:3001/mcp'

test('the client reads what the suite tells it: URL, scenario, revision, context', () => {
  const environment = {
    MCP_CONFORMANCE_SCENARIO: 'tools_call',
    MCP_CONFORMANCE_PROTOCOL_VERSION: '2025-11-25',
    MCP_CONFORMANCE_CONTEXT: '{"name":"tools_call","toolCalls":[]}',
  }
  expect(readCommandLine([URL_GIVEN], environment).run).toEqual({
    serverUrl: URL_GIVEN,
    scenario: 'tools_call',
    protocolVersion: '2025-11-25',
    context: { name: 'tools_call', toolCalls: [] },
  })
})

test('--detect finds the revision out, and still knows which one it is to be', () => {
  const environment = { MCP_CONFORMANCE_SCENARIO: 'initialize' }
  const expected = { serverUrl: URL_GIVEN, scenario: 'initialize' }
  expect(readCommandLine([URL_GIVEN], environment).run).toEqual(expected)
  const named = { ...environment, MCP_CONFORMANCE_PROTOCOL_VERSION: '2025-11-25' }
  expect(readCommandLine(['--via', 'test-relay', '--detect', URL_GIVEN], named)).toEqual({
    options: { via: 'test-relay', detect: true },
    run: { ...expected, protocolVersion: '2025-11-25', detect: true },
  })
})

test('what is missing or wrong is named', () => {
  const scenario = { MCP_CONFORMANCE_SCENARIO: 'initialize' }
  expect(() => readCommandLine([], scenario)).toThrow('URL of the server')
  expect(() => readCommandLine(['localhost'], scenario)).toThrow('it is localhost')
  expect(() => readCommandLine([URL_GIVEN], {})).toThrow('MCP_CONFORMANCE_SCENARIO')
  expect(() => readCommandLine([URL_GIVEN], { ...scenario, MCP_CONFORMANCE_CONTEXT: '[]' })).toThrow('no JSON object')
})
