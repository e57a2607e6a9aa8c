/** All entries of the palette: servers, their features, their items, and actions. */
import type { TabFeature } from '../../features/feature.ts'
import { promptsFold } from '../../features/prompt-commands/index.ts'
import { resourcesFold, templatesFold } from '../../features/resources/index.ts'
import { toolsFold } from '../../features/tools/index.ts'
import type { Fold, Link } from '../../mcp/index.ts'
import { focusPaneSoon, visible } from '../../ui/index.ts'
import { notesOf } from '../frame-notes.ts'
import type { Server } from '../server/index.svelte.ts'
import type { Workbench } from '../workbench.svelte.ts'

type Host = Pick<
  Workbench,
  'go' | 'goTo' | 'recording' | 'reveal' | 'server' | 'servers' | 'sessions' | 'storage' | 'whenOpened'
>

export type Kind = 'action' | 'server' | 'part' | 'tool' | 'resource' | 'template' | 'prompt' | 'pinned' | 'note'

export interface Entry {
  readonly id: string
  readonly kind: Kind
  readonly label: string
  /** Shown beside the label: a title or a URL. */
  readonly beside: string
  /** Name of its server, if there are several. */
  readonly server?: string
  /** Its keyboard shortcut. */
  readonly key?: string
  /** What Tab completes the typed text to. */
  readonly completed?: string
  readonly run: () => void
  /** What Shift+Delete does: removes it from the palette. */
  readonly remove?: () => void
}

/** Maximum number of items per list. */
const MOST = 5000
/** Maximum characters of a label. */
const SHOWN = 120

const shown = (text: string): string => visible(text, SHOWN)

const itemsOf = (host: Host, server: Server): Entry[] => {
  const { link } = server
  const owner = host.servers.all.length > 1 ? { server: server.name } : {}
  const itemsIn = <Item>(fold: Fold<ReadonlyMap<Link, { readonly items: readonly Item[] }>>): readonly Item[] =>
    server.state(fold).current.get(link)?.items ?? []
  const entry = (kind: Kind, feature: string, key: string, label: string, beside = ''): Entry => ({
    id: `${link} ${kind} ${key}`,
    kind,
    label: shown(label),
    beside: shown(beside),
    ...owner,
    run: () => {
      host.go({ server: link, feature, place: key })
      focusPaneSoon('form')
    },
  })
  return [
    ...itemsIn(toolsFold)
      .slice(0, MOST)
      .map(({ key, name, title }) => entry('tool', 'tools', key, name || key, title)),
    ...itemsIn(promptsFold)
      .slice(0, MOST)
      .map(({ key, name, title }) => entry('prompt', 'prompts', key, name || key, title)),
    ...[...itemsIn(resourcesFold), ...itemsIn(templatesFold)]
      .slice(0, MOST)
      .map(({ key, kind, name, uri }) => entry(kind, 'resources', key, name || (uri ?? ''), uri)),
  ]
}

/** All entries in the order shown before anything is typed: actions for the current place first. */
export const entriesOf = (
  host: Host,
  features: readonly TabFeature[],
  words: {
    readonly titleOf: (feature: TabFeature) => string
    readonly actions: readonly Entry[]
    readonly pinned: readonly Entry[]
  },
): Entry[] => {
  const { server } = host
  const parts = server
    ? features.map((feature): Entry => ({
        id: `part ${feature.id}`,
        kind: 'part',
        label: words.titleOf(feature),
        beside: '',
        key: `g ${feature.key}`,
        run: () => host.go({ server: server.link, feature: feature.id, place: '' }),
      }))
    : []
  const servers = host.servers.all.map((one, at): Entry => ({
    id: `server ${one.link}`,
    kind: 'server',
    label: one.name,
    beside: shown(one.ownName === one.name ? '' : (one.ownName ?? '')),
    ...(at < 9 ? { key: `g ${at + 1}` } : {}),
    run: () => host.goTo(one.link),
  }))
  const { bookmarks } = host.recording ?? host.sessions
  const notes = [...notesOf(bookmarks)].slice(0, MOST).map(([seq, text]): Entry => ({
    id: `note ${seq}`,
    kind: 'note',
    label: shown(text),
    beside: `#${seq}`,
    run: () => host.reveal(seq),
  }))
  const here = server ? itemsOf(host, server) : []
  const elsewhere = host.servers.all.filter((one) => one !== server).flatMap((one) => itemsOf(host, one))
  return [...parts, ...here, ...servers, ...words.pinned, ...words.actions, ...notes, ...elsewhere]
}
