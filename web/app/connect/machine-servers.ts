/** The servers that other clients on this machine are configured with, as the local proxy reads them from their files. */
import type { ClientFiles, ClientId, TokenHeader } from '../../../proxy/wire.ts'
import { understandFile } from './configs/config-files.ts'
import type { ConfigFile, Understood } from './connect-input.ts'

/** A file with its servers, or with the reason why there are none. */
export interface MachineFile {
  readonly client: ClientId
  readonly path: string
  readonly file?: ConfigFile
  /** What the file contains. */
  readonly understood?: Understood
  /** Why it couldn't be read. */
  readonly error?: { readonly code: string; readonly message: string }
}

interface ProxyAccess {
  readonly base: string
  readonly token: string
}

/** @throws {TypeError} the proxy can't be reached @throws {Error} it is another version */
export const findMachineServers = async (
  { base, token }: ProxyAccess,
  fetchWith: typeof fetch = fetch,
): Promise<readonly MachineFile[]> => {
  const header: TokenHeader = 'Periscope-Token'
  const response = await fetchWith(`${base}api/clients`, { headers: { [header]: token }, cache: 'no-store' })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const { files } = await (response.json() as Promise<ClientFiles>).catch(() => {
    throw new Error(`HTTP ${response.status}`)
  })
  return files.map(({ client, path, text, error }) => {
    if (error) return { client, path, error }
    const file: ConfigFile = { name: path, text }
    return { client, path, file, understood: settingsWithoutServers(understandFile(file)) }
  })
}

/** Settings of an editor that has no servers aren't a problem. */
const settingsWithoutServers = (understood: Understood): Understood =>
  understood.kind === 'problem' && understood.cause === 'no-servers' ? { kind: 'nothing' } : understood
