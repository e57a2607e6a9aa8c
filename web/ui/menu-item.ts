import type { Component } from 'svelte'

export interface MenuItem {
  readonly id: string
  readonly label: string
  /** Shown beside the label: a number, or the current value. */
  readonly count?: string | undefined
  /** The language of the label, if it isn't the page's. */
  readonly lang?: string | undefined
  readonly icon?: Component<{ size?: number | string; 'aria-hidden'?: 'true' }> | undefined
  readonly able?: boolean
  /** Present: it switches something on and off. */
  readonly checked?: boolean | undefined
  /** A line separates it from the items above. */
  readonly apart?: true
  run(): void
}
