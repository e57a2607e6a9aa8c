/** The sample server's code execution: lines of arithmetic in an interpreter of its own, with limits. Nothing is evaluated as JavaScript. */
import { failure, stringOf, structured, type SampleTool } from './tool.ts'

const LONGEST_PROGRAM = 2000
const MOST_STEPS = 10_000
const MOST_OUTPUT = 100
/** Parentheses within parentheses. */
const DEEPEST = 50

/** Why a program stopped. */
class ProgramError extends Error {
  override readonly name = 'ProgramError'
}

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  abs: Math.abs,
  floor: Math.floor,
  max: Math.max,
  min: Math.min,
  round: Math.round,
  sqrt: Math.sqrt,
}

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z]\w*)|([-+*/%^(),=]))/y

const tokensOf = (line: string): string[] => {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  const end = line.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(line)
    if (!match) throw new ProgramError(`unexpected ${JSON.stringify(line.slice(at).trim().slice(0, 10))}`)
    tokens.push(match.slice(1).find((part) => part !== undefined)!)
  }
  return tokens
}

class Machine {
  readonly output: number[] = []
  steps = 0
  readonly #variables = new Map<string, number>()
  #tokens: readonly string[] = []
  #at = 0
  #depth = 0

  /** `expression`, `name = expression`, or either after `repeat n` */
  run(line: string): void {
    const tokens = tokensOf(line.replace(/#.*/, ''))
    if (tokens.length === 0) return
    if (tokens[0] !== 'repeat') return this.#statement(tokens)
    const count = Number(tokens[1])
    if (!Number.isInteger(count)) throw new ProgramError('repeat needs a whole number')
    for (let each = 0; each < count; each++) this.#statement(tokens.slice(2))
  }

  #statement(tokens: readonly string[]): void {
    const isAssignment = tokens[1] === '=' && /^[A-Za-z]/.test(tokens[0]!)
    this.#tokens = isAssignment ? tokens.slice(2) : tokens
    this.#at = 0
    this.#depth = 0
    const value = this.#sum()
    if (this.#at < this.#tokens.length) throw new ProgramError(`unexpected ${this.#tokens[this.#at]}`)
    if (!Number.isFinite(value)) throw new ProgramError('the result is not a finite number')
    if (isAssignment) this.#variables.set(tokens[0]!, value)
    else if (this.output.push(value) > MOST_OUTPUT) throw new ProgramError(`more than ${MOST_OUTPUT} results`)
  }

  #take(...wanted: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at]
    if (token === undefined || !wanted.includes(token)) return undefined
    this.#at++
    return token
  }

  #need(token: string): void {
    if (!this.#take(token)) throw new ProgramError(`expected ${token}`)
  }

  #step(): void {
    if (++this.steps > MOST_STEPS) throw new ProgramError(`stopped after ${MOST_STEPS} steps`)
  }

  #sum(): number {
    let value = this.#product()
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      const right = this.#product()
      value = sign === '+' ? value + right : value - right
    }
    return value
  }

  #product(): number {
    let value = this.#power()
    for (let sign = this.#take('*', '/', '%'); sign; sign = this.#take('*', '/', '%')) {
      const right = this.#power()
      if (sign !== '*' && right === 0) throw new ProgramError('division by zero')
      value = sign === '*' ? value * right : sign === '/' ? value / right : value % right
    }
    return value
  }

  /** Binds to the right, and more tightly than a sign: -2 ^ 2 is -4. */
  #power(): number {
    if (++this.#depth > DEEPEST) throw new ProgramError('nested too deeply')
    const value = this.#take('-') ? -this.#power() : this.#raised()
    this.#depth--
    return value
  }

  #raised(): number {
    const base = this.#atom()
    return this.#take('^') ? base ** this.#power() : base
  }

  #atom(): number {
    this.#step()
    if (this.#take('(')) {
      const value = this.#sum()
      this.#need(')')
      return value
    }
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new ProgramError('the line ends too early')
    if (/^\d/.test(token)) return Number(token)
    if (!/^[A-Za-z]/.test(token)) throw new ProgramError(`unexpected ${token}`)
    if (this.#take('(')) {
      const values = [this.#sum()]
      while (this.#take(',')) values.push(this.#sum())
      this.#need(')')
      if (!Object.hasOwn(FUNCTIONS, token)) throw new ProgramError(`unknown function ${token}`)
      return FUNCTIONS[token]!(...values)
    }
    const value = this.#variables.get(token)
    if (value === undefined) throw new ProgramError(`${token} has no value yet`)
    return value
  }
}

export const EVALUATE_TOOL: SampleTool = {
  declaration: {
    name: 'evaluate',
    title: 'Run code',
    description: `Runs lines of arithmetic: expressions, "name = expression", and "repeat n" before either. Functions: ${Object.keys(FUNCTIONS).join(', ')}. It stops after ${MOST_STEPS} steps or ${MOST_OUTPUT} results.`,
    inputSchema: {
      type: 'object',
      properties: {
        program: {
          type: 'string',
          description: 'One statement a line',
          maxLength: LONGEST_PROGRAM,
          default: 'depth = 3\nrepeat 4 depth = depth * 2\nsqrt(depth) + 1',
        },
      },
      required: ['program'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        output: { type: 'array', items: { type: 'number' } },
        steps: { type: 'integer', maximum: MOST_STEPS },
      },
      required: ['output', 'steps'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  run: (call) => {
    const program = stringOf(call, 'program')
    if (program.length > LONGEST_PROGRAM) return failure(`A program has ${LONGEST_PROGRAM} characters at most.`)
    const machine = new Machine()
    for (const [at, line] of program.split('\n').entries()) {
      try {
        machine.run(line)
      } catch (error) {
        if (error instanceof ProgramError) return failure(`Line ${at + 1}: ${error.message}.`)
        throw error
      }
    }
    return structured({ output: machine.output, steps: machine.steps })
  },
}
