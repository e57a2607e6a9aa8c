import { describe, expect, test } from 'vitest'
import { expectWithin, patient } from '../../tests/patience.ts'
import { assignedIn } from './assignments.ts'
import { secretsInCommands, secretsOfCommand } from './commands.ts'
import { secretsInFiles } from './file-formats.ts'
import type { FoundInText } from './found-in-text.ts'
import { DEFAULT_REDACTIONS } from './redaction-rules.ts'
import { Names } from './secret-names.ts'

const NAMES = new Names(DEFAULT_REDACTIONS)

const foundIn = (text: string): readonly string[] => {
  const values = new Set<string>()
  const found: FoundInText = ({ from, to, doubtful }) => {
    if (!doubtful) values.add(text.slice(from, to))
  }
  assignedIn(text, NAMES, found)
  secretsInCommands(text, found)
  secretsInFiles(text, NAMES, found)
  return [...values]
}

const WORD = 'copperkettle'
const KEY = 'b7c1e0ff3a9d4c55aa01b2c3d4e5f607'

describe('secrets in programs, configuration and protocols', () => {
  test.each([
    ['a call', `setenv("DB_PASSWORD", "${WORD}")`, WORD],
    ['a header that is set', `headers.set("X-Api-Key", "${KEY}")`, KEY],
    ['a list of arguments', `["deploy", "--password", "${WORD}"]`, WORD],
    ['a fallback', `process.env.DB_PASSWORD ?? "${WORD}"`, WORD],
    ['a default of a shell', '${DB_PASSWORD:-' + WORD + '}', WORD],
    ['a wrapper', `token: Some(String::from("${KEY}"))`, KEY],
    ['a secret type', `SecretStr("${WORD}")`, WORD],
    ['a type in between', `password: str = "${WORD}"`, WORD],
    ['a list', `api_keys = ["${KEY}", "x"]`, KEY],
    ['an HCL variable', `variable "db_password" {\n  default = "${WORD}"\n}`, WORD],
    ['a column of SQL', `INSERT INTO users (id, password) VALUES (7, '${WORD}')`, WORD],
    ['a test of a page', `page.getByLabel("Password").fill("${WORD}")`, WORD],
    ['a YAML block', `password: |-\n  ${WORD}\nport: 1`, WORD],
    ['a YAML list', `passwords:\n  - ${WORD}\n`, WORD],
    ['a YAML pair', `- name: API_TOKEN\n  value: ${KEY}`, KEY],
    ['a field of HTML', `<input value="${WORD}" type="password">`, WORD],
    ['a meta tag', `<meta content="${KEY}" name="api-token">`, KEY],
    ['a struct of Go', `&{Host:db Password:${WORD} Port:5432}`, WORD],
    ['a passphrase', 'mnemonic: ranch lumber vivid hero copper slush', 'ranch lumber vivid hero copper slush'],
    ['a form with files', `Content-Disposition: form-data; name="password"\r\n\r\n${WORD}\r\n--x--`, WORD],
    ['FTP', `USER ada\r\nPASS ${WORD}`, WORD],
    ['expect', `expect "Password:"\nsend "${WORD}\\r"`, WORD],
    ['the QR code of a network', `WIFI:S:Cafe;T:WPA;P:${WORD};;`, WORD],
    ['a joined option', `curl -su ada:${WORD} https://example.com`, WORD],
    ['a connection string', `Server=tcp:db,1433;User ID=sa;Password=${WORD};Encrypt=true`, WORD],
    ['a DSN', `host=db port=5432 user=app password=${WORD} sslmode=require`, WORD],
    ['the arguments in a trace', `at login (user=ada, passwd=${WORD}) (auth.js:14:3)`, WORD],
    ['a user and pass', `user: ada\n  pass: "${WORD}"`, WORD],
    ['a properties file', 'RELEASE_STORE_PASSWORD=Copper.Kettle1287', 'Copper.Kettle1287'],
    ['setx', `setx DB_PASSWORD "${WORD}99" /M`, `${WORD}99`],
    ['fish', `set -Ux DB_PASSWORD "${WORD}99"`, `${WORD}99`],
    ['a setter', `config.setPassword("${WORD}");`, WORD],
    ['a macro', `#define MQTT_PASSWORD "${WORD}99"`, `${WORD}99`],
    ['var_dump', `["password"]=>\n  string(12) "${WORD}"`, WORD],
    ['a router', `snmp-server community ${WORD} RO 10`, WORD],
    ['a monitor of Redis', `"AUTH" "${WORD}"`, WORD],
    ['a mail server', 'S: 334 UGFzc3dvcmQ6\nC: Y29wcGVyCg==\nS: 235 OK', 'Y29wcGVyCg=='],
    ['an address with a password', 'demo@example.com:Kettle99!x', 'Kettle99!x'],
    [
      'the key of a network',
      'network_key: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]',
      '1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16',
    ],
    ['PuTTY', `plink -pw ${WORD} host`, WORD],
  ])('are found: %s', (_, text, secret) => {
    expect(foundIn(text)).toEqual([secret])
  })

  test.each([
    ['a statement of a minified program', 'const I=g.source;this._withCredentials=I.withCredentials||!1'],
    ['a key of a minified program', 'let a=1;this.apiKey=vU(i,this.keyBits,this.id,s,t,e);'],
    ['a number', 'password=0x0002000;'],
    ['a command', 'export API_KEY="$(pass show acme/api)"'],
    ['the address of a network card', 'mac=b8:27:eb:4f:11:9c'],
    ['a rule in French', '"password": "Le mot de passe est obligatoire"'],
    ['a folder', 'PWD=/home/ada/projects/demo'],
    ['when a token expires', 'X-Token-Expires: 2026-12-31T23:59:59Z'],
    ['names of fields', '["username", "password", "email"]'],
    ['a label', 't("password", "Password")'],
    ['a message', 'password || "enter one please"'],
    ['a placeholder', '${DB_PASSWORD:-changeme}'],
    ['another variable', 'variable "region" { default = "eu-west-1" }'],
    ['another column', "INSERT INTO t (id, name) VALUES (1, 'password1')"],
    ['an empty field', '<input type="password" placeholder="Your password" value="">'],
    ['a key of an assembly', '<assemblyIdentity name="X" publicKeyToken="b03f5f7f11d50a3a"/>'],
    ['a report of tests', 'PASS src/app2.test.ts\nPASS src/b.test.ts'],
    ['a file', '- name: PASSWORD_FILE\n  value: /run/secrets/pw'],
    ['a rule', 'Passwort: erforderlich'],
    ['a port', 'docker run -p 8080:80 image'],
    ['no sentence is a passphrase', 'passphrase: must contain four words'],
  ])('leave alone: %s', (_, text) => {
    expect(foundIn(text)).toEqual([])
  })

  test('a command as a list of words: a secret may have any character', () => {
    expect(secretsOfCommand(['/usr/bin/redis-cli', '-a', 'a|b;c d'])).toMatchObject([{ word: 2, from: 0, to: 7 }])
    expect(secretsOfCommand(['curl', '-uada:a;b', 'https://example.com'])).toMatchObject([{ word: 1, from: 6, to: 9 }])
    expect(secretsOfCommand(['docker', 'run', '-p', '8080:80'])).toEqual([])
  })

  test('long hostile texts take a moment', { timeout: patient(60_000) }, async () => {
    const units = [
      '"a", ',
      '<a b c ',
      'a || "',
      '${A:-',
      'password = [',
      'type "',
      'insert into a (b',
      '- name: a\n',
      '\\"',
    ]
    await expectWithin(3_000, () => {
      for (const unit of units) foundIn(unit.repeat(20_000))
    })
  })
})
