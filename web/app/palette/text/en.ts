/** The texts of the command palette. */
export default {
  placeholder: 'Find a tool, resource, prompt, server or action',
  nothing: 'No matches. Try fewer letters.',
  count: (count: string) => `${count} found`,
  'kind-action': 'action',
  'kind-server': 'server',
  'kind-part': 'tab',
  'kind-tool': 'tool',
  'kind-resource': 'resource',
  'kind-template': 'template',
  'kind-prompt': 'prompt',
  nextTheme: 'Next theme: system, light, dark',
  otherLanguage: '切换到中文',
  reconnectAll: 'Reconnect all…',
  reconnect: (name: string) => `Reconnect ${name}`,
  disconnect: (name: string) => `Disconnect ${name}`,
}
