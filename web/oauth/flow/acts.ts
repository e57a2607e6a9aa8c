/** What a sign-in waits for, and what its user may do about it. */
import type { AuthStep } from '../../mcp/index.ts'
import type { Fault, SignInOptions } from '../model/index.ts'
import type { Supply, RequestDraft } from '../wire/index.ts'

export type Mode = 'automatic' | 'stepwise'

/** What the flow stands still for. */
export type Waiting =
  /** A request is written and may be changed. A probe finds out whether the page may read responses (CORS). */
  | { readonly for: 'request'; readonly step: AuthStep; readonly draft: RequestDraft; readonly probe?: true }
  /** The browser is about to be sent there. */
  | { readonly for: 'leave'; readonly step: AuthStep; readonly url: string }
  | { readonly for: 'choice'; readonly step: AuthStep; readonly offered: readonly string[] }
  | { readonly for: 'consent'; readonly step: AuthStep; readonly url: string }
  | {
      readonly for: 'help'
      readonly step: AuthStep
      readonly fault: Fault
      readonly takes: readonly (Supply['kind'] | 'go-on')[]
    }

/** What its user may do. What does not fit the moment does nothing. */
export type Act =
  | { readonly do: 'send'; readonly draft?: RequestDraft }
  | { readonly do: 'leave'; readonly url?: string }
  | { readonly do: 'choose'; readonly issuer: string }
  | { readonly do: 'go-on' }
  | { readonly do: 'supply'; readonly supply: Supply }
  /** Runs the step again, with other options perhaps. */
  | { readonly do: 'again'; readonly options?: Partial<SignInOptions>; readonly relay?: string }
  | { readonly do: 'back'; readonly to: AuthStep }
  /** The address that the browser came back to, typed in by hand. */
  | { readonly do: 'returned'; readonly query: string }
  | { readonly do: 'mode'; readonly mode: Mode }
  | { readonly do: 'cancel' }

/** Whether a wait ends with it. */
export const fits = (waiting: Waiting, act: Act): boolean => {
  switch (act.do) {
    case 'send':
      return waiting.for === 'request' || waiting.for === 'leave' || waiting.for === 'choice'
    case 'leave':
      return waiting.for === 'leave'
    case 'choose':
      return waiting.for === 'choice' && waiting.offered.includes(act.issuer)
    case 'returned':
      return waiting.for === 'consent'
    case 'go-on':
      return waiting.for === 'help' && waiting.takes.includes('go-on')
    case 'supply':
      return waiting.for === 'help' && waiting.takes.includes(act.supply.kind)
    default:
      return false
  }
}

/** What a user can do about a sign-in that is under way. */
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
