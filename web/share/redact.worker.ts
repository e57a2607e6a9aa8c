/**
 * Redacts a session in a worker, so that no text, however long, blocks the page: `page-redaction.ts` sends the frames
 * once, and a request for each choice of rules. Runs only as a worker.
 */
import { messageOf, type Frame } from '../mcp/index.ts'
import type { Place } from '../secrets/redaction.ts'
import { redact, type RedactOptions } from './redact.ts'
import type { SessionHead } from '../session-file/index.ts'

export type RedactionRequest =
  | { readonly kind: 'frames'; readonly shared: readonly Frame[]; readonly learned: readonly Frame[] }
  | {
      readonly kind: 'redact'
      readonly id: number
      readonly head: SessionHead
      readonly options: Pick<RedactOptions, 'rules' | 'kept' | 'harmless'>
    }
  | { readonly kind: 'stop'; readonly id: number }

/** `changed`: frames in which something was removed, with their index. The last message of a request is `done` or `failed`. */
export type RedactionMessage = { readonly id: number } & (
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'changed'; readonly frames: readonly (readonly [index: number, frame: Frame])[] }
  | { readonly kind: 'places'; readonly of: 'changes' | 'suspects'; readonly places: readonly Place[] }
  | { readonly kind: 'done'; readonly head: SessionHead }
  | { readonly kind: 'failed'; readonly message: string }
)

/** Items per message: the page reads each message in a task of its own. */
const SLICE = 500

const shared: Frame[] = []
const learned: Frame[] = []
const running = new Map<number, AbortController>()

const post = (message: RedactionMessage): void => postMessage(message)

function* slicesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += SLICE) yield items.slice(from, from + SLICE)
}

const run = async ({ id, head, options }: Extract<RedactionRequest, { kind: 'redact' }>): Promise<void> => {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const redacted = await redact(head, shared, {
      ...options,
      learnFrom: learned,
      signal: controller.signal,
      onprogress: (done, total) => post({ id, kind: 'progress', done, total }),
    })
    const changed = redacted.frames.flatMap((frame, index) =>
      frame === shared[index] ? [] : [[index, frame] as const],
    )
    for (const frames of slicesOf(changed)) post({ id, kind: 'changed', frames })
    for (const of of ['changes', 'suspects'] as const)
      for (const places of slicesOf(redacted[of])) post({ id, kind: 'places', of, places })
    post({ id, kind: 'done', head: redacted.head })
  } catch (error) {
    post({ id, kind: 'failed', message: messageOf(error) })
  } finally {
    running.delete(id)
  }
}

addEventListener('message', ({ data }: MessageEvent<RedactionRequest>) => {
  if (data.kind === 'frames') {
    // No spread: a call takes a limited number of arguments.
    for (const frame of data.shared) shared.push(frame)
    for (const frame of data.learned) learned.push(frame)
  } else if (data.kind === 'stop') running.get(data.id)?.abort(new Error('stopped'))
  else void run(data)
})
