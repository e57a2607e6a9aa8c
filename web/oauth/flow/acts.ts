/** What a sign-in stands still for, and what its user may do then. */
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
