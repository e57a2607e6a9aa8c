/**
 * Whole sign-ins at authorization servers that are wrong in every way we could think of: each ends as the table says a
 * correct client does (`tests/servers/hostile-oauth/kinds.ts`), or in a way it tolerates.
 *
 * Whatever the outcome: secrets reached only their recipients and no frame, nothing looped, nothing was requested after
 * a stop, and every error says what is wrong, at which step, by which rule.
 */
import { describe, expect, inject, test } from 'vitest'
import { onlyWhatBrowsersChange } from '../../tests/in-page.ts'
import type { Secret } from '../../tests/servers/hostile-oauth/kind.ts'
import { kinds } from '../../tests/servers/hostile-oauth/kinds.ts'
import { BROWSER_KINDS, check, clientOf } from './hostile.case.ts'

const all = Object.entries(kinds)
  .filter(([name]) => !onlyWhatBrowsersChange || BROWSER_KINDS.includes(name))
  .map(([name, { says, shares }]) => ({ name, says, shares }))
const given: Secret[] = []

describe('a sign-in that nobody helps ends as it should, with', () => {
  test.concurrent.each(all)('$name: $says', async ({ name, shares }) => {
    const client = await clientOf(name)
    const end = await client.drive()
    await client.end()
    await check(client, end)
    if (!shares) given.push(...(await client.world.secrets()))
  })
})

test('AU-GEN-04, SEC-11: nothing that one origin gave out got to the other, at whatever address', async () => {
  const log = await (await fetch(`${inject('hostileOauthEvilUrl')}/log`)).text()
  const own = given.filter(({ door, value }) => door === 'own' && value.length > 5)
  expect(own.length).toBeGreaterThan(onlyWhatBrowsersChange ? 100 : 500)
  expect(own.filter(({ value }) => log.includes(value)).map(({ what }) => what)).toEqual([])
})
