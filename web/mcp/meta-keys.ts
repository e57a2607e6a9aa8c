/** Names under `io.modelcontextprotocol/`, which the specification reserves: keys of `_meta`, and an extension. */

/** Keys of `_meta` that carry the protocol (META-10, META-11, META-13, META-17, SF-LOG-03, TASK-07). */
export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscription: 'io.modelcontextprotocol/subscriptionId',
  logLevel: 'io.modelcontextprotocol/logLevel',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const

/** The name with which both sides declare the tasks extension of 2026-07-28 (TEXT-01). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
