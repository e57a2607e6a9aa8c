/** The build wraps what components show in `shown`, so that none can print a server's text unmarked (SEC-03). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'svelte/compiler'
import { describe, expect, test } from 'vitest'
import { patient } from '../../tests/patience.ts'
import { markedSource } from './mark-texts.ts'

const body = (source: string): string =>
  markedSource(`<script lang="ts">\n</script>\n${source}`).replace(/^<script[\s\S]*?<\/script>\n/, '')

describe('what a component shows is marked', () => {
  test.each([
    ['a text', '<b>{name}</b>', '<b>{__shown(name)}</b>'],
    ['a text its user asked to see as it came', '<b>{asItCame(name)}</b>', '<b>{asItCame(name)}</b>'],
    ['a text beside others', '<b>{name} · {at}</b>', '<b>{__shownWithin(name)} · {__shownWithin(at)}</b>'],
    ['an attribute', '<b title={name}></b>', '<b title={__shown(name)}></b>'],
    ['a short attribute', '<b {title}></b>', '<b title={__shown(title)}></b>'],
    ['a part of an attribute', '<b title="Of {name}"></b>', '<b title="Of {__shownWithin(name)}"></b>'],
    ['a quoted attribute', '<b aria-label="{name}"></b>', '<b aria-label="{__shown(name)}"></b>'],
    [
      'a text in a block',
      '{#if a}{name}{:else}<i>{b}</i>{/if}',
      '{#if a}{__shown(name)}{:else}<i>{__shown(b)}</i>{/if}',
    ],
    [
      'a text in a list',
      '{#each all as one (one)}<i>{one}</i>{/each}',
      '{#each all as one (one)}<i>{__shown(one)}</i>{/each}',
    ],
    ['a text in a snippet', '{#snippet row(a)}<i>{a}</i>{/snippet}', '{#snippet row(a)}<i>{__shown(a)}</i>{/snippet}'],
    ['a text within a component', '<Pane label={name}>{name}</Pane>', '<Pane label={name}>{__shown(name)}</Pane>'],
    [
      'an await',
      '{#await it then a}{a}{:catch b}{b}{/await}',
      '{#await it then a}{__shown(a)}{:catch b}{__shown(b)}{/await}',
    ],
    ['attributes of somebody else', '<b {...attributes}></b>', '<b {...__shownLabels(attributes)}></b>'],
    ['a sentence', '<p>{texts.t.found(name)}</p>', '<p>{__shown(texts.t.found(name))}</p>'],
  ])('%s', (_, source, marked) => {
    expect(body(source)).toBe(marked)
  })

  test.each([
    ['words of ours', '<b title={texts.t.name}>{texts.t.name}</b>'],
    ['numbers', '<b>{format.count(count)}</b>'],
    ['what is sent', '<input value={name} /><textarea>{name}</textarea>'],
    ['what only tests read', '<b data-name={name} class={name}></b>'],
  ])('%s is left as it is', (_, source) => {
    expect(body(source)).toBe(source)
  })
})

test(
  'every component can be read with the marks in it',
  () => {
    const web = join(import.meta.dirname, '..')
    const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svelte'))
    expect(files.length).toBeGreaterThan(200)
    for (const file of files) {
      const source = markedSource(readFileSync(join(web, file), 'utf8'))
      expect(() => parse(source, { modern: true }), file).not.toThrow()
    }
  },
  patient(60_000),
)
