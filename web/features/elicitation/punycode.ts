/**
 * The Unicode form of a host, shown beside the ASCII form that is actually visited.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3492#section-6.2
 */
const [BASE, TMIN, TMAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128] as const

/** `xn--bcher-kva.example` -> `bücher.example`; labels that can't be decoded stay unchanged. */
export const unicodeHost = (host: string): string =>
  host
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? (decode(label.slice(4).toLowerCase()) ?? label) : label))
    .join('.')

const decode = (label: string): string | undefined => {
  const dash = label.lastIndexOf('-')
  const output = [...label.slice(0, Math.max(0, dash))].map((letter) => letter.codePointAt(0)!)
  let [code, bias, at] = [FIRST_CODE as number, FIRST_BIAS as number, 0]
  for (let read = dash + 1; read < label.length; at++) {
    const before = at
    for (let weight = 1, k = BASE as number; ; k += BASE) {
      const digit = digitOf(label.charCodeAt(read++))
      if (digit === undefined) return undefined
      at += digit * weight
      const threshold = k <= bias ? TMIN : k >= bias + TMAX ? TMAX : k - bias
      if (digit < threshold) break
      weight *= BASE - threshold
      if (weight > 0x7fffffff) return undefined
    }
    bias = adapt(at - before, output.length + 1, before === 0)
    code += Math.floor(at / (output.length + 1))
    if (code > 0x10ffff) return undefined
    at %= output.length + 1
    output.splice(at, 0, code)
  }
  return String.fromCodePoint(...output)
}

const digitOf = (code: number): number | undefined => {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined
}

const adapt = (delta: number, points: number, first: boolean): number => {
  let rest = first ? Math.floor(delta / DAMP) : delta >> 1
  rest += Math.floor(rest / points)
  let k = 0
  for (; rest > ((BASE - TMIN) * TMAX) >> 1; k += BASE) rest = Math.floor(rest / (BASE - TMIN))
  return k + Math.floor(((BASE - TMIN + 1) * rest) / (rest + SKEW))
}
