/** SHA-256 (FIPS 180-4), for pages without `crypto.subtle`. Not for secrets: it isn't constant-time. */

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
const K = fractionsOf(64, Math.cbrt)
/** The same for the square roots of the first 8 primes (section 5.3.3). */
const INITIAL = fractionsOf(8, Math.sqrt)

export const sha256Of = (message: Uint8Array): Uint8Array => {
  const hash = INITIAL.slice()
  const padded = pad(message)
  const w = new Uint32Array(64)
  for (let at = 0; at < padded.byteLength; at += 64) {
    for (let t = 0; t < 16; t++) w[t] = padded.getUint32(at + 4 * t)
    for (let t = 16; t < 64; t++) {
      const [x, y] = [w[t - 15]!, w[t - 2]!]
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10)
      w[t] = w[t - 16]! + s0 + w[t - 7]! + s1
    }
    compress(hash, w)
  }
  const digest = new DataView(new ArrayBuffer(32))
  hash.forEach((word, at) => digest.setUint32(4 * at, word))
  return new Uint8Array(digest.buffer)
}

/** Section 6.2.2, steps 2 to 4. */
const compress = (hash: Uint32Array, w: Uint32Array): void => {
  let [a, b, c, d, e, f, g, h] = hash as unknown as Eight
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const t1 = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + K[t]! + w[t]!) >>> 0
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) >>> 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) >>> 0, c, b, a, (t1 + t2) >>> 0]
  }
  const next = [a, b, c, d, e, f, g, h]
  for (let at = 0; at < 8; at++) hash[at] = hash[at]! + next[at]!
}

type Eight = [number, number, number, number, number, number, number, number]

/** Section 5.1.1: a bit, zeros, and the length in bits. */
const pad = (message: Uint8Array): DataView => {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(padded.length - 4, message.length << 3)
  return view
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

function fractionsOf(count: number, root: (value: number) => number): Uint32Array {
  const found: number[] = []
  for (let value = 2; found.length < count; value++) {
    let prime = true
    for (let by = 2; by * by <= value; by++) if (value % by === 0) prime = false
    if (prime) found.push((root(value) % 1) * 2 ** 32)
  }
  return Uint32Array.from(found)
}
