/**
 * Part of the build: passes every text that a component puts into the page through `shown`, much as template engines
 * escape HTML. Components don't have to track which values come from a server, and new ones can't forget it.
 *
 *     <b title={name}>{name}</b>   is compiled as   <b title={shown(name)}>{shown(name)}</b>
 *
 * Not covered, but marked where they are created: Markdown (web/content/markdown-to-html.ts), editors, values
 * of form fields.
 */
import { parse, type AST, type PreprocessorGroup } from 'svelte/compiler'
import { LABELS } from './visible.ts'

type Wrapper = 'shown' | 'shownWithin' | 'shownLabels'

interface Edit {
  readonly at: number
  readonly text: string
}

const module = new URL('./i18n/shown.svelte.ts', import.meta.url).pathname

export const markTexts = (): PreprocessorGroup => ({
  name: 'periscope:mark-texts',
  markup: ({ content, filename = '' }) =>
    filename.includes('node_modules') ? undefined : { code: markedSource(content) },
})

/** The source of a component, with `shown` around every text it shows. */
export const markedSource = (source: string): string => {
  const { fragment, instance } = parse(source, { modern: true })
  const edits: Edit[] = []
  const wrap = (tag: AST.ExpressionTag | AST.SpreadAttribute, how: Wrapper) => {
    const { start, end } = tag.expression as unknown as { start: number; end: number }
    if (isOurs(tag.expression as unknown as Node, source)) return
    edits.push({ at: start, text: `__${how}(` }, { at: end, text: ')' })
  }
  walk(fragment as unknown as Node, (node, siblings) => {
    if (node.type === 'ExpressionTag')
      wrap(node as unknown as AST.ExpressionTag, siblings > 1 ? 'shownWithin' : 'shown')
    if (node.type !== 'RegularElement' && node.type !== 'SvelteElement') return
    for (const attribute of (node as unknown as AST.RegularElement).attributes) {
      if (attribute.type === 'SpreadAttribute') wrap(attribute, 'shownLabels')
      if (attribute.type !== 'Attribute' || attribute.value === true || !LABELS.includes(attribute.name)) continue
      const { value } = attribute
      if (!Array.isArray(value)) {
        // `{title}` is short for `title={title}`.
        if (source[attribute.start] === '{') edits.push({ at: attribute.start, text: `${attribute.name}=` })
        wrap(value, 'shown')
        continue
      }
      for (const part of value)
        if (part.type === 'ExpressionTag') wrap(part, value.length > 1 ? 'shownWithin' : 'shown')
    }
  })
  if (edits.length === 0) return source
  const line = `\n  import { shown as __shown, shownLabels as __shownLabels, shownWithin as __shownWithin } from ${JSON.stringify(module)}\n`
  const script = instance as unknown as { content: { start: number } } | null
  edits.push(script ? { at: script.content.start, text: line } : { at: 0, text: `<script lang="ts">${line}</script>` })
  let marked = source
  edits.sort((a, b) => b.at - a.at).forEach(({ at, text }) => (marked = marked.slice(0, at) + text + marked.slice(at)))
  return marked
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/**
 * Visits blocks and elements, but not expressions or the content of text fields. @param visit
 * receives the number of siblings
 */
const walk = (node: Node, visit: (node: Node, siblings: number) => void): void => {
  if (node.type === 'Fragment') {
    const nodes = (node.nodes as readonly Node[]).filter(({ type }) => type !== 'Comment')
    const beside = nodes.filter((each) => each.type !== 'Text' || String(each.data).trim() !== '').length
    for (const each of nodes) {
      visit(each, beside)
      walk(each, visit)
    }
    return
  }
  if (node.type === 'RegularElement' && node.name === 'textarea') return
  for (const member of Object.values(node)) {
    if (isNode(member) && member.type === 'Fragment') walk(member, visit)
    else if (Array.isArray(member))
      for (const each of member) if (isNode(each) && each.type === 'Fragment') walk(each, visit)
  }
}

/** Our own literal texts, numbers, and values passed through `asItCame`. */
const isOurs = (expression: Node, source: string): boolean => {
  if (expression.type === 'Literal') return true
  const text = source.slice(expression.start as number, expression.end as number)
  if (/^texts\.t\.\w+$/.test(text)) return true
  const callee = expression.type === 'CallExpression' ? (expression.callee as Node) : undefined
  const name = callee && source.slice(callee.start as number, callee.end as number)
  return name !== undefined && (name === 'asItCame' || /^format\.\w+$/.test(name))
}
