/**
 * The parts of WebCrypto that pages need, including a fallback: a page opened over plain HTTP from another machine
 * isn't a secure context, so it has `crypto.getRandomValues`, but neither `crypto.randomUUID` nor `crypto.subtle`.
 */

/** `subtle` is absent outside secure contexts, although the DOM types say otherwise. */
export const subtle = (): SubtleCrypto | undefined => (globalThis.crypto as Partial<Crypto>).subtle

/** RFC 9562 section 5.4: a random UUID. */
export const randomUuid = (): string => {
  const own = (globalThis.crypto as Partial<Crypto>).randomUUID
  if (own) return own.call(crypto)
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return hexOf(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** SHA-256 of the text in UTF-8. */
export const sha256 = async (text: string): Promise<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  const native = subtle()
  if (native) return new Uint8Array(await native.digest('SHA-256', bytes))
  // Loaded on demand: only few pages need it.
  const { sha256Of } = await import('./sha256.ts')
  return sha256Of(bytes)
}

/** In lower case. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
