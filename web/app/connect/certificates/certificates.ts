/** Certificates that the user trusts for a connection, each for one host. */
import type { TrustedCertificate } from '../../../mcp/index.ts'
import type { Settings } from '../settings.ts'

/** `undefined` unless the fingerprint is one: it comes from the frames of a check. */
export const trustedCertificate = (host: string, fingerprint: string): TrustedCertificate | undefined =>
  host !== '' && /^([\dA-F]{2}:){31}[\dA-F]{2}$/.test(fingerprint) ? `${host} ${fingerprint}` : undefined

export const partsOf = (certificate: TrustedCertificate): { readonly host: string; readonly fingerprint: string } => {
  const [host = '', fingerprint = ''] = certificate.split(' ')
  return { host, fingerprint }
}

/** Also replaces the one that was trusted for the same host. */
export const withCertificate = (
  before: Settings['certificates'] = [],
  certificate: TrustedCertificate,
): NonNullable<Settings['certificates']> =>
  [...before.filter((one) => partsOf(one).host !== partsOf(certificate).host), certificate].sort()

/** `undefined` if none is left, so that the setting is absent. */
export const withoutCertificate = (
  before: Settings['certificates'] = [],
  certificate: TrustedCertificate,
): Settings['certificates'] => {
  const left = before.filter((one) => one !== certificate)
  return left.length > 0 ? left : undefined
}
