/** Small changes of code that tests should notice: one operator, condition, number or call each. */
import ts from 'typescript'

export interface Mutant {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** `a < b → a <= b`, shortened. */
  readonly change: string
  /** UTF-16 offsets in the file's text. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const OPERATORS: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
  [ts.SyntaxKind.AmpersandAmpersandToken]: '||',
  [ts.SyntaxKind.BarBarToken]: '&&',
  [ts.SyntaxKind.MinusToken]: '+',
  [ts.SyntaxKind.AsteriskToken]: '/',
}

/** Every mutant of a file, in the order of its text. */
export const mutantsOf = (path: string, text: string): Mutant[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: Mutant[] = []
  const add = (node: ts.Node, replacement: string) => {
    const start = node.getStart(file)
    const end = node.getEnd()
    const line = file.getLineAndCharacterOfPosition(start).line + 1
    found.push({
      path,
      line,
      change: `${short(text.slice(start, end))} → ${short(replacement)}`,
      start,
      end,
      replacement,
    })
  }
  const negate = (condition: ts.Expression) => add(condition, `!(${condition.getText(file)})`)
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node)) return
    if (ts.isBinaryExpression(node)) {
      const operator = OPERATORS[node.operatorToken.kind]
      if (operator !== undefined) add(node.operatorToken, operator)
    }
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression)
    if (ts.isConditionalExpression(node)) negate(node.condition)
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      add(node, node.operand.getText(file))
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
    if (ts.isNumericLiteral(node)) add(node, `(${node.getText(file)} + 1)`)
    if (ts.isExpressionStatement(node) && calls(node.expression)) add(node, ';')
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const calls = (expression: ts.Expression): boolean =>
  ts.isCallExpression(expression) ||
  ((ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) && calls(expression.expression))

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}

export const mutated = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end)

/** Picks `count` of them, evenly over the whole list; another `offset` picks others. */
export const sampleOf = <Item>(all: readonly Item[], count: number, offset: number): Item[] => {
  const step = Math.max(1, all.length / count)
  return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor((at + (offset % 1)) * step)]!)
}
