/** The part of the `ws` package that the peer uses: it has no types of its own. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage } from 'node:http'
  import type { Duplex } from 'node:stream'

  export class WebSocket extends EventEmitter {
    readonly bufferedAmount: number
    send(data: string | Uint8Array): void
    close(code?: number, reason?: string): void
    /** Without a close frame. */
    terminate(): void
    pause(): void
    on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): this
    on(event: 'close' | 'error', listener: () => void): this
  }

  export class WebSocketServer {
    constructor(options: {
      noServer: true
      handleProtocols?: (offered: Set<string>, request: IncomingMessage) => string | false
      maxPayload?: number
    })
    handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, done: (socket: WebSocket) => void): void
    close(): void
    readonly clients: Set<WebSocket>
  }
}
