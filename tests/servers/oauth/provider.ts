/**
 * Loads oidc-provider in the oldest Node that the project supports. It requires Node 22, but works with 20 except for
 * one function, which is added here; only its warning about the version is kept out of the test output.
 */
import type { Provider as ProviderClass } from 'oidc-provider'

export type Provider = ProviderClass

const parse = (url: string | URL, base?: string | URL): URL | null => {
  try {
    return new URL(url, base)
  } catch {
    return null
  }
}

let loading: Promise<typeof import('oidc-provider')> | undefined

export const loadProvider = (): Promise<typeof import('oidc-provider')> => (loading ??= load())

const load = async () => {
  if (!('parse' in URL)) Object.defineProperty(URL, 'parse', { value: parse, configurable: true, writable: true })
  const warn = console.warn
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...words)
  }
  try {
    return await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
