/** Menu items that copy a request as code, for the rows of the trace and for results. */
import CodeXml from '@lucide/svelte/icons/code-xml'
import Terminal from '@lucide/svelte/icons/terminal'
import type { Frame, Seq, Trace } from '../mcp/index.ts'
import { copy } from '../ui/index.ts'
import type { MenuItem } from '../ui/index.svelte.ts'
import { fetchOf } from './code/http.ts'
import type { CodeOrNot, SentRequest } from './code/request.ts'
import { SDKS } from './code/sdks.ts'
import { framesOfRequest, sentRequest } from './code/recorded.ts'
import type { Surroundings } from './facts.ts'
import type { Leaving } from './index.ts'
import { texts } from './text/texts.svelte.ts'

type Writer = readonly [id: string, name: string, icon: typeof Terminal, write: (sent: SentRequest) => CodeOrNot]

const CODE: readonly Writer[] = [
  ...SDKS.map(({ id, name, write }): Writer => [id, name, id === 'curl' ? Terminal : CodeXml, write]),
  ['fetch', 'fetch', CodeXml, fetchOf],
]

interface Source {
  readonly trace: Trace
  readonly around: Pick<Surroundings, 'exchanges'>
  /** Removes secrets from frames before they are copied; absent to copy them unchanged. */
  readonly leaving?: Leaving | undefined
  /** Shows whether the text was copied. */
  readonly tell: (message: string) => void
}

/** Copies a text made from frames, without their secrets. `undefined` copies nothing. */
const copyClean = async (
  frames: readonly Frame[],
  write: (clean: readonly Frame[]) => string | undefined,
  { leaving, tell }: Pick<Source, 'leaving' | 'tell'>,
): Promise<void> => {
  const { frames: clean, removed } = (await leaving?.(frames)) ?? { frames, removed: 0 }
  const text = write(clean)
  if (text === undefined) return
  const copied = removed > 0 ? texts.t.copiedWithout(String(removed)) : texts.t.copied
  tell((await copy(text)) ? copied : texts.t.copyFailed)
}

/** Copies the message of a frame as JSON; of a frame without one, the frame itself. */
export const copyMessage = (frame: Frame, how: Pick<Source, 'leaving' | 'tell'>): Promise<void> =>
  copyClean(
    [frame],
    ([clean]) => clean && JSON.stringify(clean.kind === 'message' ? clean.message : clean, null, 2),
    how,
  )

/** The items for the request of an exchange; empty if it isn't one that was sent. @param seq any frame of the exchange */
export const copyItems = (seq: Seq, { trace, around, leaving, tell }: Source): MenuItem[] => {
  const frames = framesOfRequest(seq, trace, around)
  const sent = sentRequest(frames)
  if (!sent) return []
  const written = (clean: readonly Frame[], write: Writer[3]) => {
    const request = sentRequest(clean)
    return request && write(request).text
  }
  return CODE.filter(([, , , write]) => write(sent).text !== undefined).map(([id, name, icon, write]) => ({
    id,
    label: texts.t.copyAs(name),
    icon,
    run: () => void copyClean(frames, (clean) => written(clean, write), { leaving, tell }),
  }))
}
