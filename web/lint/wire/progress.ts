/** Progress: only for a token in use, and always increasing. */
import { idKey, isRequestId, type Seq } from '../../mcp/index.ts'
import type { TrackedRequest } from '../link.ts'
import { Recent } from '../recent.ts'
import { group, show } from '../rule.ts'
import { TERMINAL } from './tasks.ts'

/** This many notifications for one request within a second count as a flood. */
const FLOOD = 1_000

export const progress = group(['UT-PROG-01', 'UT-PROG-02', 'UT-PROG-04', 'UT-PROG-07', 'UT-PROG-08'], (view) => {
  /** The latest progress of each request, by seq, and the frame that reported it. */
  const reached = new Recent<Seq, { value: number; seq: Seq; count: number; since: number }>(1_000)
  /** Tasks that ended, and their tokens with them (UT-PROG-05). */
  const ended = new Recent<string, true>(1_000)
  /** The last request of the server with each progress token. */
  const theirs = new Recent<string, TrackedRequest>(1_000)
  return {
    message({ kind, id, method, params, at, frame, result, asked: answered }, say) {
      const request = kind === 'request' ? view.received.byId(id) : undefined
      if (request?.token !== undefined) {
        const before = theirs.get(idKey(request.token))
        if (before?.state === 'pending' && before.seq !== request.seq) {
          const what = `The progress token ${show(request.token)} belongs to another pending request`
          say('UT-PROG-01', what, { pointer: `${at}/params/_meta/progressToken`, related: before.seq })
        }
        theirs.set(idKey(request.token), request)
      }
      const polled = method === 'tasks/get' || method === 'tasks/cancel'
      const task = method === 'notifications/tasks/status' ? params : polled ? result : undefined
      if (typeof task?.taskId === 'string' && TERMINAL.has(task.status as string)) ended.set(task.taskId, true)
      if (method !== 'notifications/progress' || answered) return
      const token = params.progressToken
      const pointer = `${at}/params/progressToken`
      if (!isRequestId(token)) return
      const asked = view.sent.byToken(token)
      if (!asked) {
        const like = view.sent.byToken(typeof token === 'number' ? String(token) : Number(token))
        if (like) {
          const was = `the request has ${show(like.token)}, a ${typeof like.token}`
          say('UT-PROG-04', `Progress for ${show(token)}, a ${typeof token}; ${was}`, { pointer, related: like.seq })
        } else if (!view.sent.forgot) say('UT-PROG-04', `No request has the progress token ${show(token)}`, { pointer })
        return
      }
      const related = asked.seq
      if (asked.state === 'answered') {
        if (asked.task !== undefined && view.isModern) {
          say('UT-PROG-08', 'Progress for a call that became a task', { pointer, related })
        } else if (asked.task === undefined || ended.has(asked.task)) {
          say('UT-PROG-04', `The request with the progress token ${show(token)} already has a response`, {
            pointer,
            related,
          })
        }
      }
      const value = params.progress
      if (typeof value !== 'number') return
      const before = reached.get(asked.seq)
      if (!before) return reached.set(asked.seq, { value, seq: frame.seq, count: 1, since: frame.at })
      if (value <= before.value) {
        const what = `progress is ${value}, but was ${before.value} before`
        say('UT-PROG-02', what, { pointer: `${at}/params/progress`, related: before.seq })
      }
      before.value = value
      before.seq = frame.seq
      if (++before.count % FLOOD > 0) return
      if (frame.at - before.since < 1_000) {
        const what = `${FLOOD} notifications for one request within a second`
        say('UT-PROG-07', what, { related, once: true })
      }
      before.since = frame.at
    },
  }
})
