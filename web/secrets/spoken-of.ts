/**
 * What a sentence says behind a word for a password or a code: `heslo do skladu znie: …`, `mot de passe, c’est « … »`,
 * `parooliga …`. A word with digits or joined words are removed if the verb stands directly in front, others are reported.
 */
import { AnyCase } from './any-case.ts'
import { chosenLikeness, isTechnical } from './chosen-words.ts'
import { odd } from './confided-secrets.ts'
import { HELD, OPENED, plainLetters, Stems } from './entry-words.ts'
import { describesField, isFieldState } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlace, isPlaceholder } from './heuristics.ts'
import { namesOther } from './other-numbers.ts'
import { PROTECTED } from './protected-things.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 20_000
const MOST = 60
/** Characters between the word for a secret and the secret. */
const IN_FRONT = 64

/** In any inflected form. */
const NOUN = new Stems(
  'password. passwords. passphrase passcode pin. code. codeword combination. passwort kennwort losung stichwort codewort passwor ' +
    'contraseñ contrasen clave. senha. wachtwoord lösenord losenord passord adgangskod kodeord salasan tunnusan parool parole. parola. parolă parolei paroli slaptažod lykilorð ' +
    'hasło hasła hasłem haśle heslo hesla heslem heslom lozink zapork gesl. geslo gesla geslom jelsz şifre şifren şifrem sifre kod. kodu. kód kódem koda. kodo kodem cifru cifrul șifra sandi. laluan. nenosiri. cyfrinair ' +
    'парол пароль пароля лозинк гасл шифр шифра код. кода. кодом κωδικ σύνθημα σύνθημ סיסמ הסיסמ קוד הקוד رمز الرمز گذرواژه पासवर्ड कोड пасворд',
  '密码|密碼|口令|暗号|暗號|パスワード|合言葉|비밀번호|비번|암호|รหัส',
)
const WORDS = /mots? de passe|mat khau|kata sandi|kata laluan|palavra.passe|codice segreto|code secret/u
const speaks = (plain: string): boolean => NOUN.in(plain) || WORDS.test(plain)
/** It has a word for a password or a code. */
export const speaksOfSecret = (text: string): boolean => speaks(plainLetters(text))
/** It is, it reads, namely; or a sign. Directly in front of the secret. */
const IS = new AnyCase(
  String.raw`(?:(?<!\p{L})(?:is|it['’]?s|ist|lautet|heißt|est|c['’]est|sera|es|será|è|é|je|је|jest|brzmi|znie|zní|glasi|är|er|on|este|είναι|това е|е|є|это|adalah|là|czyli|ossia|cioè|soit|nämlich|namely|tedy|teda|tj\.|olan|hâlâ|halen|artık|still|immer noch|toujours|todavía|ancora|ainda|nog steeds|fortfarande|stadig|fortsatt)(?: (?:still|now|je|ti|immer noch|jetzt|toujours|ahora|ora|agora|nu|nå|nyt|teraz|nyní|teď|sada|zdaj|most|şimdi|теперь|сейчас|зараз|вече|сега|сада|τώρα))?|[:：→–—]|(?<=\s)-)\s{1,2}["“„«»‘'「『]?\s?$`,
)
/** A case of its own says what one gets in with: `parooliga …`, `hasłem …`. */
const WITH_NOUN = new AnyCase(
  String.raw`(?<!\p{L})(?:parooliga|salasanalla|tunnussanalla|hasłem|heslem|heslom|geslom|lozinkom|zaporkom|šifrom|jelszóval|паролем|лозинком|гаслом|шифром|cifrul|codul|parola|şifresiyle|şifreyle|koodilla|koodiga|kódem|kódom|kodem)\s{1,2}["“„«»‘']?\s?$`,
)
/** Up to here, what is said is one value: a space, a mark, the end. */
const VALUE =
  /(?<![^\s"“„«»‘'「『])(?:(?<code>\p{N}{1,3}(?:[-–]\p{N}{1,3}){2,4})|(?<numbered>\p{Lu}\p{L}{3,20} \p{N}{1,4}(?![,.:]\p{N}))|(?<word>[\p{L}\p{N}][^\s"'“”„«»‘’「」『』,;:()<>{}[\]|\\=]{3,47}))(?=\s?(?:[,.;!?"”“»«’'」』]|$)|\s)/gu
const QUOTED = /["“„«‘「『]\s?(?<quoted>[\p{L}\p{N}][^"“”„«»‘’「」『』.!?:;\n]{2,40}?)\s?["”“»’」』]/gu
/** Sentences about passwords. */
const ABOUT = new AnyCase(
  String.raw`\b(?:must|should|required?|invalid|incorrect|wrong|expired|policy|policies|reset|forgot\w*|muss|falsch|ungültig|vergess\p{L}*|doit|oubli\p{L}*|incorrect\p{L}*|debe|olvid\p{L}*|deve|musí|musi|neplatn\p{L}*|должен|неверн\p{L}*)(?!\p{L})`,
)

export const spokenOfIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 12 || !speaks(plainLetters(text))) return
  const report = (from: number, value: string, doubtful: boolean): void =>
    found({ from, to: from + value.length, rule: RULE, ...(doubtful ? { doubtful } : {}) })
  let count = 0
  for (const { 0: value, index, groups } of text.matchAll(VALUE)) {
    const { code, numbered, word } = groups!
    const own = word === undefined ? value : word.replace(/[.!?…]+$/, '')
    const isWord = word !== undefined
    if (isWord && (!/[\p{N}_-]/u.test(word) || /^[A-Z\d_]+$/.test(word))) continue
    if (++count > MOST) return
    if (isWord && (odd(own) === 0 || isTechnical(own))) continue
    const front = frontOf(text, index)
    const direct = WITH_NOUN.test(front)
    if ((!direct && !IS.test(front)) || !isSpokenOf(text, index, front)) continue
    if (code !== undefined) report(index, own, isDate(code) || !opensIn(plainLetters(around(text, index))))
    else if (numbered !== undefined) {
      if (!/[:：–—]\s/.test(front.slice(-3)) || isPlaceholder(own) || describesField(own)) continue
      report(index, own, true)
    } else report(index, own, chosenLikeness(own) === 0 && !/^\p{L}{4,}\p{N}{1,4}$/u.test(own))
  }
  for (const { 0: all, index, groups } of text.matchAll(QUOTED)) {
    const said = groups!['quoted']!
    if (++count > MOST) return
    if (said.length < 4 || isPlaceholder(said) || isPlace(said) || describesField(said) || isFieldState(said)) continue
    const front = frontOf(text, index)
    if (!IS.test(front) || !isSpokenOf(text, index, front)) continue
    const sure = odd(said) > 0 && !isTechnical(said)
    // Only listed: several words, unless they follow a colon, as slogans do. A single ordinary word isn't even listed.
    if (sure || (said.includes(' ') && !/[:：]\s?$/.test(front))) report(index + all.indexOf(said), said, !sure)
  }
}

/** In the same line, the nearest characters. */
const frontOf = (text: string, at: number): string => {
  const front = text.slice(Math.max(0, at - IN_FRONT), at)
  return front.slice(front.lastIndexOf('\n') + 1)
}
const around = (text: string, at: number): string => text.slice(Math.max(0, at - 160), at + 120)

const opensIn = (plain: string): boolean => OPENED.in(plain) || HELD.in(plain) || PROTECTED.in(plain)

/** A word for a secret is in the same sentence, and the sentence isn't about such words. */
const isSpokenOf = (text: string, at: number, front: string): boolean => {
  const clause = front.split(/[.!?](?:\s|$)/).at(-1)!
  if (!speaks(plainLetters(clause)) || ABOUT.test(clause) || namesOther(front)) return false
  const begin = text.slice(0, at).lastIndexOf('\n') + 1
  return !isProgramLine(text.slice(begin, begin + 300).split('\n', 1)[0]!)
}

/** `12-05-24` may be a day. */
const isDate = (code: string): boolean => {
  const [day = 0, month = 0] = code.split(/[-–]/).map(Number)
  return (day < 32 && month < 13) || (day < 13 && month < 32)
}
