/** Sockets and modules without a page: the transport of the page, with a bridge that is this process. */
import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { type Bridge, SocketBridgeTransport, type Transport, TransportError } from '../../web/mcp/index.ts'
import { LIMITS } from '../limits.ts'
import type { ChildEvent, LinePeer } from '../line-peer.ts'
import { Refusal } from '../refusal.ts'
import { SocketPeer } from '../socket-peer.ts'
import { type LoadedTransport, ModulePeer } from '../transport-module.ts'

/** @param modules those whose transports the target may name */
export const lineTransport = (target: string, modules: readonly LoadedTransport[]): Transport => {
  const own = modules.find(({ name }) => target.startsWith(`${name}:`))
  const peerOf = (deliver: (event: ChildEvent) => void): LinePeer =>
    own
      ? new ModulePeer(own, target.slice(own.name.length + 1), LIMITS, deliver)
      : new SocketPeer(target, LIMITS, deliver)
  return new SocketBridgeTransport({ bridge: localBridge(peerOf), target, name: own?.name ?? 'socket' })
}

const localBridge = (
  peerOf: (deliver: (event: ChildEvent) => void) => LinePeer,
): Pick<Bridge, 'open' | 'write' | 'end'> => {
  const peers = new Map<string, LinePeer>()
  return {
    open: async (_, listener) => {
      const child = randomUUID()
      try {
        const peer = peerOf((event) => {
          if (!('line' in event)) return listener({ ...event, child })
          const { text, invalidUtf8 } = event.line
          listener({ type: event.type, child, text, ...(invalidUtf8 ? { invalidUtf8 } : {}) })
        })
        peers.set(child, peer)
        await peer.started
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        const { message, remedy } = error.error
        throw new TransportError('not-opened', remedy ? `${message} ${remedy}` : message, {}, { cause: error })
      }
      return { child }
    },
    write: async (child, line) => {
      if (await peers.get(child)?.write(Buffer.from(`${line}\n`))) return
      throw new TransportError('connection-closed', 'The connection was closed')
    },
    end: async (child) => await peers.get(child)?.end(),
  }
}
