/** Iterates over a long session in slices, so that the page stays responsive. */
import { pacer, type Fold, type Frame } from '../mcp/index.ts'

export const eachInSteps = async <Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> => {
  const pause = pacer()
  for (const item of items) {
    visit(item)
    const wait = pause()
    if (wait) await wait
  }
}

export const foldInSteps = async <State>(fold: Fold<State>, frames: Iterable<Frame>): Promise<State> => {
  const state = fold.initial()
  await eachInSteps(frames, (frame) => void fold.step(state, frame))
  return state
}
