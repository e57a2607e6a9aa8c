/** The messages that a folder's code can produce, read from its syntax trees: `{}` marks interpolated values. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Constructors and functions that take a message, and the index of that argument. */
const MAKERS: Readonly<Record<string, number>> = {
  TransportError: 1,
  UsageError: 1,
  badRequest: 0,
  // Methods that take the reason why a stream or a body ended.
  '#giveUp': 0,
  '#lost': 0,
}
/** Properties that hold a message or its remedy. */
const FIELDS = new Set(['message', 'remedy', 'why', 'explanation'])
const SOURCE = /(?<!\.(test|case|d))\.ts$/

export interface Message {
  /** With `{}` for each value. */
  readonly template: string
  readonly where: string
}

interface Options {
  /** Properties to include, in any object; `true`: those in `FIELDS`. */
  readonly fields: boolean | ReadonlySet<string>
  /** Instead of `MAKERS`. */
  readonly makers?: Readonly<Record<string, number>>
}

/** @param folder absolute path */
export const messagesOf = (folder: string, { fields, makers = MAKERS }: Options): Message[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => SOURCE.test(path))
    .sort()
    .flatMap((path) => {
      const source = ts.createSourceFile(path, readFileSync(join(folder, path), 'utf8'), ts.ScriptTarget.Latest, true)
      const found: Message[] = []
      const names = typeof fields === 'object' ? fields : fields ? FIELDS : new Set<string>()
      const take = (node: ts.Expression) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        for (const template of templatesOf(node, 0)) found.push({ template, where: `${path}:${line + 1}` })
      }
      const visit = (node: ts.Node): void => {
        const maker = ts.isNewExpression(node) || ts.isCallExpression(node) ? makerOf(node.expression) : undefined
        if (maker !== undefined && (ts.isNewExpression(node) || ts.isCallExpression(node))) {
          const at = Object.hasOwn(makers, maker) ? makers[maker] : undefined
          const argument = at === undefined ? undefined : node.arguments?.[at]
          if (argument) take(argument)
          // `badRequest(message, remedy)`
          if (maker === 'badRequest' && node.arguments?.[1]) take(node.arguments[1])
        }
        if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name) && names.has(node.name.text))
          take(node.initializer)
        ts.forEachChild(node, visit)
      }
      visit(source)
      return found
    })

const makerOf = (node: ts.Expression): string | undefined => {
  if (ts.isIdentifier(node)) return node.text
  return ts.isPropertyAccessExpression(node) ? node.name.text : undefined
}

/** The possible values of an expression, as far as they are literal; `{}` for what is computed elsewhere. */
const templatesOf = (node: ts.Expression, depth: number): string[] => {
  if (depth > 6) return ['{}']
  const inner = (one: ts.Expression) => templatesOf(one, depth + 1)
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return inner(node.expression)
  if (ts.isConditionalExpression(node)) return [...inner(node.whenTrue), ...inner(node.whenFalse)]
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind === ts.SyntaxKind.PlusToken)
      return inner(node.left).flatMap((left) => inner(node.right).map((right) => left + right))
    return [...inner(node.left), ...inner(node.right)]
  }
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (texts, { expression, literal }) =>
        texts.flatMap((text) => inner(expression).map((value) => text + value + literal.text)),
      [node.head.text],
    )
  // `text.trim()`
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.arguments.length === 0)
    return inner(node.expression.expression)
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const made = returnsOf(node.expression)
    return made.length > 0 ? made.flatMap(inner) : ['{}']
  }
  if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const table = declarationOf(node.expression)
    if (table && ts.isObjectLiteralExpression(table))
      return table.properties.flatMap((one) => (ts.isPropertyAssignment(one) ? inner(one.initializer) : ['{}']))
  }
  if (ts.isIdentifier(node)) {
    const declared = declarationOf(node)
    return declared ? inner(declared) : ['{}']
  }
  return ['{}']
}

/** The expressions that a function in the same file returns. */
const returnsOf = (name: ts.Identifier): ts.Expression[] => {
  const made = name
    .getSourceFile()
    .statements.find(
      (one): one is ts.FunctionDeclaration => ts.isFunctionDeclaration(one) && one.name?.text === name.text,
    )
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  if (made?.body) visit(made.body)
  return found
}

/** The initializer of a constant in the same function or file. */
const declarationOf = (name: ts.Identifier): ts.Expression | undefined => {
  for (let scope: ts.Node | undefined = name.parent; scope; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isCaseClause(scope)) continue
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue
      for (const each of statement.declarationList.declarations)
        if (ts.isIdentifier(each.name) && each.name.text === name.text) return each.initializer
    }
  }
  return undefined
}
