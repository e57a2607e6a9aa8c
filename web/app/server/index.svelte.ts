/** One connection: its session, state, sign-in, and reconnection. */
export { default as ConnectionFacts } from './ConnectionFacts.svelte'
export { default as ReconnectBar } from './ReconnectBar.svelte'
export { default as ServerMenu } from './ServerMenu.svelte'
export { default as StateDot } from './StateDot.svelte'
export { numbered, ownNameOf, shownName } from './connection-name.svelte.ts'
export type { ServerHost } from './server-host.ts'
export { Servers } from './servers.svelte.ts'
export type { Server } from './server.svelte.ts'
