/**
 * The window in which a user signs in. It is opened in the click, for browsers block one that is opened later; where it
 * leads is only known after discovery.
 */
import { parsedUrl } from '../../mcp/url.ts'
import { isLoopback } from '../model/index.ts'

/** A window, as far as it is used. */
export interface OpenedWindow {
  opener: unknown
  readonly closed: boolean
  readonly location: { replace(url: string): void }
  close(): void
  focus(): void
}

export interface PopupOptions {
  /** What it shows until there is somewhere to go: `openingUrlOf(base)`. */
  readonly url: string
  /** One of this name is used again; by default each is a new one. */
  readonly name?: string
  /** The window to stand over, in CSS pixels: `screenX`, `screenY`, `outerWidth`, `outerHeight`. */
  readonly over?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
}

export interface Popup {
  /** The browser did not open it: offer the full-page redirect, or a link. */
  readonly blocked: boolean
  /**
   * `sent`: the browser was told to go there; whether it did only the answer tells. `gone`: the window was closed
   * before, or cannot be reached any more: open another in a click. `refused`: no https address, nor http on loopback, so nothing was done (AU-FLOW-12).
   */
  go(url: string): 'sent' | 'gone' | 'refused'
  /** Closes it while it shows a page of our own; browsers refuse once it shows the authorization server's. */
  close(): void
  focus(): void
}

const WIDTH = 520
const HEIGHT = 720

/**
 * @param open `window.open`, called at once: call this in the handler of the click, before anything is awaited
 */
export const openPopup = (
  open: (url: string, name: string, features: string) => OpenedWindow | null,
  { url, name = '_blank', over }: PopupOptions,
): Popup => {
  const opened = attempt(() => open(url, name, features(over))) ?? undefined
  if (!opened) return { blocked: true, go: () => 'gone', close: () => {}, focus: () => {} }
  // The authorization server is a stranger: with an opener it could lead the tab of Periscope elsewhere. The answer
  // comes by other routes (return.ts), so nobody needs it.
  attempt(() => (opened.opener = null))
  return {
    blocked: false,
    go(target) {
      const wanted = parsedUrl(target)
      if (wanted?.protocol !== 'https:' && !(wanted?.protocol === 'http:' && isLoopback(wanted))) return 'refused'
      // Closed by its user, or cut off by a policy: neither can be led anywhere from here.
      if (opened.closed) return 'gone'
      return attempt(() => (opened.location.replace(wanted.href), true)) ? 'sent' : 'gone'
    },
    close: () => void attempt(() => opened.close()),
    focus: () => void attempt(() => opened.focus()),
  }
}

/** Every member of a window of another origin may throw. */
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
