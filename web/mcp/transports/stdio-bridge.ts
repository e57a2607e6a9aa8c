/**
 * stdio through the local proxy: one message per line, in both directions.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
import type { SpawnRequest } from '../../../proxy/wire.ts'
import { TransportError } from '../errors.ts'
import { requestsIn } from '../jsonrpc.ts'
import type { Bridge, ChildEvent } from './bridge.ts'
import { tellLostLine } from './lost-line.ts'
import type { Outbound } from './message.ts'
import type { Sink, Transport } from './transport.ts'

export interface StdioBridgeOptions {
  readonly bridge: Bridge
  readonly spawn: SpawnRequest
  /** ms to start the process and to get its first response: `npx` may have to download a package first. */
  readonly limits?: { readonly start?: number; readonly answer?: number }
}

const START_LIMIT = 15_000
const ANSWER_LIMIT = 90_000

export class StdioBridgeTransport implements Transport {
  readonly name = 'stdio'
  readonly restarts = true
  readonly #options: StdioBridgeOptions
  #sink!: Sink
  #child: string | undefined
  #ending = false
  #replaced = false
  #exited: () => void = () => {}
  #exit: Promise<void> = Promise.resolve()
  /** Events that arrived while a long line is parsed; absent when none is. */
  #waiting: ChildEvent[] | undefined

  constructor(options: StdioBridgeOptions) {
    this.#options = options
  }

  async open(sink: Sink): Promise<void> {
    this.#sink = sink
    const { bridge, spawn, limits } = this.#options
    if (this.#child !== undefined) await this.#endBefore(this.#child)
    sink.step('starting-process', limits?.start ?? START_LIMIT)
    try {
      // Output may arrive before the spawn response, but the frame of the start must come first.
      let early: ChildEvent[] | undefined = []
      const { child, pid } = await bridge.spawn(spawn, (event) => (early ? void early.push(event) : this.#heard(event)))
      this.#child = child
      this.#exit = new Promise((resolve) => (this.#exited = resolve))
      sink.tap.append({
        kind: 'process',
        event: 'spawn',
        command: spawn.command,
        args: spawn.args,
        ...(spawn.cwd === undefined ? {} : { cwd: spawn.cwd }),
        env: Object.keys(spawn.env ?? {}),
        pid,
      })
      const before = early
      early = undefined
      for (const event of before) this.#heard(event)
      // The session was closed while the process was starting.
      if (this.#ending) await bridge.end(child).catch(() => {})
    } catch (error) {
      if (error instanceof TransportError) {
        sink.tap.append({
          kind: 'process',
          event: 'spawn-failed',
          command: spawn.command,
          code: error.code,
          explanation: error.message,
        })
      }
      throw error
    }
  }

  async send(outbound: Outbound): Promise<void> {
    if (this.#child === undefined || this.#ending)
      throw new TransportError('process-exited', "The process isn't running")
    const { text } = this.#sink.tap.sent(outbound)
    if (requestsIn(outbound.message).length > 0)
      this.#sink.step('waiting-for-answer', this.#options.limits?.answer ?? ANSWER_LIMIT)
    // TR-STDIO-02: a newline inside a message would split it in two.
    await this.#options.bridge.write(this.#child, outbound.byHand ? text : text.replaceAll('\n', ' '))
  }

  async close(): Promise<void> {
    if (this.#ending) return
    this.#ending = true
    if (this.#child === undefined) return
    try {
      await this.#options.bridge.end(this.#child)
      await this.#exit
    } catch {
      // The child is already gone, possibly with the proxy.
    }
  }

  /** Ends the process of a previous attempt; its end isn't reported to the session. */
  async #endBefore(child: string): Promise<void> {
    this.#replaced = true
    try {
      await this.#options.bridge.end(child)
      await this.#exit
    } catch {
      // It is already gone.
    }
    this.#child = undefined
    this.#replaced = false
  }

  #heard(event: ChildEvent): void {
    if (this.#waiting) return void this.#waiting.push(event)
    if (event.type !== 'line') return this.#happened(event)
    const reading = this.#line(event.text, event.invalidUtf8 ?? false)
    if (!reading) return
    this.#waiting = []
    void reading.then(() => {
      const waiting = this.#waiting ?? []
      this.#waiting = undefined
      for (const next of waiting) this.#heard(next)
    })
  }

  #happened(event: Exclude<ChildEvent, { type: 'line' }>): void {
    const { tap } = this.#sink
    switch (event.type) {
      case 'stderr':
        return void tap.append({ kind: 'process', event: 'stderr', text: event.text })
      case 'ending':
        return void tap.append({ kind: 'process', event: 'ending', step: event.step })
      case 'lost':
        return tellLostLine(this.#sink, event)
      case 'gap':
        return void tap.append({ kind: 'process', event: 'lost', what: `${event.lost} frames of the proxy`, size: 0 })
      case 'exit': {
        const { code, signal, stderr } = event
        tap.append({ kind: 'process', event: 'exit', code, signal, stderr })
        this.#child = undefined
        this.#exited()
        // Rule 6: pending requests are rejected with the exit status and the reason.
        if (this.#ending || this.#replaced) return
        const how = signal === null ? `exit code ${code}` : `signal ${signal}`
        return this.#sink.closed(
          new TransportError('process-exited', `The process ended with ${how}`, { code, signal, stderr: [...stderr] }),
        )
      }
      case 'proxy-lost':
        this.#child = undefined
        this.#exited()
        return this.#sink.closed(event.error)
    }
  }

  /** A line that isn't a JSON object or array is noise: shown, never an error, never dropped. */
  #line(text: string, invalidUtf8: boolean): void | Promise<void> {
    const received = this.#sink.tap.line(text, invalidUtf8)
    if (received instanceof Promise) return received.then((late) => late && this.#sink.message(late))
    if (received) this.#sink.message(received)
  }
}
