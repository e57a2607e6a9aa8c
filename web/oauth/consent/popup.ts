/**
 * The window in which a user signs in. It must be opened in the click handler, because browsers block popups opened
 * later; its URL is only known after discovery.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { isLoopback } from '../model/index.ts'

/** The members of `Window` used here. */
export interface OpenedWindow {
  opener: unknown
  readonly closed: boolean
  readonly location: { replace(url: string): void }
  close(): void
  focus(): void
}

export interface PopupOptions {
  /** The page shown until the URL is known: `openingUrlOf(base)`. */
  readonly url: string
  /** A window of this name is reused; by default each one is new. */
  readonly name?: string
  /** The window to centre over, in CSS pixels: `screenX`, `screenY`, `outerWidth`, `outerHeight`. */
  readonly over?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

export interface Popup {
  /** The browser blocked it: offer the full-page redirect, or a link. */
  readonly blocked: boolean
  /**
   * `sent`: navigation was requested; only the response shows whether it worked. `gone`: the window was closed or can't
   * be reached any more, so another must be opened in a click. `refused`: the URL is neither https nor http on
   * loopback, so nothing was done (AU-FLOW-12).
   */
  go(url: string): 'sent' | 'gone' | 'refused'
  /** Closes it while it shows our own page; browsers refuse once it shows the authorization server's. */
  close(): void
  focus(): void
}

const WIDTH = 520
const HEIGHT = 720

/** @param open `window.open`, called immediately: call this in the click handler, before any `await` */
export const openPopup = (
  open: (url: string, name: string, features: string) => OpenedWindow | null,
  { url, name = '_blank', over }: PopupOptions,
): Popup => {
  const opened = attempt(() => open(url, name, features(over))) ?? undefined
  if (!opened) return { blocked: true, go: () => 'gone', close: () => {}, focus: () => {} }
  // The authorization server isn't trusted: with an opener, it could navigate Periscope's tab. The response returns by
  // other routes (return.ts), so the opener isn't needed.
  attempt(() => (opened.opener = null))
  return {
    blocked: false,
    go(target) {
      const wanted = parsedUrl(target)
      if (wanted?.protocol !== 'https:' && !(wanted?.protocol === 'http:' && isLoopback(wanted))) return 'refused'
      // Closed by its user, or isolated by a policy: neither can be navigated from here.
      if (opened.closed) return 'gone'
      return attempt(() => (opened.location.replace(wanted.href), true)) ? 'sent' : 'gone'
    },
    close: () => void attempt(() => opened.close()),
    focus: () => void attempt(() => opened.focus()),
  }
}

/** Every member of a cross-origin window may throw. */
const attempt = <T>(act: () => T): T | undefined => {
  try {
    return act()
  } catch {
    return undefined
  }
}

const features = (over: PopupOptions['over']): string => {
  const size = `popup=yes,width=${WIDTH},height=${HEIGHT}`
  if (!over) return size
  const left = Math.round(over.x + Math.max(0, (over.width - WIDTH) / 2))
  const top = Math.round(over.y + Math.max(0, (over.height - HEIGHT) / 2))
  return `${size},left=${left},top=${top}`
}
