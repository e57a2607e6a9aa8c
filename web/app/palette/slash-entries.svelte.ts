/** The palette's entries for a slash command: the prompts of the server shown. */
import { fillPrompt } from '../../features/prompts/index.svelte.ts'
import {
  type CommandFault,
  commandsFor,
  commandText,
  promptsFold,
  type SlashCommand,
} from '../../features/prompt-commands/index.ts'
import { focusPaneSoon, visible } from '../../ui/index.ts'
import type { Server } from '../server/index.svelte.ts'
import type { Workbench } from '../workbench.svelte.ts'
import type { Entry } from './entries.ts'
import { texts } from './text/texts.svelte.ts'

export interface SlashEntries {
  readonly entries: readonly Entry[]
  /** What is wrong with the only command that the text can be. */
  readonly remarks: readonly string[]
}

/** Names of arguments that are shown beside a prompt. */
const MOST_ARGUMENTS = 8

/** @param most entries */
export const slashEntries = (host: Pick<Workbench, 'go' | 'server'>, typed: string, most: number): SlashEntries => {
  const { server } = host
  if (!server) return { entries: [], remarks: [texts.t.slashNoServer] }
  const prompts = server.state(promptsFold).current.get(server.link)?.items ?? []
  const commands = commandsFor(typed, prompts).slice(0, most)
  const [only] = commands.length === 1 ? commands : []
  const entries = commands.map((command) => entryOf(host, server, command, false))
  // Getting it is an entry of its own, so that Enter never sends what is only being looked for.
  if (only && isComplete(only) && server.session) entries.push(entryOf(host, server, only, true))
  return { entries, remarks: only ? remarksOn(only, typed) : [] }
}

const isComplete = ({ missing, faults }: SlashCommand): boolean => missing.length === 0 && faults.length === 0

const entryOf = (host: Pick<Workbench, 'go'>, server: Server, command: SlashCommand, get: boolean): Entry => {
  const { item } = command
  const given = Object.keys(command.values).length > 0
  const whole = commandText(item, command.values)
  const needs = item.arguments
    .slice(0, MOST_ARGUMENTS)
    .map(({ name, required }) => (required ? name : `${name}?`))
    .join(' ')
  return {
    id: `slash ${get ? 'get' : 'fill'} ${item.key}`,
    kind: get ? 'action' : 'prompt',
    label: get ? texts.t.slashGet(visible(item.name ?? '', 60)) : visible(given ? whole : `/${item.name}`, 120),
    beside: visible(
      given || get ? '' : [item.title === item.name ? '' : item.title, needs].filter(Boolean).join(' · '),
      120,
    ),
    completed: `${whole} `,
    run: () => {
      fillPrompt(server, command, get)
      host.go({ server: server.link, feature: 'prompts', place: item.key })
      focusPaneSoon(get ? 'result' : 'form')
    },
  }
}

const faultText = ({ code, found }: CommandFault): string => texts.t.slashFault(code, visible(found, 60))

const remarksOn = ({ item, missing, faults }: SlashCommand, typed: string): readonly string[] => {
  const begun = typed.trim().length > (item.name ?? '').length + 1 || /\s$/.test(typed)
  return [
    ...faults.map(faultText),
    ...(begun && missing.length > 0 ? [texts.t.slashMissing(visible(missing.join(', '), 200))] : []),
  ].slice(0, 5)
}
