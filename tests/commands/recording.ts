/** Recordings for the command tests: a Session with a real peer, saved to a file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ChildTransport } from '../../proxy/commands/destinations.ts'
import { Session, Trace } from '../../web/mcp/index.ts'
import type { Answers, Frame, JsonObject, Revision, Transport } from '../../web/mcp/index.ts'
import type { RecordedTarget } from '../../web/session-file/file.ts'
import { headOf, sessionText } from '../../web/session-file/write.ts'
import { patient, until } from '../patience.ts'

export const node = process.execPath
export const GREETER = fileURLToPath(import.meta.resolve('./greeter.mjs'))

export const greeter = (variant = 'plain') => ({ command: node, args: [GREETER, variant] })

/** A temporary folder. */
export const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'periscope-commands-'))
  return { path, file: (name: string) => join(path, name), remove: () => rmSync(path, { recursive: true }) }
}

export const child = (spawn: { command: string; args: readonly string[] }) =>
  new ChildTransport({ ...spawn, inheritEnv: true }, () => {})

const answers: Answers = {
  'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada' } }),
  'sampling/createMessage': () => ({ role: 'assistant', content: { type: 'text', text: 'Yes' }, model: 'm' }),
  'roots/list': () => ({ roots: [{ uri: 'file:///demo', name: 'demo' }] }),
}

export const openSession = async (
  transport: Transport,
  { pinned, trace = new Trace() }: { pinned?: Revision | undefined; trace?: Trace } = {},
) => {
  const session = new Session({
    trace,
    link: 's1',
    transport,
    clientInfo: { name: 'test', version: '1' },
    capabilities: () => ({ sampling: {}, elicitation: { form: {}, url: {} }, roots: { listChanged: true } }),
    answers,
    // A process that starts slowly must not be taken for one that ignores the probe.
    patience: patient(60_000),
    ...(pinned ? { pinned } : {}),
  })
  await session.open()
  return session
}

/** @returns all frames of a session in which `use` ran */
export const record = async (
  transport: Transport,
  use: (session: Session) => Promise<void>,
  pinned?: Revision,
): Promise<readonly Frame[]> => {
  const session = await openSession(transport, { pinned })
  await use(session)
  await session.close()
  return [...session.trace]
}

/** A failure counts as a response. */
export const call = async (session: Session, name: string, args: JsonObject = {}): Promise<void> =>
  void (await session.request('tools/call', { name, arguments: args }).catch(() => {}))

/**
 * The reference server requests the roots 350 ms after the handshake. If its GET stream isn't open by then, as on a busy
 * machine, nobody hears that. A call that needs the roots makes it request them again.
 */
export const rootsRequested = async (session: Session): Promise<void> => {
  const { trace } = session
  const isListening = (frame: Frame): boolean => {
    const request = frame.kind === 'stream' && frame.event === 'open' ? trace.at(frame.request) : undefined
    return request?.kind === 'http' && request.phase === 'request' && request.purpose === 'listen'
  }
  await until(() => [...trace].some(isListening))
  await call(session, 'get-roots-list')
}

/** Fetches every list of a server, page by page. */
export const listAll = async (session: Session): Promise<void> => {
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
    let cursor: string | undefined
    do {
      const page = await session.request(method, cursor === undefined ? undefined : { cursor }).catch(() => ({}))
      cursor = (page as { nextCursor?: string }).nextCursor
    } while (cursor !== undefined)
  }
}

export const write = (file: string, frames: readonly Frame[], target?: RecordedTarget): string => {
  const servers = [{ link: 's1', name: 'recorded', ...(target ? { target } : {}) }]
  const head = headOf({
    begunAt: new Date(Date.now() - (frames.at(-1)?.at ?? 0)).toISOString(),
    tool: { name: 'test', version: '1' },
    servers,
  })
  writeFileSync(file, [...sessionText(head, frames)].join(''))
  return file
}
