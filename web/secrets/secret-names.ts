/**
 * Names that indicate a secret, by `redaction-rules.ts`: of headers, members, parameters and variables, however their
 * words are joined.
 */
import { inBothScripts } from './han-spellings.ts'
import { DEFAULT_REDACTIONS, type RedactionRule } from './redaction-rules.ts'

export type Where = 'key' | 'parameter' | 'header' | 'variable'

/** Cache for looked-up names; a hostile session may have any number of them. */
const MOST_REMEMBERED = 20_000
const LONGEST_NAME = 80
/** Words at the end of a name to check together. */
const MOST_WORDS = 4
/** `SSHPASS`, `dbpw`: what it is for, and a short word for a password. */
const SHORT =
  /^(?:ssh|db|database|ftp|sftp|smtp|imap|mail|email|root|admin|user|login|sudo|su|ldap|bind|mysql|my|pg|postgres|psql|mongo|redis|mqtt|amqp|rabbit|http|proxy|wifi|wlan|vnc|rdp|vpn|samba|smb|nas|key|store|trust|keystore|truststore|zip|rar|pdf|gpg|ssl|tls|cert|pfx|p12|encfs|luks|disk|vault|ansible|become|kube|docker|registry|git|svn|jenkins|sonar|nexus|oracle|ora|mssql|sql|sa|web|app|api|svc|service|bot|irc|nick|sip|ipmi|bmc|ilo|idrac|snmp|radius|krb|kinit|ad|domain|win|mac|pi|router|admin|master|guest|test|old|new|enc|dec|backup|restic|borg|rsync|rclone)(?:pass|pw|passw|pwrd|pswd|psw)$/
/** The same in two words: `ansible_ssh_pass`. Elsewhere, `pass` is a result or a directive: `docker_pass`, `proxy_pass`. */
const SHORT_PAIR =
  /^(?:ssh|sftp|ftp|smtp|imap|pop|sudo|su|become|enable|bind|ldap|db|database|mysql|mariadb|pg|postgres|mongo|redis|mqtt|amqp|wifi|wlan|wpa|vnc|rdp|vpn|smb|samba|luks|ipmi|bmc|idrac|ilo|snmp|radius|keystore|truststore|p12|pfx|zip|gpg|router) (?:pass|pw|psw|pswd|passw)$/
/** What one passes, or shows at a gate: no passwords. */
const OTHER_PASSES =
  /(?:by|com|over|under|encom|tres|sur|low|high|band|all|multi|single|one|two|first|second|third|last|final|next|render|shader|depth|shadow|light|boarding|season|hall|bus|ski|day|press|rail|battle|free|lift)pass$/
/** Words for secrets with one letter left out, doubled, swapped or wrong: `apiky`, `pasword`, `contrasenna`. */
const MISSPELLED_PAIRS: readonly string[] =
  'apikey secretkey accesskey privatekey accesstoken authtoken refreshtoken clientsecret'.split(' ')
const MISSPELLED: readonly string[] = [
  ...MISSPELLED_PAIRS,
  ...['password', 'passphrase', 'passcode', 'credential', 'kennwort', 'passwort', 'contrasena', 'wachtwoord'],
]
/** Other words that are as near. */
const SPELLED_WELL: ReadonlySet<string> = new Set([
  'passport',
  'passports',
  'credentials',
  'credentialed',
  'passcodes',
  'passwords',
  'passphrases',
  'apikeys',
])

/** One letter is left out, added, wrong, or two are swapped. */
const isNear = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1 || one.charAt(0) !== other.charAt(0)) return false
  let at = 0
  while (at < one.length && one.charAt(at) === other.charAt(at)) at++
  const [rest, right] = [one.slice(at), other.slice(at)]
  return (
    rest.slice(1) === right ||
    rest === right.slice(1) ||
    rest.slice(1) === right.slice(1) ||
    (rest.charAt(0) === right.charAt(1) && rest.charAt(1) === right.charAt(0) && rest.slice(2) === right.slice(2))
  )
}

/** A single word with one of these endings counts: `dbpassword`, `mysecret`. */
const ENDINGS = (
  'password passwd passphrase passwort apikey tokenkey secretkey accesskey privatekey encryptionkey accesstoken authtoken apitoken ' +
  'kennwort wachtwoord losenord passord salasana adgangskode kodeord bottoken refreshtoken sessiontoken clientsecret sharedsecret appsecret webhooksecret secret sessionid pincode pwd'
).split(' ')
/** Words behind a secret's name that say which of several it is, without digits: `DB_PASSWORD_STAGING`, `api_key_v2`. */
const WHICH: ReadonlySet<string> = new Set(
  (
    'prod production staging stage dev development test testing live sandbox local old new current previous next primary ' +
    'secondary backup value plain plaintext cleartext raw text string str b base encoded hex v default admin root ' +
    'ro rw readonly main a b c one two eu us ci ' +
    // In other languages, what it is for follows.
    'nuevo nueva novo nova nouveau nouvelle neu neue nieuw actual viejo antiguo ancien alt alte temporal temporario temporaria temporaire ' +
    'temporaneo temporanea provisional provisorio provisoria inicial initiale iniziale bazy baza bd base banco datos dados donnees correo email mail ' +
    'servidor serveur server usuario utilisateur utente utilizador uzytkownika administrador administrateur amministratore cuenta conta compte ' +
    'cliente clientes kunde kunden klienta klijenta klientas zakaznika zakaznik ugyfel musteri asiakas aplicacion aplicacao applicazione anwendung aplikacji aplikace uygulama servicio servico servizio dienst tjanst usluge uslugi sluzby ' +
    'p12 pfx pem jks keystore truststore luks gpg pgp wlan hotspot usb bios nas sistema systeme rede red reseau rete wifi portal router db ftp vpn smtp app poczty serwera sieci databaze serveru site ' +
    'baze bazu podataka servera korisnika admina poste mreze racuna sustava podatkov uporabnika streznika tietokanta palvelin kayttaja databas databasen servern konto anvandare veritabani sunucu kullanici yonetici adatbazis szerver anda kamu saya kami mereka nyo mo ko wako yako lako zako ban cua anh של שלך שלכם شما من شماره آپ felhasznalo basededatos basedatos databank gebruiker beheerder'
  ).split(' '),
)
/** Words in front of a name that make it a question or a label: `hasPassword`, `forgot_password`. */
const ABOUT: ReadonlySet<string> = new Set(
  (
    'has have is are was no needs need requires require required show hide forgot forgotten reset invalid missing wrong ' +
    'use uses allow allows with without enable enabled disable disabled enter your change supports validate check verify ' +
    'generate create get set hash encrypt compare min max count num number total'
  ).split(' '),
)

/** `inloggenZonderWachtwoord`: anywhere in front of it. */
const WITHOUT: ReadonlySet<string> = new Set('without zonder ohne sin sans senza sem bez uden utan'.split(' '))

/** Behind these, a name says what the secret is for: `clave_de_firma`, `hasło do panelu`, `wachtwoord voor de server`. */
const FOR: ReadonlySet<string> = new Set(
  'de di da del della dello des para pour fur voor dla til till do od za pro pre untuk kwa icin fyrir bagi за от для до'.split(
    ' ',
  ),
)
/** Names in front of what they are for, in languages that need no word between. */
const HEADS: readonly string[] =
  'ma xac nhan,ma kich hoat,ma nhan hang,ma lay hang,ma vao cua,ma bao mat,ma du phong,ma khoi phuc,mat khau,ma truy cap,ma pin,ma khoa,ma mo khoa,ma xac thuc,ma xac minh,ma bao ve,kata sandi,kata laluan,kode akses,kode kunci,kode verifikasi'
    .split(',')
    .map((head) => head.replaceAll(' ', ''))

/** Words for a password that name what it is for in a case of its own. */
const FIRST: ReadonlySet<string> = new Set(
  'hasło haslo heslo lozinka geslo zaporka šifra parola parolă парола пароль лозинка гасло jelszo slaptazodis sandi contrasena contrasenya'
    .split(' ')
    .map((one) => one.normalize('NFKD').replace(/\p{M}/gu, '')),
)

/** Keys that open nothing. */
const OTHER_KEYS: ReadonlySet<string> = new Set(
  (
    'primary foreign partition sort row range composite unique candidate cache idempotency public i18n translation message ' +
    'locale object s3 storage blob file lookup map hash group field column property json yaml config setting registry ' +
    'issue project jira ticket space page query search index routing shard dedupe dedup reduce react list item node edge ' +
    'hot shortcut keyboard arrow enter escape tab meta ctrl alt shift any no the this each that next previous last first ' +
    'foreignkey inchi kms state session storage etag resource parent child id ref reference host known from by for on in under matching with ' +
    'persist persisted persistence store draft menu route event theme label selected active current view memo layout feature flag widget ' +
    'component prop slot entity record document cell option preference metric tag category sorting grouping filter facet bucket dimension text string content namespace'
  ).split(' '),
)

/** Short forms of the last word of a name: `auth_tok`, `client_sec`. */
const SHORTENED: readonly (readonly [last: RegExp, whole: string])[] = [
  [/^(?:tok|tkn)$/, 'token'],
  [/^(?:secr|scrt|secrt)$/, 'secret'],
]
const BEFORE_SEC: ReadonlySet<string> = new Set('client shared consumer webhook signing oauth'.split(' '))
const FIRST_SHORT: Readonly<Record<string, string>> = { sess: 'session', acc: 'access', authn: 'auth', refr: 'refresh' }
const whole = (words: readonly string[]): readonly string[] | undefined => {
  const [last = '', before] = [words.at(-1), words.at(-2)]
  if (before === undefined) return undefined
  const full = last === 'sec' && BEFORE_SEC.has(before) ? 'secret' : SHORTENED.find(([form]) => form.test(last))?.[1]
  return full === undefined || full === last ? undefined : [...words.slice(0, -2), FIRST_SHORT[before] ?? before, full]
}

/** What a key consists of, and how it is written. */
const MATERIAL = /^(?:plaintext|plain|material|bytes|hex|raw|b|base|bits)$/

/** What makes a value of this name a secret. */
export interface NameRule {
  readonly id: string
  readonly where?: 'parameter' | 'header'
  /** The value must also look like a secret. */
  readonly ambiguous?: true
  /** Short numbers count as well. */
  readonly digits?: true
  /** Only a long random value counts: any name may end like this one. */
  readonly random?: true
  /** Only a number of four to eight digits counts. */
  readonly number?: true
  /** Somebody says it: any words count. */
  readonly said?: true
  /** A word for a password, and behind it what it is for: at a sure place, a word counts. */
  readonly worded?: true
  /** Programs look something up by keys of this name: a value composed of words and numbers doesn't count. */
  readonly looksUp?: true
}

/** What else is said of a document or a number: until when, where, which, how it is checked. */
export const OF_DOCUMENT =
  /expir|valid|issue|updat|creat|verif|check|hash|count|status|type|country|office|scan|file|url|path|image|photo|page|format|regex|pattern|mask|label|length|size|version|hint|error|field|column|ablauf|gultig|ausgestellt|datum|date|data|fecha|dato|vencim|caduc|scad|rilasc|emis|valab|verval|afgif|gyldig|giltig|utlop|udlob|voima|waznos|wydan|platn|vydan|istek|izdan|lejar|kiall|gecerl|verilis|berlaku|срок|выдан|действ|термін|валид|издаден|ισχυ|εκδοσ|תוקף|הנפק|صلاح|انتهاء|اصدار|انقض|वैध|有效|签发|期限|発行|만료|발급|hsn|rf$/u

/** Of a store in the cloud, these are secrets; of one in a browser, they aren't. */
const STORES: ReadonlySet<string> = new Set(['storage', 'session'])

/** `pin_parental`; `senha do portão`; `mot_de_passe_urgence`. */
const NUMBER: NameRule = { id: 'name:pin', ambiguous: true, number: true }
const OPENS: NameRule = { id: 'name:password', ambiguous: true, digits: true }
const SAID: NameRule = { id: 'name:password', digits: true, said: true }
const CHOSEN: NameRule = { id: 'name:password', ambiguous: true }
/** Of these, what follows isn't what they open: `password_manager`, `clave_primaria`. */
const NOT_IN_FRONT: ReadonlySet<string> = new Set(
  'password passphrase passcode passwd passwort kennwort wachtwoord clave kata mat'.split(' '),
)

const NAME_BEFORE = /([\p{L}\p{N}_-]{4,40})["']?\s?[:=]\s?["']?$/u

/** `sortKey: `, `i18n_key=`: a key by which programs look something up follows. */
export const endsWithLookup = (front: string): boolean => {
  const name = /[kK](?:ey|EY)/.test(front) ? NAME_BEFORE.exec(front)?.[1] : undefined
  const words = name === undefined ? [] : wordsOf(name)
  return /^keys?$/.test(words.at(-1) ?? '') && OTHER_KEYS.has(words.at(-2) ?? '')
}

/** Names that are composed of a word for a secret and one for what it protects. */
export interface ComposedNames {
  readonly hints: readonly string[]
  /** @returns the rule that has such names, without `name:` */
  readonly kindOf: (words: readonly string[]) => string | undefined
  /** They say something about a password: its length, its rules. */
  readonly isAbout?: (words: readonly string[]) => boolean
}

/** Lower-case words without accents: `X-APIKey2` is `x`, `api`, `key`. */
const wordsOf = (name: string): string[] =>
  withoutAccents(name)
    .replace(/(?<!\p{L})wi[-_ ]fi(?!\p{L})/giu, 'wifi')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => (word === 'p12' ? word : word.replace(/\d+$/, '')))
    .filter((word) => word !== '')

/** `contraseña` and `contrasena` are the same name. */
const withoutAccents = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- most names are ASCII, and normalizing takes time
  /^[\x00-\x7f]*$/.test(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')

const joined = (name: string): string => wordsOf(name).join('')

/** `zugangsschluessel`, `loesenord`: how keyboards and programs without such letters write them. */
export const inAscii = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .replaceAll('å', 'aa')
    .replaceAll('ø', 'oe')
    .replaceAll('æ', 'ae')

/** `fodselsnummer`, `haslo`: letters that are no others with an accent, as programs without them write them. */
export const inBaseLetters = (name: string): string =>
  name.toLowerCase().replace(/[øłđðıßæœþ]/g, (letter) => BASES[letter]!)
const BASES: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

/**
 * An expression for any of the words, by their first characters: with thousands of them side by side, each would be tried at
 * every character of a text.
 */
const anyOf = (words: readonly string[], depth = 0): string => {
  if (depth > 1 || words.length < 3 || words.some((word) => word === '')) return words.map(escaped).join('|')
  const byFirst = new Map<string, string[]>()
  for (const word of new Set(words)) {
    const first = word.slice(0, 1)
    byFirst.set(first, [...(byFirst.get(first) ?? []), word.slice(1)])
  }
  const groups = [...byFirst].map(([first, rests]) => `${escaped(first)}(?:${anyOf(rests, depth + 1)})`)
  return `(?=[${[...byFirst.keys()].map(escaped).join('')}])(?:${groups.join('|')})`
}
const escaped = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '\\$&')

/** Characters of a text in which names are looked for first. */
const LONG = 2000

export class Names {
  readonly #rules = new Map<string, NameRule[]>()
  readonly #harmless = new Set<string>()
  readonly #remembered = new Map<string, readonly NameRule[]>()
  /** A quick test whether a text can contain a name at all. */
  readonly hint: RegExp | undefined
  /** The rule for headers is on. */
  readonly knowsHeaders: boolean

  readonly #composed: ComposedNames | undefined
  readonly #byId = new Map<string, NameRule>()

  /** @param composed names that are taken apart, besides those that are listed */
  constructor(rules: readonly RedactionRule[], composed?: ComposedNames) {
    this.#composed = composed
    const hints = new Set<string>(composed?.hints)
    this.knowsHeaders = rules.some(({ id, off }) => id === 'name:header' && !off)
    for (const rule of rules) {
      if (rule.off) continue
      if (rule.kind === 'except') for (const name of rule.names) this.#harmless.add(joined(name))
      if (rule.kind !== 'name') continue
      for (const name of rule.names.flatMap((one) => [
        ...new Set([...inBothScripts(one), inAscii(one), inBaseLetters(one)]),
      ])) {
        const key = joined(name)
        if (key === '') continue
        const { id, where, ambiguous, digits } = rule
        const nameRule: NameRule = {
          id,
          ...(where ? { where } : {}),
          ...(ambiguous ? { ambiguous } : {}),
          ...(digits ? { digits } : {}),
        }
        this.#rules.set(key, [...(this.#rules.get(key) ?? []), nameRule])
        if (where === undefined) this.#byId.set(id, nameRule)
        // The longest of its words, because short ones such as `id` occur everywhere.
        for (const spelling of [name.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u), wordsOf(name)])
          hints.add(spelling.toSorted((one, other) => other.length - one.length)[0]!)
      }
    }
    if (this.knowsHeaders) for (const hint of ['key', 'tok', 'tkn', 'scrt', 'sec']) hints.add(hint)
    if (hints.size > 0) this.hint = new RegExp(anyOf([...hints]), 'i')
  }

  /**
   * Whether a range may contain a name. Call it with ascending ends. In a long text, as of a program, it spares a closer
   * look at most ranges.
   */
  within(text: string): (from: number, to: number) => boolean {
    if (!this.hint || text.length < LONG) return () => true
    const places: number[] = []
    // Removing accents keeps the offsets, unless the text has them as characters of their own.
    const plain = withoutAccents(text)
    for (const one of plain.length === text.length && plain !== text ? [text, plain] : [text])
      for (const { index } of one.matchAll(new RegExp(this.hint, 'gi'))) places.push(index)
    places.sort((one, other) => one - other)
    let next = 0
    return (from, to) => {
      while (next < places.length && places[next]! < to) next++
      return next > 0 && places[next - 1]! >= from
    }
  }

  /** Its last words form a name that only looks like a secret's: `next_page_token`. */
  isHarmless(name: string): boolean {
    const words = wordsOf(name)
    return words.some((_, at) => this.#harmless.has(words.slice(at).join('')))
  }

  /** It is one of the names, word for word. */
  isName(text: string): boolean {
    return this.#rules.has(joined(text))
  }

  /** The ID of the rule that makes a value of this name a secret. */
  ruleOf(name: string, where: Where): string | undefined {
    return this.of(name, where)?.id
  }

  /** What makes a value of this name a secret. */
  of(name: string, where: Where): NameRule | undefined {
    if (name.length > LONGEST_NAME || name.length < 2) return undefined
    let rules = this.#remembered.get(name)
    if (!rules) {
      rules = this.#find(name)
      if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
      this.#remembered.set(name, rules)
    }
    const own = rules.filter((rule) => rule.where === where)
    return own.length > 0 ? own[0] : rules.find((rule) => rule.where === undefined)
  }

  #find(name: string): readonly NameRule[] {
    if (this.hint && !this.hint.test(name) && !this.hint.test(withoutAccents(name))) return []
    const words = wordsOf(name)
    const about = words.length > 1 && (ABOUT.has(words[0]!) || words.slice(0, -1).some((word) => WITHOUT.has(word)))
    const said = this.#composed?.kindOf(words) === 'said' ? this.#ofWords(words) : undefined
    const named =
      said ??
      this.#ending(words) ??
      this.#ending(withoutWhich(words)) ??
      this.#shortened(words) ??
      this.#head(words) ??
      this.#ofPerson(words) ??
      this.#ofWords(words)
    // A name that is known to be harmless.
    if (named?.length === 0) return []
    const [last, before = ''] = [words.at(-1), words.at(-2)]
    // `?sortKey=…`: `key` itself is a name in a URL only.
    if (last === 'key' && OTHER_KEYS.has(before) && named?.every(({ where }) => where === 'parameter')) return []
    if (last === 'key' && STORES.has(before)) return named?.map((rule) => ({ ...rule, looksUp: true as const })) ?? []
    const found = named?.some((rule) => rule.where === undefined)
      ? named
      : [
          ...(named ?? []),
          // `code` and `key` themselves are names in a URL only.
          ...((named === undefined ? undefined : this.#ofWords(words)) ?? this.#anyKey(words)),
        ]
    return about ? found.map((rule) => ({ ...rule, ambiguous: true as const })) : found
  }

  /** `dni_padre`, `ת.ז. הורה`: whose number it is stands behind its name. */
  #ofPerson(words: readonly string[]): readonly NameRule[] | undefined {
    for (let end = words.length - 1; end > 0 && end >= words.length - 2; end--) {
      const rules = this.#ending(words.slice(0, end))
      if (rules?.length && rules.every(({ id }) => id === 'name:identity'))
        return OF_DOCUMENT.test(words.slice(end).join(' ')) ? undefined : rules
    }
    return undefined
  }

  /** A value of such a name must look like a secret, too: `tok` may be anything. */
  #shortened(words: readonly string[]): readonly NameRule[] | undefined {
    const full = whole(words)
    return full && this.#ending(full)?.map((rule) => ({ ...rule, ambiguous: true as const }))
  }

  /** `turvakoodi`, `código de seguridad`. */
  #ofWords(words: readonly string[]): readonly NameRule[] | undefined {
    const kind = this.#composed?.kindOf(words) ?? this.#composed?.kindOf(withoutWhich(words))
    if (kind === 'said') return this.#byId.has('name:password') ? [SAID] : undefined
    if (kind === 'number') return this.#byId.has('name:pin') ? [NUMBER] : undefined
    if (kind?.startsWith('password-'))
      return this.#byId.has('name:password') ? [worded(kind === 'password-number' ? OPENS : CHOSEN, words)] : undefined
    const rule = kind === undefined ? undefined : this.#byId.get(`name:${kind}`)
    return rule && [rule]
  }

  /** `chartmogul_key`: the key of some service, unless it is one of a table or a map. */
  #anyKey(words: readonly string[]): readonly NameRule[] {
    const [last, before] = [words.at(-1), words.at(-2)]
    // `dataKeyPlaintextHex`: the bytes of a key.
    const key = words.lastIndexOf('key')
    const rest = words.slice(key + 1)
    if (
      key > 0 &&
      rest.length > 0 &&
      words[key - 1] !== 'public' &&
      rest.every((word) => MATERIAL.test(word)) &&
      this.knowsHeaders
    )
      return [{ id: 'name:key', ambiguous: true }]
    if (!this.knowsHeaders || (last !== 'key' && last !== 'apikey') || before === undefined || OTHER_KEYS.has(before))
      return []
    return [{ id: 'name:key', ambiguous: true, random: true }]
  }

  /** @returns `undefined` if no name is known; nothing if a harmless one is */
  #ending(words: readonly string[]): readonly NameRule[] | undefined {
    if (words.length > 1 && SHORT_PAIR.test(`${words.at(-2)} ${words.at(-1)}`)) return this.#rules.get('password')
    for (let count = Math.min(MOST_WORDS, words.length); count > 0; count--) {
      const end = words.slice(-count).join('')
      if (this.#harmless.has(end)) return []
      const rules = this.#rules.get(end)
      if (rules) return rules
    }
    const last = words.at(-1) ?? ''
    const glued = this.#withoutSpaces(last)
    if (glued) return glued
    if (SHORT.test(last)) return this.#rules.get('password')
    // `remotepass`
    if (last.endsWith('pass') && last.length > 6 && !OTHER_PASSES.test(last))
      return this.#rules.get('password')?.map((rule) => ({ ...rule, ambiguous: true as const }))
    const near = this.#misspelled(words)
    if (near) return near
    const ending = ENDINGS.find((one) => last.length > one.length && last.endsWith(one) && this.#rules.has(one))
    return ending === undefined ? undefined : this.#rules.get(ending)
  }

  #misspelled(words: readonly string[]): readonly NameRule[] | undefined {
    const last = words.at(-1) ?? ''
    const pair = last.length > 1 ? words.slice(-2).join('') : ''
    for (const [end, meanings] of [
      [last, MISSPELLED],
      [pair, MISSPELLED_PAIRS],
    ] as const) {
      if (end.length < 5 || end.length > 13 || SPELLED_WELL.has(end)) continue
      const meant = meanings.find((one) => isNear(end, one))
      if (meant !== undefined) return this.#rules.get(meant)?.map((rule) => ({ ...rule, ambiguous: true as const }))
    }
    return undefined
  }

  /** What it is for follows the name. Such a name may also be about something else, so the value must look like a secret. */
  #head(words: readonly string[]): readonly NameRule[] | undefined {
    const link = words.findIndex((word, at) => at > 0 && FOR.has(word))
    if (link > 0 && link < words.length - 1) {
      const rules = this.#ending(words.slice(0, link))
      if (rules && rules.length > 0) return rules.map((rule) => worded({ ...rule, ambiguous: true }, words))
    }
    // `haslo_archiwum`
    if (words.length > 1 && words.length < 4 && FIRST.has(words[0]!) && !this.#composed?.isAbout?.(words.slice(1)))
      return this.#rules.get(words[0]!)?.map((rule) => worded({ ...rule, ambiguous: true }, words))
    for (let count = 2; count < Math.min(MOST_WORDS, words.length); count++) {
      const head = words.slice(0, count).join('')
      if (HEADS.includes(head)) return this.#rules.get(head)
    }
    return undefined
  }

  /** Languages without spaces: `登录密码` ends with the name; in Thai, Lao and Khmer it comes first. */
  #withoutSpaces(word: string): readonly NameRule[] | undefined {
    const first = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(word)
    if (!first && !/[\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}]$/u.test(word)) return undefined
    for (const [name, rules] of this.#rules)
      if (name.length > 1 && name !== word && (first ? word.startsWith(name) : word.endsWith(name))) return rules
    return undefined
  }
}

const worded = (rule: NameRule, words: readonly string[]): NameRule =>
  rule.id === 'name:password' && !NOT_IN_FRONT.has(words[0]!) ? { ...rule, worded: true } : rule

const withoutWhich = (words: readonly string[]): readonly string[] => {
  let end = words.length
  while (end > 1 && words.length - end < 2 && WHICH.has(words[end - 1]!)) end--
  return words.slice(0, end)
}

const NAMES = new Names(DEFAULT_REDACTIONS)

/** True for `API_KEY`, `--token`, `DB_PASS`, `Private-Token`; false for `max_tokens`, `keyboard`, `page_token`. */
export const isSecretName = (name: string, where: Where = 'variable'): boolean =>
  NAMES.ruleOf(name, where) !== undefined

/** Words that indicate a secret in what the user typed to connect, but are too common in server output. */
const HINTS: ReadonlySet<string> = new Set(
  [
    'key keys apikey token secret secrets sig ssn cvv cvc psk ticket jsessionid sid sig signature auth authentication authorization bearer jwt pat',
    'pass passwd password passwords passphrase passcode passwd pwd pw pin otp totp mfa mnemonic cookie cookies cred creds credential credentials',
  ].flatMap((line) => line.split(' ')),
)
const HINTS_OF_PARAMETERS: ReadonlySet<string> = new Set(['code', 'session', 'sid', 'k', 's', 't'])
const HINTS_OF_HEADERS: ReadonlySet<string> = new Set([
  'session',
  'sid',
  'ticket',
  'hmac',
  'sso',
  'code',
  'license',
  'licence',
  'sig',
])
const PART = /token(?!s|i[sz])|secret(?!ar)|passw|apikey|credential/i

/**
 * The broader test, for cases where a false positive is harmless: the value isn't stored, and has to be entered again.
 * @param where `parameter`: of a query, where even short names hold secrets
 */
export const mayBeSecretName = (name: string, where: Where = 'variable'): boolean => {
  if (isSecretName(name, where)) return true
  if (name.length > 200) return false
  if (PART.test(name)) return !NAMES.isHarmless(name)
  const words = wordsOf(name)
  if (words.some((word) => HINTS.has(word))) return !NAMES.isHarmless(name)
  return where === 'parameter' && words.some((word) => HINTS_OF_PARAMETERS.has(word))
}

/** Headers about keys and sign-ins that hold none. */
const HARMLESS_HEADER =
  /^(?:access-control-|sec-|www-authenticate$|proxy-authenticate$|idempotency-key$|surrogate-key|x-cache-key|mcp-|authority$|:authority$|x-authenticated-|keep-alive$|public-key|x-token-bucket|accept-|x-(?:accepted-)?oauth-scopes$|signature-input$|x-ratelimit|ratelimit|x-.*-(?:count|limit|remaining|type|length)$)/i

/** A header whose name may be that of a secret: `X-PIN`, `X-Webhook-Key`, `X-Auth-Ticket`. */
export const isHeaderOfSecret = (name: string): boolean =>
  !HARMLESS_HEADER.test(name) &&
  (mayBeSecretName(name, 'header') || wordsOf(name).some((word) => HINTS_OF_HEADERS.has(word)))
