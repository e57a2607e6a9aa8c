import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { patient } from '../../../tests/patience.ts'
import { pythonSdk } from '../../../tests/python-sdk.ts'
import { SDKS, type SdkId } from './sdks.ts'

const listed = (id: SdkId) => SDKS.find((sdk) => sdk.id === id)!.version
const installed = (name: string): string =>
  (
    JSON.parse(
      readFileSync(join(inject('root'), 'node_modules/@modelcontextprotocol', name, 'package.json'), 'utf8'),
    ) as {
      version: string
    }
  ).version

test('the comparison of the SDKs is about the versions that its programs are run with', () => {
  expect([listed('typescript-2'), listed('typescript-1')]).toEqual([installed('client'), installed('sdk')])
})

const python = await pythonSdk(inject('root'), patient)
test.skipIf('missing' in python)('and so is its column of the Python SDK', () => {
  const folder = 'path' in python ? python.path : ''
  expect(readdirSync(folder)).toContain(`mcp-${listed('python')}.dist-info`)
})
