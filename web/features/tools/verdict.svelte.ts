/** The verdict on structured content; on a large one from a worker, so that the page can go on meanwhile. */
import { validate } from '../../forms/validate.ts'
import { LONG } from '../../mcp/index.ts'
import type { Json, JsonObject } from '../../mcp/index.ts'
import type { VerdictReply } from './verdict.worker.ts'

export type Judged =
  | { readonly state: 'judging' }
  | ({ readonly state: 'judged' } & VerdictReply)
  | { readonly state: 'gave-up'; readonly why: 'slow' | 'large' }

export interface Judgeable {
  readonly schema: JsonObject | boolean
  readonly value: Json
  /** UTF-8 bytes of the message it came in. */
  readonly size: number
  /** The text of that message, with the value as its `result.structuredContent`; absent where it stands elsewhere. */
  readonly text: string | undefined
}

/** ms that a worker may take. */
const PATIENCE = 10_000
/** Bytes that are judged on the page where there is no text for a worker. */
const HERE = 1_000_000

/** Call while a component is set up. */
export const judged = (about: () => Judgeable): { readonly current: Judged } => {
  let current = $state.raw<Judged>({ state: 'judging' })
  $effect(() => {
    const { schema, value, size, text } = about()
    current = { state: 'judging' }
    let over = false
    const say = (found: Judged) => {
      if (!over) current = found
    }
    if (size > LONG && text !== undefined) {
      const end = judgeBeside(schema, text, say)
      return () => {
        over = true
        end()
      }
    }
    if (size > HERE) say({ state: 'gave-up', why: 'large' })
    else {
      void validate(schema, value).then((verdict) => {
        const total = verdict.problems.filter(({ severity }) => severity === 'error').length
        say({ state: 'judged', verdict, total, more: false })
      })
    }
    return () => {
      over = true
    }
  })
  return {
    get current() {
      return current
    },
  }
}

/** @returns a function that ends it */
const judgeBeside = (schema: JsonObject | boolean, text: string, say: (found: Judged) => void): (() => void) => {
  const worker = new Worker(new URL('./verdict.worker.ts', import.meta.url), { type: 'module' })
  const end = () => {
    clearTimeout(timer)
    worker.terminate()
  }
  const timer = setTimeout(() => {
    end()
    say({ state: 'gave-up', why: 'slow' })
  }, PATIENCE)
  worker.addEventListener('message', ({ data }: MessageEvent<VerdictReply>) => {
    end()
    say({ state: 'judged', ...data })
  })
  worker.addEventListener('error', () => {
    end()
    say({ state: 'gave-up', why: 'slow' })
  })
  worker.postMessage({ schema, text })
  return end
}
