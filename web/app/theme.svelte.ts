/** The theme: light, dark, or the system's; the design tokens follow `color-scheme`. */
import { browserStorage } from '../ui/index.ts'

export type Theme = 'system' | 'light' | 'dark'

const STORED = 'periscope.theme'
const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' }

class ThemeState {
  #current = $state<Theme>('system')

  get current(): Theme {
    return this.#current
  }

  restore(): void {
    const stored = browserStorage('local').getItem(STORED)
    this.#set(stored === 'light' || stored === 'dark' ? stored : 'system')
  }

  next(): void {
    this.#set(NEXT[this.#current])
    browserStorage('local').setItem(STORED, this.#current)
  }

  #set(theme: Theme): void {
    this.#current = theme
    document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme
  }
}

export const theme = new ThemeState()
