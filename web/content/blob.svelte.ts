/**
 * `blob:` URLs have this page's origin. Only types that `<img>`, `<audio>` and `<video>` can show, and PDF, keep their
 * type. Everything else becomes plain bytes, so no browser opens a server's HTML with our origin.
 */
import { download } from '../ui/index.ts'
import type { Binary } from './content.ts'

/** A URL that is valid while the component lives and the bytes stay the same. Call during component setup. */
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

/** Saves bytes or a string as a download. */
export const save = (content: Uint8Array<ArrayBuffer> | string, name: string): void => {
  download(name, [content], 'application/octet-stream')
}
