/**
 * What was typed into a tab without access to the local proxy, for the tab that the terminal's URL opens. It goes from tab
 * to tab in memory, so it may contain secrets, which are never stored. In a chunk of its own, after the first screen.
 */
import type { Hello } from '../../../proxy/wire.ts'
import { isObject } from '../../mcp/index.ts'
import type { Draft, Row } from './draft.svelte.ts'
import { readSettings } from './settings.ts'
import { lineOf } from './target.ts'

const CHANNEL = 'periscope-handover'
const ASK = 'ask'
/** ms. An answer that comes later would surprise. */
const WAIT = 5000

type Form = Pick<
  Draft,
  'text' | 'name' | 'headers' | 'env' | 'cwd' | 'settings' | 'isFromLink' | 'asIs' | 'filled' | 'target'
>
type Taken = Pick<Draft, 'isEmpty' | 'fill' | 'dropped' | 'more'>

/** The members of `BroadcastChannel` used here. */
type Channel = Pick<BroadcastChannel, 'addEventListener' | 'postMessage' | 'close'>

/** Whether the page may use the proxy: the part of `Proxy` that counts here. */
type Access =
  | { readonly state: 'there'; readonly hello: Pick<Hello, 'launch' | 'config' | 'recording'> }
  | { readonly state: 'unknown' | 'none' | 'no-token' | 'refused' | 'code-used' | 'code-expired' }

interface Host {
  readonly proxy: { readonly current: Access }
  readonly servers: { readonly draft: Draft; recall(draft: Draft): Promise<void> }
}

/**
 * Call it once it is known whether there is a proxy.
 *
 * @param code from the URL that opened the page
 * @param offers whether this page already offers what was typed
 * @returns whether it does so now
 */
export const passTyped = ({ proxy, servers }: Host, code: string | undefined, offers: boolean): boolean => {
  const { current } = proxy
  if (current.state === 'none') return offers
  if (current.state !== 'there') {
    const channel = offers ? undefined : newChannel()
    if (channel) offerTyped(() => (proxy.current.state === 'there' ? undefined : servers.draft), channel)
    return true
  }
  // A configuration fills in the form itself.
  const channel = code === undefined || current.hello.config ? undefined : newChannel()
  if (channel) takeTyped(servers.draft, (draft) => servers.recall(draft), channel)
  return false
}

/** @returns `undefined` in a browser that has none, or refuses it, as some do where storage is blocked */
const newChannel = (): Channel | undefined => {
  try {
    return new BroadcastChannel(CHANNEL)
  } catch {
    return undefined
  }
}

/**
 * Answers tabs that ask, once for each text, while this one has no access to the proxy.
 *
 * @param typed the form, or `undefined` once this tab has access
 */
export const offerTyped = (typed: () => Form | undefined, channel: Channel): void => {
  let taken = ''
  channel.addEventListener('message', ({ data }: MessageEvent) => {
    if (data !== ASK) return
    const form = typed()
    if (!form) return channel.close()
    // A tab that was left open must not fill in every form after that.
    if (form.text.trim() === '' || form.text === taken) return
    taken = form.text
    const { text, name, headers, env, cwd, settings, isFromLink, asIs, filled, target } = form
    const line = target && lineOf(target)
    const rows = { headers: sent(headers, line), env: sent(env, line) }
    channel.postMessage({ text, name, ...rows, cwd, settings, isFromLink, asIs: [...asIs], filled: { ...filled } })
  })
}

/** Remembered values are recalled in the other tab, and those of another target aren't sent at all. */
const sent = (rows: readonly Row[], line: string | undefined): readonly Row[] =>
  rows
    .filter(({ only }) => only === undefined || only === line)
    .map(({ name, value, only }) => ({ name, value: only === undefined ? value : '' }))

/**
 * Fills in the form with what another tab answers first, unless something was entered meanwhile.
 *
 * @param recall fills in remembered values
 */
export const takeTyped = <Taking extends Taken>(
  form: Taking,
  recall: (form: Taking) => Promise<void>,
  channel: Channel,
): void => {
  const timer = setTimeout(() => channel.close(), WAIT)
  channel.addEventListener('message', ({ data }: MessageEvent) => {
    const read = formIn(data)
    if (!read) return
    clearTimeout(timer)
    channel.close()
    if (!form.isEmpty) return
    const { filled, ...rest } = read
    Object.assign(form, rest)
    form.fill(filled)
    form.dropped = [...read.headers, ...read.env].flatMap(({ name, value }) =>
      value === '' && name !== '' ? [name] : [],
    )
    form.more = form.dropped.length > 0
    // A failure leaves the rows empty, and says so at the form.
    if (form.dropped.length > 0) recall(form).catch(() => {})
  })
  channel.postMessage(ASK)
}

/** Another version of the page may have sent it. */
const formIn = (data: unknown): Omit<Form, 'target'> | undefined => {
  if (!isObject(data) || typeof data.text !== 'string') return undefined
  const { text, name, cwd, headers, env, settings, isFromLink, asIs, filled } = data
  return {
    text,
    name: typeof name === 'string' ? name : '',
    cwd: typeof cwd === 'string' ? cwd : '',
    headers: rowsIn(headers),
    env: rowsIn(env),
    settings: readSettings(settings),
    isFromLink: isFromLink === true,
    asIs: Array.isArray(asIs) ? asIs.filter((one) => typeof one === 'string') : [],
    filled: isObject(filled)
      ? Object.fromEntries(Object.entries(filled).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))) // prettier-ignore
      : {},
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
