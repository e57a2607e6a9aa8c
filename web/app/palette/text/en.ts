import type { CommandFault } from '../../../features/prompt-commands/index.ts'

/** The texts of the command palette. */
export default {
  placeholder: 'Find a tool, resource, prompt, server or action, or / for prompts',
  nothing: 'No matches. Try fewer letters.',
  count: (count: string) => `${count} found`,
  'kind-action': 'action',
  'kind-server': 'server',
  'kind-part': 'tab',
  'kind-tool': 'tool',
  'kind-resource': 'resource',
  'kind-template': 'template',
  'kind-prompt': 'prompt',
  'kind-note': 'note',
  slashHint: 'Tab completes, Enter fills in the prompt: /name key=value "quoted value"',
  slashNoServer: 'Connect to a server to use its prompts.',
  slashGet: (name: string) => `Get ${name}`,
  slashMissing: (names: string) => `Missing: ${names}.`,
  slashFault: (code: CommandFault['code'], found: string) =>
    ({
      'unknown-argument': `Unknown argument “${found}”.`,
      'repeated-argument': `“${found}” is given twice.`,
      'too-many-values': `No argument left for “${found}”.`,
    })[code],
  nextNote: 'Next note',
  noEnvironment: 'No environment',
  useEnvironment: (name: string) => `Environment: ${name}`,
  nextTheme: 'Next theme: system, light, dark',
  otherLanguage: '切换到中文',
  nextItem: 'Go to the next item of the list',
  previousItem: 'Go to the previous item of the list',
  nextPane: 'Go to the next pane',
  reconnectAll: 'Reconnect all…',
  restart: (name: string) => `Restart ${name}`,
  reconnect: (name: string) => `Reconnect ${name}`,
  disconnect: (name: string) => `Disconnect ${name}`,
}
