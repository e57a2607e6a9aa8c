/**
 * The server of a recording as a link to the connect form. Anyone can have made a recording, so it may fill in no more
 * than a link may.
 */
import type { RecordedReferences, RecordedServer, RecordedTarget } from '../../session-file/index.ts'
import type { Target } from '../connect/index.ts'
import { loadConnectLink } from '../connect/lazy.ts'

/** @returns `undefined` if the recording names neither a URL nor a command, as of the sample server */
export const formLinkOf = ({ name, transport, target }: RecordedServer): (() => Promise<string>) | undefined => {
  if (!target || target.kind === 'sample') return undefined
  const settings = transport === 'HTTP+SSE' ? ({ transport: 'http-sse' } as const) : {}
  // The name of a URL is only what the recording calls it, and an entry of a configuration needs one.
  const called = target.kind === 'command' ? name : ''
  return async () => (await loadConnectLink()).connectLink({ name: called, target: targetOf(target), settings })
}

const targetOf = (target: Exclude<RecordedTarget, { kind: 'sample' }>): Target => {
  switch (target.kind) {
    case 'url':
      return { kind: 'url', url: target.url, headers: valued(target.headers, target.references) }
    case 'command': {
      const { command, args, cwd, env, references } = target
      return {
        ...{ kind: 'command', command, args, env: Object.fromEntries(valued(env, references)) },
        ...(cwd === undefined ? {} : { cwd }),
      }
    }
    case 'custom':
      return target
  }
}

/** A recording has the names of headers and variables, and of their values only references. */
const valued = (names: readonly string[], references: RecordedReferences | undefined) =>
  names.map((name) => {
    const { values = {} } = references ?? {}
    return [name, Object.hasOwn(values, name) ? values[name]! : ''] as const
  })
