/** The modern peer over stdio; begun by `modern-stdio.mjs`. */
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { makeServer, makeState } from './modern/make-server.ts'
import { addExtraTool } from './modern/tools.ts'

/** @param only `modern`: the handshake is refused with the versions it speaks */
export const serve = (only?: string): void => {
  const state = makeState()
  const makeOne = (): McpServer => {
    const server = makeServer(state, {
      // The one server of this process gets the new tool, and says so by itself.
      toolsChanged: () => addExtraTool(server, state.extraTools),
      promptsChanged: () => server.sendPromptListChanged(),
      resourcesChanged: () => server.sendResourceListChanged(),
      resourceUpdated: (uri) => void server.server.sendResourceUpdated({ uri }),
    })
    return server
  }
  serveStdio(makeOne, { legacy: only === 'modern' ? 'reject' : 'serve' })
}
