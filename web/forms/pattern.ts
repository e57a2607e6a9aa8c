/**
 * Matches regular expressions that a server chose against text of any length, without the risk of hanging: native
 * engines backtrack, and `(a+)+$` takes them years. Here all alternatives advance together (Thompson's construction),
 * so the time grows with pattern times text and no faster. Single characters are left to the native engine.
 *
 * Not supported, and therefore never judged: look-around and back references.
 */

/** `undefined`: not judged, for it would take too long. */
export type Matcher = (text: string) => boolean | undefined

/** Instructions of one pattern; counted repetitions are written out. */
const LARGEST = 4000
/** Instructions run on one text. */
const LONGEST = 1_000_000

type Instruction =
  | { readonly op: 'character'; readonly test: (character: string) => boolean }
  | { readonly op: 'split'; to: number; or: number }
  | { readonly op: 'start' | 'end' | 'boundary' | 'no-boundary' | 'match' }

class Unsupported extends Error {}

/** `undefined` when the pattern is no regular expression (ECMA-262, with or without `u`), or is not supported. */
export const matcher = (pattern: string): Matcher | undefined => {
  const flags = flagsOf(pattern)
  if (flags === undefined) return undefined
  try {
    const program = compile(pattern, flags)
    return (text) => run(program, flags === 'u' ? [...text] : text.split(''))
  } catch (error) {
    if (error instanceof Unsupported || error instanceof RangeError) return undefined
    throw error
  }
}

/** JSON Schema asks for `u`; many patterns in use, such as `\-` outside a class, are legal only without. */
const flagsOf = (pattern: string): 'u' | '' | undefined => {
  if (pattern.length > 10_000) return undefined
  for (const flags of ['u', ''] as const) {
    try {
      new RegExp(pattern, flags)
      return flags
    } catch {
      // The other flags may do.
    }
  }
  return undefined
}

const CLASS = /\[(?:\\.|[^\]\\])*\]/suy
const ESCAPE =
  /\\(?:u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|.)/suy
const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y
const GROUP = /\((?:\?:|\?<(?![=!])[^>]*>)?/y
const LOOK = /\(\?(?:<?[=!])/y

const compile = (pattern: string, flags: string): readonly Instruction[] => {
  const program: Instruction[] = []
  let at = 0

  const emit = (instruction: Instruction): number => {
    if (program.length >= LARGEST) throw new Unsupported()
    return program.push(instruction) - 1
  }
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at
    const found = expression.exec(pattern)
    if (found) at += found[0].length
    return found
  }

  const alternatives = (): void => {
    const exits: number[] = []
    for (;;) {
      const fork = emit({ op: 'split', to: program.length + 1, or: -1 })
      while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') term()
      const split = program[fork] as { to: number; or: number }
      if (pattern[at] !== '|') {
        split.or = split.to
        break
      }
      at++
      exits.push(emit({ op: 'split', to: -1, or: -1 }))
      split.or = program.length
    }
    for (const exit of exits) Object.assign(program[exit]!, { to: program.length, or: program.length })
  }

  const term = (): void => {
    const from = at
    const begin = program.length
    const quantifiable = atom()
    const to = at
    const [least, most] = quantifiable ? quantifier() : [1, 1]
    if (least === 1 && most === 1) return
    // Written out: the atom is compiled again for each time it may stand.
    const after = at
    program.length = begin
    const again = () => {
      at = from
      atom()
      if (at !== to) throw new Unsupported()
    }
    for (let times = 0; times < least; times++) again()
    if (most === Infinity) {
      const loop = emit({ op: 'split', to: program.length + 1, or: -1 })
      again()
      emit({ op: 'split', to: loop, or: loop })
      ;(program[loop] as { or: number }).or = program.length
    } else {
      const skips: number[] = []
      for (let times = least; times < most; times++) {
        skips.push(emit({ op: 'split', to: program.length + 1, or: -1 }))
        again()
      }
      for (const skip of skips) (program[skip] as { or: number }).or = program.length
    }
    at = after
  }

  /** How often: least and most. Lazy or greedy makes no difference to whether it matches. */
  const quantifier = (): readonly [number, number] => {
    const count = take(COUNT)
    let bounds: readonly [number, number] = [1, 1]
    if (count) {
      const least = Number(count[1])
      bounds = [least, count[2] ? (count[3] ? Number(count[3]) : Infinity) : least]
      if (least > LARGEST) throw new Unsupported()
    } else {
      const sign = pattern[at]
      if (sign !== '*' && sign !== '+' && sign !== '?') return bounds
      at++
      bounds = [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity]
    }
    if (pattern[at] === '?') at++
    return bounds
  }

  /** @returns whether a quantifier may follow */
  const atom = (): boolean => {
    const character = pattern[at]!
    if (character === '^' || character === '$') {
      at++
      emit({ op: character === '^' ? 'start' : 'end' })
      return false
    }
    if (character === '(') {
      if (take(LOOK)) throw new Unsupported()
      // What else begins with `(?` changes flags inside the group.
      if (!take(GROUP) || pattern[at] === '?') throw new Unsupported()
      alternatives()
      at++
      return true
    }
    if (character === '[') {
      const found = take(CLASS)
      if (!found) throw new Unsupported()
      emit({ op: 'character', test: single(found[0], flags) })
      return true
    }
    if (character === '\\') {
      const source = take(ESCAPE)![0]
      if (source === '\\b' || source === '\\B') {
        emit({ op: source === '\\b' ? 'boundary' : 'no-boundary' })
        return false
      }
      if (/^\\[1-9k]/.test(source)) throw new Unsupported()
      emit({ op: 'character', test: single(source, flags) })
      return true
    }
    const literal = flags === 'u' ? String.fromCodePoint(pattern.codePointAt(at)!) : character
    at += literal.length
    emit({ op: 'character', test: literal === '.' ? single('.', flags) : (other) => other === literal })
    return true
  }

  alternatives()
  if (at < pattern.length) throw new Unsupported()
  emit({ op: 'match' })
  return program
}

/** Asks the native engine about one character, once for each character. */
const single = (source: string, flags: string): ((character: string) => boolean) => {
  const expression = new RegExp(`^(?:${source})$`, flags)
  const known = new Map<string, boolean>()
  return (character) => {
    let answer = known.get(character)
    if (answer === undefined) known.set(character, (answer = expression.test(character)))
    return answer
  }
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character)

const run = (program: readonly Instruction[], text: readonly string[]): boolean | undefined => {
  // In which step an instruction was last added: none is followed twice for one character.
  const added = new Int32Array(program.length).fill(-1)
  let current: number[] = []
  let steps = 0

  /** Adds an instruction and all that follow it without taking a character. */
  const follow = (first: number, at: number, into: number[]): boolean => {
    const stack = [first]
    while (stack.length > 0) {
      const here = stack.pop()!
      if (added[here] === at) continue
      added[here] = at
      steps++
      const instruction = program[here]!
      switch (instruction.op) {
        case 'match':
          return true
        case 'split':
          stack.push(instruction.or, instruction.to)
          break
        case 'start':
          if (at === 0) stack.push(here + 1)
          break
        case 'end':
          if (at === text.length) stack.push(here + 1)
          break
        case 'boundary':
        case 'no-boundary':
          if ((isWord(text[at - 1]) !== isWord(text[at])) === (instruction.op === 'boundary')) stack.push(here + 1)
          break
        case 'character':
          into.push(here)
          break
      }
    }
    return false
  }

  for (let at = 0; at <= text.length; at++) {
    // A match may begin anywhere.
    if (follow(0, at, current)) return true
    if (at === text.length) return false
    if (steps > LONGEST) return undefined
    const next: number[] = []
    for (const here of current) {
      const instruction = program[here] as { test: (character: string) => boolean }
      steps++
      if (instruction.test(text[at]!) && follow(here + 1, at + 1, next)) return true
    }
    current = next
  }
  return false
}
