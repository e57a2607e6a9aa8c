import { StdUriTemplate } from '@std-uritemplate/std-uritemplate'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyOf, expand, LENGTH_MAX, readTemplate, VARIABLES_MAX, type Template } from './uri-template.ts'

const read = (text: string): Template => {
  const reading = readTemplate(text)
  if (!reading.ok) throw new Error(`${text}: ${reading.fault.code}`)
  return reading.template
}
const namesOf = (text: string) => read(text).variables.map(({ name }) => name)

describe('the variables of a template (SF-RES-06)', () => {
  test.each(['', '+', '#', '.', '/', ';', '?', '&'])('are found behind the operator "%s"', (operator) => {
    expect(namesOf(`x:{${operator}a,b.c,d*,e:3}/{f}`)).toEqual(['a', 'b.c', 'd', 'e', 'f'])
  })

  test('that are named twice are one field, a list if one of them is exploded', () => {
    expect(read('x:{a}/{?a*,b}').variables).toEqual([
      { name: 'a', operator: '', list: true },
      { name: 'b', operator: '?', list: false },
    ])
  })

  test('that are called like members of every object are variables like others', () => {
    const template = read('x:{__proto__}/{constructor}')
    expect(template.variables).toHaveLength(2)
    expect(expand(template, {})).toBe('x:/')
    expect(emptyOf(template, {})).toEqual(['__proto__', 'constructor'])
  })

  test.each([
    ['x:{a', 'braces'],
    ['x:a}', 'braces'],
    ['x:{{a}}', 'braces'],
    ['x:{}', 'empty'],
    ['x:{=a}', 'operator'],
    ['x:{|a}', 'operator'],
    ['x:{user-id}', 'name'],
    ['x:{a b}', 'name'],
    ['x:{a,}', 'name'],
    ['x:{?}', 'name'],
    ['x:{a:0}', 'name'],
    ['x:{a:3*}', 'name'],
    [`x:${'a'.repeat(LENGTH_MAX)}`, 'too-long'],
    [`x:{${Array.from({ length: VARIABLES_MAX + 1 }, (_, at) => `v${at}`).join(',')}}`, 'too-many'],
  ])('of %.20s are not read, and the fault is named: %s', (text, code) => {
    expect(readTemplate(text)).toMatchObject({ ok: false, fault: { code } })
  })

  test('no text makes reading throw, and what is read is put together from all of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}+?#/;.&*:,a1%_ ü') }), (text) => {
        const reading = readTemplate(text)
        if (!reading.ok) return
        const rest = reading.template.parts.filter((part) => typeof part === 'string').join('')
        expect(rest).toBe(text.replaceAll(/\{[^}]*\}/g, ''))
        expect(expand(reading.template, {})).not.toMatch(/[{}]/)
      }),
    )
  })
})

describe('expansion', () => {
  // RFC 6570, 3.2: the values of its examples, with lists as typed here.
  const typed = {
    count: 'one,two,three',
    dub: 'me/too',
    hello: 'Hello World!',
    half: '50%',
    var: 'value',
    who: 'fred',
    base: 'http://example.com/home/',
    path: '/foo/bar',
    list: 'red,green,blue',
    v: '6',
    x: '1024',
    y: '768',
  }
  test.each([
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['O{undef}X', 'OX'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['?{x,undef}', '?1024'],
    ['{var:3}', 'val'],
    ['{var:30}', 'value'],
    ['{list*}', 'red,green,blue'],
    ['{+hello}', 'Hello%20World!'],
    ['{+half}', '50%25'],
    ['{base}index', 'http%3A%2F%2Fexample.com%2Fhome%2Findex'],
    ['{+base}index', 'http://example.com/home/index'],
    ['{+path,x}/here', '/foo/bar,1024/here'],
    ['{+path:6}/here', '/foo/b/here'],
    ['{#hello}', '#Hello%20World!'],
    ['{#path:6}here', '#/foo/bhere'],
    ['{.who,who}', '.fred.fred'],
    ['X{.list*}', 'X.red.green.blue'],
    ['{/var:1,var}', '/v/value'],
    ['{/list*,path:4}', '/red/green/blue/%2Ffoo'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{;v,list*}', ';v=6;list=red;list=green;list=blue'],
    ['{?x,y,undef}', '?x=1024&y=768'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{&var:3}', '&var=val'],
    ['{dub}', 'me%2Ftoo'],
  ])('of %s is that of the RFC: %s', (text, uri) => {
    expect(expand(read(text), typed)).toBe(uri)
  })

  test.each([
    ['{list}', 'red,green,blue'],
    ['{/list}', '/red,green,blue'],
    ['{?list}', '?list=red,green,blue'],
    ['{;list}', ';list=red,green,blue'],
  ])('of %s is a list where its user says so, and one value otherwise', (text, uri) => {
    expect(expand(read(text), typed, new Set(['list']))).toBe(uri)
    expect(expand(read(text), typed)).toBe(uri.replaceAll(',', '%2C'))
  })

  test('what the RFC reserves is encoded, what is encoded already is not encoded twice where it may stay', () => {
    expect(expand(read('{a}'), { a: "*'()!" })).toBe('%2A%27%28%29%21')
    expect(expand(read('{+a}'), { a: '%C3%A4 %zz 100%% <"\\>' })).toBe('%C3%A4%20%25zz%20100%25%25%20%3C%22%5C%3E')
    expect(expand(read('{a:1}b'), { a: '🎈🎈' })).toBe('%F0%9F%8E%88b')
    expect(expand(read('{a}'), { a: '\uD800' })).toBe('%EF%BF%BD')
  })

  test('for plain values it is what another implementation of the RFC makes of them', () => {
    const name = fc.constantFrom('a', 'b', 'c')
    const spec = fc.tuple(name, fc.constantFrom('', '*', ':1', ':3')).map((parts) => parts.join(''))
    const braces = fc
      .tuple(fc.constantFrom('', '+', '#', '.', '/', ';', '?', '&'), fc.array(spec, { minLength: 1, maxLength: 3 }))
      .map(([operator, specs]) => `{${operator}${specs.join(',')}}`)
    const value = fc.string({ unit: fc.constantFrom(...'aB9-._~ /:ä世🎈@?#[]&=+$'), minLength: 1 })
    fc.assert(
      fc.property(
        fc.array(braces),
        fc.record({ a: value, b: value, c: value }, { requiredKeys: [] }),
        (found, typed) => {
          const text = `x://${found.join('-')}`
          const template = read(text)
          // The RFC doesn't define a list with both a prefix and an explode modifier.
          fc.pre(template.variables.every(({ list, prefix }) => !list || prefix === undefined))
          // A list of one expands like a single value.
          const values = Object.fromEntries(
            template.variables.flatMap(({ name, list }) => {
              const given = typed[name as 'a']
              return given === undefined ? [] : [[name, list ? [given.trim()] : given]]
            }),
          )
          expect(expand(template, typed)).toBe(StdUriTemplate.expand(text, values))
        },
      ),
    )
  })

  test('nothing but characters of a URI comes out, and nothing that was typed is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        for (const operator of ['', '+', '/', '?']) {
          expect(expand(read(`x:{${operator}a}`), { a: text })).toMatch(/^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/)
        }
        expect(decodeURIComponent(expand(read('{a}'), { a: text }))).toBe(text)
      }),
    )
  })
})
