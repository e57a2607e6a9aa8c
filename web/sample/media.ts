/** An image and a sound, generated in memory: the same bytes every time, without a file to load. */

/** Width and height of the picture, in pixels. */
const PICTURE_SIZE = 64

const PALETTES = {
  sea: [
    [244, 246, 248],
    [11, 110, 143],
    [76, 195, 230],
    [22, 32, 42],
  ],
  sunset: [
    [255, 243, 224],
    [179, 38, 30],
    [240, 179, 122],
    [61, 21, 18],
  ],
  forest: [
    [226, 244, 234],
    [23, 115, 63],
    [127, 214, 166],
    [16, 48, 31],
  ],
} as const

export const PALETTE_NAMES = Object.keys(PALETTES) as readonly (keyof typeof PALETTES)[]

/** @returns a PNG of a periscope above the waves, as base64 */
export const picture = (palette: keyof typeof PALETTES): string => {
  const size = PICTURE_SIZE
  // Two bits per pixel, and one filter byte (0: none) before each row.
  const line = 1 + size / 4
  const pixels = new Uint8Array(line * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const at = y * line + 1 + (x >> 2)
      pixels[at] = pixels[at]! | (colourAt(x, y) << (6 - 2 * (x & 3)))
    }
  }
  const header = [...uint32(size), ...uint32(size), 2, 3, 0, 0, 0]
  return base64([
    0x89,
    ...ascii('PNG\r\n\x1a\n'),
    ...chunk('IHDR', header),
    ...chunk('PLTE', PALETTES[palette].flat()),
    ...chunk('IDAT', stored(pixels)),
    ...chunk('IEND', []),
  ])
}

/** Index into the palette: 0 sky, 1 periscope and deep water, 2 light water and glass, 3 outline. */
const colourAt = (x: number, y: number): number => {
  const wave = 46 + Math.round(2 * Math.sin((x * Math.PI) / 8))
  if (y >= wave) return y >= wave + 5 ? 1 : 2
  const inTube = x >= 26 && x < 35 && y >= 12
  const inHead = x >= 26 && x < 49 && y >= 12 && y < 23
  if (x >= 45 && x < 49 && y >= 14 && y < 21) return 2
  if (!inTube && !inHead) return 0
  const edge = x === 26 || y === 12 || (x === 34 && y >= 22) || (y === 22 && x >= 34) || (x === 48 && y < 23)
  return edge ? 3 : 1
}

/**
 * @param frequency in hertz
 * @returns a WAV (8 bit, mono, 8 kHz, 0.4 s) of one fading tone, as base64
 */
export const sound = (frequency: number): string => {
  const rate = 8000
  const count = rate * 0.4
  const samples = Array.from({ length: count }, (_, index) => {
    const fade = 1 - index / count
    return 128 + Math.round(90 * fade * Math.sin((2 * Math.PI * frequency * index) / rate))
  })
  const little = (value: number, bytes: number) =>
    Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 255)
  return base64([
    ...ascii('RIFF'),
    ...little(36 + count, 4),
    ...ascii('WAVEfmt '),
    ...little(16, 4),
    ...little(1, 2),
    ...little(1, 2),
    ...little(rate, 4),
    ...little(rate, 4),
    ...little(1, 2),
    ...little(8, 2),
    ...ascii('data'),
    ...little(count, 4),
    ...samples,
  ])
}

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0))
const uint32 = (value: number): number[] => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]

/** One PNG chunk: length, name, data, CRC. @see https://www.w3.org/TR/png-3/#5Chunk-layout */
const chunk = (name: string, data: readonly number[]): number[] => {
  const body = [...ascii(name), ...data]
  return [...uint32(data.length), ...body, ...uint32(crc32(body))]
}

const crc32 = (bytes: readonly number[]): number => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return ~crc >>> 0
}

/** A zlib stream of one stored (uncompressed) block, which may hold up to 65,535 bytes. @see RFC 1950, RFC 1951 §3.2.4 */
const stored = (data: Uint8Array): number[] => {
  let low = 1
  let high = 0
  for (const byte of data) {
    low = (low + byte) % 65521
    high = (high + low) % 65521
  }
  const length = [data.length & 255, data.length >>> 8]
  return [
    0x78,
    0x01,
    1,
    ...length,
    ~length[0]! & 255,
    ~length[1]! & 255,
    ...data,
    ...uint32(((high << 16) | low) >>> 0),
  ]
}

const base64 = (bytes: readonly number[]): string => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
