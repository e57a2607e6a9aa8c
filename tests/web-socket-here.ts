/** The WebSocket of this runtime. Node 20 has none, so tests use the one of `ws`, which follows the same interface. */
import type { WebSocketConstructor } from '../web/mcp/index.ts'

/** In a variable, so that the page's bundler doesn't follow it. */
const PACKAGE = 'ws'

const ofPackage = async (): Promise<WebSocketConstructor> => {
  const { WebSocket } = (await import(/* @vite-ignore */ PACKAGE)) as unknown as { WebSocket: WebSocketConstructor }
  return WebSocket
}

export const HereWebSocket: WebSocketConstructor = globalThis.WebSocket ?? (await ofPackage())
