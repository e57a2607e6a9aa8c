/**
 * Searches a text for secrets as an attacker would: decodes every encoding in it, in any order and repeatedly. It
 * shares no code with the redaction.
 */

/** Maximum depth of nested encodings to decode. */
const DEEPEST = 5
/** Maximum number of characters to search in total. */
const MOST = 40_000_000

/** @returns the secrets found in it */
export const leaks = async (text: string, secrets: readonly string[]): Promise<string[]> => {
  const found = new Set<string>()
  const seen = new Set<string>()
  /** Base64 runs already decoded: most of them occur in every decoded form of a text. */
  const runs = new Set<string>()
  let level = [
    text,
    ...(await Promise.all(Array.from(text.matchAll(/#share=\d+\.([\w-]+)/g), ([, data]) => unpacked(data!)))),
  ]
  let read = 0
  for (let depth = 0; depth <= DEEPEST && level.length > 0; depth++) {
    const next: string[] = []
    for (const one of level) {
      if (one.length < 4 || seen.has(one) || read > MOST) continue
      seen.add(one)
      read += one.length
      for (const secret of secrets) if (one.includes(secret)) found.add(secret)
      next.push(percent(one), percent(one.replaceAll('+', ' ')), unescaped(one), html(one), base64(one, runs))
    }
    level = next
  }
  return [...found]
}

const unpacked = async (data: string): Promise<string> => {
  const bytes = bytesOf(data.replaceAll('-', '+').replaceAll('_', '/'))
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text()
}

const percent = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })

const SHORT: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, hex?: string, letter: string = '') =>
    hex ? String.fromCharCode(Number.parseInt(hex, 16)) : (SHORT[letter] ?? letter),
  )

const html = (text: string): string =>
  text
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(
      /&(quot|lt|gt|apos|amp);/g,
      (_, name: string) => ({ quot: '"', lt: '<', gt: '>', apos: "'", amp: '&' })[name] ?? '',
    )

const UTF8 = new TextDecoder()

/** Every run that may be base64, at each alignment; runs that decode to binary data are skipped. */
const base64 = (text: string, seen: Set<string>): string => {
  const parts: string[] = []
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{8,}/g)) {
    if (seen.has(run)) continue
    seen.add(run)
    const standard = run.replaceAll('-', '+').replaceAll('_', '/')
    for (let skip = 0; skip < 4; skip++) {
      const plain = standard.slice(skip)
      const read = UTF8.decode(bytesOf(plain.length % 4 === 1 ? plain.slice(0, -1) : plain))
      if (isMostlyPrintable(read)) parts.push(read)
    }
  }
  return parts.join('\n')
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** Images are frequent and contain no secrets. */
const isMostlyPrintable = (text: string): boolean => {
  let printable = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 0x20 && unit !== 0xfffd) printable++
  }
  return printable > text.length * 0.8
}
