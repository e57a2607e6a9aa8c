/**
 * What was typed into a tab without access to the local proxy, for the tab that the terminal's URL opens. It goes from tab
 * to tab in memory, so it may contain secrets, which are never stored. In a chunk of its own, after the first screen.
 */
import type { Hello } from '../../../proxy/wire.ts'
import { isObject } from '../../mcp/index.ts'
import type { Draft, Row } from './draft.svelte.ts'
import { readSettings } from './settings.ts'

const CHANNEL = 'periscope-handover'
const ASK = 'ask'
/** ms. An answer that comes later would surprise. */
const WAIT = 5000

type Form = Pick<Draft, 'text' | 'name' | 'headers' | 'env' | 'cwd' | 'settings' | 'isFromLink'>

/** The members of `BroadcastChannel` used here. */
type Channel = Pick<BroadcastChannel, 'addEventListener' | 'postMessage' | 'close'>

/** Whether the page may use the proxy: the part of `Proxy` that counts here. */
type Access =
  | { readonly state: 'there'; readonly hello: Pick<Hello, 'launch' | 'config' | 'recording'> }
  | { readonly state: 'unknown' | 'none' | 'no-token' | 'refused' | 'code-used' | 'code-expired' }

interface Host {
  readonly proxy: { readonly current: Access }
  readonly servers: { readonly draft: Draft }
}

/** Call it once it is known whether there is a proxy. @param code from the URL that opened the page */
export const passTyped = ({ proxy, servers }: Host, code: string | undefined): void => {
  const { current } = proxy
  if (current.state === 'none' || typeof BroadcastChannel === 'undefined') return
  if (current.state !== 'there') {
    return offerTyped(() => (proxy.current.state === 'there' ? undefined : servers.draft))
  }
  const { launch, config, recording } = current.hello
  if (code !== undefined && !launch && !config && !recording) takeTyped(servers.draft)
}

/**
 * Answers tabs that ask, while this one has no access to the proxy.
 *
 * @param typed the form, or `undefined` once this tab has access
 */
export const offerTyped = (typed: () => Form | undefined, channel: Channel = new BroadcastChannel(CHANNEL)): void =>
  channel.addEventListener('message', ({ data }: MessageEvent) => {
    if (data !== ASK) return
    const form = typed()
    if (!form) return channel.close()
    if (form.text.trim() === '') return
    const { text, name, headers, env, cwd, settings, isFromLink } = form
    channel.postMessage({ text, name, headers: sent(headers), env: sent(env), cwd, settings, isFromLink })
  })

/** Remembered values are only for the target they were entered for, and are recalled in the other tab. */
const sent = (rows: readonly Row[]): readonly Row[] =>
  rows.map(({ name, value, only }) => ({ name, value: only === undefined ? value : '' }))

/** Fills in the form with what another tab answers first, unless something was entered meanwhile. */
export const takeTyped = (
  form: Form & Pick<Draft, 'isEmpty'>,
  channel: Channel = new BroadcastChannel(CHANNEL),
): void => {
  const timer = setTimeout(() => channel.close(), WAIT)
  channel.addEventListener('message', ({ data }: MessageEvent) => {
    const read = formIn(data)
    if (!read) return
    clearTimeout(timer)
    channel.close()
    if (form.isEmpty) Object.assign(form, read)
  })
  channel.postMessage(ASK)
}

/** Another version of the page may have sent it. */
const formIn = (data: unknown): Form | undefined => {
  if (!isObject(data) || typeof data.text !== 'string') return undefined
  const { text, name, cwd, headers, env, settings, isFromLink } = data
  return {
    text,
    name: typeof name === 'string' ? name : '',
    cwd: typeof cwd === 'string' ? cwd : '',
    headers: rowsIn(headers),
    env: rowsIn(env),
    settings: readSettings(settings),
    isFromLink: isFromLink === true,
  }
}

const rowsIn = (list: unknown): Row[] =>
  Array.isArray(list)
    ? list.flatMap((row: unknown) =>
        isObject(row) && typeof row.name === 'string' && typeof row.value === 'string'
          ? [{ name: row.name, value: row.value }]
          : [],
      )
    : []
