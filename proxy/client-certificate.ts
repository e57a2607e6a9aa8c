/** The certificate of `--client-cert`, with which the relay identifies itself to one server (mutual TLS). Rule 25. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

/** PEM. The key never leaves this process. */
export interface ClientCertificate {
  readonly cert: string
  readonly key: string
  /** The only origin that gets it: that of the URL on the command line. */
  readonly origin: string
}

export interface ClientCertificateFiles {
  /** The certificate, and those of its issuers. */
  readonly cert: string
  /** Default: the file of the certificate. */
  readonly key?: string
}

/** Can't be used. The message says why and what to do. */
export class ClientCertificateError extends Error {}

/** @throws {ClientCertificateError} */
export async function readClientCertificate(
  { cert: certFile, key: keyFile = certFile }: ClientCertificateFiles,
  url: string,
): Promise<ClientCertificate> {
  const [cert, key] = await Promise.all([contentOf(certFile), contentOf(keyFile)])
  if (!/-----BEGIN CERTIFICATE-----/.test(cert))
    throw new ClientCertificateError(`\`${certFile}\` contains no certificate in PEM format. Convert it with openssl.`)
  if (!/-----BEGIN (?:\w+ )*PRIVATE KEY-----/.test(key))
    throw new ClientCertificateError(`\`${keyFile}\` contains no private key in PEM format. Name its file: --client-key FILE`) // prettier-ignore
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(key))
    throw new ClientCertificateError(
      `The private key in \`${keyFile}\` is encrypted. Decrypt it with openssl pkey -in KEY -out FILE.`,
    )
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new ClientCertificateError(
      `The certificate in \`${certFile}\` and the key in \`${keyFile}\` don't work together: ${(error as Error).message}. Check both files.`,
    )
  }
  const { validTo } = new X509Certificate(cert)
  if (Date.parse(validTo) < Date.now())
    throw new ClientCertificateError(`The certificate in \`${certFile}\` expired on ${validTo}. Renew it.`)
  return { cert, key, origin: new URL(url).origin }
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'latin1')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ClientCertificateError(
      code === 'ENOENT' ? `The file \`${file}\` doesn't exist. Enter its path.` : `Can't read \`${file}\`: ${message}.`,
    )
  }
}
