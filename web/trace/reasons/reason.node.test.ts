/** Every message of the kernel and the proxy has a code. Node only, because it reads the sources. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messagesOf } from '../../../tests/messages.ts'
import { reasonOf } from './reason.ts'

describe('no message of the kernel or the proxy is without a code', () => {
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

  test('of all that the proxy refuses, but for what no page sends', () => {
    const found = messagesOf(join(root, 'proxy'), { fields: true }).filter(
      // Messages of the commands go to a terminal, and a malformed request is the page's own bug.
      ({ where }) => !/^(commands\/|cli\.|requests\.|relay-request\.|fixtures\/)/.test(where),
    )
    expect(found.length).toBeGreaterThan(60)
    expect(unknown(found), REMEDY).toEqual([])
  })
})
