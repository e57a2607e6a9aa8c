/** Stores the IDs of unfinished tasks, so that they are followed again after a reload (TEXT-06). */
import { isTerminal } from './task.ts'
import type { TasksByLink } from './tasks-fold.ts'
import type { Kept } from '../feature.ts'
import type { Link } from '../../mcp/index.ts'
import type { TaskFollower } from './follow.ts'

const NAME = 'tasks'
const MOST = 100
const LONGEST_ID = 500

interface Books {
  readonly current: TasksByLink
  subscribe(listener: () => void): () => void
}

/** Follows the stored tasks again, and stores those followed until the follower stops. */
export const keepTasks = (kept: Kept, link: Link, books: Books, follower: TaskFollower): void => {
  const before = kept.get(NAME)
  let written: readonly string[] = Array.isArray(before)
    ? before.filter((id): id is string => typeof id === 'string' && id.length <= LONGEST_ID).slice(-MOST)
    : []
  for (const id of written) {
    follower.follow(id, true)
    void follower.look(id)
  }
  const keep = () => {
    if (follower.stopped) return stop()
    const tasks = books.current.get(link)?.tasks
    if (!tasks) return
    const known = [...tasks.values()].filter(({ form }) => form === 'extension')
    const done = new Set(known.filter((task) => isTerminal(task) || task.gone !== undefined).map(({ id }) => id))
    const going = known.map(({ id }) => id).filter((id) => id.length <= LONGEST_ID)
    const now = [...new Set([...written, ...going])].filter((id) => !done.has(id)).slice(-MOST)
    if (now.join('\n') === written.join('\n')) return
    written = now
    kept.set(NAME, [...now])
  }
  const stop = books.subscribe(keep)
}
