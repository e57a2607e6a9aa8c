/**
 * `blob:` URLs, which have the origin of this page: only what `<img>`, `<audio>` and `<video>` may show, and PDF, gets
 * its own type; everything else is saved as plain bytes, so that no browser opens a server's HTML as if it were ours.
 */
import { download } from '../ui/index.ts'
import type { Binary } from './content.ts'

/** A URL for as long as the component lives and the bytes stay the same. Call while a component is set up. */
export const mediaUrl = (binary: () => Binary | undefined): { readonly current: string | undefined } => {
  let url = $state.raw<string>()
  $effect(() => {
    const now = binary()
    if (!now || !/^((image|audio|video)\/[\w.+-]+|application\/pdf)$/.test(now.mime)) return
    const made = URL.createObjectURL(new Blob([now.bytes], { type: now.mime }))
    url = made
    return () => {
      url = undefined
      URL.revokeObjectURL(made)
    }
  })
  return {
    get current() {
      return url
    },
  }
}

/** Hands bytes or text to the browser's downloads. */
export const save = (content: Uint8Array<ArrayBuffer> | string, name: string): void => {
  download(name, [content], 'application/octet-stream')
}
