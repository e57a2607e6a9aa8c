/** What a sign-in waits for, and what its user can do about it. */
import type { AuthStep } from '../../mcp/index.ts'
import type { Fault, Mode, SignInOptions } from '../model/index.ts'
import type { Supply, RequestDraft } from '../wire/index.ts'

/** What the flow is waiting for. */
export type Waiting =
  /** A request is ready and may be edited. A probe finds out whether the page can read responses (CORS). */
  | { readonly for: 'request'; readonly step: AuthStep; readonly draft: RequestDraft; readonly probe?: true }
  /** The browser is about to be sent to this URL. */
  | { readonly for: 'leave'; readonly step: AuthStep; readonly url: string }
  | { readonly for: 'choice'; readonly step: AuthStep; readonly offered: readonly string[] }
  | { readonly for: 'consent'; readonly step: AuthStep; readonly url: string }
  | {
      readonly for: 'help'
      readonly step: AuthStep
      readonly fault: Fault
      readonly takes: readonly (Supply['kind'] | 'go-on')[]
    }

/** The user's actions. An action that doesn't apply at the moment does nothing. */
export type Act =
  | { readonly do: 'send'; readonly draft?: RequestDraft }
  | { readonly do: 'leave'; readonly url?: string }
  | { readonly do: 'choose'; readonly issuer: string }
  | { readonly do: 'go-on' }
  | { readonly do: 'supply'; readonly supply: Supply }
  /** Runs the step again, optionally with other options. */
  | { readonly do: 'again'; readonly options?: Partial<SignInOptions>; readonly relay?: string }
  | { readonly do: 'back'; readonly to: AuthStep }
  /** The URL to which the browser returned, entered manually. */
  | { readonly do: 'returned'; readonly query: string }
  | { readonly do: 'mode'; readonly mode: Mode }
  | { readonly do: 'cancel' }

/** Whether an action ends the wait. */
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

/** Actions for a sign-in that is running. */
export interface FixActions {
  /** Performs the acts in order, and first opens a window if they lead to consent. Call it in the click handler. */
  act(acts: readonly Act[]): void
  /** Opens a window for the sign-in page. Call it in the click handler. */
  openWindow(): void
  redirect(): void
  /** The URL to which the browser returned. */
  returned(text: string): void
  /** Ends the sign-in with tokens from elsewhere. */
  paste(accessToken: string, refreshToken: string): void
}

/** Whether the acts lead to consent without another click in between. */
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
