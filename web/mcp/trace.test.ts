import { describe, expect, test } from 'vitest'
import { foldAll, Projection, Trace, type Fold, type FrameDraft } from './index.ts'

const noise = (text: string): FrameDraft => ({ kind: 'process', event: 'stderr', text, link: 's1' })
const message = (size: number, id: number): FrameDraft => ({
  kind: 'message',
  direction: 'received',
  type: 'result',
  message: { jsonrpc: '2.0', id, result: { text: 'x'.repeat(size) } },
  size,
  link: 's1',
})

/** Counts frames by kind, and doesn't notify listeners for session frames. */
const counts: Fold<Record<string, number>> = {
  initial: () => ({}),
  step(state, { kind }) {
    if (kind === 'session') return false
    state[kind] = (state[kind] ?? 0) + 1
  },
}

describe('the Trace', () => {
  test('numbers frames without holes and never goes back in time', () => {
    const trace = new Trace()
    for (let index = 0; index < 100; index++) trace.append(noise(String(index)))
    const frames = [...trace]
    expect(frames.map(({ seq }) => seq)).toEqual(frames.map((_, index) => index))
    expect(frames.every(({ at }, index) => index === 0 || at >= frames[index - 1]!.at)).toBe(true)
    expect(trace.at(99)).toBe(frames[99])
    expect(trace.at(100)).toBeUndefined()
  })

  test('a listener that fails stops neither the others nor whoever appends, and is told of', () => {
    const faults: unknown[] = []
    const heard: number[] = []
    const trace = new Trace({ report: (fault) => faults.push(fault) })
    trace.subscribe(({ seq }) => {
      throw new Error(`our own bug ${seq}`)
    })
    trace.subscribe(({ seq }) => heard.push(seq))
    trace.append(noise('a'))
    trace.append(noise('b'))
    expect(heard).toEqual([0, 1])
    expect(faults.map(String)).toEqual(['Error: our own bug 0', 'Error: our own bug 1'])
  })

  test('keeps within its byte budget by letting old bodies go, and says so in a frame', () => {
    const trace = new Trace({ budget: 100_000 })
    for (let id = 0; id < 30; id++) trace.append(message(10_000, id))
    const first = trace.at(0)
    expect(first).toMatchObject({ kind: 'message', size: 10_000, released: { id: 0 } })
    expect(first).not.toHaveProperty('message')
    // The newest message stays complete, the loss is reported, and no frame is missing.
    const messages = [...trace].filter(({ kind }) => kind === 'message')
    expect(messages).toHaveLength(30)
    expect(messages.at(-1)).toHaveProperty('message')
    expect([...trace].some((frame) => frame.kind === 'session' && frame.phase === 'released')).toBe(true)
  })
})

describe('listeners of the Trace', () => {
  test('hear of all frames in order, also when one of them appends', () => {
    const trace = new Trace()
    const heard: number[] = []
    trace.subscribe((frame) => {
      if (frame.seq < 5) trace.append(noise('an echo'))
    })
    trace.subscribe(({ seq }) => void heard.push(seq))
    trace.append(noise('first'))
    expect(heard).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('a projection made while a frame is told counts that frame once', () => {
    const trace = new Trace()
    let made: Projection<Record<string, number>> | undefined
    trace.subscribe(() => void (made ??= new Projection(trace, counts)))
    trace.subscribe(({ seq }) => void (seq === 0 && trace.append(noise('an echo'))))
    trace.append(noise('first'))
    expect(made!.current).toEqual({ process: 2 })
  })

  test('a flood on stderr stays within the budget too', () => {
    const trace = new Trace({ budget: 100_000 })
    for (let n = 0; n < 30; n++) trace.append(noise('x'.repeat(10_000)))
    expect(JSON.stringify([...trace]).length).toBeLessThan(150_000)
    expect(JSON.stringify(trace.at(0))).toContain('x…')
  })
})

describe('a Projection', () => {
  test('is the fold of all frames, wakes its listeners only for a change, and remembers every moment', () => {
    const trace = new Trace()
    trace.append(noise('a'))
    const projection = new Projection(trace, counts)
    let woken = 0
    projection.subscribe(() => woken++)
    trace.append(noise('b'))
    trace.append({ kind: 'session', phase: 'closed', why: 'ended', link: 's1' })
    expect(projection.current).toEqual({ process: 2 })
    expect(woken).toBe(1)
    expect(projection.asOf(0)).toEqual({ process: 1 })
    expect(foldAll(counts, trace)).toEqual(projection.current)
    projection.close()
    trace.append(noise('c'))
    expect(projection.current).toEqual({ process: 2 })
  })
})
