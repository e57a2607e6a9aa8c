/** The effect of pressing Run: a call, or a step in between. Apart from the component, so that a test can state the order. */
import { claimsDestructive, type ToolItem } from './tool-item.ts'

export interface RunChecks {
  /** The arguments match the inputSchema. */
  readonly fits: boolean
  /** The tool may be called on this connection (TR-XH-06). */
  readonly allowed: boolean
  /** The problems are on screen: running again means running anyway. */
  readonly tried: boolean
  /** The confirmation is on screen, or the user has turned it off for this server. */
  readonly confirmed: boolean
}

/** Problems come before the confirmation, so that the user doesn't confirm a call that is then held back. */
export const nextRunStep = (
  item: ToolItem,
  { fits, allowed, tried, confirmed }: RunChecks,
): 'show-problems' | 'confirm' | 'call' => {
  if ((!fits || !allowed) && !tried) return 'show-problems'
  return claimsDestructive(item) && !confirmed ? 'confirm' : 'call'
}
