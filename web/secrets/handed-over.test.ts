import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { handedOverIn, isProgramLine } from './handed-over.ts'

const foundIn = (text: string, doubtful = false): readonly string[] => {
  const values = new Set<string>()
  handedOverIn(text, (one) => {
    if ((one.doubtful ?? false) === doubtful) values.add(text.slice(one.from, one.to))
  })
  return [...values]
}

describe('a password that a text hands over', () => {
  test.each([
    ['English', 'To unlock the stockroom laptop, type Saffron-Piano4', 'Saffron-Piano4'],
    ['German', 'Am Kassenrechner anmelden, danach kommt Schnee_Eule77', 'Schnee_Eule77'],
    ['German, with the verb behind', 'Beim Login einfach Nebelhorn/Kutter eintippen', 'Nebelhorn/Kutter'],
    ['French', 'Pour ouvrir le portail : composez Citron/Vert/9 puis la cloche', 'Citron/Vert/9'],
    ['Spanish', 'Para acceder usa tu nombre y luego Tortuga-Verde21', 'Tortuga-Verde21'],
    ['Italian', 'Accesso: inserisci Limone!Giallo e premi invio', 'Limone!Giallo'],
    ['Portuguese', 'Para acessar o painel digite Caju.Doce55', 'Caju.Doce55'],
    ['Dutch', 'Inloggen met je nummer en dan Fietsbel-88', 'Fietsbel-88'],
    ['Swedish', 'Logga in som vikarie och skriv Mossa_Sten8', 'Mossa_Sten8'],
    ['Finnish', 'Kirjaudu koneelle ja kirjoita Mokka-Kahvi8', 'Mokka-Kahvi8'],
    ['Polish', 'Zaloguj się i wpisz Kluski_kopytka4', 'Kluski_kopytka4'],
    ['Czech', 'Přihlas se jako host a zadej Knedlik_Zeli2', 'Knedlik_Zeli2'],
    ['Hungarian', 'Belépsz a neveddel, utána Gulyas-Leves5', 'Gulyas-Leves5'],
    ['Turkish', 'Sisteme giriş için Elma_Armut34 yaz', 'Elma_Armut34'],
    ['Greek', 'Μπαίνεις με το όνομά σου και μετά Ελιά-Θάλασσα3', 'Ελιά-Θάλασσα3'],
    ['Russian', 'Чтобы войти, введите Ежевика-48', 'Ежевика-48'],
    ['Ukrainian', 'Сторож відчиняє, якщо сказати йому «Волошки_31»', 'Волошки_31'],
    ['Chinese', '登录时输入Panda_Bambus7', 'Panda_Bambus7'],
    ['a user and a slash', 'staging login: editor / P1stache10', 'P1stache10'],
    ['an address and a comma', 'wifi (guest, teal-otter-58)', 'teal-otter-58'],
    ['a network', 'The wifi here: net is Nordlys, Brise7Kap', 'Brise7Kap'],
    ['the line below a prompt', 'Admin password:\nKiwi.Vogel.7\nok', 'Kiwi.Vogel.7'],
    ['the line below a user', 'operator\nFjordkylling9', 'Fjordkylling9'],
    ['the field of a user', "no such user: 'Hagebutten2007!'", 'Hagebutten2007!'],
    ['a shell', '$ sudo -i\n$ Zauber_Wald#9\nbash: Zauber_Wald#9: command not found', 'Zauber_Wald#9'],
    ['a database', 'attempted reader/geheim9wort@XEPDB1', 'geheim9wort'],
    ['a comment', '// works only with hunters-of-Moss, ask for a proper account', 'hunters-of-Moss'],
    ['a row of answers', 'radius: accept|vlan20|printer|mossy7owls', 'mossy7owls'],
    ['the arguments of a program', './add-user.sh lena Rosmarin55', 'Rosmarin55'],
    ['a program that opens', 'python unlock_vault.py Hagel_sturm3', 'Hagel_sturm3'],
  ])('is found: %s', (_, text, secret) => expect(foundIn(text)).toEqual([secret]))

  test.each([
    ['one that is hardly anything else', 'lunch was nice, Birch!Lamp', 'Birch!Lamp'],
    ['in a sentence about access', 'The vpn host Wiesel-Bau4 is slow', 'Wiesel-Bau4'],
  ])('is only reported: %s', (_, text, value) => {
    expect(foundIn(text)).toEqual([])
    expect(foundIn(text, true)).toEqual([value])
  })

  test.each([
    ['an account', 'To log in, use your Microsoft-365 account'],
    ['what a word is about', 'Sign in and enter GitHub/GitLab credentials'],
    ['a menu', 'Sign in, then open Settings/Developer'],
    ['a program', "import { LoginForm2 } from './Login-Form'"],
    ['a list of doors', 'unlock_door\nFront-Door\nGarage-2'],
    ['a theme', 'LOGIN_THEME\nDark-Ocean2'],
    ['a device that signed in', 'user logged in from 203.0.113.7 device=Pixel-8a'],
    ['a link', 'log in to [Wiesel-Bau4](https://example.com/)'],
    ['a version', 'sign in with @scope/conformance 0.2.0-alpha.12'],
    ['a flat', '3-Zimmer-Wohnung, Tür mit Gegensprechanlage'],
    ['an issue', '401 without CORS headers (better-auth#10272, MCPJam#331)'],
    ['a score', 'login.test.ts: Final 3-2, wind NNE 4-5'],
  ])('nothing of %s is', (_, text) => expect(foundIn(text)).toEqual([]))

  test('a long text takes no longer than its length', async () => {
    await expectWithin(6_000, () => {
      for (const part of ['log in ', 'type a-', 'a/', 'b|', 'then X1 ', '\n\n', 'useradd ', '# a, ', 'é '])
        handedOverIn(part.repeat(59_000 / part.length), () => {})
    })
  })
})

test.each([
  ['If the guard asks for it, say that you come from the mill.', false],
  ['Let op: niemand mag weten waar de boot ligt.', false],
  ['use the blue door and tell nobody about it', false],
  ['if password == expected: return True', true],
  ['let token = read()', true],
  ['return value', true],
  ['import os', true],
])('a sentence that begins like a statement is no program: %s', (line, is) => expect(isProgramLine(line)).toBe(is))
