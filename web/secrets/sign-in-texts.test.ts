import { describe, expect, test } from 'vitest'
import { secretsInProse } from './prose.ts'

const foundIn = (text: string, doubtful = false): readonly string[] => {
  const values = new Set<string>()
  secretsInProse(text, (one) => {
    if ((one.doubtful ?? false) === doubtful) values.add(text.slice(one.from, one.to))
  })
  return [...values]
}

const MADE = 'Vk7!mopRed44'
const WORDS = 'otter-maple-signal-harbor3'

describe('passwords and codes that only the text around tells', () => {
  test.each([
    ['English', `Log in as ada using ${WORDS}`, WORDS],
    ['German', `Melde dich mit ${MADE} an`, MADE],
    ['French', `Connecte-toi avec ${WORDS}`, WORDS],
    ['Spanish', `Inicia sesión con ada y ${MADE}`, MADE],
    ['Italian', `Accedi come ada con ${MADE}`, MADE],
    ['Portuguese', `Entre com ada e ${MADE}`, MADE],
    ['Russian', `Войди под ada с ${MADE}`, MADE],
    ['Chinese', `用ada和${MADE}登录`, MADE],
    ['Japanese', `パスワードは${MADE}です`, MADE],
    ['Korean', `암호는 ${MADE}입니다`, MADE],
    ['an answer', `q: guest wifi?\na: ${WORDS}`, WORDS],
    ['below an address', `Admin panel\nada@example.com\n${WORDS}`, WORDS],
    ['behind an address', `ada@example.com:${MADE}`, MADE],
    ['behind a slash', `staging: ada / ${MADE}`, MADE],
    ['a confidence', `it's ${MADE} now, don't tell anyone`, MADE],
    ['a safe', 'Der Tresor öffnet mit 48213', '48213'],
    ['a gate', 'Gate code 4821', '4821'],
    ['a code to sign in', 'To finish signing in, enter 482913.', '482913'],
    ['a code in Spanish', 'Su código de verificación es 482913', '482913'],
    ['a code in Korean', '인증번호는 [482913] 입니다', '482913'],
    ['a code in front', '482913 is your login code', '482913'],
    ['a key to sign with', `Sign payloads with ${'b7c1e0ff3a9d4c55'.repeat(4)}`, 'b7c1e0ff3a9d4c55'.repeat(4)],
  ])('are found: %s', (_, text, secret) => {
    expect(foundIn(text)).toEqual([secret])
  })

  test('codes for one use each, in lines of one shape', () => {
    expect(foundIn('Each of these works once to sign in:\nab12-cdef\nghij-klm4\n')).toEqual(['ab12-cdef', 'ghij-klm4'])
  })

  test('without such words, one that hardly is anything else is only reported', () => {
    expect(foundIn(`my lunch was ${MADE}`)).toEqual([])
    expect(foundIn(`my lunch was ${MADE}`, true)).toEqual([MADE])
  })

  test.each([
    ['an exit code', 'exit code 137, HTTP status code 4040'],
    ['a postal code', 'your zip code is 90210'],
    ['a time', 'login took 1234 ms'],
    ['an amount', 'Enter 1024 items'],
    ['a year', 'the door opens at 1930'],
    ['a hash', `signed with sha256 ${'b7c1e0ff3a9d4c55'.repeat(4)}`],
    ['a model', 'model claude-sonnet-4-20250514 is used with login'],
    ['a package', 'use actions/checkout@v4 and @auth/core@0.34.2 to log in'],
    ['a repository', 'git@github.com:acme/app2.git'],
    ['a server', 'kubectl exec api-server-blue-prod2 login'],
    ['an ID', 'logged in\nreq_7f3aB9xQ'],
    ['a selector', '#password-field1:focus { color: #4f46e5; }'],
    ['a drawing', 'log in <path d="M12.434 2.75V8V3.567C9.125 12.5399C9.14615 2.75H12Z"/>'],
    ['a media query', 'sign in @media (min-resolution:1.1dppx)'],
    ['a product', 'sign in with Context7 to use it'],
    ['a tool', 'log in, then use agency-hosting_listDomainsV1'],
    ['the ID of a request', 'login {"requestId":"K4E62-5LKLR","ok":true}'],
    ['standards', 'RFC-7519 / RFC-6749'],
  ])('leave alone: %s', (_, text) => {
    expect(foundIn(text)).toEqual([])
  })
})
