/**
 * This page's credentials: tokens by server, clients by the authorization server that knows them (AU-PRM-07, AU-REG-12,
 * AU-TOK-06). They are in memory and are lost with the page. Remembered credentials are on the device instead, which is
 * then authoritative: a tab that signs in, refreshes or forgets does so for all tabs that remember.
 *
 * Stored credentials are encrypted with a key that can't leave this browser (`deviceKey`). Never stored: what the user
 * typed (client secrets, private keys), key-bound tokens, and anything of a server whose URL contains a secret.
 */
import { Signal } from '../../mcp/index.ts'
import { type Registration, type TokenSet, AuthError, fault } from '../model/index.ts'
import {
  Clients,
  clientEntry,
  entryOf,
  type Entry,
  addressOf,
  forServer,
  isSame,
  wholeOf,
  type Slot,
} from './entries.ts'
import { CLIENT, exclusively, holdsSecret, OnDevice, SERVER, type KeptServer, type Locks } from './on-device.ts'
import type { ReturnStorage } from '../consent/index.ts'
import type { ReplacedTokens } from './replaced-tokens.ts'
import type { SealedStorage } from './sealed-storage.ts'
import { CREDENTIALS } from './storage-keys.ts'

export interface VaultOptions {
  /** `localStorage`; absent: nothing survives the page. */
  readonly store?: ReturnStorage
  /** The same storage if it encrypts; writes complete asynchronously. */
  readonly sealed?: Pick<SealedStorage, 'settled' | 'refresh' | 'subscribe'>
  /** Nothing can be encrypted here, so nothing is remembered. */
  readonly insecure?: boolean
  /** `window`: its `storage` events report changes by other tabs. */
  readonly events?: Pick<EventTarget, 'addEventListener'>
  /** `navigator.locks`, for mutual exclusion between tabs. Missing outside secure contexts. */
  readonly locks?: Locks
  /** What tabs replaced, visible to all of them at once, unlike `store`. */
  readonly replaced?: ReplacedTokens
  /** ms since the epoch. */
  readonly now?: () => number
}

/** ms for what another tab wrote to the storage to arrive here. */
const LONGEST_ARRIVAL = 2_000
const ARRIVAL_INTERVAL = 20

export class Vault {
  readonly #device: OnDevice
  readonly #clients: Clients
  readonly #sealed: VaultOptions['sealed']
  readonly #insecure: boolean
  readonly #locks: Locks | undefined
  readonly #replaced: ReplacedTokens | undefined
  readonly #now: () => number
  readonly #slots = new Map<string, Slot>()
  readonly #flights = new Map<string, Promise<TokenSet>>()
  /** Servers whose refresh token this page is using. */
  readonly #using = new Set<string>()
  readonly #changes = new Signal()
  /** Notifies about every change, including those by other tabs. */
  readonly subscribe = this.#changes.subscribe

  constructor({ store, sealed, insecure = false, events, locks, replaced, now = Date.now }: VaultOptions = {}) {
    this.#sealed = sealed
    this.#insecure = insecure
    this.#now = now
    this.#locks = locks
    this.#replaced = replaced
    this.#device = new OnDevice(store, now)
    this.#clients = new Clients(this.#device)
    sealed?.subscribe((event) => {
      if (event.kind === 'refused') this.#refused(event.key, event.value)
    })
    events?.addEventListener('storage', (event) => {
      // An event without a key means that the whole storage was cleared.
      const { key } = event as Partial<StorageEvent>
      if (key != null && !key.startsWith(CREDENTIALS)) return
      for (const address of this.#slots.keys()) this.#slot(address)
      this.#changes.emit()
    })
  }

  /** @param server URL of the MCP endpoint; equivalent spellings find the same tokens */
  tokensFor(server: string): TokenSet | undefined {
    return forServer(this.#tokens(addressOf(server)), server)
  }

  putTokens(tokens: TokenSet): void {
    this.#put(addressOf(tokens.server), tokens)
  }

  /**
   * A client that this authorization server knows with this redirect URI, unless its secret has expired
   * (RFC 7591 section 3.2.1).
   * @param clientId only this client; by default the newest
   */
  registrationFor(issuer: string, redirectUri: string, clientId?: string): Registration | undefined {
    const found = this.#clients
      .all()
      .findLast(
        ({ registration }) =>
          registration.issuer === issuer &&
          (registration.redirectUri ?? '') === redirectUri &&
          (clientId === undefined || registration.clientId === clientId) &&
          (registration.secretExpiresAt ?? Infinity) > this.#now(),
      )
    return found?.registration
  }

  putRegistration(registration: Registration): void {
    this.#clients.put(registration, this.#now())
    this.#settle()
    this.#changes.emit()
  }

  isRemembered(server: string): boolean {
    return this.#slot(addressOf(server)).wanted
  }

  /** On: this server's present and future tokens and their client are stored. Off: they are only in this page. */
  remember(server: string, on: boolean): void {
    const address = addressOf(server)
    const slot = this.#slot(address)
    if (on) {
      slot.wanted = true
      if (slot.own || !slot.device) this.#write(address, slot)
    } else {
      slot.own ??= this.#takenOver(address, slot)
      this.#takeOff(address, slot)
      slot.wanted = false
      delete slot.unkept
      this.#settle()
    }
    this.#changes.emit()
  }

  /** Forgets the tokens, the client if no other server uses it, and the choice to remember. */
  forget(server: string): void {
    this.#forget(addressOf(server))
    this.#changes.emit()
  }

  /** Forgets everything that this authorization server issued. */
  forgetIssuer(issuer: string): void {
    for (const address of this.#addresses()) if (this.#issuersAt(address).includes(issuer)) this.#forget(address)
    this.#clients.drop((registration) => registration.issuer === issuer)
    this.#changes.emit()
  }

  /** Forgets a client without tokens. */
  forgetClient(issuer: string, clientId: string): void {
    this.#clients.drop((one) => one.issuer === issuer && one.clientId === clientId && !this.#isUsed(one))
    this.#changes.emit()
  }

  /** Forgets everything in this page and on the device. */
  forgetAll(): void {
    this.#slots.clear()
    this.#device.clear()
    this.#clients.drop(() => true)
    this.#changes.emit()
  }

  /**
   * Sets the server's issuer: credentials from any other issuer are discarded (AU-PRM-08).
   * @returns the tokens that were discarded
   */
  issuerChanged(server: string, issuer: string): TokenSet | undefined {
    const address = addressOf(server)
    const isOther = (tokens: TokenSet) => tokens.issuer !== undefined && tokens.issuer !== issuer
    const [discarded] = this.#tokensAt(address).filter(isOther)
    if (!discarded) return undefined
    const slot = this.#slot(address)
    const issuers = this.#issuersAt(address).filter((one) => one !== issuer)
    if (slot.own && isOther(slot.own)) delete slot.own
    const kept = this.#keptAt(address)
    if (kept?.tokens && isOther(kept.tokens)) {
      // Keep the choice to remember, but only if this tab made it.
      if (slot.device) this.#device.putServer({ server: address })
      else this.#device.dropServer(address)
    }
    this.#slot(address)
    this.#dropUnused(issuers)
    this.#changes.emit()
    return forServer(discarded, server)
  }

  /**
   * Replaces tokens, once for concurrent callers in all tabs (AU-TOK-04): a used refresh token is invalid, and servers
   * treat a second use as theft.
   *
   * @returns the new tokens; if another tab has already replaced them, `run` isn't called
   * @throws {AuthError} there are no tokens any more, or another tab takes too long
   * @throws what `run` throws; the old tokens are kept then
   */
  async exchange(server: string, run: (current: TokenSet) => Promise<TokenSet>): Promise<TokenSet> {
    const address = addressOf(server)
    let flight = this.#flights.get(address)
    if (!flight) {
      flight = this.#exchanged(address, server, run).finally(() => this.#flights.delete(address))
      this.#flights.set(address, flight)
    }
    return forServer(await flight, server)
  }

  /** All entries, ordered by the servers' URLs. */
  entries(): Entry[] {
    const entries = this.#addresses().flatMap((address) => this.#entriesOf(address))
    for (const client of this.#clients.all()) if (!this.#isUsed(client.registration)) entries.push(clientEntry(client))
    return entries
  }

  async #exchanged(address: string, server: string, run: (current: TokenSet) => Promise<TokenSet>): Promise<TokenSet> {
    const before = this.#tokens(address)
    if (!before) throw gone()
    const locked = async () => {
      const current = await this.#arrived(address, before)
      if (!current) throw gone()
      if (!isSame(current, before)) return current
      const next = await this.#used(address, () => run(forServer(current, server)))
      const now = this.#tokens(address)
      // If the tokens were forgotten or a new sign-in replaced them meanwhile, don't overwrite that.
      if (!now) throw gone()
      if (!isSame(now, before)) return now
      this.#put(address, next)
      await this.#sealed?.settled()
      if (this.#slot(address).device && !isSame(next, before)) await this.#replaced?.add(before)
      return next
    }
    return await exclusively(this.#locks, `${CREDENTIALS}${address}`, locked)
  }

  /** The tokens as the tab that released the lock left them, even if what it wrote arrives only now. */
  async #arrived(address: string, before: TokenSet): Promise<TokenSet | undefined> {
    for (let waited = 0; ; waited += ARRIVAL_INTERVAL) {
      await this.#sealed?.refresh()
      const current = this.#tokens(address)
      const isShared = this.#slot(address).device !== undefined
      const isOutdated = current && isShared && isSame(current, before) && (await this.#replaced?.has(before))
      if (!isOutdated || waited >= LONGEST_ARRIVAL) return current
      await new Promise((resolve) => setTimeout(resolve, ARRIVAL_INTERVAL))
    }
  }

  async #used(address: string, run: () => Promise<TokenSet>): Promise<TokenSet> {
    this.#using.add(address)
    const slot = this.#slot(address)
    if (slot.device && !this.#device.setInUse(address, true)) {
      // If other tabs can't be notified, they must not have the token meanwhile.
      slot.own = wholeOf(slot)
      this.#takeOff(address, slot)
    }
    try {
      return await run()
    } finally {
      this.#using.delete(address)
      this.#device.setInUse(address, false)
      if (slot.own && slot.wanted && this.#slots.get(address) === slot) this.#write(address, slot)
    }
  }

  /** Writing failed afterwards, so it is only in this page. */
  #refused(key: string, value: string): void {
    const slot = key.startsWith(SERVER) ? this.#slots.get(key.slice(SERVER.length)) : undefined
    if (slot) {
      slot.own ??= wholeOf(slot)
      delete slot.device
      delete slot.whole
      slot.wanted = true
      slot.unkept = 'refused'
    }
    if (key.startsWith(CLIENT)) {
      const { registration } = JSON.parse(value) as { readonly registration: Registration }
      this.#clients.put(registration, this.#now())
    }
    this.#changes.emit()
  }

  /** Moves tokens from the device to this page alone; a refresh token that another tab is using is dropped. */
  #takenOver(address: string, slot: Slot): TokenSet | undefined {
    const tokens = wholeOf(slot)
    if (!tokens || this.#using.has(address) || !this.#device.isInUse(address)) return tokens
    const { refreshToken: _, ...rest } = tokens
    return rest
  }

  #tokens(address: string): TokenSet | undefined {
    const slot = this.#slot(address)
    return slot.own ?? wholeOf(slot)
  }

  /** The current state, because other tabs write as well. */
  #slot(address: string): Slot {
    const slot = this.#slots.get(address) ?? { wanted: false }
    let kept: KeptServer | undefined
    try {
      kept = this.#device.server(address)
    } catch {
      // The storage can't be read any more, so keep the last state.
      return slot
    }
    if (kept && (slot.device || !slot.own)) {
      slot.device = kept
      slot.wanted = true
    } else if (!kept && slot.device) {
      // Another tab forgot it, or the user cleared the storage.
      delete slot.device
      delete slot.whole
      slot.wanted = false
    }
    if (slot.own || slot.wanted) this.#slots.set(address, slot)
    else this.#slots.delete(address)
    return slot
  }

  #put(address: string, tokens: TokenSet): void {
    const slot = this.#slot(address)
    slot.own = tokens
    this.#slots.set(address, slot)
    if (slot.wanted) this.#write(address, slot)
    this.#changes.emit()
  }

  /** Stores what can be stored of a server that should be remembered. */
  #write(address: string, slot: Slot): void {
    this.#slots.set(address, slot)
    delete slot.device
    delete slot.unkept
    if (holdsSecret(address)) {
      slot.unkept = 'address'
      return
    }
    const { own } = slot
    const bound = own !== undefined && (own.tokenType === 'DPoP' || own.dpopKey !== undefined)
    const tokens = bound ? undefined : own
    const clientSource = own && this.#clients.of(own)?.source
    const record = { server: address, tokens, clientSource }
    if (this.#using.has(address)) this.#device.setInUse(address, true)
    if (!this.#device.putServer(record)) slot.unkept = this.#insecure ? 'insecure' : 'refused'
    else if (bound) slot.unkept = 'bound'
    else {
      slot.whole = own
      delete slot.own
    }
    if (slot.unkept !== 'refused') slot.device = this.#keptAt(address)
    this.#settle()
  }

  #takeOff(address: string, slot: Slot): void {
    this.#device.dropServer(address)
    delete slot.device
    delete slot.whole
  }

  #forget(address: string): void {
    const issuers = this.#issuersAt(address)
    const slot = this.#slot(address)
    this.#takeOff(address, slot)
    this.#slots.delete(address)
    this.#dropUnused(issuers)
  }

  #addresses(): string[] {
    return [...new Set([...this.#slots.keys(), ...this.#device.servers().map(({ server }) => server)])].sort()
  }

  /** The tokens in this page and on the device; they differ if only another tab remembers the server. */
  #tokensAt(address: string): TokenSet[] {
    const slot = this.#slot(address)
    return [slot.own, slot.device?.tokens ?? this.#keptAt(address)?.tokens].filter((tokens) => tokens !== undefined)
  }

  #issuersAt(address: string): string[] {
    return this.#tokensAt(address).flatMap(({ issuer }) => issuer ?? [])
  }

  #keptAt(address: string): KeptServer | undefined {
    try {
      return this.#device.server(address)
    } catch {
      return this.#slots.get(address)?.device
    }
  }

  #isUsed({ issuer, clientId }: Registration): boolean {
    return this.#addresses().some((address) =>
      this.#tokensAt(address).some((tokens) => tokens.issuer === issuer && tokens.clientId === clientId),
    )
  }

  #dropUnused(issuers: readonly string[]): void {
    this.#clients.drop((registration) => issuers.includes(registration.issuer) && !this.#isUsed(registration))
  }

  #settle(): void {
    const remembered = this.#device.servers().flatMap(({ tokens }) => tokens ?? [])
    this.#clients.settle(remembered, (registration) => this.#isUsed(registration))
  }

  #entriesOf(address: string): Entry[] {
    const { own, device, wanted, unkept } = this.#slot(address)
    const kept = device ?? this.#keptAt(address)
    const source = (tokens: TokenSet | undefined) => tokens && this.#clients.of(tokens)?.source
    const entries: Entry[] = []
    if (own) entries.push(entryOf(address, own, source(own), { kept: 'memory', remembered: wanted, unkept }))
    // If no tokens could be stored, the record only says that they should be remembered.
    if (kept && (kept.tokens || !own)) {
      const from = source(kept.tokens) ?? kept.clientSource
      entries.push(entryOf(address, kept.tokens, from, { kept: 'device', remembered: true, since: kept.at }))
    }
    return entries
  }
}

const gone = () => new AuthError('refresh', fault('token-refused', 'This server has no stored tokens', 'AU-TOK-03'))
