/** How to get a proxy that accepts this page. Not in the first screen, which has a note of its own. */
import type { ProxyStart } from '../../ui/index.svelte.ts'
import { proxyNote } from '../labels.svelte.ts'
import type { Proxy } from '../proxy-link.svelte.ts'
import { commandLine, quote, type Target } from './target.ts'
import { texts } from './text/texts.svelte.ts'

/** What precedes the arguments: of the proxy that served this page, or of the published package. */
const own = (proxy: Proxy): string => (proxy.state === 'there' && proxy.hello.own) || 'npx mcp-periscope'

/** The command that starts the proxy that this page had, or any. */
export const startCommand = (proxy: Proxy): string => own(proxy).replace(/ --$/, '')

/** The same, with this server on its command line. */
export const startCommandFor = (proxy: Proxy, target: Target): string =>
  target.kind === 'command'
    ? `${own(proxy)} -- ${commandLine(target.command, target.args)}`
    : target.kind === 'custom'
      ? `${own(proxy)} ${quote(target.url)}`
      : startCommand(proxy)

export const startOf = (proxy: Proxy): ProxyStart =>
  proxyNote(proxy) ? { text: texts.t.pressEnter } : { text: texts.t.runInTerminal, command: startCommand(proxy) }

/** The same on the form, whose note at the top says how to get access. */
export const startOnForm = (proxy: Proxy): ProxyStart => (proxyNote(proxy) ? { text: texts.t.seeNote } : startOf(proxy))
