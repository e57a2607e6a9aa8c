/** Every message of the kernel, the proxy, session files and runs has a code. Node only, because it reads the sources. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messagesOf } from '../../../tests/messages.ts'
import { readSession } from '../../session-file/index.ts'
import { reasonOf } from './reason.ts'

describe('no message that is stored or shown as it was thrown is without a code', () => {
  const root = join(import.meta.dirname, '../../..')
  /** A template is recognised if one of the strings it can produce is. */
  const unknown = (templates: readonly { readonly template: string; readonly where: string }[]) => {
    const places = new Map<string, string[]>()
    for (const { template, where } of templates) {
      let at = 0
      const text = template.replaceAll('{}', () => `v${at++}`)
      // `{}` alone is a forwarded message from elsewhere.
      if (template !== '{}' && reasonOf(text) === undefined)
        places.set(template, [...new Set([...(places.get(template) ?? []), where])])
    }
    return Array.from(places, ([template, where]) => `${template} (${where.join(', ')})`)
  }
  const REMEDY = 'Add these to web/trace/reasons/text/en.ts; move a sentence that they replace to former.ts'

  test('of all that the kernel throws', () => {
    const found = messagesOf(join(root, 'web/mcp'), { fields: false })
    expect(found.length).toBeGreaterThan(40)
    expect(unknown(found), REMEDY).toEqual([])
  })

  test('of all that is wrong with a message', () => {
    const found = messagesOf(join(root, 'web/mcp'), {
      fields: new Set(['explanation']),
      makers: { must: 1, encoding: 0 },
    }).filter(({ where }) => /^(?:jsonrpc|transports\/tap)\./.test(where))
    expect(found.length).toBeGreaterThan(12)
    expect(unknown(found), REMEDY).toEqual([])
  })

  test('of all that the proxy refuses, but for what no page sends', () => {
    const found = messagesOf(join(root, 'proxy'), { fields: true }).filter(
      // Messages of the commands go to a terminal, and a malformed request is the page's own bug.
      ({ where }) => !/^(commands\/|cli\.|requests\.|relay-request\.|fixtures\/)/.test(where),
    )
    expect(found.length).toBeGreaterThan(60)
    expect(unknown(found), REMEDY).toEqual([])
  })

  test('of all that session files, their store and sharing report', () => {
    const found = ['session-file', 'share'].flatMap((room) =>
      messagesOf(join(root, 'web', room), {
        fields: new Set(['why', 'fault']),
        makers: { Error: 0, RangeError: 0, SessionFileError: 1 },
      }),
    )
    expect(found.length).toBeGreaterThan(20)
    // Those for the end of an abandoned redaction are never shown; single words are codes.
    const shown = found.filter(
      ({ template }) =>
        /[ ]/.test(template) &&
        !/^The (choices changed|redaction was ended|session is not shared any more)$/.test(template),
    )
    expect(unknown(shown), REMEDY).toEqual([])
  })

  test.each([
    '[]',
    '{}',
    '{"seq":1}',
    '{"seq":1,"at":1}',
    '{"seq":1,"at":1,"link":"a"}',
    '{"seq":1,"at":1,"link":"a","kind":"message"}',
    '{"seq":1,"at":1,"link":"a","kind":"http"}',
    '{"seq":1,"at":1,"link":"a","kind":"http","phase":"end"}',
  ])('of what is wrong with the line %s of a session file', async (line) => {
    const head = '{"format":"periscope-session","version":1}'
    const { damage } = await readSession(`${head}\n${line}\n`)
    const [first] = damage
    expect(first && 'why' in first && reasonOf(first.why)?.code).toMatch(/^(line|frame)-/)
  })

  test('of all that a run, a completion and a sign-in report of their own requests', () => {
    const found = ['replay', 'features/completion', 'oauth/wire', 'doctor'].flatMap((room) =>
      messagesOf(join(root, 'web', room), {
        fields: new Set(['aborted']),
        makers: { cancel: 0, '#drop': 0, abort: 0, append: 0 },
      }),
    )
    expect(unknown(found.filter(({ template }) => template.includes(' '))), REMEDY).toEqual([])
  })
})
