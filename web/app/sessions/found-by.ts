/** The search in stored sessions. */
import type { KeptSession } from '../../session-file/index.ts'

/** Whether each word of the query occurs in its name, notes, servers, methods, tools or bookmarks. */
export const foundBy = ({ head, words }: Pick<KeptSession, 'head' | 'words'>, query: string): boolean => {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return true
  const targets = head.servers.flatMap(({ name, target }) => [
    name,
    target?.kind === 'url' ? target.url : target?.kind === 'command' ? [target.command, ...target.args].join(' ') : '',
  ])
  const text = [
    head.name ?? '',
    head.notes ?? '',
    ...targets,
    ...(head.bookmarks ?? []).map(({ text }) => text),
    ...words,
  ]
    .join('\n')
    .toLowerCase()
  return wanted.every((word) => text.includes(word))
}
