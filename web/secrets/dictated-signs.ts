/**
 * Passwords dictated sign by sign, in some 20 languages: `capital B, five, zero, ampersand, k`; and the pattern that one draws
 * on a screen: `top left, centre, bottom right`.
 */
import { ACCESS } from './access-words.ts'
import { asksDiscretion } from './discretion-words.ts'
import { ENTERING, plainLetters, saysToKeep } from './entry-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { isNumber } from './number-words.ts'

const RULE = 'context:prose'
const LONGEST = 20_000
const MOST_ITEMS = 2000
const AROUND = 160

const set = (words: string): ReadonlySet<string> => new Set(plainLetters(words).split(/\s+/))

/** How a letter is written. */
const CASES = set(
  'capital uppercase upper lowercase lower case small big letter gross grosses großes groß großer klein kleines kleiner buchstabe majuscule majuscules minuscule minuscules grand grande petit petite lettre mayúscula mayuscula minúscula minuscula letra maiuscola maiuscolo minuscola minuscolo lettera maiúscula maiusculo minúsculo majusculă minusculă mare mic litera hoofdletter kleine letter stort stor store lille lilla litet liten bokstav bogstav versaali iso pieni kirjain duże duza duża wielkie wielka małe mala mała litera velké velke velka malé male malá písmeno veľké veliko malo slovo nagy kis betű büyük küçük harf besar kecil huruf большая большое заглавная маленькая маленькое строчная буква велика мала літера голямо малко буква κεφαλαίο μικρό γράμμα',
)
const SIGNS = set(
  'ampersand hash hashtag pound dollar percent star asterisk dash hyphen underscore underline dot point slash backslash exclamation bang question mark colon semicolon comma plus equals at caret tilde pipe space bracket quote ' +
    'raute rautezeichen kaufmannsund und-zeichen klammeraffe prozent stern bindestrich minus unterstrich punkt schrägstrich ausrufezeichen fragezeichen doppelpunkt komma gleich leerzeichen ' +
    'dièse arobase esperluette pourcent étoile tiret soulignement tiret-bas point exclamation interrogation virgule espace almohadilla arroba asterisco guion guión barra punto exclamación interrogación porcentaje dólar coma espacio et ' +
    'cancelletto chiocciola trattino sottolineato esclamativo interrogativo percentuale dollaro virgola cardinal cifrão hífen sublinhado exclamação ponto hekje apenstaartje sterretje streepje liggend uitroepteken vraagteken punt ' +
    'skigard firkant nummertegn snabel-a snabela stjärna stjerne bindestreck understreck utropstecken udråbstegn utropstegn understregning brädgård risuaita ristikko huutomerkki viiva alaviiva piste krzyżyk hasz małpa gwiazdka myślnik podkreślnik wykrzyknik kropka procent křížek mřížka zavináč hvězdička pomlčka podtržítko vykřičník tečka ljestve kettőskereszt kukac csillag kötőjel aláhúzás felkiáltójel pont ' +
    'kare et-işareti yıldız tire altçizgi ünlem nokta pagar bintang titik решётка решетка собака звёздочка звездочка дефис тире подчёркивание подчеркивание восклицательный знак точка доллар процент ґратка зірочка знак-оклику δίεση παπάκι αστερίσκος παύλα θαυμαστικό τελεία',
)
/** Letters by their names. */
const NAMES = set(
  'ay bee cee see dee ee eff gee aitch jay kay el em en pee cue queue ar ess tee vee ex wye zed zee be ce de ef ge ha jot ka pe qu er es te vau we ix ypsilon zett efe ele eme ene erre ese uve equis zeta hache jota cu effe elle emme enne esse acca igrek iks wu zet',
)
/** Of which one consists. */
const isCore = (word: string): boolean =>
  /^\p{L}$|^\p{N}{1,3}$/u.test(word) || isNumber(word) || SIGNS.has(word) || NAMES.has(word)

type Core = 'letter' | 'number' | 'sign'
const coreOf = (word: string): Core =>
  /^\p{N}/u.test(word) || isNumber(word) ? 'number' : SIGNS.has(word) ? 'sign' : 'letter'

interface Item {
  readonly from: number
  readonly to: number
  readonly kind: Core
  readonly cased: boolean
  /** There is no other text before or after it. */
  readonly opens: boolean
  readonly closes: boolean
}

/** What one item between two commas spells; in the first one it stands at the end, in the last one at the beginning. */
const itemsOf = (piece: string, offset: number, atEnd: boolean): Item | undefined => {
  const words = Array.from(piece.matchAll(/[\p{L}\p{M}\p{N}’'-]+/gu), ({ 0: word, index }) => ({
    plain: plainLetters(word),
    from: offset + index,
    to: offset + index + word.length,
  }))
  if (words.length === 0 || words.length > 40) return undefined
  const isPart = (word: string): boolean => CASES.has(word) || isCore(word)
  let [first, last] = [0, words.length - 1]
  if (atEnd) {
    first = words.length
    while (first > 0 && words.length - first < 4 && isPart(words[first - 1]!.plain)) first--
  } else {
    last = -1
    while (last + 1 < words.length && last < 3 && isPart(words[last + 1]!.plain)) last++
  }
  if (first > last) return undefined
  const own = words.slice(first, last + 1)
  const cores = own.filter(({ plain }) => isCore(plain) && !(own.length > 1 && CASES.has(plain)))
  if (cores.length === 0 || cores.length > 2) return undefined
  return {
    from: own[0]!.from,
    to: own.at(-1)!.to,
    kind: coreOf(cores[0]!.plain),
    cased: own.some(({ plain }) => CASES.has(plain)),
    opens: first === 0,
    closes: last === words.length - 1,
  }
}

/** As long as a password. */
const LEAST_SIGNS = 5

export const dictatedSignsIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || !text.includes(',')) return
  const report = (from: number, to: number, doubtful: boolean): void =>
    found({ from, to, rule: RULE, ...(doubtful ? { doubtful: true as const } : {}) })
  let run: Item[] = []
  let count = 0
  const close = (): void => {
    const letters = run.filter(({ kind }) => kind === 'letter').length
    const signs = run.filter(({ kind, cased }) => kind === 'sign' || cased).length
    const mixed = letters > 0 && letters < run.length && signs > 0
    if (run.length >= LEAST_SIGNS && mixed) {
      const [from, to] = [run[0]!.from, run.at(-1)!.to]
      const around = `${text.slice(Math.max(0, from - AROUND), from)} ${text.slice(to, to + AROUND)}`
      const plain = plainLetters(around)
      report(from, to, !(ACCESS.test(around) || ENTERING.in(plain) || saysToKeep(plain) || asksDiscretion(plain)))
    }
    run = []
  }
  for (const { 0: piece, index } of text.matchAll(/[^,.;:!?\n()“”„"«»–—]{1,300}/gu)) {
    if (++count > MOST_ITEMS) return
    const follows = text.charAt(index - 1) === ','
    if (!follows) close()
    const before = text.charAt(index + piece.length) === ','
    const own = follows && run.length > 0 ? itemsOf(piece, index, false) : undefined
    if (own) {
      run.push(own)
      if (!own.closes) close()
    } else close()
    if (run.length === 0 && before) {
      const first = itemsOf(piece, index, true)
      if (first) run.push(first)
    }
  }
  close()
  drawnIn(text, report)
}

const PLACES = set(
  'top bottom upper lower middle center left right oben unten mitte links rechts haut bas milieu centre gauche droite arriba abajo centro medio izquierda derecha superior inferior alto basso sinistra destra cima baixo meio esquerda direita boven onder midden linksboven rechtsboven linksonder rechtsonder overst nederst mitten vanster hoger øverst venstre højre hojre høyre hoyre gorny gorna dolny dolna srodek srodkowy lewy prawy lewo prawo gora doł dol nahore dole uprostred vlevo vpravo levy pravy horni dolni fent lent kozep kozepen balra jobbra bal jobb ust alt orta sol sag atas bawah tengah kiri kanan слева справа сверху снизу вверху внизу зверху знизу посередине πανω κατω κεντρο αριστερα δεξια',
)
/** Beginnings of more of them, in Russian and Ukrainian. */
const PLACE_STEMS = /^(?:верхн|нижн|лев|прав|центр|середин|ліво)/
/** Between the words of a place. */
const LINKS = set(
  'en in a la le the al el de du der die das no na w po v u i at em o corner ecke coin esquina point punkt',
)
/** One place: `in the top left`. A letter for each word: `L` links, `P` is a place. */
const SPOT = /^L{0,2}P(?:L{0,2}P)?$/
const MOST_OF_SPOT = 6
const THEN =
  /(?:,| then| dann| puis| luego| poi| potem| daarna|,? потом)\s(?:(?:then|and|und|et|y|e|i|dann|puis|luego|poi) )?/giu
/** In plain letters. */
const DRAWS =
  /(?<!\p{L})(?:draw\p{L}*|trace|swipe|slide|dots|pattern|zeichn\p{L}*|zieh\p{L}*|wisch\p{L}*|punkte|muster|trac\p{L}*|dessin\p{L}*|gliss\p{L}*|points|schema|dibuj\p{L}*|desliz\p{L}*|puntos|patron|disegn\p{L}*|traccia\p{L}*|punti|desenh\p{L}*|pontos|padrao|teken\p{L}*|veeg\p{L}*|stippen|patroon|rita\p{L}*|tegn\p{L}*|prikker\p{L}*|monster|rysuj\p{L}*|narysuj\p{L}*|kropk\p{L}*|wzor\p{L}*|nakresli\p{L}*|vzor\p{L}*|rajzol\p{L}*|minta|cizin?|ciz|desen|gambar|pola|рису\p{L}*|нарисуй\p{L}*|точк\p{L}*|узор\p{L}*|графическ\p{L}*|малюй\p{L}*|крапк\p{L}*|σχεδι\p{L}*|τελει\p{L}*|μοτιβο)(?!\p{L})/u
const DEVICE =
  /(?<!\p{L})(?:phone|tablet|screen|mobile|handy|ipad|telefon\p{L}*|telephone|tablette|movil|celular|tableta|telefono|cellulare|schermo|bildschirm|ecran|pantalla|tela|mobiel|skarm|skjerm|tablet\p{L}*|ekran\p{L}*|телефон\p{L}*|планшет\p{L}*|экран\p{L}*|κινητ\p{L}*|unlock|entsperr\p{L}*|deverrouill\p{L}*|desbloque\p{L}*|sblocc\p{L}*|odblok\p{L}*|разблок\p{L}*)(?!\p{L})/u

interface Spot {
  readonly from: number
  readonly to: number
  readonly opens: boolean
  readonly closes: boolean
}

/** @param atEnd where it stands if there is other text in the piece */
const spotOf = (piece: string, offset: number, atEnd: boolean): Spot | undefined => {
  const all = [...piece.matchAll(/[\p{L}\p{M}\p{N}]+/gu)]
  // Other words may precede the first one, and follow the last one.
  const near = atEnd ? all.slice(-MOST_OF_SPOT) : all.slice(0, MOST_OF_SPOT)
  const kinds = near.map(({ 0: word }) => {
    const plain = plainLetters(word)
    return PLACES.has(plain) || PLACE_STEMS.test(plain) ? 'P' : LINKS.has(plain) ? 'L' : '-'
  })
  for (let length = near.length; length > 0; length--) {
    const first = atEnd ? near.length - length : 0
    const own = near.slice(first, first + length)
    const [from, last] = [own[0]!.index, own.at(-1)!]
    const to = last.index + last[0].length
    if (!SPOT.test(kinds.slice(first, first + length).join('')) || /[^\p{L}\p{M}\p{N} -]/u.test(piece.slice(from, to)))
      continue
    return { from: offset + from, to: offset + to, opens: from === 0, closes: to === piece.length }
  }
  return undefined
}

/** As many as a pattern has at least. */
const LEAST_SPOTS = 3

const drawnIn = (text: string, report: (from: number, to: number, doubtful: boolean) => void): void => {
  let run: Spot[] = []
  const close = (): void => {
    if (run.length >= LEAST_SPOTS) judgeDrawn(text, run[0]!.from, run.at(-1)!.to, report)
    run = []
  }
  let begin = 0
  const add = (end: number, follows: boolean): void => {
    const piece = text.slice(begin, end)
    const next = run.length > 0 ? spotOf(piece, begin, false) : undefined
    if (next?.opens) {
      run.push(next)
      if (next.closes) return
    }
    close()
    const first = follows ? spotOf(piece, begin, true) : undefined
    if (first?.closes) run.push(first)
  }
  let count = 0
  for (const { 0: then, index } of text.matchAll(THEN)) {
    if (++count > MOST_ITEMS) break
    add(index, true)
    begin = index + then.length
  }
  if (count <= MOST_ITEMS) add(text.length, false)
  close()
}

const judgeDrawn = (
  text: string,
  from: number,
  to: number,
  report: (from: number, to: number, doubtful: boolean) => void,
): void => {
  const plain = plainLetters(`${text.slice(Math.max(0, from - AROUND), from)} ${text.slice(to, to + AROUND)}`)
  if (!DRAWS.test(plain)) return
  const device = DEVICE.test(plain)
  const kept = saysToKeep(plain) || asksDiscretion(plain)
  if (device || kept) report(from, to, !kept)
}
