/** How to get a proxy that accepts this page. Not in the first screen, which has a note of its own. */
import type { ProxyStart } from '../../ui/index.svelte.ts'
import { proxyNote } from '../labels.svelte.ts'
import type { Proxy } from '../proxy-link.svelte.ts'
import { texts } from './text/texts.svelte.ts'

export const startOf = (proxy: Proxy): ProxyStart =>
  proxyNote(proxy) ? { text: texts.t.pressEnter } : { text: texts.t.runInTerminal, command: 'npx mcp-periscope' }
