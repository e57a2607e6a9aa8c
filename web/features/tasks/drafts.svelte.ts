/** The user's work in progress with tasks. It survives switching panels and reconnecting, until the page closes. */
import { Remembered } from '../remembered.ts'

export type ResultView = 'structured' | 'content' | 'raw'

class TasksDraft {
  /** Id of the task picked last. */
  picked = $state('')
  /** The id typed into the field. */
  id = $state('')
  /** The user's choice; a result without such a view shows its first. */
  view = $state<ResultView>()
  /** Responses as typed, by task and key. */
  answers = $state.raw<Readonly<Record<string, string>>>({})

  write(task: string, key: string, text: string): void {
    this.answers = { ...this.answers, [`${task} ${key}`]: text }
  }

  textOf(task: string, key: string): string | undefined {
    return this.answers[`${task} ${key}`]
  }
}

export const drafts = new Remembered(() => new TasksDraft())
