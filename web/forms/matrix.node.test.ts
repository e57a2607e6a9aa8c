/** Node only: the reference validator is for tests, and compiles schemas to code. */
import { Ajv, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { matrix, type SchemaCase } from '../../tests/schemas/index.ts'
import { readJson } from '../json/reader.ts'
import { validate } from './validate.ts'

const options: Options = { strict: false, validateFormats: false, logger: false }
const dialects = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv, 'draft-06': Ajv, 'draft-04': Ajv }

describe('our verdicts are those of another validator', () => {
  test.each(matrix.filter(({ oracle }) => oracle !== 'apart'))(
    '$name',
    ({ schema, keep, keepAlso = [], refuse = [], type = [] }: SchemaCase) => {
      const texts = [...keep, ...keepAlso, ...refuse.map(({ value }) => value), ...type.map(({ gives }) => gives)]
      for (const text of texts) {
        const { state, dialect } = validate(schema, readJson(text).value)
        const judge = new dialects[dialect!](options).compile(schema as object)
        // `nullable` comes from OpenAPI; both validators support it.
        expect([text, state]).toEqual([text, judge(JSON.parse(text)) ? 'valid' : 'invalid'])
      }
    },
  )
})
