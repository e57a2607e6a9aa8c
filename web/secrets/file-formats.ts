/** Secrets in files whose format gives them a place instead of a name: `.netrc`, `.pgpass`, SQL, tables, lists of codes. */
import { areWordsInPlace, chosenLikeness } from './chosen-words.ts'
import { isPlaceholder, isSecretOf, looksSecret } from './heuristics.ts'
import { inParts, type FoundInText } from './found-in-text.ts'
import { isPreference } from './preference-cookies.ts'
import type { NameRule, Names } from './secret-names.ts'

const RULE = 'context:file'

interface FileForm {
  readonly hint: RegExp
  readonly form: RegExp
  /** Words also count. */
  readonly words?: true
  /** Only what a person chose counts. */
  readonly chosen?: true
}

const FORMS: readonly FileForm[] = [
  // .netrc: `machine HOST login NAME password …`, in one line or several.
  {
    hint: /\bmachine\s/,
    form: /(?<=\b(?:machine\s+\S+|default)\s+(?:(?:login|account|port)\s+\S+\s+){0,3}password\s+)\S+/g,
    words: true,
  },
  // .pgpass: `host:port:database:user:password`.
  {
    hint: /:(?:\d{2,5}|\*):/,
    form: /(?<=^[ \t]*[\w.*-]+:(?:\d{2,5}|\*):[^:\s]+:[^:\s]+:)(?:\\.|[^\\\s])+$/gm,
    words: true,
  },
  // The same behind what a log writes in front of each line.
  {
    hint: /pgpass|hostname:port/,
    form: /(?<=\s[\w.*-]+:(?:\d{2,5}|\*):[^:\s\d][^:\s]*:[^:\s]+:)(?:\\.|[^\\\s:])+$/gm,
  },
  {
    hint: /:\d{4,5}:/,
    form: /(?<=\s[\w*-]+(?:\.[\w-]+)+:\d{4,5}:[A-Za-z_][\w-]*:[A-Za-z][\w.-]*:)(?:\\.|[^\\\s:]){6,}$/gm,
  },
  // A form with files (RFC 7578).
  {
    hint: /form-data/i,
    form: /(?<=form-data;[^\n]{0,80}\bname="?[\w.[\]-]{0,60}(?:pass(?:word|wd|phrase|code)?|secret|token|api[-_]?key|pwd|pin)\]?"?[^\n]{0,80}\r?\n(?:[\w-]+:[^\n]{0,200}\r?\n){0,4}\r?\n)[^\r\n]{3,4000}/gi,
    words: true,
  },
  // The key of an IFTTT webhook lets anyone trigger its applets.
  { hint: /maker\.ifttt\.com/i, form: /(?<=maker\.ifttt\.com\/[^\s"'<>]{1,120}\/key\/)[\w-]{8,80}/gi },
  { hint: /maker\.ifttt\.com/i, form: /(?<=maker\.ifttt\.com\/use\/)[\w-]{8,80}/gi },
  // Shadowsocks (SIP002): the method and the password in base64; older ones also the host.
  {
    hint: /\bss:\/\//,
    form: /(?<=\bss:\/\/)(?:[\w+/%=-]{8,400}(?=@[\w.[-])|(?=[A-Za-z\d+/_-]*\d)[\w+/-]{20,400}={0,2}(?=[#?\s"'<]|$))/g,
    words: true,
  },
  // The QR code of a network.
  { hint: /WIFI:/, form: /(?<=\bWIFI:(?:[^;\n]{0,100};){0,5}P:)(?:\\.|[^;\\\n]){4,100}/g, words: true },
  // FTP, POP3 and IRC; `PASS` alone is also the result of a test.
  {
    hint: /^\W{0,12}(?:USER|NICK)\s|\b331\b/m,
    form: /(?<=^[^\w\n]{0,12}PASS\s{1,4}:?)[^\s:]{3,200}(?=\s*$)/gm,
    words: true,
  },
  // Pydantic: the name of the field in one line, its value in the next.
  {
    hint: /input_value=["']/,
    form: /(?<=^[\w.[\]-]{0,60}(?:pass(?:word|wd|phrase|code)?|secret|token|api_?key|pwd|pin)\r?\n[^\n]{0,300}\binput_value=["'])[^"'\n]{3,300}(?=["'])/gim,
    words: true,
  },
  // INI and `.properties`: `pass` alone is also the result of a test, but not behind the name of a user.
  {
    hint: /^[ \t]*pass[ \t]*[=:]/im,
    form: /(?<=^[ \t]*(?:user(?:[-_]?name)?|login|uid)[ \t]*[=:][ \t]*\S{1,100}[ \t]*\r?\n(?:[^\n]{0,100}\r?\n){0,3}?[ \t]*pass[ \t]*[=:][ \t]*["']?)(?!(?:true|false|yes|no|ok|\d+)["']?\s*$)[^\s"']{3,200}/gim,
    words: true,
  },
  // Tables and definition lists of HTML, with the name in the cell before.
  {
    hint: /<\/(?:t[hd]|dt)>/i,
    form: /(?<=>\s{0,20}[\w -]{0,30}(?:pass(?:word|wd|phrase|code)?|passwor[dt]|secret|token|api[ _-]?key|contrase(?:ñ|n)a|mot de passe|密码|密碼)\s?:?\s{0,20}(?:<\/(?:b|strong|code|span)>\s{0,9})?<\/(?:t[hd]|dt)>\s{0,40}<(?:td|dd)[^<>]{0,100}>\s{0,20}(?:<(?:code|b|strong|tt|kbd|samp|span)[^<>]{0,60}>)?)[^<>\s]{4,300}(?=\s{0,20}<)/gi,
    words: true,
  },
  // Turns of a dial: `Combination: L8-R22-L41`.
  {
    hint: /comb[io]|kombi|комби|\bdial\b/i,
    form: /(?<=(?:comb(?:o|inati\p{L}{1,3}|inaison|inaci[oó]n|inazione|ina[çc][ãa]o)|(?:kombi|комби)\p{L}{2,8}|dial)[:=]?[ \t]{1,3})(?!R\d{1,3}[ ,-]{1,2}G)\p{L}{1,2}\d{1,3}(?:[ ,-]{1,2}\p{L}{1,2}\d{1,3}){2,5}(?![\p{L}\p{N}])/giu,
    words: true,
  },
  // The registry of Windows: `DefaultPassword    REG_SZ    …`.
  {
    hint: /REG_(?:EXPAND_)?SZ/,
    form: /(?<=REG_(?:EXPAND_)?SZ[ \t]{1,20})(?<=\b\w{0,40}(?:password|passwd|pwd|passphrase|secret|psk|pin)\w{0,12}["']?[ \t]{1,20}REG_(?:EXPAND_)?SZ[ \t]{1,20})\S[^\r\n]{2,200}?(?=[ \t]*(?:\r?\n|$))/gi,
    words: true,
  },
  // SQLCipher: `PRAGMA key='…'`, `ATTACH … KEY '…'`.
  {
    hint: /\bPRAGMA\s|\bATTACH\s/i,
    form: /(?<=["'])(?<=\b(?:PRAGMA\s{1,4}(?:\w{1,30}\.)?(?:re|hex|hexre|text)?key\s{0,4}[=(]\s{0,4}|ATTACH\s[^;\n]{1,200}\sKEY\s{1,4})["']?["'])(?:''|[^'"\n;]){3,300}(?=['"])/gi,
    words: true,
  },
  // What the magnetic stripe of a card holds (ISO 7813).
  {
    hint: /\d{13,19}[=D]\d{4}|%?B\d{12,19}\^/,
    // Year and month follow the number: others are times, IDs and what a program counts by them.
    form: /%?B\d{12,19}\^[^^\n]{2,26}\^\d{4}[^?\s"']{3,60}\??|(?<![\w.=]);?[2-6]\d{12,18}[=D][0-5]\d(?:0[1-9]|1[0-2])\d{3,20}(?!\d)\??/g,
    words: true,
  },
  // ODBC writes values with special characters in braces.
  { hint: /\bP(?:WD|assword)=\{/i, form: /(?<=[;"']\s?P(?:WD|assword)=\{)(?:\}\}|[^}\n]){3,200}(?=\})/gi, words: true },
  // PHP's `print_r`.
  {
    hint: /\] => /,
    form: /(?<=\[[\w-]{0,40}(?:pass(?:word|wd|phrase)?|secret|token|api_?key|pwd)\] => )[^\s()]{4,300}(?=\s*$)/gim,
    words: true,
  },
  // What a service says of a key that it refused.
  {
    hint: /(?:key|token|secret|password|credential)s? (?:provided|given|supplied|received|used|sent):/i,
    form: /(?<=\b(?:key|token|secret|password|credential)s? (?:provided|given|supplied|received|used|sent): {0,2}["'`]?)[^\s"'`,;]{8,300}(?<![.])/gi,
  },
  { hint: /^\s*r[ow]community6?\s/m, form: /(?<=^[ \t]*r[ow]community6?[ \t]{1,8})\S{4,64}/gm, words: true },
  // SNMPv3: `snmp-server user … auth sha …`, `createUser … SHA "…" AES "…"`.
  {
    hint: /\b(?:auth|priv)\s{1,4}(?:md5|sha|des|3des|aes)/i,
    form: /(?<=\b(?:auth|priv)\s{1,4}(?:md5|sha(?:-?\d{1,3}(?:-\d{1,3})?)?|3?des|aes)(?:[ -]\d{2,3})?\s{1,4}(?:0\s)?["']?)(?!(?:priv|auth|md5|sha|des|aes|access|encrypted)\b)[^\s"']{6,64}/gi,
    words: true,
  },
  {
    hint: /createUser\s/,
    form: /(?<=\bcreateUser\s{1,4}(?:-e\s\S{1,40}\s)?\S{1,40}\s{1,4}(?:MD5|SHA\S{0,6})\s{1,4}["']?)[^\s"']{6,64}|(?<=\bcreateUser\s[^\n]{1,140}\s(?:DES|AES)\S{0,4}\s{1,4}["']?)[^\s"']{6,64}/g,
    words: true,
  },
  // Asterisk: `extension => PIN,name,…` of voicemail.conf.
  {
    hint: /^[ \t]{0,4}\d{2,8}\s?=>\s?\d{3,12},\p{L}/mu,
    form: /(?<=^[ \t]{0,4}\d{2,8}\s?=>\s?)\d{3,12}(?=,\p{L}[^\n,]{1,60},)/gmu,
    words: true,
  },
  { hint: /snmp-server/, form: /(?<=snmp-server[ ]community[ ])\S{4,64}/g, words: true },
  {
    hint: /\b(?:password|secret|key)[ ]\d[ ]/,
    form: /(?<=\b(?:password|secret|key)[ ][5-9][ ])\S{8,200}/g,
    words: true,
  },
  // Switches: the key of a server that checks who signs in, in its own block or in one line.
  {
    hint: /^[ \t]*(?:tacacs|radius)/m,
    form: /(?<=^[ \t]{1,4}key (?:0 )?)(?<=^(?:tacacs|radius) server \S{1,60}[ \t]*\r?\n(?:[ \t][^\n]{0,120}\n){0,10}[ \t]{1,4}key (?:0 )?)(?!\d )[^\s"]{3,100}(?=[ \t]*\r?$)|(?<=^(?:tacacs|radius)-server (?:host \S{1,60} (?:[\w-]{1,20} \d{1,6} ){0,4})?key (?:0 )?)(?!\d )[^\s"]{3,100}(?=[ \t]*\r?$)/gm,
    words: true,
  },
  // Headers that a proxy adds, so that the service behind it knows who asks.
  {
    hint: /\b(?:proxy_set_header|fastcgi_param|uwsgi_param|RequestHeader|set-header)\s/,
    form: /(?<=\b(?:proxy_set_header|fastcgi_param|uwsgi_param|RequestHeader set|set-header)[ \t]{1,8}["']?[\w-]{1,40}[-_](?:Auth|Secret|Token|Key|Password|Signature)["']?[ \t]{1,8}["'])[^\s"'$%{}]{6,200}(?=["'])/gi,
    words: true,
  },
  // SASL LOGIN asks for the password in base64.
  { hint: /334 UGFzc3dvcmQ6/, form: /(?<=334 UGFzc3dvcmQ6\s{1,4}(?:C: |> |-> )?)[A-Za-z0-9+/=]{4,200}/g, words: true },
  { hint: /"AUTH"/, form: /(?<="AUTH"[ ](?:"[^"\n]{1,60}"[ ])?")[^"\n]{3,200}(?="(?:\s|$))/g, words: true },
  {
    hint: /(?:network|encryption|master|aes)_?key/i,
    form: /(?<=(?:network|encryption|master|aes)_?key["']?\s{0,3}[:=]\s{0,3}\[\s{0,4})\d{1,3}(?:\s?,\s{0,4}\d{1,3}){15,63}(?=\s{0,4}\])/gi,
    words: true,
  },
  // A terminal in which one signs in.
  { hint: /login: /, form: /(?<=\blogin:[ ]\w{1,32}\r?\n)(?=\S*\d)(?=\S*[A-Za-z])\S{6,64}(?=\r?\n)/g, words: true },
  {
    hint: /password-stdin/,
    form: /(?<=\+[ ]echo[ ])\S{6,200}(?=\r?\n\+[ ][^\n]{1,60}login[^\n]{0,100}--password-stdin)/g,
    words: true,
  },
  {
    hint: /["'](?:admin|root|administrator|user|test|guest|demo)["']\s?,/,
    form: /(?<=[[(]\s{0,2}["'](?:admin|root|administrator|user|test|guest|demo)["']\s?,\s{0,4}["'])(?=[^"'\n]*\d)(?=[^"'\n]*[A-Za-z])[^"'\s]{8,64}(?=["']\s{0,2}[\])])/g,
  },
  {
    hint: /\S@\S+:\S/,
    form: /(?<=(?<![/\w.+-])[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{2,20}){1,4}:)(?=[^\s"'<>]*\d)(?=[^\s"'<>]*[A-Za-z])(?![\d/])[^\s"'<>/]{8,64}/g,
  },
  {
    hint: /\bAUTH\s|IDENTIFY|\bLOGIN\s/,
    form: /(?<=^[^\w\n]{0,12}(?:[\d.:]{0,21}[^\w\n]{0,4})(?:C(?:lient)?: )?AUTH\s{1,4}(?:PLAIN\s{1,4}|LOGIN\s{1,4}|[\w.-]{1,40}\s{1,4})?)(?!PLAIN|LOGIN)[^\s]{4,400}(?=\s*$)|(?<=\bIDENTIFY\s{1,4}(?:\w{1,30}\s{1,4})?)[^\s]{4,100}(?=\s*$)|(?<=(?:^[^\w\n]{0,6}|[>:] b?['"]?)\w{1,6}\s{1,4}LOGIN\s{1,4}"?[\w.@+-]{1,60}"?\s{1,4}"?)[^\s"']{4,100}(?=["']{0,2}\s*$)/gm,
  },
  // IMAP, NNTP and IRC: their commands in capitals.
  {
    hint: /\d LOGIN |AUTHINFO PASS |OPER /,
    form: /(?<=(?<![\w.-])[A-Za-z]{0,8}\d{1,8} LOGIN ["']?[\w.@+-]{1,80}["']? ")[^"\n]{3,100}(?=")|(?<=(?<![\w.-])[A-Za-z]{0,8}\d{1,8} LOGIN ["']?[\w.@+-]{1,80}["']? )[^\s"']{4,100}|(?<=\bAUTHINFO PASS )[^\s"']{3,100}|(?<=(?:^|[>:] )OPER [\w.-]{1,40} )[^\s"']{4,100}(?=\s*$)/gm,
    words: true,
  },
  // What development networks print: private keys without names, in a list below one.
  {
    hint: /private keys?/i,
    form: /(?=[\da-f]{64}(?![\da-f]))(?<=\bprivate keys?[^\n]{0,20}\r?\n(?:[ \t=-]*\r?\n)?(?:[^\n]{0,16}[\da-f]{64}\W{0,8}\n){0,60}[^\n]{0,16}?)(?<![\da-f])[\da-f]{64}/gi,
    words: true,
  },
  { hint: /NickServ/i, form: /(?<=NickServ[ ]:?IDENTIFY[ ](?:\w{1,30}[ ])?)\S{4,100}(?=\s*$)/gim, words: true },
  // expect: what is sent to a prompt.
  {
    hint: /assword|assphrase|passcode/i,
    form: /(?<=(?:assword|assphrase|asscode)[^\n]{0,60}\r?\n?[ \t]{0,20}[\w.]{0,30}(?:send|write|type|put)(?:_?line|-keys)?\s{0,4}\(?\s?(?:-- )?["'])(?:\\(?![rn])|[^"'\\\n]){3,200}(?=(?:\\[rn]){0,2}["'])/gi,
    words: true,
  },
  // SQL: `IDENTIFIED BY '…'`, `PASSWORD '…'`, `WITH PASSWORD = '…'`.
  {
    hint: /\b(?:create|alter|grant|set)\s+(?:or\s+replace\s+)?(?:user|role|login|password|secret|server|database|credential|storage|connection|external|persistent)/i,
    form: /(?<=\b(?:identified\s{1,4}(?:with\s{1,4}\S+\s{1,4})?(?:by|as)(?:\s{1,4}password)?|password|secret|secret_access_key|access_key|encryption\s+key)\s{0,4}=?\s{0,4}\(?\s{0,4}[eENn]?')(?:''|[^'\n]){3,300}(?=')/gi,
    words: true,
  },
  { hint: /IDENTIFIED/, form: /(?<=\bIDENTIFIED\s{1,4}BY\s{1,4}"?)[^\s'";]{3,100}/g, words: true },
  // Go, Python: `user:password@tcp(host)/database`, `user:password@host/database`.
  { hint: /@(?:tcp|unix)\(/, form: /(?<=[\w.-]{1,60}:)[^\s@'"<>]{1,200}(?=@(?:tcp|unix)\()/g, words: true },
  // Oracle: `jdbc:oracle:thin:user/password@host`, `sqlplus user/password@host`.
  {
    hint: /oracle:|sqlplus/i,
    form: /(?<=(?:jdbc:oracle:\w{2,8}:|\bsqlplus\s(?:-\w{1,4}\s){0,3})[\w.$#-]{1,40}\/)["']?[^\s@"'/]{3,100}["']?(?=@)/gi,
    words: true,
  },
  // ESPHome: the key of the API. Windows' unattended setup: `<Password><Value>…`.
  { hint: /encryption:/, form: /(?<=\bencryption:\s{1,20}key:\s{1,4}["']?)[A-Za-z0-9+/]{43}=/g },
  { hint: /password>\s*<value>/i, form: /(?<=password>\s{0,40}<value>)[^<>\n]{3,200}(?=<\/value>)/gi, words: true },
  // PowerShell: `ConvertTo-SecureString "…" -AsPlainText`.
  {
    hint: /ConvertTo-SecureString/i,
    form: /(?<=ConvertTo-SecureString\s+(?:-String\s+)?["'])[^"'\n]{3,300}/gi,
    words: true,
  },
  {
    hint: /PSCredential|NetworkCredential/,
    form: /(?<=(?:PSCredential|NetworkCredential)\s?\(\s?["'][^"'\n]{1,100}["'],\s?["'])[^"'\n]{3,300}/g,
    words: true,
  },
  // .npmrc, switches and routers, Redis, commands of mail and chat.
  { hint: /:_(?:password|auth)/, form: /(?<=:_(?:password|auth(?:Token)?)=["']?)[^\s"'$]{3,400}/g, words: true },
  {
    hint: /^[ \t]*(?:enable|username|set|requirepass|masterauth)[ \t]/m,
    form: /(?<=^[ \t]*(?:enable[ ](?:secret|password)[ ]|username[ ]\S{1,60}[ ](?:privilege[ ]\d{1,2}[ ])?(?:secret|password)[ ]|set[ ][^\n]{1,80}[ ]plain-text-password(?:-value)?[ ]|(?:requirepass|masterauth)[ ])(?:\d{1,2}[ ])?["']?)(?!\d{1,2}[ ])[^\s"']{3,100}(?=["']?[ \t]*\r?$)/gm,
    words: true,
  },
  {
    hint: /\b(?:LOGIN|LOGON|USER)\s/,
    form: /(?<=\b(?:LOGIN|LOGON|USER)[ ]\S{1,60}[ ](?:PASSWORD|PASS)[ ]["']?)[^\s"']{3,100}/g,
    words: true,
  },
  // `/etc/ppp/chap-secrets`: client, server, secret, addresses.
  {
    hint: /^\S+[ \t]+\*[ \t]+\S/m,
    form: /(?<=^[ \t]*["']?[\w@.-]{1,60}["']?[ \t]+\*[ \t]+["']?)[^\s"'*-][^\s"']{3,80}(?=["']?[ \t]+(?:\*|\d{1,3}(?:\.\d{1,3}){3})[ \t]*$)/gm,
    words: true,
  },
  // `payroll_open_with_….zip`: the name of a file tells its password.
  {
    hint: /\.(?:zip|7z|rar|pdf|docx?|xlsx?|kdbx|gpg|enc|dmg|pfx|p12)\b/i,
    form: /(?<=(?:^|[\s_.(-])(?:pw|pwd|pass(?:word|wort|code)?|passwd|kennwort|mdp|clave|contrase[nñ]a|senha|has[łl]o|heslo|wachtwoord|(?:open|opens|unlock|oeffnen|öffnen|ouvrir|abrir|aprire|openen)[_ -](?:with|mit|avec|con|com|met))[_ =-])[^\s"'_/\\]{5,40}(?=\.(?:zip|7z|rar|pdf|docx?|xlsx?|kdbx|gpg|enc|dmg|pfx|p12)\b)/gi,
    chosen: true,
  },
  // htpasswd, shadow and similar: see the hashes among the token formats. `/etc/ppp/chap-secrets`, `ipsec.secrets`.
  { hint: /\bPSK\b|\bXAUTH\b|\bEAP\b/, form: /(?<=:\s{0,4}(?:PSK|XAUTH|EAP)\s{1,4}["'])[^"'\n]{3,300}/g, words: true },
  // PHP: `define('DB_PASSWORD', '…')`.
  {
    hint: /define\s?\(/,
    form: /(?<=define\s?\(\s{0,4}["'][\w]{0,40}(?:PASS(?:WORD|WD)?|SECRET|KEY|SALT|TOKEN|PEPPER)["']\s?,\s{0,4}')[^'\n]{3,300}|(?<=define\s?\(\s{0,4}["'][\w]{0,40}(?:PASS(?:WORD|WD)?|SECRET|KEY|SALT|TOKEN|PEPPER)["']\s?,\s{0,4}")[^"\n]{3,300}/gi,
    words: true,
  },
  // Nginx, HAProxy, Apache: `proxy_set_header Authorization "Bearer …"`, `password` behind `insecure-password`.
  { hint: /insecure-password/, form: /(?<=insecure-password\s{1,4})\S{3,200}/g, words: true },
  // Functions that take one: `login("name", "…")`, `basic_auth("name", "…")`, `auth=("name", "…")`.
  {
    hint: /auth|login|connect|credential/i,
    form: /(?<=\b(?:basic_?auth|http_?basic|auth|login|set_?credentials|credentials|log_?in|authenticate|sign_?in)["']?(?:\s?=\s?|\s?:\s?)?[([{]\s?["'][^"'\n]{1,80}["'],\s?["'])[^"'\n]{4,200}(?=["'])/gi,
    words: true,
  },
]

/** In front of the rest of an address of a network card. */
const HARDWARE = /^(?:[\da-f]{2}:){4}$/i

export const secretsInFiles = (text: string, names: Names, found: FoundInText): void => {
  inParts(text, found, (part, add) => {
    for (const { hint, form, words, chosen } of FORMS) {
      if (!hint.test(part)) continue
      for (const { 0: value, index } of part.matchAll(form))
        if (
          !isPlaceholder(value) &&
          (chosen ? chosenLikeness(value) > 1 : words || looksSecret(value)) &&
          // A locale, at the end of the key of a cache.
          !/^[a-z]{2}[-_][A-Z]{2}$/.test(value) &&
          !HARDWARE.test(part.slice(index - 12, index))
        )
          add({ from: index, to: index + value.length, rule: RULE })
    }
  })
  cookiesIn(text, found)
  const named = names.hint?.test(text) ?? false
  if (named) tablesIn(text, names, found)
  if (/\bkind:\s*["']?Secret\b/.test(text)) kubernetesIn(text, found)
  if (named) codesIn(text, names, found)
}

/** Cookies as curl and browsers' extensions export them: seven columns, the last ones a name and a value. */
const COOKIE_LINE =
  /^[^\t\n]{3,100}\t(?:TRUE|FALSE)\t\/[^\t\n]{0,100}\t(?:TRUE|FALSE)\t\d{1,20}\t([^\t\n]{1,100})\t([^\t\r\n]{6,4000})/gm
const OF_SESSION =
  /sess|auth|tok(?:en)?(?![a-z])|sid(?![a-z])|(?:^|[^a-z])u?ids?(?![a-z])|(?:user|account|client|login)_?id|login|logged|remember|jwt|[cx]srf|^__(?:secure|host)-|ticket|key|pass|identity/i

const cookiesIn = (text: string, found: FoundInText): void => {
  if (!/\t(?:TRUE|FALSE)\t\d/.test(text)) return
  for (const { 0: line, 1: name = '', 2: value = '', index } of text.matchAll(COOKIE_LINE)) {
    if (isPlaceholder(value) || isPreference(`${name}=${value}`)) continue
    if (!OF_SESSION.test(name) && (value.length < 12 || !looksSecret(value))) continue
    const from = index + line.length - value.length
    found({ from, to: from + value.length, rule: RULE })
  }
}

/** Rows below a head that names a secret: Markdown, CSV, columns of a terminal. */
const tablesIn = (text: string, names: Names, found: FoundInText): void => {
  const lines = [...text.matchAll(/[^\r\n]+/g)]
  let inBody = false
  // Each line may be a head, and all lines its rows: no more than a few times each.
  let left = lines.length * 4 + 1000
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1]
    // The head of a Markdown table stands above its rule.
    inBody = line[0].includes('|') && (inBody || MARKDOWN_RULE.test(line[0]))
    if (!next || line[0].length > 2000) continue
    if (inBody) {
      fieldIn(line[0], line.index, names, found)
      continue
    }
    const separator = separatorOf(line[0], next[0])
    if (!separator) continue
    const isComment = separator === 'comment'
    const named = isComment ? line[0].replace(/^[ \t]*[#;]/, (mark) => ' '.repeat(mark.length)) : line[0]
    const head = cellsOf(named, separator)
    // Names of columns are words. A line of a program, or of prose with commas, has other characters or many words.
    // Only a name in quotes can have the separator itself.
    const isName = (name: string) =>
      /^[\p{L}\p{M}\p{N} _./#-]{0,40}$/u.test(name.replaceAll(separator, '')) && name.split(' ').length < 5
    if (!head.every(({ text: name }) => isName(name))) continue
    const users = head.some(({ text: name }) =>
      /user|log ?in|sign ?in|account|e?-?mail|benutzer|usuario|utilisateur/i.test(name),
    )
    const columns = head.map(
      ({ text: name }) =>
        columnRule(name, names) ??
        besideThing(name, head, names) ??
        (users && /^(?:with|using|then|type|enter|use|word|pw|mit|avec|con)$/i.test(name) ? VAGUE : undefined),
    )
    if (!columns.some(Boolean)) continue
    for (let below = at + 1; below < lines.length && left > 0; below++, left--) {
      const row = lines[below]!
      if (/^[\s|:+=-]*$/.test(row[0])) continue
      const cells = cellsOf(row[0], separator)
      if (isComment && (/^[ \t]*[#;]/.test(row[0]) || cells.length < head.length)) break
      if (separator === 'columns' || isComment ? cells.length < 2 : cells.length !== head.length) break
      for (const [column, rule] of columns.entries()) {
        const cell =
          separator === 'columns' || (isComment && cells.length !== head.length)
            ? cellAt(cells, head[column]!)
            : cells[column]
        if (!rule || !cell) continue
        const value = cell.text
        // `943 476 5900`: a number in groups.
        const grouped = rule.digits && /^[A-Z]{0,3} ?\p{Nd}[\p{Nd} -]{2,30}[A-Z]?$/u.test(value)
        const words = separator !== 'columns' && !isComment && areWordsInPlace(rule, value)
        if (value.length < 3 || (!grouped && !words && /[\s(){}[\]<>=]|::/.test(value))) continue
        if (isPlaceholder(value) || !(words || isSecretOf(rule, value) || isChosen(rule, value))) continue
        found({ from: row.index + cell.from, to: row.index + cell.from + value.length, rule: rule.id })
      }
    }
  }
}

/** Below the name of a key or a token, what a person chose. */
const isChosen = ({ id, ambiguous, random, looksUp }: NameRule, value: string): boolean =>
  ambiguous === true &&
  !random &&
  !looksUp &&
  /^name:(?:key|ambiguous-token|redeem-code|credentials)$/.test(id) &&
  chosenLikeness(value) > 1

const MARKDOWN_RULE = /^\s{0,8}\|?\s{0,8}:?-{3,}:?\s{0,8}(?:\|\s{0,8}:?-{3,}:?\s{0,8}){0,40}\|?\s{0,8}$/

/** The type of a field, in a table that describes them. */
const TYPE =
  /^(?:n?(?:var)?char|u?int|float|double|decimal|bool|bit|uuid|base|bytes?|string|utf|sha|bigint|binary|varbinary|text)[-_ ]?\(?\d{1,5}\)?(?:url)?$/i

/** `| password | …  |`: a row of a name and its value, which must look like one. */
const fieldIn = (row: string, at: number, names: Names, found: FoundInText): void => {
  const [first, second, ...more] = cellsOf(row, '|').filter((cell) => cell.text !== '')
  if (!first || !second || more.length > 0) return
  const rule = names.of(first.text, 'key')
  if (
    !rule ||
    /\s/.test(second.text) ||
    TYPE.test(second.text) ||
    isPlaceholder(second.text, first.text) ||
    !isSecretOf(rule, second.text)
  )
    return
  if (looksSecret(second.text) || chosenLikeness(second.text) > 1)
    found({ from: at + second.from, to: at + second.from + second.text.length, rule: rule.id })
}

/** Beside a column of users, a word for how they get in is enough. */
const VAGUE: NameRule = { id: RULE, ambiguous: true, digits: true }

const columnRule = (name: string, names: Names): NameRule | undefined => {
  const rule = names.of(name, 'key')
  if (rule) return rule
  return /^(?:pass|code|pin|key|login|secret|access|serial|licen[cs]e)s?$/i.test(name)
    ? { id: RULE, ambiguous: true, digits: true }
    : undefined
}

/** `locker,student,combination`: another column says what is opened with it. */
const besideThing = (name: string, head: readonly Cell[], names: Names): NameRule | undefined => {
  if (name === '' || head.length > 12) return undefined
  for (const { text: other } of head) {
    const rule =
      other === name || other === '' || names.of(other, 'key') ? undefined : names.of(`${other} ${name}`, 'key')
    if (rule?.id === 'name:pin') return rule
  }
  return undefined
}

type Separator = '|' | '│' | ',' | ';' | '\t' | 'columns' | 'comment'

/** `B-118,"Haddad, Leen",31-07-22`: a separator in quotes belongs to its cell. */
const unquoted = (row: string): string => row.replace(/"[^"]*"/g, '')

const separatorOf = (head: string, row: string): Separator | undefined => {
  for (const separator of ['|', '│', '\t', ',', ';'] as const) {
    const count = head.split(separator).length
    // Programs have commas and semicolons at the end of a line; tables don't.
    const fits =
      row.split(separator).length === count ||
      unquoted(row).split(separator).length === unquoted(head).split(separator).length
    if (count > 1 && (fits || /^[\s|:+-]+$/.test(row)))
      return /[,;]/.test(separator) && /[,;{(]\s*$/.test(head) ? undefined : separator
  }
  // `# call      passcode`, above lines of settings.
  if (
    /^[ \t]*[#;][ \t]*\p{L}[\p{L}\p{N}_-]*(?:[ \t]{2,}\p{L}[\p{L}\p{N}_-]*){1,5}[ \t]*$/u.test(head) &&
    /^[ \t]*[^\s#;]+(?:[ \t]+\S+){1,6}[ \t]*$/.test(row)
  )
    return 'comment'
  return /\S {2,}\S/.test(head.trim()) && /\S {2,}\S|^[\s=-]+$/.test(row.trim()) ? 'columns' : undefined
}

interface Cell {
  readonly text: string
  readonly from: number
}

const cellsOf = (line: string, separator: Separator): readonly Cell[] => {
  const pattern =
    separator === 'columns'
      ? /\S+(?: \S+)*/g
      : separator === 'comment'
        ? /\S+/g
        : new RegExp(`(?<=^|[${separator}])"[^"]*"(?=[${separator}]|$)|[^${separator}]*`, 'g')
  const cells: Cell[] = []
  for (const { 0: raw, index } of line.matchAll(pattern)) {
    // Every piece is followed by an empty match at its separator.
    if (separator.length === 1 && index > 0 && line[index - 1] !== separator) continue
    const inner = /^[\s"'`*]*(.*?)[\s"'`*]*$/s.exec(raw)![1]!
    cells.push({ text: inner, from: index + raw.indexOf(inner) })
  }
  return cells
}

/** The cell below a head. */
const cellAt = (cells: readonly Cell[], head: Cell): Cell | undefined =>
  cells.find(
    ({ from, text }) =>
      from <= head.from + head.text.length && from + text.length >= head.from && Math.abs(from - head.from) < 8,
  )

/** A manifest of a Kubernetes Secret: all of its data. */
const kubernetesIn = (text: string, found: FoundInText): void => {
  for (const { 1: indent = '', index, 0: all } of text.matchAll(/^([ \t]*)(?:stringData|data):[ \t]*\r?$/gm)) {
    const rest = text.slice(index + all.length)
    let done = index + all.length
    for (const line of rest.split('\n').slice(1)) {
      done += 1
      const [, deeper = '', name, value = ''] =
        /^([ \t]+)([\w.-]+):[ \t]*["']?([^"'\r]*?)["']?[ \t]*\r?$/.exec(line) ?? []
      if (name === undefined || deeper.length <= indent.length) break
      if (/^[|>][-+\d]{0,2}$/.test(value)) break
      if (value.length > 3 && !isPlaceholder(value)) {
        const from = done + line.lastIndexOf(value)
        found({ from, to: from + value.length, rule: RULE })
      }
      done += line.length
    }
  }
}

const MOST_CODES = 24
/** A line above codes is no longer, and they begin at most so many lines below. */
const LONGEST_HEADING = 140
const MOST_OTHERS = 3
const MOST_HEADINGS = 200

const HEADING =
  /^[\s#>*•=_-]{0,12}([\p{L}\p{M}][\p{L}\p{M}\p{N}'’ /-]{2,60})(?:$|[\s*_]{0,3}(?:[:：(（,—–.]|-(?= )|\*\*))/u
/** A heading that ends a sentence's line: `Two-factor is on. Backup codes (each works once):` */
const SENTENCE_HEADING =
  /[.!?。] ([\p{L}\p{M}][\p{L}\p{M}\p{N}'’ /-]{2,60})(?:\s?[(（][^()（）\n]{0,60}[)）])?\s?[:：]?\s*$/u
const LAST_WORDS = /(?:[\p{L}\p{M}\p{N}'’/-]{1,24} ){0,3}[\p{L}\p{M}\p{N}'’/-]{1,30}$/u
const ENGLISH_HEADING =
  /\b(?:backup|recovery|scratch|emergency|one[- ]time|single[- ]use|2fa|mfa|rescue)[ _-](?:\w+[ _-])?codes?\b[^\n:]{0,60}(?::|$)/i

/** Codes below `Backup codes (each works once):`, in lines of their own or in the same one. */
const codesIn = (text: string, names: Names, found: FoundInText): void => {
  let headings = 0
  for (const { 0: line, index } of text.matchAll(/[^\r\n]{4,400}/g)) {
    const isHead = [HEADING.exec(line)?.[1], SENTENCE_HEADING.exec(line)?.[1]].some(
      (one) => one !== undefined && names.of(LAST_WORDS.exec(one.trim())?.[0] ?? '', 'key')?.id === 'name:recovery',
    )
    const english = ENGLISH_HEADING.exec(line)
    if (!isHead && !english) continue
    if (++headings > MOST_HEADINGS) return
    const colon = line.search(/[:：]/)
    const from = index + (english ? english.index + english[0].length : colon < 0 ? line.length : colon + 1)
    const isLong = line.length > LONGEST_HEADING
    // In the same line, or nowhere that a heading would be recognized.
    if ((isLong || from < index + line.trimEnd().length) && (codesAfter(text, from, found) > 0 || isLong)) continue
    let others = 0
    let at = index + line.length
    for (let count = 0; count < MOST_CODES * 2 && others < MOST_OTHERS; count++) {
      const below = /\r?\n?([^\r\n]*)/y
      below.lastIndex = at
      const row = below.exec(text)
      if (!row || row[0] === '') break
      const start = at + row[0].length - row[1]!.length
      at += row[0].length
      if (row[1]!.trim() === '') continue
      if (codesAfter(text, start, found, start + row[1]!.length) > 0) others = 0
      else others += row[1]!.trim().split(/\s+/).length > 3 ? MOST_OTHERS : 1
    }
  }
}

const CODE =
  /(?:[\s,;*•·☐☑✓✔✗□■▢▪◦○●"'`[(|>-]{0,14}(?:\d{1,2}[.):]\s{1,3})?["'`*]{0,3})([A-Za-z0-9]{3,12}(?:[- ][A-Za-z0-9]{3,12}){0,4}|\d{6,10})(?=[\s,;"'`*\])|]|$)/y

/** Behind a number that has a meaning of its own: `911 policía`. */
const MEANING = /^[ \t]{1,8}[-–—:]?[ \t]?(?!used|usad|utilis|utiliz|verwend|benutz|gebruikt|brugt|bruk)\p{L}{3}/iu

/** Whom one calls, in most countries. */
const EMERGENCY = /^(?:0{3}|1(?:00|08|1[0-9]|22|44|9[0-4])|911|933|988|999)$/
/** `Call 112`, `page 7`. */
const REFERS =
  /^(?:call|dial|ring|phone|text|press|see|page|step|section|anruf\w*|ruf|w[aä]hl\w*|siehe|seite|appel\w*|compos\w*|voir|llam\w*|marqu\w*|ver|vea|chiam\w*|vedi|pagina|ligue|veja|bel|zie|se|side|sida|soita|zadzwo\w*|volejte|viz|zavolajte|nazovite|ara\w*|hubungi|telepon|tel) /i

/**
 * @param end of the line, if the codes have it for themselves
 * @returns how many codes begin here, one behind the other
 */
const codesAfter = (text: string, from: number, found: FoundInText, end?: number): number => {
  const codes: [from: number, to: number][] = []
  let at = from
  while (codes.length < MOST_CODES && at < (end ?? text.length)) {
    CODE.lastIndex = at
    const match = CODE.exec(text)
    const code = match?.[1] ?? ''
    if (!match || !/\d/.test(code)) break
    const one = code.replace(/ .*$/s, (rest) => (/^(?: [A-Za-z0-9]*\d[A-Za-z0-9]*)+$/.test(rest) ? rest : ''))
    const begin = at + match[0].length - code.length
    if (/^(?:19|20)\d\d$/.test(one) || EMERGENCY.test(one) || REFERS.test(code)) break
    at = begin + one.length
    codes.push([begin, at])
  }
  if (end !== undefined && MEANING.test(text.slice(at, Math.min(end, at + 20)))) return 0
  for (const [begin, to] of codes) found({ from: begin, to, rule: RULE })
  return codes.length
}
