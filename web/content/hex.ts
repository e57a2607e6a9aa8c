/** Bytes in readable form: offset, hexadecimal, ASCII. */

export interface HexRow {
  readonly offset: string
  /** Two digits each, separated by a space, with a wider gap in the middle; padded to a full row. */
  readonly hex: string
  readonly ascii: string
}

/** @param width bytes per row, even */
export const hexRow = (bytes: Uint8Array, row: number, width: number): HexRow => {
  const at = row * width
  let hex = ''
  let ascii = ''
  for (let index = 0; index < width; index++) {
    const byte = bytes[at + index]
    if (index > 0) hex += index === width / 2 ? '  ' : ' '
    hex += byte === undefined ? '  ' : byte.toString(16).padStart(2, '0')
    if (byte !== undefined) ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'
  }
  return { offset: at.toString(16).padStart(8, '0'), hex, ascii }
}
