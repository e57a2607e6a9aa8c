import { expect, test } from 'vitest'
import { clientCapabilities } from './transport-for.ts'

test('features that declare parts of one capability do not overwrite each other', () => {
  const features = [
    { declares: () => ({ extensions: { 'a.example/x': {} }, roots: {} }) },
    {},
    { declares: (revision: string) => ({ extensions: { 'b.example/y': { revision } } }) },
  ]
  expect(clientCapabilities(features, '2026-07-28')).toEqual({
    roots: {},
    extensions: { 'a.example/x': {}, 'b.example/y': { revision: '2026-07-28' } },
  })
})
