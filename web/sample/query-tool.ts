/** The sample server's database: a small part of SQL that only reads, over two tables in memory. */
import { type Cell, type Row, TABLES } from './data.ts'
import { failure, stringOf, structured, type SampleTool } from './tool.ts'

const LONGEST_QUERY = 1000
const MOST_ROWS = 100

/** Why a query can't be run. */
class QueryError extends Error {
  override readonly name = 'QueryError'
}

interface Condition {
  readonly column: string
  readonly operator: string
  readonly value: Cell
}

interface Query {
  /** Empty: all. */
  readonly columns: readonly string[]
  readonly isCount: boolean
  readonly table: string
  readonly where: readonly Condition[]
  readonly order?: { readonly column: string; readonly descending: boolean }
  readonly limit: number
}

const TOKEN = /\s*(?:('(?:[^']|'')*')|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(<=|>=|<>|!=|[=<>*,();]))/y

const tokensOf = (query: string): string[] => {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = query.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(query)
    if (!match) throw new QueryError(`Unexpected ${JSON.stringify(query.slice(at).trim().slice(0, 10))}`)
    tokens.push(match.slice(1).find((part) => part !== undefined)!)
  }
  return tokens
}

/** `SELECT columns FROM table [WHERE column = value [AND …]] [ORDER BY column [DESC]] [LIMIT n]` */
const parsed = (text: string): Query => {
  const tokens = tokensOf(text)
  let at = 0
  const isNext = (word: string) => tokens[at]?.toUpperCase() === word
  const take = (word: string): boolean => (isNext(word) ? ++at > 0 : false)
  const need = (word: string) => {
    if (!take(word)) throw new QueryError(`Expected ${word} instead of ${tokens[at] ?? 'the end'}`)
  }
  const name = (): string => {
    const token = tokens[at++]
    if (token === undefined || !/^[A-Za-z_]/.test(token)) throw new QueryError(`Expected a name instead of ${token ?? 'the end'}`) // prettier-ignore
    return token.toLowerCase()
  }
  const value = (): Cell => {
    const token = tokens[at++] ?? ''
    if (token.startsWith("'")) return token.slice(1, -1).replaceAll("''", "'")
    if (/^-?\d/.test(token)) return Number(token)
    throw new QueryError(`Expected a number or a 'string' instead of ${token || 'the end'}`)
  }

  if (!isNext('SELECT')) throw new QueryError('Only SELECT is supported: this database can’t be changed')
  at++
  const columns: string[] = []
  let isCount = false
  if (!take('*')) {
    do {
      if (isNext('COUNT') && tokens[at + 1] === '(') {
        at += 2
        need('*')
        need(')')
        isCount = true
      } else columns.push(name())
    } while (take(','))
  }
  if (isCount && columns.length > 0) throw new QueryError('COUNT(*) can’t be combined with columns')
  need('FROM')
  const table = name()
  const where: Condition[] = []
  if (take('WHERE')) {
    do {
      const column = name()
      const operator = tokens[at++] ?? ''
      if (!/^(?:[=<>]|<=|>=|<>|!=)$/.test(operator)) throw new QueryError(`Expected a comparison instead of ${operator || 'the end'}`) // prettier-ignore
      where.push({ column, operator, value: value() })
    } while (take('AND'))
  }
  let order: Query['order']
  if (take('ORDER')) {
    need('BY')
    order = { column: name(), descending: take('DESC') }
    if (!order.descending) take('ASC')
  }
  const limit = take('LIMIT') ? Number(value()) : MOST_ROWS
  if (!Number.isInteger(limit) || limit < 0) throw new QueryError('LIMIT must be a whole number')
  take(';')
  if (at < tokens.length) throw new QueryError(`Unexpected ${tokens[at]}`)
  return { columns, isCount, table, where, ...(order ? { order } : {}), limit: Math.min(limit, MOST_ROWS) }
}

/** Values of different types are never equal, and strings come after numbers. */
const compared = (one: Cell, other: Cell): number => {
  if (typeof one !== typeof other) return typeof one === 'number' ? -1 : 1
  return one < other ? -1 : one > other ? 1 : 0
}

const holds = (row: Row, { column, operator, value }: Condition): boolean => {
  const sign = compared(row[column]!, value)
  switch (operator) {
    case '=':
      return sign === 0
    case '<':
      return sign < 0
    case '>':
      return sign > 0
    case '<=':
      return sign <= 0
    case '>=':
      return sign >= 0
    default:
      return sign !== 0
  }
}

const rowsOf = ({ columns, isCount, table, where, order, limit }: Query): readonly Row[] => {
  const all = Object.hasOwn(TABLES, table) ? TABLES[table]! : undefined
  if (!all) throw new QueryError(`There is no table ${table}. Tables: ${Object.keys(TABLES).join(', ')}`)
  const known = Object.keys(all[0]!)
  const used = [...columns, ...where.map(({ column }) => column), ...(order ? [order.column] : [])]
  const unknown = used.find((column) => !known.includes(column))
  if (unknown !== undefined) throw new QueryError(`${table} has columns ${known.join(', ')}, but not ${unknown}`)
  const matching = all.filter((row) => where.every((condition) => holds(row, condition)))
  if (isCount) return [{ count: matching.length }]
  if (order) {
    const { column, descending } = order
    matching.sort((one, other) => compared(one[column]!, other[column]!) * (descending ? -1 : 1))
  }
  const picked = columns.length > 0 ? columns : known
  return matching.slice(0, limit).map((row) => Object.fromEntries(picked.map((column) => [column, row[column]!])))
}

export const QUERY_TOOL: SampleTool = {
  declaration: {
    name: 'query',
    title: 'Query the database',
    description:
      'Runs a SELECT over the tables ships and voyages: columns or COUNT(*), WHERE with AND, ORDER BY, LIMIT. Nothing can be changed.',
    inputSchema: {
      type: 'object',
      properties: {
        sql: {
          type: 'string',
          description: 'One statement',
          maxLength: LONGEST_QUERY,
          default: "SELECT name, length FROM ships WHERE kind = 'sail' ORDER BY length DESC",
        },
      },
      required: ['sql'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        rows: { type: 'array', items: { type: 'object', additionalProperties: { type: ['string', 'number'] } } },
        count: { type: 'integer' },
      },
      required: ['rows', 'count'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  run: (call) => {
    const sql = stringOf(call, 'sql')
    if (sql.length > LONGEST_QUERY) return failure(`A statement has ${LONGEST_QUERY} characters at most.`)
    try {
      const rows = rowsOf(parsed(sql))
      return structured({ rows, count: rows.length })
    } catch (error) {
      if (error instanceof QueryError) return failure(`${error.message}.`)
      throw error
    }
  },
}
