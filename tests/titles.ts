/** Reads the titles of tests from a test file without running it. */
import ts from 'typescript'

const RUNNERS = ['test', 'it']

/**
 * Modifiers of tests that never run, or must fail, so that they prove nothing. `runIf` runs in some environments and
 * says where.
 */
const NO_PROOF = ['skip', 'todo', 'fails']

/** The title of each test that runs, as written: `${…}` and `%s` stay unchanged. */
export const testTitles = (text: string): Set<string> => {
  const found = new Set<string>()
  const source = ts.createSourceFile('x.test.ts', text, ts.ScriptTarget.Latest, false)
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const names = calleeNames(node.expression)
      const title = node.arguments[0]
      if (names[0] === 'describe' && names.some((name) => NO_PROOF.includes(name))) return
      if (RUNNERS.includes(names[0] ?? '') && !names.some((name) => NO_PROOF.includes(name)) && title) {
        if (ts.isStringLiteralLike(title)) found.add(title.text)
        else if (ts.isTemplateExpression(title)) found.add(text.slice(title.getStart(source) + 1, title.end - 1))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** `test.each(rows)` -> test, each. */
const calleeNames = (callee: ts.Expression): string[] => {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) return [...calleeNames(callee.expression), callee.name.text]
  if (ts.isCallExpression(callee)) return calleeNames(callee.expression)
  if (ts.isTaggedTemplateExpression(callee)) return calleeNames(callee.tag)
  return []
}
