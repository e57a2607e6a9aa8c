/** Base64 of UTF-8 text, as links contain it. */

/** Accepts both alphabets, and spaces where a `+` was decoded. `undefined` if it isn't base64 of UTF-8. */
export const base64Decoded = (text: string): string | undefined => {
  const plain = text.replaceAll(' ', '+').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  try {
    const bytes = Uint8Array.from(atob(plain), (char) => char.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The alphabet for URLs, without padding. */
export const base64Url = (text: string): string => {
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
