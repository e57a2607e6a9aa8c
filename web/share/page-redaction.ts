/** Redaction for the page: in a worker that receives the frames once, reports progress, and can be stopped. */
import { type Frame, pacer } from '../mcp/index.ts'
import { headOf, type SessionHead } from '../session-file/index.ts'
import type { RedactionMessage, RedactionRequest } from './redact.worker.ts'
import type { Place } from '../secrets/redaction.ts'
import type { Redacted, RedactOptions } from './redact.ts'

/** Frames per message to the worker. */
const SLICE = 200
/** ms that a stopped worker gets to finish its current frame, before it is terminated. */
const GRACE = 1000

/** ms that a worker waits for a session. */
const WARM_FOR = 60_000

const newWorker = (): Worker => new Worker(new URL('./redact.worker.ts', import.meta.url), { type: 'module' })

/**
 * A worker started before a session is shared: loading the rules and compiling their patterns takes longer than redacting a
 * short session.
 */
export class WarmWorker {
  #worker: Worker | undefined = newWorker()
  readonly #timer = setTimeout(() => this.take()?.terminate(), WARM_FOR)

  constructor() {
    this.#worker?.addEventListener('error', () => this.take()?.terminate())
    // All texts go through the same patterns.
    const head = headOf({
      begunAt: '',
      tool: { name: '', version: '' },
      servers: [],
      notes: 'The password of https://example.com/?a=1 is {"name":"value"}',
    })
    this.#worker?.postMessage({ kind: 'redact', id: 0, head, options: {} } satisfies RedactionRequest)
  }

  get isOver(): boolean {
    return this.#worker === undefined
  }

  /** @returns the worker, once; `undefined` if it has ended */
  take(): Worker | undefined {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    return worker
  }
}

type PageRedactOptions = Omit<RedactOptions, 'learnFrom'>

export class PageRedaction {
  readonly #shared: readonly Frame[]
  readonly #learned: readonly Frame[]
  readonly #warm: Promise<WarmWorker> | undefined
  #worker: Promise<Worker> | undefined
  readonly #ended = new AbortController()
  #ids = 0

  /** @param learned frames that aren't shared: secrets in them are also removed from the shared ones */
  constructor(shared: readonly Frame[], learned: Iterable<Frame> = [], warm?: Promise<WarmWorker>) {
    this.#shared = shared
    this.#learned = [...learned]
    this.#warm = warm
  }

  /** @throws the abort reason of `signal`; {Error} a rule's pattern is invalid, or the worker failed */
  async redact(head: SessionHead, { signal, onprogress, ...options }: PageRedactOptions = {}): Promise<Redacted> {
    const worker = await (this.#worker ??= this.#start())
    signal?.throwIfAborted()
    this.#ended.signal.throwIfAborted()
    const id = ++this.#ids
    const frames = [...this.#shared]
    const places: Record<'changes' | 'suspects', Place[]> = { changes: [], suspects: [] }
    return await new Promise((resolve, reject) => {
      let grace: ReturnType<typeof setTimeout> | undefined
      const stop = () => {
        worker.postMessage({ kind: 'stop', id } satisfies RedactionRequest)
        grace = setTimeout(() => this.#terminate(worker), GRACE)
        reject(signal?.reason as Error)
      }
      const settle = () => {
        clearTimeout(grace)
        worker.removeEventListener('message', read)
        worker.removeEventListener('error', fail)
        signal?.removeEventListener('abort', stop)
      }
      const fail = (event: ErrorEvent) => {
        settle()
        this.#terminate(worker)
        reject(new Error(event.message || "The redaction worker couldn't be loaded"))
      }
      const read = ({ data }: MessageEvent<RedactionMessage>) => {
        if (data.id !== id) return
        if (data.kind === 'progress') onprogress?.(data.done, data.total)
        else if (data.kind === 'changed') for (const [index, frame] of data.frames) frames[index] = frame
        else if (data.kind === 'places') places[data.of].push(...data.places)
        else {
          settle()
          if (data.kind === 'done') resolve({ head: data.head, frames, ...places })
          else reject(new Error(data.message))
        }
      }
      worker.addEventListener('message', read)
      worker.addEventListener('error', fail)
      signal?.addEventListener('abort', stop)
      this.#ended.signal.addEventListener('abort', () => reject(this.#ended.signal.reason as Error), { once: true })
      worker.postMessage({ kind: 'redact', id, head, options } satisfies RedactionRequest)
    })
  }

  /** Frees the worker's memory. Requests that are still running reject. */
  end(): void {
    this.#ended.abort(new Error('The redaction was ended'))
    void this.#worker?.then((worker) => worker.terminate())
    this.#worker = undefined
  }

  /** A worker that is stuck in one frame, for example in a pattern of the user's: the next request starts another. */
  #terminate(worker: Worker): void {
    worker.terminate()
    this.#worker = undefined
  }

  async #start(): Promise<Worker> {
    // Its start may have failed, which a new one reports.
    const worker = (await this.#warm?.catch(() => undefined))?.take() ?? newWorker()
    const pause = pacer()
    const send = async (frames: readonly Frame[], as: 'shared' | 'learned'): Promise<void> => {
      for (let from = 0; from < frames.length; from += SLICE) {
        if (this.#ended.signal.aborted) return
        const slice = { shared: [], learned: [], [as]: frames.slice(from, from + SLICE) }
        worker.postMessage({ kind: 'frames', ...slice } satisfies RedactionRequest)
        await pause()
      }
    }
    await send(this.#learned, 'learned')
    await send(this.#shared, 'shared')
    return worker
  }
}

/** One redaction, without choices to change afterwards. */
export const redactInWorker = async (
  head: SessionHead,
  frames: readonly Frame[],
  { learnFrom, ...options }: RedactOptions = {},
): Promise<Redacted> => {
  const redaction = new PageRedaction(frames, learnFrom)
  try {
    return await redaction.redact(head, options)
  } finally {
    redaction.end()
  }
}

/**
 * Frames as they may leave the page by themselves, such as through the clipboard: without the secrets that are known from
 * the whole trace.
 */
export const redactFrames = async (
  frames: readonly Frame[],
  trace: Iterable<Frame>,
): Promise<{ readonly frames: readonly Frame[]; readonly removed: number }> => {
  const head = headOf({ begunAt: '', tool: { name: '', version: '' }, servers: [] })
  const { frames: clean, changes } = await redactInWorker(head, frames, { learnFrom: trace })
  return { frames: clean, removed: changes.length }
}
