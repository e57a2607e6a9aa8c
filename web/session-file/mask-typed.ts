/**
 * Masks typed secrets when opening sessions that were stored by older versions, which didn't mask them at capture. A
 * session without any is returned unchanged.
 */
import { pacer, type Frame, type Link } from '../mcp/index.ts'
import { ConnectionSecrets } from '../secrets/capture.ts'
import type { OpenedSession } from './file.ts'

export const withoutTyped = async (opened: OpenedSession): Promise<OpenedSession> => {
  const typed = new Map<Link, { readonly secrets: ConnectionSecrets; readonly headers: ReadonlySet<string> }>()
  for (const { link, target } of opened.head.servers) {
    const headers = new Set(target?.kind === 'url' ? target.headers.map((name) => name.toLowerCase()) : [])
    typed.set(link, { secrets: new ConnectionSecrets(), headers })
  }
  const pause = pacer()
  const seen = new Set<string>()
  for (const frame of opened.frames) {
    const { secrets, headers } = typed.get(frame.link) ?? {}
    if (!secrets || !headers) continue
    if (frame.kind === 'http' && frame.phase === 'request' && frame.purpose !== 'authorization') {
      const own = frame.headers.filter(([name]) => headers.has(name.toLowerCase()))
      const key = JSON.stringify([frame.link, frame.url, own])
      if (!seen.has(key)) secrets.know({ url: frame.url, headers: own })
      seen.add(key)
    } else if (frame.kind === 'transport' && frame.event === 'opening') secrets.know({ url: frame.url })
    else if (frame.kind === 'process' && frame.event === 'spawn')
      secrets.know({ command: frame.command, args: frame.args })
    await pause()
  }
  let changed = false
  const frames: Frame[] = []
  for (const frame of opened.frames) {
    const clean = typed.get(frame.link)?.secrets.mask(frame) ?? frame
    if (clean !== frame) changed = true
    frames.push(clean)
    await pause()
  }
  return changed ? { ...opened, frames } : opened
}
