/** The palette's entries for pinned calls, of connected servers and of all others. Choosing one fills in a form. */
import { escaped, NO_VARIABLES } from '../../environments/index.ts'
import { argumentsOf, pagePins, type Pin } from '../../features/calls/index.ts'
import { showPrompt } from '../../features/prompts/index.svelte.ts'
import { fillTool } from '../../features/tools/index.svelte.ts'
import { isRecord, type Value } from '../../json/index.ts'
import { focusPaneSoon, visible } from '../../ui/index.ts'
import { fillIn as withValues } from '../connect/index.ts'
import { environments } from '../environments/index.svelte.ts'
import { HOME } from '../route.ts'
import type { Target } from '../connect/index.ts'
import type { Server } from '../server/index.svelte.ts'
import type { Workbench } from '../workbench.svelte.ts'
import type { Entry } from './entries.ts'

type Host = Pick<Workbench, 'go' | 'servers' | 'storage' | 'whenOpened'>

/** Fills in the form of a pinned call, and shows it. Nothing is sent. */
const fillIn = (server: Server, pin: Pin): void => {
  // What was sent is text, whatever variables there are now.
  const value = escaped(argumentsOf(pin), server.variables?.scope ?? NO_VARIABLES)
  switch (pin.kind) {
    case 'tool':
      fillTool(server, pin.name, value, 'edit')
      break
    case 'prompt':
      showPrompt(server, pin.name, textsIn(value))
      break
    case 'resource':
      server.visit('resources', pin.name)
  }
  focusPaneSoon('form')
}

const textsIn = (value: Value): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(
      (each): each is [string, string] => typeof each[1] === 'string',
    ),
  )

export const pinnedEntries = (host: Host): readonly Entry[] => {
  if (!host.storage.isLoaded) return []
  const { all, recents } = host.servers
  // As a connection is named in storage: with variables that aren't secret.
  const values = environments.store?.publicValues ?? {}
  const keyOfFilled = (target: Target) => host.storage.keyOf(withValues(target, values))
  const identityOf = (one: Server) => one.toolSafety?.server ?? keyOfFilled(one.target)
  return pagePins.all.flatMap((pin, at): Entry[] => {
    const connected = all.find((one) => identityOf(one) === pin.server)
    const recent = recents.list.find(({ target }) => keyOfFilled(target) === pin.server)
    if (!connected && !recent) return []
    const name = connected?.name ?? recent?.name ?? pin.serverName
    return [
      {
        id: `pin ${at}`,
        kind: 'pinned',
        label: visible(pin.name, 120),
        beside: visible(pin.args === '{}' ? '' : pin.args, 120),
        // Several servers may have one name: their URLs or commands tell them apart.
        server: visible(`${name} · ${pin.server.trim()}`, 80),
        remove: () => pagePins.remove(pin),
        run: () => {
          if (connected) return fillIn(connected, pin)
          host.whenOpened = (server) => {
            const isMeant = identityOf(server) === pin.server
            // One that reconnects automatically isn't the user's doing; another one is.
            if (!isMeant && server.isReopening) return
            host.whenOpened = undefined
            if (isMeant) fillIn(server, pin)
          }
          host.go(HOME)
          void host.servers.takeUp(recent!)
        },
      },
    ]
  })
}
