/** The verdict on structured content, for as long as a component shows it. */
import { checkStructured, type Judgeable, type Verdict } from './verdict.ts'
import { checkInWorker } from './verdict-worker.ts'

export type Judged = { readonly state: 'judging' } | Verdict

/** Call while a component is set up. */
export const judged = (about: () => Judgeable): { readonly current: Judged } => {
  let current = $state.raw<Judged>({ state: 'judging' })
  $effect(() => {
    current = { state: 'judging' }
    let over = false
    const checking = checkStructured(about(), checkInWorker)
    void checking.verdict.then((verdict) => {
      if (!over) current = verdict
    })
    return () => {
      over = true
      checking.end()
    }
  })
  return {
    get current() {
      return current
    },
  }
}
