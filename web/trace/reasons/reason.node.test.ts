/** Every message of the kernel and the proxy has a code. Runs only in Node because it reads the sources. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messagesOf } from '../../../tests/messages.ts'
import { reasonOf } from './reason.ts'

describe('no message of the kernel or the proxy is without a code', () => {
  const root = join(import.meta.dirname, '../../..')
  /** What a template says is known if a text that it can make is recognised. */
  const unknown = (templates: readonly { readonly template: string; readonly where: string }[]) =>
    templates
      // Another's message, handed on.
      .filter(({ template }) => template !== '{}')
      .filter(({ template }) => {
        let at = 0
        return reasonOf(template.replaceAll('{}', () => `v${at++}`)) === undefined
      })
      .map(({ template, where }) => `${where}: ${template}`)

  test('of all that the kernel throws', () => {
    const found = messagesOf(join(root, 'web/mcp'), { fields: false })
    expect(found.length).toBeGreaterThan(40)
    expect(unknown(found)).toEqual([])
  })

  test('of all that the proxy refuses, but for what no page sends', () => {
    const found = messagesOf(join(root, 'proxy'), { fields: true }).filter(
      // The commands speak to a terminal; the shape of a request is the page's own fault.
      ({ where }) => !/^(commands\/|cli\.|requests\.|relay-request\.|fixtures\/)/.test(where),
    )
    expect(found.length).toBeGreaterThan(60)
    expect(unknown(found)).toEqual([])
  })
})
