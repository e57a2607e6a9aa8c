/** What the step finds in a code, before the trace masks it. */
import { expect, test } from 'vitest'
import type { AuthCheck } from '../../mcp/index.ts'
import { profileFor } from '../model/index.ts'
import type { Port } from '../wire/index.ts'
import { callback } from './steps/authorization-response.ts'

const found = async (code: string, repeated = false): Promise<string[]> => {
  const checks: AuthCheck[] = []
  const check = (each: AuthCheck) => void checks.push(each)
  const port: Pick<Port, 'check' | 'must' | 'profile' | 'isRepeated'> = {
    ...{ check, must: async (each) => check(each), profile: profileFor('2025-11-25') },
    isRepeated: () => repeated,
  }
  const returned = new URLSearchParams({ code, state: 's' }).toString()
  const learned = await callback.run(
    { server: 'https://h/mcp', issuer: 'https://as', state: 's', returned },
    port as Port,
  )
  expect(learned.code).toBe(code)
  return checks.flatMap(({ ok, rule, say }) => (ok === false ? [`${rule} ${say}`] : []))
}

test('RFC 6749 appendix A.11: a code is printable ASCII', async () => {
  expect(await found('a-b._~+/= %"')).toEqual([])
  expect(await found('schlüssel')).toEqual(['RFC 6749 appendix A.11 parameter-characters'])
  expect(await found('a\tb')).toEqual(['RFC 6749 appendix A.11 parameter-characters'])
})

test('RFC 6749 section 4.1.2: no two sign-ins get the same code', async () => {
  expect(await found('x', true)).toEqual(['RFC 6749 section 4.1.2 code-again'])
})
