/**
 * How Periscope speaks: phrases that its catalogues must not contain. Readers are in the middle of something, so texts
 * use the protocol's words, name who acts, and can be understood at the first reading.
 */
import { parse } from 'svelte/compiler'
import ts from 'typescript'

/** One text of a catalogue, as written, with `{}` for interpolated values. */
export interface CatalogueText {
  /** Keys joined with a dot; for a constant next to the catalogue, the first part is its name. */
  readonly key: string
  readonly text: string
}

interface Rule {
  readonly name: string
  readonly pattern: RegExp
  readonly instead: string
}

const BOTH: readonly Rule[] = [
  { name: 'backtick', pattern: /`/, instead: 'no backticks: they would reach the screen' },
  // Not `{ "url": … }` or `https://… · npx`, where the dots mark an omission.
  { name: 'space before …', pattern: /[\p{L}\p{N}}）] …/u, instead: '“…” without a space before it' },
  {
    name: 'rule id',
    pattern: /\b(?!UTF-)[A-Z]+(?:-[A-Z]+)*-\d\d\b/,
    instead: 'a rule id is a tag beside the sentence',
  },
]

const ENGLISH: readonly Rule[] = [
  ...BOTH,
  { name: '’', pattern: /\p{L}’/u, instead: 'a plain apostrophe, as everywhere' },
  { name: 'is no', pattern: /(?<!\bthere )\b(?:is|are|was|were) no\b(?! longer)/i, instead: 'a verb or an adjective' },
  { name: ', too', pattern: /, too\b/, instead: 'also' },
  { name: 'all the same', pattern: /\ball the same\b/i, instead: 'anyway' },
  { name: 'by itself', pattern: /\bby (?:it|them)sel(?:f|ves)\b/i, instead: 'automatically' },
  { name: 'by hand', pattern: /\bby hand\b/i, instead: 'manually, or a verb' },
  { name: 'nothing else', pattern: /\bnothing else\b/i, instead: 'only' },
  { name: 'whoever', pattern: /\b(?:whoever|nobody|somebody)\b/i, instead: 'who acts' },
  { name: 'anew', pattern: /\banew\b/i, instead: 'again' },
  { name: 'for ever', pattern: /\bfor ?ever\b/i, instead: 'indefinitely' },
  { name: 'letter by letter', pattern: /\bletter by letter\b/i, instead: 'exactly' },
  { name: 'of before', pattern: /\bof before\b/i, instead: 'before' },
  { name: 'in spite', pattern: /\bin spite\b/i, instead: 'despite, or two sentences' },
  { name: 'mend', pattern: /\bmend/i, instead: 'fix' },
  { name: 'let go', pattern: /\blet go\b/i, instead: 'released, discarded' },
  { name: 'stands', pattern: /\b(?:stands?|stood)\b/i, instead: 'is' },
  { name: 'tells', pattern: /\b(?:tells|told)\b/i, instead: 'reports, shows' },
  { name: 'does not say', pattern: /\b(?:does not|doesn.t|do not|don.t) say\b/i, instead: 'doesn’t declare' },
  { name: 'revision', pattern: /\brevisions?\b/i, instead: 'protocol version' },
  { name: 'era', pattern: /\beras?\b/i, instead: 'protocol version' },
  { name: 'road', pattern: /\broads?\b/i, instead: 'route' },
  { name: 'straight', pattern: /\bstraight\b/i, instead: 'directly' },
  { name: 'breach', pattern: /\bbreach/i, instead: 'violation' },
  { name: 'answer', pattern: /\banswer/i, instead: 'response, respond' },
  { name: 'question', pattern: /\bquestions?\b/i, instead: 'request' },
  { name: 'address', pattern: /\baddress/i, instead: 'URL' },
  // A question to the reader is allowed; a clause isn't a heading.
  { name: 'What …', pattern: /^(?:What|How|Who|Which)\b[^.?]*$/, instead: 'a noun or a verb' },
]

const CHINESE: readonly Rule[] = [
  ...BOTH,
  { name: '应答', pattern: /应答|回应/, instead: '响应' },
  { name: '轨迹', pattern: /轨迹|追踪|跟踪记录/, instead: '跟踪' },
  { name: '修订', pattern: /修订/, instead: '协议版本' },
  { name: '时代', pattern: /时代/, instead: '协议版本' },
  { name: '标注', pattern: /标注/, instead: '注解' },
  { name: '信息征询', pattern: /信息征询/, instead: '征询（elicitation）' },
  { name: '发现', pattern: /[项个] ?发现/, instead: '问题' },
  { name: '帧 N', pattern: /第 ?\{\} ?帧|帧 ?\{\}/, instead: '#{}' },
  // Token exchange is allowed, and so is swapping sides.
  { name: '往返', pattern: /往返|(?<!令牌)交换(?!两边)/, instead: '交互' },
  { name: '撤销', pattern: /撤销/, instead: '吊销' },
  { name: '忘掉', pattern: /忘掉/, instead: '清除' },
  { name: '您', pattern: /您/, instead: '你' },
  { name: '载入', pattern: /载入/, instead: '加载' },
  { name: '……', pattern: /……/, instead: '…' },
]

export type RuleName = string

/** @returns for each violation: the rule, the key and the text */
export const faultsOf = (
  texts: readonly CatalogueText[],
  language: 'en' | 'zh-CN',
): { readonly rule: RuleName; readonly instead: string; readonly key: string; readonly text: string }[] =>
  texts.flatMap(({ key, text }) =>
    (language === 'en' ? ENGLISH : CHINESE)
      .filter(({ pattern }) => pattern.test(text))
      .map(({ name, instead }) => ({ rule: name, instead, key, text })),
  )

/** All texts in a catalogue's source, without running it. */
export const catalogueTexts = (source: string): CatalogueText[] => {
  const found: CatalogueText[] = []
  const add = (path: readonly string[], text: string) => {
    if (/\p{L}/u.test(text) || text.includes('…')) found.push({ key: path.join('.'), text })
  }
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isElementAccessExpression(node)) return
    // Values in comparisons are codes, not texts.
    if (ts.isBinaryExpression(node) && isComparison(node.operatorToken.kind)) return
    if (ts.isCaseClause(node)) return node.statements.forEach((each) => visit(each, path))
    if (ts.isNewExpression(node)) return
    if (ts.isStringLiteralLike(node)) return add(path, node.text)
    if (ts.isTemplateExpression(node)) {
      add(path, node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join(''))
      return node.templateSpans.forEach(({ expression }) => visit(expression, path))
    }
    if (ts.isPropertyAssignment(node)) return visit(node.initializer, [...path, nameOf(node.name)])
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      return visit(node.initializer, [...path, node.name.text])
    if (ts.isCallExpression(node) && node.expression.getText().endsWith('.code')) return
    ts.forEachChild(node, (child) => visit(child, path))
  }
  visit(ts.createSourceFile('text.ts', source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS), [])
  return found
}

const isComparison = (kind: ts.SyntaxKind): boolean =>
  kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken

const nameOf = (name: ts.PropertyName): string =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : name.getText()

/** Elements whose text is a label: no full stop. */
const LABELS = new Set(['button', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'th', 'dt', 'option', 'legend'])

/**
 * Keys of the texts that a component shows as a button, heading or other label, by its catalogue's variable name.
 * Only if the text is the whole label: `<button>{texts.t.save}</button>`.
 */
export const labelKeys = (component: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  const visit = (value: unknown, inLabel: boolean): void => {
    if (Array.isArray(value)) return value.forEach((each) => visit(each, inLabel))
    if (typeof value !== 'object' || value === null) return
    const node = value as Record<string, unknown> & { readonly type?: string }
    if (node.type === 'ExpressionTag' && inLabel) {
      const { start, end } = node.expression as { start: number; end: number }
      const use = /^(\w+)\.t\.(\w+)(?:\([^]*\))?$/.exec(component.slice(start, end))
      if (use) found.set(use[1]!, (found.get(use[1]!) ?? new Set()).add(use[2]!))
      return
    }
    const label = node.type === 'RegularElement' ? LABELS.has(String(node.name)) : inLabel
    // Attributes aren't displayed as text.
    if (node.type === 'Attribute') return
    for (const member of Object.values(node)) if (typeof member === 'object') visit(member, label)
  }
  visit(parse(component, { modern: true }).fragment, false)
  return found
}

/** Punctuation that the languages write in different ways. */
const PUNCTUATION = /[:,;]\s|[()（）：，；、]/

const CATALOGUE_TEXT = /^(?:\w+\.)?t(?:\.|\[)/

/** Attributes that are shown, or read aloud. */
const SHOWN = new Set(['aria-label', 'title', 'label', 'placeholder', 'alt'])

/**
 * Punctuation in code between texts, as in `{texts.t.count}: {count}`: in Chinese it has to be another. In the markup of
 * a component, punctuation on its own; in attributes and strings, what is beside a text of a catalogue.
 */
export const joinsInCode = (source: string, isComponent: boolean): string[] => {
  const found: string[] = []
  if (isComponent) {
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) return value.forEach(visit)
      if (typeof value !== 'object' || value === null) return
      const node = value as Record<string, unknown> & { readonly type?: string; readonly start: number; end: number }
      if (node.type === 'Text' && /^[\s:,;()（）：，；、]*[:,;()（）：，；、]\s*$/.test(String(node.data)))
        found.push(source.slice(Math.max(0, node.start - 40), node.end + 40).trim())
      if (node.type === 'Attribute' && Array.isArray(node.value) && SHOWN.has(String(node.name))) {
        const parts = node.value as { type: string; data?: string; expression?: { start: number; end: number } }[]
        const isText = parts.some(({ expression: of }) => of && CATALOGUE_TEXT.test(source.slice(of.start, of.end)))
        const between = parts.map(({ data = '' }) => data).join('')
        if (isText && /[:,;()（）：，；、]/.test(between)) found.push(source.slice(node.start, node.end))
      }
      if (node.type !== 'StyleDirective' && node.type !== 'Attribute')
        for (const member of Object.values(node)) if (typeof member === 'object') visit(member)
    }
    visit(parse(source, { modern: true }).fragment)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateExpression(node)) {
      const isText = node.templateSpans.some(({ expression }) => CATALOGUE_TEXT.test(expression.getText()))
      const between = [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text)
      // The URL of a link in Markdown.
      if (isText && between.some((text) => PUNCTUATION.test(text.replace('](', '').replace(/^\)/, ''))))
        found.push(node.getText())
    }
    ts.forEachChild(node, visit)
  }
  const scripts = isComponent ? [...source.matchAll(/<script[^>]*>([^]*?)<\/script>|(`[^`]*`)/g)] : undefined
  for (const [, script, template] of scripts ?? [[source, source]])
    visit(ts.createSourceFile('code.ts', script ?? template ?? '', ts.ScriptTarget.Latest, true, ts.ScriptKind.TS))
  return found
}

/** The file that a component's catalogue variable is imported from. */
export const catalogueOf = (component: string, variable: string): string | undefined =>
  new RegExp(`import \\{[^}]*\\b${variable}\\b[^}]*\\} from '([^']+/texts\\.svelte\\.ts)'`).exec(component)?.[1]
