/** Labels for the connect form, settings and connections, in the current language. */
import type { Fault } from '../../json/index.ts'
import type { Peer } from '../../mcp/index.ts'
import type { Connection } from '../server/index.ts'
import type { Understood } from './connect-input.ts'
import { rowFaults, type Draft } from './draft.svelte.ts'
import { fillIn, type Placeholder } from './placeholders.ts'
import { isReference } from './references.ts'
import type { ConfigNote, ConfigProblem } from './configured-server.ts'
import type { Settings } from './settings.ts'
import { customTransport, type Target } from './target.ts'
import { texts } from '../text/texts.svelte.ts'
import { transportLabel } from '../labels.svelte.ts'

/** The label beside a URL in the form: its transport and route. */
export const wayLabel = ({ transport, relay }: Settings): string => {
  const { t } = texts
  return t.understoodUrl(transport === 'http-sse' ? 'HTTP+SSE' : 'Streamable HTTP', relay ? t.roadRelay : t.straight)
}

/** Short labels of the settings that change the protocol. */
export const settledLabels = ({ revision, transport, relay }: Settings): string[] => {
  const words = [
    revision,
    transport && { 'http-sse': 'HTTP+SSE', 'streamable-http': 'Streamable HTTP' }[transport],
    relay === undefined ? undefined : relay ? texts.t.roadRelay : texts.t.straight,
  ]
  return words.filter((word) => word !== undefined)
}

interface Connected {
  readonly connection: Connection
  readonly peer: Peer | undefined
  readonly target: Target
  /** The settings that the session was created with. */
  readonly used: Settings
}

/** Protocol version, transport and route of the open connection, in that order. */
export const connectionLabels = ({ connection, peer, target, used }: Connected): string[] => {
  const { t } = texts
  const words = [
    connection.renewing ? t.renewing : (peer?.revision ?? ''),
    (target.kind === 'url' && connection.transport) || transportLabel(target),
  ]
  if (target.kind === 'url') words.push(used.relay || connection.detoured ? t.roadRelay : t.roadDirect)
  return words.filter(Boolean)
}

export const tagLabel = (understood: Understood): string | undefined => {
  const { t } = texts
  if (understood.kind === 'custom') return customTransport(understood.url) === 'WebSocket' ? t.tagUrl : undefined
  const kind = 'as' in understood ? understood.as : understood.kind
  return { nothing: undefined, reading: undefined, url: t.tagUrl, command: t.tagCommand, json: 'JSON', toml: 'TOML' }[
    kind
  ]
}

/** @param way the transport and route of a URL */
export const understoodText = (understood: Exclude<Understood, { kind: 'problem' }>, way: string): string => {
  const { t } = texts
  switch (understood.kind) {
    case 'nothing':
      return t.understoodNothing
    case 'url':
      return understood.guessed ? t.understoodUrl(way, t.understoodGuessed(understood.url)) : way
    case 'custom': {
      const direct = customTransport(understood.url) === 'WebSocket'
      return t.understoodUrl(transportLabel(understood), direct ? t.straight : t.roadProxy)
    }
    case 'command':
      return t.understoodCommand
    case 'reading':
      return t.understoodReading
    case 'servers':
      return t.understoodServers(understood.servers.length, understood.format)
  }
}

export const problemText = (problem: Extract<Understood, { kind: 'problem' }>): string => {
  const { t } = texts
  switch (problem.cause) {
    case 'scheme':
    case 'socket':
    case 'credentials':
    case 'credentials-websocket':
    case 'mixed-content':
      return t[`cause-${problem.cause}`](problem.thing)
    case 'url':
      return t['cause-url'](problem.thing.slice(0, 200))
    case 'shell-operator':
    case 'variable':
    case 'substitution':
    case 'open-quote':
      return t[`cause-${problem.cause}`](problem.thing, problem.column)
    case 'home':
    case 'line-break':
    case 'nul':
      return t[`cause-${problem.cause}`](problem.column)
    case 'toml':
      return t['cause-toml'](problem.line, problem.column)
    case 'no-such-server':
      return t['cause-no-such-server'](problem.thing, problem.names)
    case 'no-servers':
    case 'add-usage':
      return t[`cause-${problem.cause}`](problem.thing)
    case 'json':
      return t['cause-json'](problem.line, problem.column, faultText(problem.fault), problem.found)
    default:
      return t[`cause-${problem.cause}`]
  }
}

const faultText = (fault: Fault): string =>
  fault === 'too-large' ? texts.t['cause-too-long'] : texts.t[`fault-${fault}`]

export const configProblemText = (problem: ConfigProblem): string => texts.t[`config-${problem}`]

/** Empty if there is nothing to say: the proxy may insert what a note asks for. */
export const noteText = (note: ConfigNote): string => {
  if (note.kind === 'legacy-sse' || note.kind === 'disabled') return texts.t[`note-${note.kind}`]
  const names = note.names.filter((name) => !isReference(name))
  return names.length === 0 ? '' : texts.t[`note-${note.kind}`](names.join(', '))
}

/** The label for the additional fields of the form. */
export const moreLabel = (target: Target | undefined): string =>
  target ? texts.t[`more-${target.kind}`] : texts.t.more

/** Where a placeholder occurs. */
export const placeLabel = ({ place, name = '' }: Placeholder): string =>
  place === 'header' || place === 'variable' ? texts.t[`place-${place}`](name) : texts.t[`place-${place}`]

/** A message about a row under Options. */
export interface RowProblem {
  readonly text: string
  /** Nothing can be sent until it is fixed; otherwise it is only a warning. */
  readonly grave: boolean
}

export const rowProblems = (draft: Draft, target: Target | undefined): RowProblem[] =>
  rowFaults(target && fillIn(target, draft.values), draft.env).map(({ fault, name }) => ({
    grave: fault !== 'header-forbidden',
    // With its values, it may contain secrets.
    text: texts.t[`row-${fault}`](fault === 'url' && target?.kind === 'url' ? target.url : name),
  }))
