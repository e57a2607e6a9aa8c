/** Labels for the shell's values, in the current language. */
import type { TabFeature } from '../features/feature.ts'
import type { Phase } from '../mcp/index.ts'
import type { Fault } from '../json/index.ts'
import { language } from '../ui/index.svelte.ts'
import type { Understood, ConfigNote, ConfigProblem, Target } from './connect/index.ts'
import type { Proxy } from './launch.ts'
import type { Standing } from './server/index.ts'
import { texts } from './text/texts.svelte.ts'

export const statusWord = (status: Standing): string =>
  ({
    idle: texts.t.stateIdle,
    connecting: texts.t.stateConnecting,
    open: texts.t.stateOpen,
    failed: texts.t.stateFailed,
    closed: texts.t.stateClosed,
    'sign-in': texts.t.stateSignIn,
    degraded: texts.t.stateDegraded,
    lost: texts.t.stateLost,
    reconnecting: texts.t.stateReconnecting,
  })[status]

/** Why this page can't use the proxy that serves it, and how to fix that. */
export const proxyNote = ({ state }: Proxy): string | undefined =>
  ({
    'no-token': texts.t.noToken,
    refused: texts.t.tokenRefused,
    'code-used': texts.t.codeUsed,
    'code-expired': texts.t.codeExpired,
    there: undefined,
    none: undefined,
    unknown: undefined,
  })[state]

export const stepWord = (step: Phase): string =>
  ({
    'starting-process': texts.t.stepStartingProcess,
    probing: texts.t.stepProbing,
    'waiting-for-endpoint': texts.t.stepWaitingForEndpoint,
    'waiting-for-headers': texts.t.stepWaitingForHeaders,
    'waiting-for-answer': texts.t.stepWaitingForAnswer,
    'sending-initialized': texts.t.stepSendingInitialized,
    'ending-session': texts.t.stepEndingSession,
  })[step]

export const transportWord = (target: Target): string =>
  ({ url: texts.t.transportHttp, command: texts.t.transportStdio, sample: texts.t.transportSample })[target.kind]

export const titleOf = ({ title }: TabFeature): string => title[language.current]

export const tagWord = (understood: Understood): string | undefined => {
  switch (understood.kind) {
    case 'nothing':
      return undefined
    case 'servers':
      return texts.t.tagJson
    case 'problem':
      return { url: texts.t.tagUrl, command: texts.t.tagCommand, json: texts.t.tagJson }[understood.as]
    default:
      return { url: texts.t.tagUrl, command: texts.t.tagCommand }[understood.kind]
  }
}

/** @param way the transport and route of a URL */
export const understoodText = (understood: Exclude<Understood, { kind: 'problem' }>, way: string): string => {
  const { t } = texts
  switch (understood.kind) {
    case 'nothing':
      return t.understoodNothing
    case 'url':
      return understood.guessed ? `${way}, ${t.understoodGuessed(understood.url)}` : way
    case 'command':
      return t.understoodCommand
    case 'servers': {
      const dialect = {
        mcpServers: t.dialectMcpServers,
        servers: t.dialectServers,
        'server.json': t.dialectRegistry,
        single: t.dialectSingle,
      }[understood.dialect]
      return t.understoodServers(understood.servers.length, dialect)
    }
  }
}

export const problemText = (problem: Extract<Understood, { kind: 'problem' }>): string => {
  const { t } = texts
  switch (problem.cause) {
    case 'scheme':
      return t.causeScheme(problem.thing)
    case 'websocket':
      return t.causeWebsocket(problem.thing)
    case 'file':
      return t.causeFile
    case 'url':
      return t.causeUrl(problem.thing.slice(0, 200))
    case 'credentials':
      return t.causeCredentials(problem.thing)
    case 'mixed-content':
      return t.causeMixedContent(problem.thing)
    case 'shell-operator':
      return t.causeOperator(problem.thing, problem.column)
    case 'variable':
      return t.causeVariable(problem.thing, problem.column)
    case 'substitution':
      return t.causeSubstitution(problem.thing, problem.column)
    case 'home':
      return t.causeHome(problem.column)
    case 'line-break':
      return t.causeLineBreak(problem.column)
    case 'open-quote':
      return t.causeOpenQuote(problem.thing, problem.column)
    case 'no-command':
      return t.causeNoCommand
    case 'nul':
      return t.causeNul(problem.column)
    case 'json':
      return t.causeJson(problem.line, problem.column, faultText(problem.fault), problem.found)
    case 'no-servers':
      return t.causeNoServers
    case 'too-long':
      return t.causeTooLong
  }
}

const faultText = (fault: Fault): string =>
  ({
    unexpected: texts.t.faultUnexpected,
    'ends-early': texts.t.faultEndsEarly,
    'more-after': texts.t.faultMoreAfter,
    'open-string': texts.t.faultOpenString,
    'open-comment': texts.t.faultOpenComment,
    'bad-escape': texts.t.faultBadEscape,
    'bare-control': texts.t.faultBareControl,
    'bad-number': texts.t.faultBadNumber,
    'bad-word': texts.t.faultBadWord,
    'too-deep': texts.t.faultTooDeep,
    'too-large': texts.t.causeTooLong,
  })[fault]

export const configProblemText = (problem: ConfigProblem): string =>
  ({
    'no-object': texts.t.configNoObject,
    'no-target': texts.t.configNoTarget,
    'bad-command': texts.t.configBadCommand,
    'bad-args': texts.t.configBadArgs,
    'bad-url': texts.t.configBadUrl,
    'unknown-package': texts.t.configUnknownPackage,
    'needs-http': texts.t.configNeedsHttp,
  })[problem]

export const noteText = (note: ConfigNote): string => {
  switch (note.kind) {
    case 'legacy-sse':
      return texts.t.noteLegacySse
    case 'fill-in':
      return texts.t.noteFillIn(note.names.join(', '))
    case 'ignored':
      return texts.t.noteIgnored(note.names.join(', '))
  }
}

const MINUTE = 60_000
const UNITS = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const

/** `2 minutes ago`, `yesterday`. */
export const agoWord = (ms: number, locale: string): string => {
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const [unit, length] = UNITS.find(([, size]) => ms >= size) ?? ['minute', MINUTE]
  return words.format(-Math.floor(ms / length), unit)
}

/** Date and time to the minute, formatted for the language. @param iso ISO 8601 */
export const whenWord = (iso: string): string =>
  new Intl.DateTimeFormat(language.current, { dateStyle: 'medium', timeStyle: 'short' }).format(Date.parse(iso))

/** The label for the additional fields of the form. */
export const moreWord = (target: Target | undefined): string =>
  target
    ? { url: texts.t.moreForUrl, command: texts.t.moreForCommand, sample: texts.t.moreForSample }[target.kind]
    : texts.t.more
