/** Finds base64-encoded texts within a text, in either alphabet. */

/** Runs that may be base64, including MIME lines. */
const RUN = /[A-Za-z0-9+/_-]{16,}(?:\r?\n[A-Za-z0-9+/_-]{4,})*={0,2}/g

export interface Run {
  readonly from: number
  readonly to: number
  /** The decoded text. */
  readonly text: string
  /** Encodes another text in the same way. */
  readonly write: (text: string) => string
}

/** Runs that decode to text, unlike images and IDs. */
export function* runsIn(text: string): Generator<Run> {
  if (text.length < 16) return
  for (const { 0: run, index } of text.matchAll(RUN)) {
    const whole = readRun(run, index)
    if (whole) yield whole
    else if (run.includes('/')) {
      // A preceding path shifts every character.
      let from = index
      for (const piece of run.split('/')) {
        const part = piece.length >= 16 ? readRun(piece, from) : undefined
        if (part) yield part
        from += piece.length + 1
      }
    }
  }
}

const readRun = (run: string, from: number): Run | undefined => {
  // The beginning is nearly always enough, and an image may be long.
  if (textOf(run.slice(0, 24)) === undefined) return undefined
  const text = textOf(run.replace(/\s/g, ''))
  if (text === undefined) return undefined
  const url = /[-_]/.test(run)
  const padded = run.endsWith('=') || (run.length % 4 === 0 && !url)
  return {
    from,
    to: from + run.length,
    text,
    write: (other) => {
      const written = encode64(other)
      const own = url ? written.replaceAll('+', '-').replaceAll('/', '_') : written
      return padded ? own : own.replace(/=+$/, '')
    },
  }
}

const encode64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))

// eslint-disable-next-line no-control-regex -- control characters distinguish bytes from text
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffd]/

/** The decoded text, if it is text; its last character may be incomplete. */
export const textOf = (run: string): string | undefined => {
  const plain = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (plain.length % 4 === 1) return textOf(plain.slice(0, -1))
  let bytes: string
  try {
    bytes = atob(plain)
  } catch {
    return undefined
  }
  const text = new TextDecoder().decode(
    Uint8Array.from(bytes, (unit) => unit.charCodeAt(0)),
    { stream: true },
  )
  return CONTROL.test(text) || text === '' ? undefined : text
}
