/** Secrets in command lines that no name tells, but the program and its option: `curl -u name:…`, `mysql -p…`. */
import { isPlaceholder } from './heuristics.ts'
import type { FoundInText } from './found-in-text.ts'

/** Longer texts aren't command lines. */
const LONGEST = 1_000_000

interface CommandForm {
  readonly programs: string
  /** The option, with the secret in a group named `secret`. */
  readonly option: string
}

/** A word, quoted or not. */
const WORD = `(?:"(?<double>[^"\\n]+)"|'(?<single>[^'\\n]+)'|(?<bare>[^\\s"'|;&<>]+))`
const PAIR = `(?:"[^\\s:"']{0,80}:(?!//)(?<all>[^"\\n]{3,80})"|'[^\\s:"']{0,80}:(?!//)(?<whole>[^'\\n]{3,80})'|["']?[^\\s:"']{0,80}["']?:(?!//)(?:"(?<double>[^"\\n]+)"|'(?<single>[^'\\n]+)'|(?<pair>[^\\s"'|;&<>]+)))`

const FORMS: readonly CommandForm[] = [
  {
    programs: 'curl|wget|https?|xh|httpie|aria2c',
    option: `(?:-[a-zA-Z]{0,8}[uUa]|--user|--proxy-user|--auth)[ =]?${PAIR}`,
  },
  {
    programs: 'curl|wget',
    option: `(?:--pass|--proxy-pass|--key-pass|--http-password|--ftp-password|--oauth2-bearer)[ =]${WORD}`,
  },
  {
    programs: 'mysql|mariadb|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mariadb-dump|mycli',
    option: `-p(?!ort|rotocol| )${WORD}`,
  },
  {
    programs: '7z|7za|7zz|rar|unrar',
    option: `(?:-h?p(?! )${WORD}|'-h?p(?<whole>[^'\\n]{3,80})'|"-h?p(?<all>[^"\\n]{3,80})")`,
  },
  {
    programs:
      'sshpass|docker[ ]login|podman[ ]login|helm[ ]registry[ ]login|mongo|mongosh|mongodump|mongorestore|az[ ]login|sqlcmd|mssql-cli|htpasswd|kinit|nmcli|influx|cqlsh|arangosh|couchbase-cli|rabbitmqadmin|vncdo|oc[ ]login|argocd[ ]login|evil-winrm|psexec(?:64)?|PsExec(?:64)?|ncftp|twine[ ]upload|beeline|cypher-shell|nxc|netexec|steghide|mosquitto_(?:pub|sub|rr)|tsql|impala-shell|ccloud[ ]login|pgcli|jf[ ]login|mongoexport|mongoimport|clickhouse-client|dbt',
    option: `-[pP](?:[ =])?${WORD}`,
  },
  { programs: 'redis-cli|iredis|keydb-cli', option: `-a[ =]?${WORD}` },
  { programs: 'zip|unzip|sqlcmd|isql|bcp|ipmitool', option: `-P[ =]?${WORD}` },
  { programs: 'ldapsearch|ldapmodify|ldapadd|ldapwhoami|ldappasswd|ldapdelete', option: `-w[ ]?${WORD}` },
  { programs: 'ldappasswd', option: `-s[ ]${WORD}` },
  {
    programs: 'smbclient|rpcclient|net[ ]rpc|mount.cifs|smbget|crackmapexec|winexe',
    option: `-U[ ]?["']?[^\\s%"']+%(?<pair>[^\\s"']+)`,
  },
  {
    programs: 'net[ ]use',
    option: `(?:[A-Za-z*]:?[ ]+)?\\\\{2}\\S+[ ]+(?:/\\S+[ ]+){0,3}(?![/\\\\])${WORD}(?=[ ]+/|[ ]*(?:$|[\\r\\n]))`,
  },
  { programs: 'net[ ]user', option: `\\S+[ ]+(?![/*])${WORD}` },
  { programs: 'xfreerdp|xfreerdp3|wfreerdp|mstsc', option: `/p(?:assword)?:${WORD}` },
  {
    programs: 'keytool|jarsigner|apksigner',
    option: `-(?:store|key|src|dest|new)+(?:pass|storepass|keypass|storepassword)[ ]${WORD}`,
  },
  { programs: 'openssl', option: `(?:-pass(?:in|out)?|-k|-K)[ ](?:pass:)?(?!file:|env:|stdin|fd:)${WORD}` },
  { programs: 'snmpwalk|snmpget|snmpset|snmpbulkwalk|snmptable|snmptrap', option: `-[AXc][ ](?!public\\b)${WORD}` },
  { programs: 'gpg|gpg2', option: `--passphrase[ =]${WORD}` },
  { programs: 'ssh-keygen', option: `-[NP][ ]${WORD}` },
  { programs: 'wpa_passphrase', option: `(?:"[^"]*"|\\S+)[ ]${WORD}` },
  { programs: 'htpasswd', option: `-\\w*b\\w*[ ](?:-\\w+[ ])*\\S+[ ]\\S+[ ]${WORD}` },
  { programs: 'rabbitmqctl', option: `(?:add_user|change_password)[ ]\\S+[ ]${WORD}` },
  { programs: 'sqlplus|sqlldr|expdp|impdp', option: `(?:-\\S+[ ])*["']?[\\w$#]+/(?<pair>[^\\s@"'/]+)(?=@|["'\\s]|$)` },
  { programs: 'plink|pscp|psftp|kitty', option: `-pw[ ]${WORD}` },
  { programs: 'lftp', option: `-u[ ]?["']?[^\\s,"']{1,80},(?<pair>[^\\s"']+)` },
  { programs: 'etcdctl|nats|consul|impacket-\\w+|rpcclient', option: `(?:--user|-u|-U)[ =]${PAIR}` },
  { programs: 'x11vnc|vncserver|tigervnc', option: `-passwd[ ]${WORD}` },
  { programs: 'cmdkey|net[ ]use|schtasks|wmic|sc|runas', option: `/(?:password|pass|rp|p)(?::[ ]?|[ ])${WORD}` },
  { programs: 'pdftotext|pdfimages|pdfinfo|pdftoppm', option: `-[uo]pw[ ]${WORD}` },
  { programs: 'pdftk', option: `(?:user_pw|owner_pw|input_pw)[ ](?:\\w+=)?${WORD}` },
  { programs: 'nmcli|wpa_cli|networksetup|iwconfig|netsh', option: `(?:password|psk|key|wep-key)[ =](?:s:)?${WORD}` },
  {
    programs: 'smbpasswd|samba-tool|sysadminctl|dscl|pw[ ]useradd',
    option: `(?:-passwd[ ]\\S+|-password|-p|-w|--newpassword|user[ ]create[ ]\\S+)[ =]${WORD}`,
  },
  { programs: 'mc[ ]alias[ ]set', option: `\\S+[ ]\\S+[ ]\\S+[ ]${WORD}` },
  {
    programs: 'nuget[ ]setapikey|nuget[ ]push[ ]\\S+|dotnet[ ]nuget[ ]push[ ]\\S+',
    option: `(?:(?:-k|--api-key|-ApiKey)[ ])?(?!-)${WORD}`,
  },
  {
    programs: 'composer[ ]config',
    option: `(?:-g[ ])?(?:http-basic|github-oauth|gitlab-token|bearer)\\.\\S+[ ](?:\\S+[ ])?${WORD}`,
  },
  { programs: 'rclone', option: `(?:obscure|pass|password)[ =]${WORD}` },
  { programs: 'kubectl|oc', option: `--from-literal[ =]["']?[\\w.-]+=(?<pair>[^\\s"']+)` },
  { programs: 'useradd|usermod', option: `(?:-p|--password)[ =]${WORD}` },
  { programs: 'aws[ ]configure[ ]set', option: `\\S*(?:secret|token|key)\\S*[ ]${WORD}` },
  { programs: 'security', option: `(?:-w|-p|unlock-keychain[ ]-p)[ ]${WORD}` },
  {
    programs:
      'vault[ ]login|vault[ ]operator[ ]unseal|consul[ ]login|gh[ ]auth[ ]login|npm[ ]login|heroku[ ]auth:token|doctl[ ]auth[ ]init|bw[ ]unlock|bw[ ]login[ ]\\S+|op[ ]signin',
    option: `(?!-)${WORD}`,
  },
]

const READY = FORMS.map(({ programs, option }) => ({
  hint: new RegExp(`\\b(?:${programs.replaceAll('.', '\\.')})\\b`),
  form: new RegExp(`(?<=\\b(?:${programs.replaceAll('.', '\\.')})(?:\\.exe)?[ ](?:[^\\n|;]{0,300}[ ])?)${option}`, 'g'),
}))

/** A secret that goes into a program: `echo … | sudo -S`, `echo name:… | chpasswd`. */
const PIPED =
  /\b(?:echo|printf)(?: -\w+)* (?:(?:"(?<double>[^"\n]+)"|'(?<single>[^'\n]+)'|(?<bare>[^\s"'|]+)) *\| *)(?=sudo -S|\S* ?login[^\n|]*--password-stdin|chpasswd|cryptsetup|passwd|gpg\b[^\n|]*--passphrase-fd|kinit|base64 *\|)/g

const ANY = new RegExp(`\\b(?:${FORMS.map(({ programs }) => programs.replaceAll('.', '\\.')).join('|')})\\b`)

export const secretsInCommands = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || !(ANY.test(text) || text.includes('|'))) return
  for (const { hint, form } of READY) {
    if (!hint.test(text)) continue
    for (const match of text.matchAll(form)) report(match, found)
  }
  if (text.includes('|')) for (const match of text.matchAll(PIPED)) report(match, found)
}

/** A secret in one of the words of a command. */
export interface CommandPlace {
  readonly word: number
  readonly from: number
  readonly to: number
  readonly name: string
}

/** The same for a command that is a list of words, the program first: no quotes, and a secret may have any character. */
export const secretsOfCommand = (words: readonly string[]): readonly CommandPlace[] => {
  if (words.length < 2 || !words.some((word) => /^[-/]/.test(word))) return []
  const begins: number[] = []
  let text = ''
  for (const word of words) {
    if (text !== '') text += ' '
    begins.push(text.length)
    // What separates commands is part of a word here.
    text += word.replaceAll(/[\s|;&<>"'`]/g, '_')
  }
  const places: CommandPlace[] = []
  secretsInCommands(text, ({ from, rule }) => {
    const word = begins.findLastIndex((begin) => begin <= from)
    const at = from - begins[word]!
    if (!places.some((place) => place.word === word))
      places.push({ word, from: at, to: words[word]!.length, name: rule })
  })
  return places
}

const report = ({ 0: all, index, input, groups = {} }: RegExpExecArray, found: FoundInText): void => {
  const written =
    groups['whole'] ?? groups['all'] ?? groups['pair'] ?? groups['double'] ?? groups['single'] ?? groups['bare'] ?? ''
  const value = input.startsWith('chpasswd', index + all.length) ? written.slice(written.indexOf(':') + 1) : written
  if (value.length < 3 || isPlaceholder(value) || /^\d{1,5}(?::\d+)?$/.test(value) || /^[$-]/.test(value)) return
  const from = index + all.lastIndexOf(value)
  found({ from, to: from + value.length, rule: 'context:command' })
}
