import type { KeptSession } from '../../session-file/index.ts'

/** A session's name in a list, if it wasn't given one: of its servers. */
export const nameOf = ({ head }: Pick<KeptSession, 'head'>): string =>
  head.name ?? ([...new Set(head.servers.map(({ name }) => name))].join(', ') || '…')
