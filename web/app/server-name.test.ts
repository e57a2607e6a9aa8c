import { expect, test } from 'vitest'
import type { JsonObject } from '../mcp/index.ts'
import { Server } from './server.svelte.ts'
import type { Workbench } from './workbench.svelte.ts'

/** The name in the rail of a server that says this of itself. */
const nameFor = (info: JsonObject): string => {
  const bench = { connectionOf: () => ({ peer: { info } }) } as unknown as Workbench
  return new Server(bench, { link: 's1', target: { kind: 'sample' }, name: 'as configured' }).name
}

test('LC-14: a server goes by its title, else by its name, else by what it was configured as', () => {
  expect(nameFor({ name: 'weather', title: 'Weather · 天气' })).toBe('Weather · 天气')
  expect(nameFor({ name: 'weather', title: '  ' })).toBe('weather')
  expect(nameFor({ name: 'weather', title: 7 })).toBe('weather')
  expect(nameFor({ name: '', version: '1' })).toBe('as configured')
  expect(nameFor({})).toBe('as configured')
  expect(nameFor({ title: 'x'.repeat(500) }).length).toBeLessThanOrEqual(80)
})
