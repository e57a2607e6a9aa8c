/**
 * Changes values in a JSON text with comments and leaves everything else as it is: comments, order, spacing. New
 * properties are formatted like those beside them.
 */
import { applyEdits, findNodeAtLocation, parseTree, type Edit, type Node } from 'jsonc-parser'
import type { Json } from '../../../mcp/index.ts'

type Path = readonly (string | number)[]

/** @param value `undefined` removes it @throws {Error} there is no place for the value */
export const editJson = (text: string, path: Path, value: Json | undefined): string => {
  const root = parseTree(text, [], { allowTrailingComma: true })
  if (!root) throw new Error('The text contains no value')
  const node = findNodeAtLocation(root, [...path])
  if (value === undefined) return node ? applyEdits(text, removal(text, node)) : text
  if (node) return applyEdits(text, [{ ...rangeOf(node), content: laidOut(value, text, indentAt(text, node.offset), isOnOneLine(text, node)) }]) // prettier-ignore
  const parent = path.slice(0, -1)
  const key = path.at(-1)
  if (key === undefined) throw new Error('There is no value to replace')
  const owner = findNodeAtLocation(root, [...parent])
  if (!owner) return editJson(text, parent, typeof key === 'number' ? [value] : { [key]: value })
  if (owner.type !== 'object' && owner.type !== 'array') throw new Error('The value is within one that has no members')
  return applyEdits(text, insertion(text, owner, typeof key === 'number' ? undefined : key, value))
}

const rangeOf = ({ offset, length }: Node) => ({ offset, length })

const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n')

/** The white space in front of the line that a place is in. */
const indentAt = (text: string, at: number): string => {
  const from = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(from, at))![0]
}

/** One level, as the first indented line has it. */
const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '

const isOnOneLine = (text: string, { offset, length }: Node): boolean =>
  !text.slice(offset, offset + length).includes('\n')

/** @param compact on one line */
const laidOut = (value: Json, text: string, indent: string, compact: boolean): string => {
  // Strings have no line breaks of their own in JSON.
  if (compact)
    return JSON.stringify(value, null, 1)
      .replaceAll(/\n\s*/g, ' ')
      .replaceAll(/\[ | \]/g, (edge) => edge.trim())
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eolOf(text) + indent)
}

const insertion = (text: string, owner: Node, key: string | undefined, value: Json): Edit[] => {
  const eol = eolOf(text)
  const label = key === undefined ? '' : `${JSON.stringify(key)}: `
  const end = owner.offset + owner.length - 1
  const last = owner.children?.at(-1)
  if (!last) {
    const indent = indentAt(text, owner.offset)
    const inner = indent + unitOf(text)
    // Whatever is in it is a comment.
    const kept = text.slice(owner.offset + 1, end).trimEnd()
    const content = `${kept}${eol}${inner}${label}${laidOut(value, text, inner, false)}${eol}${indent}`
    return [{ offset: owner.offset + 1, length: end - owner.offset - 1, content }]
  }
  const lastEnd = last.offset + last.length
  const firstChild = owner.children![0]!
  const inline = !text.slice(owner.offset, firstChild.offset).includes('\n')
  const comma = commaAfter(text, lastEnd, end)
  if (inline) {
    const content = `${label}${laidOut(value, text, '', true)}`
    return comma === undefined
      ? [{ offset: lastEnd, length: 0, content: `, ${content}` }]
      : [{ offset: comma + 1, length: 0, content: ` ${content},` }]
  }
  const indent = indentAt(text, firstChild.offset)
  const content = `${eol}${indent}${label}${laidOut(value, text, indent, false)}`
  // A comment behind the last member stays with it.
  const place = lineEnd(text, comma === undefined ? lastEnd : comma + 1, end)
  return comma === undefined
    ? [
        { offset: lastEnd, length: 0, content: ',' },
        { offset: place, length: 0, content },
      ]
    : [{ offset: place, length: 0, content: `${content},` }]
}

/** Comments about other members stay; one behind the removed member goes with it. */
const removal = (text: string, node: Node): Edit[] => {
  const member = node.parent?.type === 'property' ? node.parent : node
  const siblings = member.parent?.children ?? []
  const at = siblings.indexOf(member)
  const ownerEnd = member.parent ? member.parent.offset + member.parent.length - 1 : text.length
  const comma = commaAfter(text, endOf(member), siblings[at + 1]?.offset ?? ownerEnd)
  const before = siblings[at - 1]
  // The comma of the member before it would have nothing behind it.
  const orphan = comma === undefined && before ? commaAfter(text, endOf(before), member.offset) : undefined
  const edits: Edit[] = orphan === undefined ? [] : [{ offset: orphan, length: 1, content: '' }]
  const line = text.lastIndexOf('\n', member.offset - 1) + 1
  const end = comma === undefined ? endOf(member) : comma + 1
  const rest = lineEnd(text, end, ownerEnd)
  const eol = /^\r?\n/.exec(text.slice(rest, rest + 2))?.[0].length ?? 0
  if (eol > 0 && text.slice(line, member.offset).trim() === '') {
    return [...edits, { offset: line, length: rest + eol - line, content: '' }]
  }
  const space = comma === undefined ? 0 : /^[ \t]*/.exec(text.slice(end))![0].length
  const from = orphan !== undefined && text.slice(orphan + 1, member.offset).trim() === '' ? orphan + 1 : member.offset
  return [...edits, { offset: from, length: end + space - from, content: '' }]
}

const endOf = ({ offset, length }: Node): number => offset + length

const COMMENT = /^(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/

/** A trailing comma, possibly behind comments. */
const commaAfter = (text: string, from: number, end: number): number | undefined => {
  for (let at = from; at < end; at++) {
    if (text[at] === ',') return at
    at += Math.max(0, (COMMENT.exec(text.slice(at, end))?.[0].length ?? 1) - 1)
  }
  return undefined
}

/** The end of the line if only a comment is left in it; otherwise the same place. */
const lineEnd = (text: string, from: number, end: number): number => {
  const rest = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\n]*?\*\/[ \t]*)?(?=\r?\n)/.exec(text.slice(from, end))
  return rest ? from + rest[0].length : from
}
