/**
 * What a server offers is read by models: advice on texts that give a model orders (ADV-01), and on characters that
 * nobody sees (ADV-02). Contents are not looked at: what a file, a page or a prompt says is not said by the server.
 */
import type { Json } from '../../mcp/index.ts'
import { adviceIn, type Advice } from '../injection/advice.ts'
import type { InjectionSign } from '../injection/injection.ts'
import { META } from '../link.ts'
import { group, step, type Say } from '../rule.ts'

/** What a result offers: members whose texts are looked at. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  initialize: ['instructions', 'serverInfo'],
  'server/discover': ['instructions', 'serverInfo'],
  'tools/list': ['tools'],
  'prompts/list': ['prompts'],
  'resources/list': ['resources'],
  'resources/templates/list': ['resourceTemplates'],
}

/** UTF-16 units of one message that are looked at, longest list of a real server: 231,000. A panel looks at all of an item. */
const MOST_TEXT = 512 * 1024
/** Findings of one message and rule: a server that does it everywhere need not be told of each place. */
const MOST_FOUND = 50

const WORDS: Readonly<Record<InjectionSign['kind'], string>> = {
  override: 'Asks the model to ignore its instructions',
  concealment: 'Asks the model to hide something from the user',
  'role-markup': 'Imitates markup of a system prompt or a conversation',
  secrets: 'Asks the model for credentials, private files or the conversation',
  'tool-order': 'Asks to be called whatever the user wants',
  'other-tools': 'Changes how tools of others are used',
  exfiltration: 'Asks the model to send data elsewhere',
  consent: 'Asks the model to go on without the consent of the user',
  execution: 'Asks the model to run commands',
  persona: 'Gives the model another role or no limits',
  encoded: 'Encoded text that gives the model orders',
  'hidden-text': 'Text in characters that no font shows',
}

export const injection = group(['ADV-01', 'ADV-02'], () => ({
  message({ kind, method = '', result, at }, say) {
    if (kind !== 'answer' || !result || !Object.hasOwn(OFFERED, method)) return
    const budget = { units: MOST_TEXT, found: { 'ADV-01': 0, 'ADV-02': 0 } }
    for (const member of OFFERED[method]!) look(result[member], `${at}/result/${member}`, budget, say)
    const key = `${META}serverInfo`
    const meta = result._meta
    if (typeof meta === 'object' && meta !== null && !Array.isArray(meta)) {
      look((meta as { readonly [name: string]: Json })[key], step(`${at}/result/_meta`, key), budget, say)
    }
  },
}))

interface Budget {
  units: number
  readonly found: { 'ADV-01': number; 'ADV-02': number }
}

const look = (value: Json | undefined, pointer: string, budget: Budget, say: Say<Advice['rule']>): void => {
  for (const advice of adviceIn(value, budget)) {
    if (budget.found[advice.rule]++ >= MOST_FOUND) continue
    say(advice.rule, explained(advice), { pointer: pointer + advice.pointer })
  }
}

const explained = (advice: Advice): string => {
  if (advice.rule === 'ADV-01') return `${WORDS[advice.kind]}: “${advice.excerpt}”`
  const { count, first } = advice
  return count === 1 ? `One hidden character: ${first}` : `${count} hidden characters, the first is ${first}`
}
