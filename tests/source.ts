/** Parses a source file's imports and declarations. */
import { parse } from 'svelte/compiler'
import ts from 'typescript'

export interface Import {
  readonly specifier: string
  /** Erased by the compiler: nothing is loaded at run time. */
  readonly typeOnly: boolean
  /** `import(…)`. */
  readonly lazy: boolean
}

export interface Source {
  readonly imports: readonly Import[]
  /** Names of functions, classes, types and variables, at any nesting level. */
  readonly declares: readonly string[]
  /** Module variables that can be reassigned. */
  readonly mutable: readonly string[]
  /** Keys of the default export, if that is an object. */
  readonly defaultKeys?: ReadonlySet<string>
  /** Has `{@html}`. */
  readonly rawHtml: boolean
}

/** @throws {Error} if a component can't be parsed */
export const parseSource = (path: string, text: string): Source => {
  if (!path.endsWith('.svelte')) return parseScript(path, text)
  const tree = parse(text, { modern: true, filename: path })
  const scripts = [tree.module, tree.instance].flatMap((script) => {
    if (!script) return []
    // The script's position in the file, so that the parser below handles it as well.
    const { start, end } = script.content as unknown as { start: number; end: number }
    return [parseScript(path, text.slice(start, end))]
  })
  const markup = parseMarkup(tree.fragment)
  return {
    imports: [...scripts.flatMap(({ imports }) => imports), ...markup.imports],
    declares: scripts.flatMap(({ declares }) => declares),
    mutable: [],
    rawHtml: markup.rawHtml,
  }
}

const parseScript = (path: string, text: string): Source => {
  // Comments hold no code.
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone }
  const source = ts.createSourceFile(path, text, options, false, ts.ScriptKind.TS)
  const imports: Import[] = []
  const declares: string[] = []
  const visit = (node: ts.Node): void => {
    const link = importOf(node)
    if (link) imports.push(link)
    if (isDeclaration(node) && node.name && ts.isIdentifier(node.name)) declares.push(node.name.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  const keys = defaultKeys(source)
  return { imports, declares, mutable: mutable(source), rawHtml: false, ...(keys ? { defaultKeys: keys } : {}) }
}

const importOf = (node: ts.Node): Import | undefined => {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    return { specifier: node.moduleSpecifier.text, typeOnly, lazy: false }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly, lazy: false }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, typeOnly: true, lazy: false }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const specifier = node.arguments[0]
    // A computed specifier can't be resolved, so this placeholder is reported as a missing file.
    const text = specifier && ts.isStringLiteralLike(specifier) ? specifier.text : './(computed)'
    return { specifier: text, typeOnly: false, lazy: true }
  }
  return
}

const isDeclaration = (node: ts.Node) =>
  ts.isClassDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isVariableDeclaration(node)

const mutable = (source: ts.SourceFile): string[] =>
  source.statements.flatMap((statement) => {
    if (!ts.isVariableStatement(statement)) return []
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) return []
    if (statement.declarationList.flags & ts.NodeFlags.Const) return []
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  })

const defaultKeys = (source: ts.SourceFile): Set<string> | undefined => {
  const constants = new Map<string, ts.Expression>()
  let exported: ts.Expression | undefined
  for (const statement of source.statements) {
    if (ts.isExportAssignment(statement)) exported = statement.expression
    if (!ts.isVariableStatement(statement)) continue
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer)
    }
  }
  if (exported && ts.isIdentifier(exported)) exported = constants.get(exported.text)
  while (exported && (ts.isAsExpression(exported) || ts.isSatisfiesExpression(exported))) exported = exported.expression
  if (!exported || !ts.isObjectLiteralExpression(exported)) return
  const keys = exported.properties.map(({ name }) => (name && 'text' in name ? name.text : undefined))
  return keys.includes(undefined) ? undefined : new Set(keys as string[])
}

/** Svelte's own tree; expressions in braces are ESTree. */
const parseMarkup = (fragment: unknown): { imports: Import[]; rawHtml: boolean } => {
  const imports: Import[] = []
  let rawHtml = false
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if (Array.isArray(node)) return node.forEach(visit)
    const { type, source } = node as { type?: string; source?: { value?: unknown } }
    if (type === 'HtmlTag') rawHtml = true
    if (type === 'ImportExpression') {
      const specifier = typeof source?.value === 'string' ? source.value : './(computed)'
      imports.push({ specifier, typeOnly: false, lazy: true })
    }
    Object.values(node).forEach(visit)
  }
  visit(fragment)
  return { imports, rawHtml }
}
