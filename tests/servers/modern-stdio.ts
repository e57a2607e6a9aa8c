/** The modern peer over stdio; started by `modern-stdio.mjs`. */
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { makeServer, makeState } from './modern/make-server.ts'
import { addExtraTool } from './modern/tools.ts'

/** @param only `modern`: rejects the handshake with the versions it supports */
export const serve = (only?: string): void => {
  const state = makeState()
  const makeOne = (): McpServer => {
    const server = makeServer(state, {
      // This process has a single server, which adds the tool and sends the notification.
      toolsChanged: () => addExtraTool(server, state.extraTools),
      promptsChanged: () => server.sendPromptListChanged(),
      resourcesChanged: () => server.sendResourceListChanged(),
      resourceUpdated: (uri) => void server.server.sendResourceUpdated({ uri }),
    })
    return server
  }
  serveStdio(makeOne, { legacy: only === 'modern' ? 'reject' : 'serve' })
}
