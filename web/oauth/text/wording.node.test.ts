/** The codes in the sources match those in the catalogues. Node only, because it reads the sources. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import says from './says/en.ts'

const folder = join(import.meta.dirname, '..')

/** The strings assigned to `say`, or passed first to a function of that name. */
const codesIn = (path: string, text: string): string[] => {
  const codes: string[] = []
  const textsIn = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) codes.push(node.text)
    // Not the condition, only the values it chooses between.
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(textsIn)
    else if (ts.isParenthesizedExpression(node)) textsIn(node.expression)
  }
  const visit = (node: ts.Node): void => {
    const named = (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) && node.name.getText() === 'say'
    if (named && node.initializer) textsIn(node.initializer)
    if (ts.isCallExpression(node) && node.expression.getText() === 'say' && node.arguments[0])
      textsIn(node.arguments[0])
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS))
  return codes
}

test('no step says what no catalogue knows, and no catalogue says what no step does', () => {
  const files = [
    ...readdirSync(join(folder, 'flow/steps')).map((name) => join('flow/steps', name)),
    ...['tokens/refresh-and-revoke.ts', 'wire/request.ts', 'wire/token-request.ts', 'model/token-facts.ts'],
  ].filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
  const codes = new Set(files.flatMap((name) => codesIn(name, readFileSync(join(folder, name), 'utf8'))))
  // Guards against a style change that makes this test match nothing.
  expect(codes.size).toBeGreaterThan(40)
  expect([...codes].filter((code) => !Object.hasOwn(says, code))).toEqual([])
  expect(Object.keys(says).filter((code) => !codes.has(code))).toEqual([])
})
