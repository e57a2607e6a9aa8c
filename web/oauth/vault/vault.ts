/**
 * The credentials of this page: tokens by server, clients by the authorization server that knows them (AU-PRM-07,
 * AU-REG-12, AU-TOK-06). They are in memory, and go with the page. What its user wants to be remembered is on the device
 * instead, and what stands there counts: a tab that signs in, refreshes or forgets does so for all tabs that remember.
 *
 * What is there is encrypted with a key that cannot leave this browser (`deviceKey`). Never written down: what its user typed in (client secrets, private keys), tokens that are bound to a key, for the key
 * cannot be kept, and what belongs to a server whose address holds a secret.
 */
import { Signal } from '../../mcp/index.ts'
import { Clients } from './clients.ts'
import { type Registration, type TokenSet, AuthError, fault } from '../model/index.ts'
import { clientEntry, entryOf, type Entry, addressOf, forServer, isSame, wholeOf, type Slot } from './entries.ts'
import { exclusively, type Locks } from './exclusive.ts'
import { CLIENT, holdsSecret, OnDevice, SERVER, type KeptServer } from './on-device.ts'
import type { ReturnStorage } from '../consent/index.ts'
import type { SealedStorage } from './sealed-storage.ts'
import { CREDENTIALS } from './storage-keys.ts'

export interface VaultOptions {
  /** `localStorage`; absent: nothing outlives the page. */
  readonly store?: ReturnStorage
  /** The same, where it encrypts: what it writes is there a moment later. */
  readonly sealed?: Pick<SealedStorage, 'settled' | 'refresh' | 'subscribe'>
  /** Nothing can be encrypted here, and so nothing is remembered. */
  readonly insecure?: boolean
  /** `window`: its `storage` events tell what other tabs do. */
  readonly events?: Pick<EventTarget, 'addEventListener'>
  /** `navigator.locks`, by which tabs take turns. A page that is in no secure context has none. */
  readonly locks?: Locks
  /** ms since the epoch. */
  readonly now?: () => number
}

export class Vault {
  readonly #device: OnDevice
  readonly #clients: Clients
  readonly #sealed: VaultOptions['sealed']
  readonly #insecure: boolean
  readonly #locks: Locks | undefined
  readonly #now: () => number
  readonly #slots = new Map<string, Slot>()
  readonly #flights = new Map<string, Promise<TokenSet>>()
  /** Whose refresh token this page is using. */
  readonly #using = new Set<string>()
  readonly #changes = new Signal()
  /** Told of each change, by other tabs too. */
  readonly subscribe = this.#changes.subscribe

  constructor({ store, sealed, insecure = false, events, locks, now = Date.now }: VaultOptions = {}) {
    this.#sealed = sealed
    this.#insecure = insecure
    this.#now = now
    this.#locks = locks
    this.#device = new OnDevice(store, now)
    this.#clients = new Clients(this.#device)
    sealed?.subscribe((event) => {
      if (event.kind === 'refused') this.#refused(event.key, event.value)
    })
    events?.addEventListener('storage', (event) => {
      // Without a key: all of it was cleared.
      const { key } = event as Partial<StorageEvent>
      if (key != null && !key.startsWith(CREDENTIALS)) return
      for (const address of this.#slots.keys()) this.#slot(address)
      this.#changed()
    })
  }

  /** @param server address of the MCP endpoint; other ways to write the same one lead to the same tokens */
  tokensFor(server: string): TokenSet | undefined {
    return forServer(this.#tokens(addressOf(server)), server)
  }

  putTokens(tokens: TokenSet): void {
    this.#put(addressOf(tokens.server), tokens)
  }

  /**
   * A client that this authorization server knows with this redirect URI; none whose secret is over (RFC 7591 section 3.2.1).
   * @param clientId that one, or none; without it the newest
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
    this.#changed()
  }

  isRemembered(server: string): boolean {
    return this.#slot(addressOf(server)).wanted
  }

  /** On: the tokens of this server, those to come, and their client are written down. Off: they are in this page only. */
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
    this.#changed()
  }

  /** Tokens, the client where no other server is with it, and that it was to be remembered. */
  forget(server: string): void {
    this.#forget(addressOf(server))
    this.#changed()
  }

  /** All that this authorization server gave out. */
  forgetIssuer(issuer: string): void {
    for (const address of this.#addresses()) if (this.#issuersAt(address).includes(issuer)) this.#forget(address)
    this.#clients.drop((registration) => registration.issuer === issuer)
    this.#changed()
  }

  /** A client that no tokens are with. */
  forgetClient(issuer: string, clientId: string): void {
    this.#clients.drop((one) => one.issuer === issuer && one.clientId === clientId && !this.#isUsed(one))
    this.#changed()
  }

  /** In this page and on the device. */
  forgetAll(): void {
    this.#slots.clear()
    this.#device.clear()
    this.#clients.drop(() => true)
    this.#changed()
  }

  /**
   * This is the server's issuer now: what another one gave out for it is discarded (AU-PRM-08).
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
      // It stays a server that is to be remembered; for a tab that does not, it becomes none by this.
      if (slot.device) this.#device.putServer({ server: address })
      else this.#device.dropServer(address)
    }
    this.#slot(address)
    this.#dropUnused(issuers)
    this.#changed()
    return forServer(discarded, server)
  }

  /**
   * Puts others in the place of tokens, once for all who ask at the same time, in all tabs (AU-TOK-04): a refresh token
   * that was used is good for nothing any more, and a server takes a second use for a theft.
   *
   * @returns the new ones; another tab may have gotten them meanwhile, and then `run` was not called
   * @throws {AuthError} there are none any more, or another tab takes too long
   * @throws what `run` throws; the old ones stay then
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

  /** All that is kept, in the order of the servers' addresses. */
  entries(): Entry[] {
    const entries = this.#addresses().flatMap((address) => this.#entriesOf(address))
    for (const client of this.#clients.all()) if (!this.#isUsed(client.registration)) entries.push(clientEntry(client))
    return entries
  }

  async #exchanged(address: string, server: string, run: (current: TokenSet) => Promise<TokenSet>): Promise<TokenSet> {
    const before = this.#tokens(address)
    if (!before) throw gone()
    const locked = async () => {
      // What another tab wrote just before it let go of the lock.
      await this.#sealed?.refresh()
      const current = this.#tokens(address)
      if (!current) throw gone()
      if (!isSame(current, before)) return current
      const next = await this.#used(address, () => run(forServer(current, server)))
      const now = this.#tokens(address)
      // Forgotten is forgotten, and a sign-in that came meanwhile counts more.
      if (!now) throw gone()
      if (!isSame(now, before)) return now
      this.#put(address, next)
      await this.#sealed?.settled()
      return next
    }
    return await exclusively(this.#locks, `${CREDENTIALS}${address}`, locked)
  }

  async #used(address: string, run: () => Promise<TokenSet>): Promise<TokenSet> {
    this.#using.add(address)
    const slot = this.#slot(address)
    if (slot.device && !this.#device.setInUse(address, true)) {
      // Where no other tab can be told, none may have it meanwhile.
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

  /** It could not be written after all: it is in this page only. */
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
    this.#changed()
  }

  /** From the device into this page alone; a refresh token that another tab is using is good for nothing here. */
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

  /** As it stands now: other tabs write too. */
  #slot(address: string): Slot {
    const slot = this.#slots.get(address) ?? { wanted: false }
    let kept: KeptServer | undefined
    try {
      kept = this.#device.server(address)
    } catch {
      // It can be read no more: what was read before is all there is.
      return slot
    }
    if (kept && (slot.device || !slot.own)) {
      slot.device = kept
      slot.wanted = true
    } else if (!kept && slot.device) {
      // Another tab forgot it, or its user cleared the storage.
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
    this.#changed()
  }

  /** Writes down what can be, of a server that is to be remembered. */
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
    const record = { server: address, ...(tokens ? { tokens } : {}), ...(clientSource ? { clientSource } : {}) }
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

  /** What this page has for a server, and what is on the device: they differ where another tab remembers it alone. */
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
    // Where nothing could be kept, what was written is no more than that it was to be.
    if (kept && (kept.tokens || !own)) {
      const from = source(kept.tokens) ?? kept.clientSource
      entries.push(entryOf(address, kept.tokens, from, { kept: 'device', remembered: true, since: kept.at }))
    }
    return entries
  }

  #changed(): void {
    this.#changes.emit()
  }
}

const gone = () => new AuthError('refresh', fault('token-refused', 'This server has no stored tokens', 'AU-TOK-03'))
