/** Whether the page is currently light or dark, by the root's `color-scheme` or by the system. */
import { createSubscriber } from 'svelte/reactivity'

const SYSTEM = '(prefers-color-scheme: dark)'

const subscribe = createSubscriber((update) => {
  const watched = new MutationObserver(update)
  watched.observe(document.documentElement, { attributeFilter: ['style'] })
  const system = matchMedia(SYSTEM)
  system.addEventListener('change', update)
  return () => {
    watched.disconnect()
    system.removeEventListener('change', update)
  }
})

export const scheme = {
  get current(): 'light' | 'dark' {
    subscribe()
    const set = document.documentElement.style.colorScheme
    if (set === 'light' || set === 'dark') return set
    return matchMedia(SYSTEM).matches ? 'dark' : 'light'
  },
}
