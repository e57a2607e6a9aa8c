/** Registered clients, by authorization server (AU-REG-12): in memory and on the device. */
import type { Registration, TokenSet } from '../model/index.ts'
import type { OnDevice } from './on-device.ts'

export interface HeldClient {
  readonly registration: Registration
  /** ms since the epoch. */
  readonly since: number
  readonly kept: 'memory' | 'device'
}

/** The members that tokens and registrations share. */
type Named = Pick<TokenSet, 'issuer' | 'clientId'>

export class Clients {
  readonly #device: OnDevice
  /** Clients in memory only, newest last. */
  #own: readonly HeldClient[] = []

  constructor(device: OnDevice) {
    this.#device = device
  }

  /** Newest last. */
  all(): HeldClient[] {
    const kept = this.#device.clients().sort((a, b) => a.at - b.at)
    return [...kept.map(({ registration, at }) => ({ registration, since: at, kept: 'device' as const })), ...this.#own]
  }

  of({ issuer, clientId }: Named): Registration | undefined {
    return this.all().findLast(
      ({ registration }) => registration.issuer === issuer && registration.clientId === clientId,
    )?.registration
  }

  put(registration: Registration, since: number): void {
    const others = this.#own.filter((client) => !isSame(client.registration, registration))
    this.#own = [...others, { registration, since, kept: 'memory' }]
  }

  drop(isDropped: (registration: Registration) => boolean): void {
    for (const { registration } of this.#device.clients()) {
      if (isDropped(registration)) this.#device.dropClient(registration)
    }
    this.#own = this.#own.filter(({ registration }) => !isDropped(registration))
  }

  /**
   * Moves each client to where it belongs: to the device if remembered tokens use it, otherwise to memory. A client
   * without tokens is dropped if a newer one can replace it.
   */
  settle(remembered: readonly Named[], isUsed: (registration: Registration) => boolean): void {
    const belongs = ({ issuer, clientId }: Registration) =>
      remembered.some((tokens) => tokens.issuer === issuer && tokens.clientId === clientId)
    const own: HeldClient[] = []
    for (const client of this.all()) {
      const { registration, kept } = client
      if (kept === 'memory') {
        // What the user typed is never stored.
        const written = registration.source === 'dynamic' && belongs(registration)
        if (!written || !this.#device.putClient(registration)) own.push(client)
      } else if (!belongs(registration)) {
        this.#device.dropClient(registration)
        own.push({ ...client, kept: 'memory' })
      }
    }
    this.#own = own
    const all = this.all()
    this.#own = own.filter(({ registration, since }, index) => {
      const isNewer = (other: HeldClient) =>
        other.kept === 'device' ? other.since >= since : own.indexOf(other) > index
      return isUsed(registration) || !all.some((other) => isAlike(other.registration, registration) && isNewer(other))
    })
  }
}

/** Either could be used for the same sign-in. */
const isAlike = (a: Registration, b: Registration): boolean => a.issuer === b.issuer && a.redirectUri === b.redirectUri

const isSame = (a: Registration, b: Registration): boolean => isAlike(a, b) && a.clientId === b.clientId
