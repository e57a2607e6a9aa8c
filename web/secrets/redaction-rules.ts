/**
 * Which names and patterns are secret, as data. Capture masks by these names; before a session is exported, users see
 * and edit the rules: they can switch off each and add their own. The rule's ID replaces what it removed.
 */

import { TOKEN_FORMATS } from './token-formats.ts'

export type RedactionRule = { readonly id: string; readonly off?: boolean } & (
  | {
      readonly kind: 'name'
      /**
       * Words as in `api key`, which also match `apiKey`, `X-API-Key`, `OPENAI_API_KEY`. The last words of a name
       * count.
       */
      readonly names: readonly string[]
      /** `parameter`: only in a query or form; `header`: only in HTTP. Default: everywhere. */
      readonly where?: 'parameter' | 'header'
      /** Other things have these names too, so the value must look like a secret. */
      readonly ambiguous?: true
      /** Short numbers count as well: `"pin": 4821`. */
      readonly digits?: true
    }
  /** Names that end like a secret's but aren't secrets. */
  | { readonly kind: 'except'; readonly names: readonly string[] }
  | {
      readonly kind: 'pattern'
      /** A regular expression; every match is removed. */
      readonly pattern: string
      readonly flags?: string
      /** Literals, one of which occurs in every match: texts without any of them aren't searched. */
      readonly hints?: readonly string[]
      /** Removed only if its base64 decodes to `name:secret`. */
      readonly check?: 'pair'
    }
  /** Secrets that only their surroundings tell: in commands, files of known formats, tables and sentences. */
  | { readonly kind: 'context'; readonly context: 'command' | 'file' | 'prose' }
  /** The working directory and the home directory, which name the user. */
  | { readonly kind: 'paths' }
  /** Everything below a JSON pointer into a frame; `*` stands for any single member. */
  | { readonly kind: 'pointer'; readonly pointer: string }
  | { readonly kind: 'value'; readonly value: string }
  /**
   * Texts that look random are reported but never removed: too many IDs and hashes look the same. Entropy in bits per
   * character.
   */
  | { readonly kind: 'entropy'; readonly bits: number }
)

const pattern = (id: string, source: string, hints: readonly string[], flags = ''): RedactionRule => ({
  id: `pattern:${id}`,
  kind: 'pattern',
  pattern: source,
  hints,
  ...(flags ? { flags } : {}),
})

const name = (id: string, names: string, more: { ambiguous?: true; digits?: true } = {}): RedactionRule => ({
  id: `name:${id}`,
  kind: 'name',
  names: names.split(/,\s*/),
  ...more,
})

/** Names of keys that protect something, unlike those of tables, maps and keyboards. */
const KEYS =
  'access activation admin aes app application auth backup bearer bot client consumer cookie crypto decryption deploy ' +
  'device hmac network ingest ingestion instrumentation integration jwt licence license management product publish root rpc ' +
  'security server service session shared ssh storage stream system unlock unseal validation vault wallet webhook wep wifi wpa write'

/** One rule for each vendor. */
const tokenRules: readonly RedactionRule[] = [...new Set(TOKEN_FORMATS.map(({ vendor }) => vendor))].map((vendor) => {
  const own = TOKEN_FORMATS.filter((format) => format.vendor === vendor)
  const hints = own.some((format) => format.hints.length === 0) ? [] : own.flatMap((format) => format.hints)
  return pattern(vendor, own.map(({ form }) => form).join('|'), hints)
})

/** The lists of names are sorted by certainty: the first one that applies is reported. */
export const DEFAULT_REDACTIONS: readonly RedactionRule[] = [
  name(
    'password',
    'password, passwords, passwd, pwd, passphrase, passphrases, passcode, passkey, pw, pswd, ' +
      'psk, pre shared key, requirepass, masterauth, password confirmation, storepass, keypass, ' +
      'passwort, kennwort, mot de passe, mdp, contraseña, clave secreta, senha, palavra passe, ' +
      'phrase secrete, phrase de passe, frase segreta, frase secreta, wachtzin, lösenfras, svar på sikkerhetsspørsmål, sicherheitsantwort, ' +
      'réponse de sécurité, respuesta de seguridad, risposta di sicurezza, resposta de segurança, loginpas, startkennwort, contrasenya, contrasinal, pasahitza, parool, salasõna, parole, slaptažodis, lykilorð, cyfrinair, pasfhocal, ' +
      'netzwerkschlüssel, wlan schlüssel, sicherheitsschlüssel, netwerksleutel, wifi sleutel, nätverksnyckel, netværksnøgle, nettverksnøkkel, verkkoavain, ' +
      'klucz sieciowy, klucz sieci, síťový klíč, clé réseau, clé wifi, clave de red, clave wifi, chave de rede, chiave di rete, cheie de rețea, ağ anahtarı, ключ сети, ключ безопасности, 网络密钥, ' +
      'fjalëkalimi, šifra, шифра, лозинка, tunnuslause, kata laluan, nenosiri, parol, гасло, κωδικός πρόσβασης, رمز عبور, گذرواژه, پاس ورڈ, ' +
      'পাসওয়ার্ড, கடவுச்சொல், პაროლი, գաղտնաբառ, құпия сөз, нууц үг, ' +
      'wachtwoord, hasło, haslo, heslo, jelszó, lösenord, adgangskode, kodeord, passord, salasana, ' +
      'db pass, database pass, smtp pass, mail pass, email pass, user pass, admin pass, root pass, ftp pass, redis pass, ' +
      'mysql pass, postgres pass, http pass, mqtt pass, ldap pass, become pass, keystore pass, auth pass, login pass, bind pw, bindpw, root pw, rootpw, bind password, security answer, secret answer, challenge answer, memorable word, ' +
      'parola, parolă, parola d ordine, şifre, lozinka, geslo, пароль, парола, κωδικός, 密码, 密碼, 口令, 暗码, パスワード, ' +
      '비밀번호, 암호, كلمة المرور, كلمة السر, סיסמה, סיסמא, รหัสผ่าน, mật khẩu, kata sandi, पासवर्ड',
    { digits: true },
  ),
  name(
    'pin',
    'pin, pin code, otp, totp, one time password, one time code, verification code, security code, mfa code, ' +
      'tfa code, sms code, cvv, cvc, card number, card no, credit card, cc number, ' +
      'ssn, social security number, access code, door code, gate code, entry code, alarm code, safe code, garage code, keypad code, ' +
      'cod de acces, cod acces, cod dezarmare, codigo de uso unico, codigo uso unico, code a usage unique, einmalcode, kopplungscode, ' +
      'párovací kód, kod parowania, code d appairage, activation code, code d acces, code acces, code d activation, codigo de acceso, codigo de activacion, codice di accesso, codice accesso, ' +
      'zugangscode, aktivierungscode, toegangscode, activatiecode, kod dostępu, kod aktywacyjny, přístupový kód, aktivační kód, код доступа, ' +
      'otp code, one time pin, login code, sign in code, setup code, setup pin, setup pin code, setup passcode, manual pairing code, hold key, holdkey, ' +
      'mã truy cập, mã mở khóa, mã bảo vệ, mã xác thực, kode akses, kode kunci, kod akses, koda za dostop, pristupni kod, belépési kód, kapukód, giriş kodu, kapı kodu, κωδικός εισόδου, ' +
      'код доступу, код за достъп, код от домофона, код для входа, adgangskode til dør, dørkode, portkode, portkod, dörrkod, ovikoodi, uksekood, deurcode, türcode, ' +
      'lock code, lockbox code, unlock code, disarm code, pairing code, two factor code, 2fa code, fa code, puk, 暗証番号, 验证码',
    { ambiguous: true, digits: true },
  ),
  name(
    'secret',
    'secret, secrets, erlang cookie, client secret, shared secret, signing secret, webhook secret, app secret, secret value, ' +
      'secret key base, secret text, geheimnis, secreto, segredo, секрет, 秘密',
  ),
  name(
    'recovery',
    'mnemonic, mnemonic phrase, seed phrase, recovery phrase, recovery code, recovery codes, backup code, backup codes, ' +
      'scratch code, scratch codes, recovery key, unseal keys, root token, keyfile password, salt key, ' +
      'otp seed, totp seed, hotp seed, mfa seed, otp secret, totp secret, ' +
      '2fa seed, fa seed, tfa seed, two factor seed, 2fa secret, fa secret, tfa secret, two factor secret, authenticator seed, authenticator secret',
  ),
  name(
    'api-key',
    'api key, api keys, secret key, private key, private key pem, private key data, client key data, priv key, ' +
      'account key, signing key, shared access key, subscription key, encryption key, master key, functions key, ' +
      'honeycomb team, 密钥, 密鑰, 秘钥, api 密钥, clé api, clave api, chave api, schlüssel api, api schlüssel, api sleutel, api nyckel, api nøgle, api nøkkel, api avain, ' +
      'klucz api, api klíč, api kulcs, api anahtarı, api ключ, ключ api, chiave api, api キー, apiキー, api 키, api키, kunci api, khóa api',
  ),
  // AWS: the ID of a key names its account and is only useful together with the key.
  name(
    'key',
    `access key id, key secret, ${KEYS.split(' ')
      .map((one) => `${one} key`)
      .join(', ')}`,
    { ambiguous: true },
  ),
  name(
    'token',
    'access token, refresh token, id token, auth token, bearer token, api token, bot token, session token, csrf token, ' +
      'jwt, access tokens, api tokens, client assertion, software statement, code verifier, device code, 令牌',
  ),
  name(
    'ambiguous-token',
    'token, bearer, assertion, user code, authorization code, auth code, auth req id, id token hint, pat, jeton, pass, ' +
      'invite code, license code, clave',
    { ambiguous: true },
  ),
  name('authorization', 'authorization, proxy authorization, authentication, auth, basic auth, dpop, x auth', {
    ambiguous: true,
  }),
  name('credentials', 'credential, credentials, creds, cred', { ambiguous: true }),
  name('cookie', 'cookie, cookies, set cookie, session id, sid, jsessionid, phpsessid', {
    ambiguous: true,
  }),
  {
    id: 'name:header',
    kind: 'name',
    where: 'header',
    names: [
      'authorization',
      'proxy authorization',
      'cookie',
      'set cookie',
      'session',
      'session id',
      'sid',
      'dpop',
      'x auth',
      'authentication',
      'token',
    ],
  },
  {
    id: 'name:signature',
    kind: 'name',
    where: 'parameter',
    names: [
      'sig',
      'signature',
      'amz credential',
      'key',
      'auth',
      'sid',
      'ticket',
      'jsessionid',
      'session',
      'session id',
      'token',
      'pin',
      'otp',
      'hash key',
      'k',
      'hmac',
      'nonce token',
      'magic',
      'invite',
    ],
  },
  { id: 'name:code', kind: 'name', where: 'parameter', names: ['code'] },
  { id: 'name:app-id', kind: 'name', where: 'parameter', names: ['appid'], ambiguous: true },
  {
    id: 'except',
    kind: 'except',
    names: [
      ...['progress token', 'page token', 'next token', 'continuation token', 'continue token', 'sync token'],
      ...['cancellation token', 'max token', 'min token', 'design token', 'eos token', 'bos token', 'pad token'],
      ...['boarding pass', 'first pass', 'second pass', 'single pass', 'by pass', 'hall pass', 'season pass'],
      ...['render pass', 'unk token', 'mask token', 'sep token', 'cls token', 'stop token', 'end token', 'start token'],
      ...[
        'special token',
        'watch token',
        'delta token',
        'skip token',
        'resume token',
        'syntax token',
        'public key',
        'public key token',
        'publishable key',
        'site key',
        'existing secret',
        'secret name',
      ],
      ...['allow credentials', 'idempotency key', 'sec websocket key', 'cache key', 'surrogate key', 'host key'],
      ...['www authenticate', 'software licence', 'software license', 'oldpwd', 'browser session', 'chat session'],
      // A session ID is masked when captured; the rest of it helps to find the session in a server's log.
      'mcp session id',
    ],
  },
  pattern(
    'private-key',
    '-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----[^]*?(?:-----END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----|$)|(?<=Private-(?:Lines|MAC): )[0-9a-f]+(?:\\r?\\n[A-Za-z0-9+/=]{4,}(?=\\r?\\n|$))*',
    ['PRIVATE KEY', 'OpenVPN Static key', 'Private-'],
  ),
  pattern('jwt', '\\beyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*){1,3}', ['eyJ']),
  ...tokenRules,
  // The last part of a webhook's URL lets anybody call it.
  pattern(
    'webhook',
    '(?<=https?://[^\\s"\'<>]{0,200}(?:/webhooks?/|/hooks?/|//hooks?\\.[\\w.-]{3,80}/)(?:[^\\s"\'<>]{0,200}/)?)(?=[\\w-]*\\d)(?=[\\w-]*[A-Za-z])[\\w-]{16,}',
    ['hook'],
  ),
  pattern(
    'bearer',
    '(?<=\\b(?:Bearer|DPoP)\\s{1,4})(?=[A-Za-z._~+/-]*\\d)[\\w.~+/-]{16,}={0,2}',
    ['earer', 'EARER', 'DPoP'],
    'i',
  ),
  {
    id: 'pattern:basic',
    kind: 'pattern',
    pattern: '(?<=\\bBasic\\s{1,4})[A-Za-z0-9+/_-]{6,}={0,2}',
    flags: 'i',
    hints: ['asic ', 'ASIC '],
    check: 'pair',
  },
  pattern(
    'userinfo',
    '(?<=\\b[a-z][a-z0-9+.-]{1,30}://[^\\s/?#@:\'"<>]{0,256}:)[^\\s/?#@\'"<>]{1,256}(?=@(?!sha\\d+:)[\\w.[%-])',
    ['://'],
    'i',
  ),
  // A token in place of a user: `https://TOKEN@host`, `https://TOKEN:@host`, `https://TOKEN:x-oauth-basic@host`.
  pattern(
    'userinfo-token',
    '(?<=//)(?=[\\w~%+-]{16})(?<=\\b(?:https?|wss?|git\\+https?)://)(?=[A-Za-z_~%+-]*\\d)(?=[\\d_~%+-]*[A-Za-z])[\\w~%+-]{16,400}(?=(?::(?:x-oauth-basic)?)?@[\\w[])',
    ['://'],
  ),
  // What follows lets anybody in: a key in a path, a link to sign in or to set a new password. The cheap conditions come
  // first, because a lookbehind is tried at every character.
  pattern(
    'link',
    '(?<=/)(?=[\\w.~-]{16})(?<=://[^\\s"\'<>?#]{1,300}/(?:api[-_]?keys?|access[-_]?tokens?|auth[-_]?tokens?|secrets?)/)(?=[\\w.~-]*\\d)(?=[\\w.~-]*[A-Za-z])(?![\\da-f]{8}-)[\\w.~-]{16,400}|' +
      '(?<=/)(?=[\\w~-]{20})(?<=://[^\\s"\'<>?#]{1,300}/(?:[\\w]{1,20}-)?(?:recover\\w*|reset|verif\\w+|magic\\w*|invit\\w+|sign-?in|log-?in|sign-?up|activat\\w+|confirm\\w*|passwordless|one-?time|otp|claim|unlock|set-password|password|sso|join|accept|unsubscribe|token|key)(?:-\\w{1,20})?/(?:[a-z][a-z-]{0,20}/){0,2})(?![\\da-f]{8}-[\\da-f]{4}-)(?=[\\w~-]*\\d[\\w~-]*[A-Za-z][\\w~-]*\\d)[\\w~-]{20,400}',
    ['://'],
  ),
  { id: 'context:command', kind: 'context', context: 'command' },
  { id: 'context:file', kind: 'context', context: 'file' },
  { id: 'context:prose', kind: 'context', context: 'prose' },
  // Off: without its folder, a command can't be run again.
  { id: 'paths', kind: 'paths', off: true },
  { id: 'entropy', kind: 'entropy', bits: 3.6 },
]
