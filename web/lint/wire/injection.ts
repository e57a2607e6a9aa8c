/**
 * Models read what a server offers: advice on texts that give a model instructions (ADV-01), and on invisible
 * characters (ADV-02). Contents aren't checked: the text of a file, page or prompt isn't a statement of the server.
 */
import { isObject, type Json, META } from '../../mcp/index.ts'
import { adviceIn, type Advice } from '../injection/advice.ts'
import type { InjectionSign } from '../injection/injection.ts'
import { group, step, type SayLater } from '../rule.ts'

/** The members of each result whose texts are checked. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  initialize: ['instructions', 'serverInfo'],
  'server/discover': ['instructions', 'serverInfo'],
  'tools/list': ['tools'],
  'prompts/list': ['prompts'],
  'resources/list': ['resources'],
  'resources/templates/list': ['resourceTemplates'],
}

/** Findings per message and rule: further places add nothing. */
const MOST_FOUND = 50

const WORDS: Readonly<Record<InjectionSign['kind'], string>> = {
  override: 'Asks the model to ignore its instructions',
  concealment: 'Asks the model to hide something from the user',
  'role-markup': 'Imitates markup of a system prompt or a conversation',
  secrets: 'Asks the model for credentials, private files or the conversation',
  'tool-order': 'Asks to be called regardless of what the user wants',
  'other-tools': 'Changes how other tools are used',
  exfiltration: 'Asks the model to send data elsewhere',
  consent: "Asks the model to continue without the user's consent",
  execution: 'Asks the model to run commands',
  persona: 'Gives the model another role or removes its limits',
  encoded: 'Encoded text with instructions for the model',
  'hidden-text': 'Text in invisible characters',
}

export const injection = group(['ADV-01', 'ADV-02'], () => ({
  message({ kind, method = '', result, at }, say) {
    if (kind !== 'answer' || !result || !Object.hasOwn(OFFERED, method)) return
    const places = OFFERED[method]!.map((member) => [`${at}/result/${member}`, result[member]] as const)
    const key = META.serverInfo
    const info = isObject(result._meta) ? result._meta[key] : undefined
    say.later(async (say) => {
      const found: Found = { 'ADV-01': 0, 'ADV-02': 0 }
      for (const [pointer, value] of [...places, [step(`${at}/result/_meta`, key), info] as const]) {
        await look(value, pointer, found, say)
      }
    })
  },
}))

type Found = { [rule in Advice['rule']]: number }

const look = (value: Json | undefined, pointer: string, found: Found, say: SayLater<Advice['rule']>): Promise<void> =>
  adviceIn(value, (advice) => {
    // Always report how far the check got.
    if ('checked' in advice || found[advice.rule]++ < MOST_FOUND)
      say(advice.rule, explained(advice), pointer + advice.pointer)
  })

const explained = (advice: Advice): string => {
  if ('checked' in advice)
    return advice.kind === 'unread-middle'
      ? `Only the first and last ${advice.checked / 2} characters of this text were checked`
      : `Text after the first ${advice.checked} characters was not checked`
  if (advice.rule === 'ADV-01') return `${WORDS[advice.kind]}: “${advice.excerpt}”`
  const { count, first } = advice
  return count === 1 ? `One hidden character: ${first}` : `${count} hidden characters, the first is ${first}`
}
