/** Reads the published schema from disk. */
import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { ordinarySession } from '../../tests/sessions/ordinary.ts'
import { plantedSession } from '../../tests/sessions/planted.ts'
import { recordReal } from '../../tests/sessions/real.ts'
import type { Frame, Json } from '../mcp/index.ts'
import { faultOf } from './guard.ts'
import { outgoing } from '../share/outgoing.ts'
import { redact } from '../share/redact.ts'
import { headOf, sessionText } from './write.ts'

const schema = JSON.parse(readFileSync(`${inject('root')}/public/session.schema.json`, 'utf8')) as AnySchemaObject
const ajv = new Ajv2020({ strict: true, strictRequired: false, validateFormats: false, allowUnionTypes: true })
const isLine = ajv.compile(schema)
const isFrame = ajv.compile({ $ref: 'urn:periscope:session:1#/$defs/frame' })

const HEAD = headOf({
  begunAt: '2026-01-01T00:00:00.000Z',
  tool: { name: 'mcp-periscope', version: '0' },
  servers: [
    {
      link: 's1',
      name: 'one',
      transport: 'stdio',
      target: { kind: 'command', command: 'npx', args: ['x'], env: ['KEY'] },
    },
  ],
  bookmarks: [{ seq: 0, text: 'here' }],
  view: { link: 's1', feature: 'tools', place: 'echo', seq: 0 },
})

const linesOf = (text: string): Json[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)

describe('the published schema of session files', () => {
  test('takes every line of what leaves, of every peer', { timeout: patient(60_000) }, async () => {
    const urls = [
      inject('everythingUrl'),
      `${inject('modernUrl')}/schema`,
      `${inject('richUrl')}/v1/schema`,
      `${inject('richUrl')}/v2/schema`,
    ]
    for (const frames of await Promise.all(urls.map(recordReal))) {
      for (const part of ['session', 'steps'] as const) {
        const out = await outgoing(await redact(HEAD, frames), { part, omitAbove: 2000 })
        for (const line of linesOf([...sessionText(out.head, out.frames)].join('')))
          expect(isLine(line), JSON.stringify(isLine.errors?.slice(0, 3))).toBe(true)
      }
    }
  })

  test('and the guard that opens them take the same frames: a field that is changed, or gone, is refused by both or by none', () => {
    const frames: readonly Frame[] = [
      ...ordinarySession(1),
      ...Array.from({ length: 30 }, (_, seed) => plantedSession(seed + 1).frames).flat(),
    ]
    const wrong = fc.constantFrom<Json>(null, -1, 1.5, 'x', true, {}, [], ['x'], [[1, 2]], 7)
    let refused = 0
    fc.assert(
      fc.property(fc.nat(frames.length - 1), fc.nat(20), fc.option(wrong, { nil: undefined }), (at, field, value) => {
        const frame = JSON.parse(JSON.stringify(frames[at])) as Record<string, Json>
        const names = Object.keys(frame)
        const name = names[field % names.length]!
        if (value === undefined) delete frame[name]
        else frame[name] = value
        const guarded = faultOf(frame) === undefined
        if (!guarded) refused++
        expect([guarded, JSON.stringify(frame)]).toEqual([isFrame(frame), JSON.stringify(frame)])
      }),
      { numRuns: 2000 },
    )
    expect(refused).toBeGreaterThan(500)
  })
})
