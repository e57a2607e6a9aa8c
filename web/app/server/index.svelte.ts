/** One connection: its session, state, sign-in, and reconnection. */
export { default as ConnectionFacts } from './ConnectionFacts.svelte'
export { default as ReconnectBar } from './ReconnectBar.svelte'
export { default as ServerMenu } from './ServerMenu.svelte'
export { default as StateDot } from './StateDot.svelte'
export { numbered, ownNameOf, shownName } from './connection-name.svelte.ts'
export { ServerList } from './server-list.svelte.ts'
export type { Server } from './server.svelte.ts'
