/** Labels for the codes of this feature, in the current language. */
import type { Task, TaskInputRequest, TaskSource, TaskState } from './task.ts'
import type { TaskFollower } from './follow.ts'
import { texts } from './text/texts.svelte.ts'

export const stateWord = (state: TaskState): string => {
  const { t } = texts
  return {
    working: t.working,
    input_required: t.inputRequired,
    completed: t.completed,
    failed: t.failed,
    cancelled: t.cancelled,
    unknown: t.unknown,
  }[state]
}

/** CSS classes of the tag; none for a plain tag. */
export const stateTone = (state: TaskState): string =>
  ({ working: '', input_required: 'warn', completed: 'ok', failed: 'bad', cancelled: '', unknown: 'warn' })[state]

export const sourceWord = (via: TaskSource): string => {
  const { t } = texts
  return { created: t.toldCreated, get: t.toldGet, list: t.toldList, push: t.toldPush, cancel: t.toldCancel }[via]
}

export const restWord = (rest: NonNullable<ReturnType<TaskFollower['restsFor']>>): string => {
  const { t } = texts
  return { done: t.restDone, gone: t.restGone, form: t.restForm, failures: t.restFailures, cancel: t.restCancel }[rest]
}

export const questionWord = (state: TaskInputRequest['state']): string => {
  const { t } = texts
  return {
    open: t.questionOpen,
    sent: t.questionSent,
    answered: t.questionAnswered,
    withdrawn: t.questionWithdrawn,
  }[state]
}

export const cancelText = ({ state, error }: NonNullable<Task['cancel']>): string => {
  const { t } = texts
  return {
    asked: t.cancelAsked,
    accepted: t.cancelAccepted,
    refused: t.cancelRefused(error?.message ?? ''),
    lost: t.cancelLost,
  }[state]
}
