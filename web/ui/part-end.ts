/**
 * The end of a part of a long text: preferably at an empty line, else at a line break, else within a line.
 * @param most UTF-16 units per part
 */
export const partEnd = (text: string, from: number, most: number): number => {
  if (text.length - from <= most) return text.length
  const end = from + most
  const half = from + most / 2
  for (const gap of ['\n\n', '\n', ' ']) {
    const at = text.lastIndexOf(gap, end - gap.length)
    if (at >= half) return at + gap.length
  }
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end
}
