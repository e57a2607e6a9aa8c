/** What a user can do about a sign-in that is under way. */
import type { AuthStep } from '../../mcp/index.ts'
import type { Act } from '../flow/index.ts'

export interface FixActions {
  /** Does one after the other; opens a window first where they lead to one. Call it in the click. */
  act(acts: readonly Act[]): void
  /** Opens a window for the sign-in page. Call it in the click. */
  openWindow(): void
  redirect(): void
  /** The address that the browser came back to. */
  returned(text: string): void
  /** Tokens from elsewhere end the sign-in. */
  paste(accessToken: string, refreshToken: string): void
}

/** Whether the acts lead to where the browser is sent away, without a click in between. */
export const leadsAway = (
  acts: readonly Act[],
  { mode, steps, step }: { readonly mode: string; readonly steps: readonly AuthStep[]; readonly step: AuthStep },
): boolean => {
  const away = steps.indexOf('authorization')
  if (mode !== 'automatic' && !acts.some((act) => act.do === 'mode' && act.mode === 'automatic')) return false
  const back = acts.find((act) => act.do === 'back')
  const from = back ? back.to : step
  const goes = acts.some((act) => act.do !== 'cancel' && act.do !== 'returned')
  return away >= 0 && goes && steps.indexOf(from) <= away
}
