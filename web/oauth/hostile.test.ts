/**
 * Whole sign-ins against authorization servers that are wrong in every way that one could think of: each ends as the table
 * says a good client ends there (`tests/servers/hostile-oauth/kinds.ts`), or in a way that it says is as right.
 *
 * Whatever the end: secrets went to whom they are for and into no frame, nothing went round, nothing was asked after a
 * stop, and all that was thrown says what is wrong, at which step, by which rule.
 */
import { describe, expect, inject, test } from 'vitest'
import type { Secret } from '../../tests/servers/hostile-oauth/kind.ts'
import { kinds } from '../../tests/servers/hostile-oauth/kinds.ts'
import { check, clientOf } from './hostile.case.ts'

const all = Object.entries(kinds).map(([name, { says, shares }]) => ({ name, says, shares }))
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
  expect(own.length).toBeGreaterThan(500)
  expect(own.filter(({ value }) => log.includes(value)).map(({ what }) => what)).toEqual([])
})
