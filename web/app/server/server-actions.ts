/** What the menu and the settings of a server do with it. */
import type { Proxy } from '../launch.ts'
import type { SettingsPatch } from '../connect/index.ts'
import type { Server } from './server.svelte.ts'
import type { SignIns } from './sign-ins.ts'

export interface ServerActions {
  readonly all: readonly Server[]
  readonly proxy: { readonly current: Proxy }
  readonly signIns: SignIns
  reconnect(server: Server): void
  disconnect(server: Server): void
  /** Detects the server's era again. */
  detectAgain(server: Server): void
  remove(server: Server): void
  /** @param name empty: what the server calls itself */
  rename(server: Server, name: string): void
  settle(server: Server, patch: SettingsPatch): void
}
