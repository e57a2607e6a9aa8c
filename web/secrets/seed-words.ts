/** Twelve or more words in a row behind words that say so, in any language: what restores a wallet (BIP 39). */
import { confides } from './confiding-words.ts'
import { plainLetters, saysToKeep } from './entry-words.ts'

const MARKER =
  /(?<![\p{L}\p{N}])(?:twelve|fifteen|eighteen|twenty[- ]?(?:one|four)|12|15|18|21|24|zw[oö]lf|vierundzwanzig|douze|vingt-quatre|doce|veinticuatro|doze|vinte e quatro|dodici|ventiquattro|dotze|vint-i-quatre|doisprezece|douăzeci și patru|twaalf|vierentwintig|tolv|tjugofyra|fireogtyve|tjuefire|kaksitoista|kaksitoi?sta|kaksteist|divpadsmit|dvylika|dwana[sś]cie|dwadzie[sś]cia cztery|dvan[aá]ct|dvacet čtyři|dvan[aá]s[tť]|dvanajst|dvanaest|tizenk[eé]t|huszonn[eé]gy|on ?iki|yirmi d[oö]rt|δώδεκα|двенадцать|двадцать четыре|дванадцять|двадцять чотири|дванадесет|дванаест|שתים עשרה|שנים עשר|اثنتا عشرة|دوازده|बारह|dua belas|kumi na mbili|labindalawa|mười hai|hai mươi bốn) (?:[\p{L}\p{M}]+ ){0,2}(?:words?|w[oö]rter|worte|mots|palabras|palavras|parole|paraules|cuvinte|woorden|ord|orð|sanaa|s[oõ]na|v[aā]rd\p{L}*|žodži\p{L}*|s[lł][oó]w\p{L}{0,2}|slov\p{L}{0,2}|besed\p{L}?|rije[cč]i|re[cč]i|sz[oó]\p{L}*|szav\p{L}*|kelime\p{L}*|λέξεις|слов\p{L}?|слів|дум\p{L}?|збор\p{L}*|реч\p{L}*|מילים|كلمة|کلمه|शब्द\p{L}*|kata|maneno|salita|từ)(?!\p{L})|(?:12|24|十二|二十四|열두|스물네) ?(?:个|個|の)?の?(?:词|詞|单词|単語|단어)|(?<!\p{L})(?:seed|mnemonic|recovery|backup)[- ](?:phrase|words|list)|(?<!\p{L})(?:monedero|portefeuille crypto|portefeuille bitcoin|frase semilla|phrase de récupération|wiederherstellungsw[oö]rter|seed-?w[oö]rter|кошел[её]к\p{L}*|гаманц\p{L}*|seed-?fras\p{L}*|seed-?zin)(?!\p{L})|助记词|助記詞|シードフレーズ|니모닉|시드 ?구문/giu
const WORD = /\s*(?:\d{1,2}[.):]?\s?)?(?<word>[\p{L}\p{M}]{2,14})(?:[,;](?=\s)|(?=\s|[.!?]|$))/uy
/** Words that sentences have. */
const SENTENCE =
  /^(?:the|and|for|are|not|was|has|its|were|your|their|from|which|but|with|that|this|you|of|to|in|is|it|de|la|el|los|las|que|del|les|des|et|est|une|und|der|die|das|den|ist|nicht|mit|ein|eine|het|een|van|och|att|som|il|di|che|per|com|uma|para|na|że|się|jest|se|je|v|i|в|и|на|не|что|это|та|що|az|egy|ve|bir|și|dan|yang|και|το|να)$/iu
/** What such words are for: others are a vocabulary, a list of goods, a rhyme. */
const WALLET =
  /wallets?|monedero|cartera|portefeuille|portafogli|carteira|portemonnee|plånbok|lommebok|tegnebog|lompakko|rahakott|maks\b|pinigin|portfel|peněžen|penezen|novčan|denarnic|pénztárca|penztarca|cüzdan|cuzdan|dompet|pochi|πορτοφ|кошел|гаман|портфейл|новчан|ארנק|محفظ|کیف پول|वॉलेट|ví\b|钱包|錢包|ウォレット|지갑|seed|semilla|semente|mnemo|recover|restor|récup|recuper|herstel|wiederherst|återst|gjenoppr|gendan|palaut|taast|atkop|atkūr|odzysk|przywr|obnov|oporav|helyreáll|kurtar|восстан|віднов|възстан|ανάκτ|ανακτ|שחזור|استرداد|استعاد|بازیاب|pulihkan|pemulihan|khôi phục|恢复|恢復|助记|助記|復元|복구|니모닉|bitcoin|crypto|krypto|btc|ethereum|ledger|trezor|metamask|electrum|monero|\bcoins\b|m[uü]nzen|monedas|pièces|monete|moedas|munten|mynt(?:en)?\b|mønter|kolikot|monet(?:y|ami)?\b|mince\b|érm[eé]|монет|νομίσματ|مطبع|硬币|コイン|코인|koin\b/iu
const LEAST = 11
const MOST = 26
const MOST_MARKERS = 20
/** Characters from the marker to the first word. */
const AHEAD = 200

export const seedWordsIn = (text: string, add: (value: string, from: number) => void): void => {
  let [count, done] = [0, 0]
  for (const { 0: marker, index } of text.matchAll(MARKER)) {
    if (index < done || ++count > MOST_MARKERS) continue
    const begin = index + marker.length
    if (!isOfWallet(text, index, begin)) continue
    for (const { 0: sign, index: at } of text
      .slice(begin, begin + AHEAD)
      .matchAll(/[:：=–—]\s{0,8}|\n\s{0,40}|["“„«]/g)) {
      const from = begin + at + sign.length
      const to = endOfWords(text, from)
      if (to === 0) continue
      const value = text.slice(from, to)
      add(value.trim(), from + value.search(/\S/))
      done = to
      break
    }
  }
}

/** Twelve nouns in a row and nothing between them, in any language: no sentence goes on so long without small words. */
const ROW =
  /(?<=[:：=–—«“"„(]\s{0,4}|\n\s{0,20}|^\s{0,20})(?:[\p{Ll}\p{Lo}\p{M}]{3,14}[ \t]{1,2}){11,23}[\p{Ll}\p{Lo}\p{M}]{3,14}(?=\s*(?:[.!»”"“)]|\r?\n|$))/gmu
const COUNTS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24])
const MOST_ROWS = 20
/** Words that are in sentences only, besides those of two letters. */
const SMALL =
  /^(?:the|and|for|are|not|was|has|its|were|your|their|from|which|but|with|that|this|had|his|her|she|they|will|can|could|would|when|what|who|have|been|then|than|into|just|only|also|los|las|una|por|con|para|del|pero|más|como|cuando|les|des|est|une|qui|que|pas|dans|avec|pour|sur|plus|der|die|das|den|dem|ein|eine|und|ist|nicht|mit|auf|für|sich|wird|auch|het|een|van|met|niet|voor|och|att|som|det|den|med|för|inte|til|ikke|che|per|non|una|con|sono|della|com|uma|não|mais|dos|das|nie|jest|się|jak|dla|ale|tak|není|jako|pro|ale|hogy|nem|egy|ami|veya|için|bir|ile|och|что|это|как|для|или|так|был|она|они|его|при|από|και|που|για|στη|yang|dan|untuk|dari|dengan|ini|itu|một|của|những|kwa|katika)$/u

/** @returns what looks like such words, and whether the text says that they restore something */
export const wordRowsIn = (text: string, add: (value: string, from: number, sure: boolean) => void): void => {
  let count = 0
  for (const { 0: row, index } of text.matchAll(ROW)) {
    if (++count > MOST_ROWS) return
    const words = row.split(/[ \t]+/)
    if (!COUNTS.has(words.length) || new Set(words).size < words.length || words.some((one) => SMALL.test(one)))
      continue
    add(row, index, isOfWallet(text, index, index + row.length))
  }
}

const isOfWallet = (text: string, from: number, to: number): boolean => {
  const around = text.slice(Math.max(0, from - AHEAD), to + AHEAD)
  const plain = plainLetters(around)
  return WALLET.test(around) || confides(plain) || saysToKeep(plain)
}

/** The offset behind the last of the words that begin here; 0 if they are too few, or a sentence. */
const endOfWords = (text: string, from: number): number => {
  const words: string[] = []
  let to = from
  let sentence = 0
  WORD.lastIndex = from
  for (let match = WORD.exec(text); match && words.length < MOST; match = WORD.exec(text)) {
    const word = match.groups!['word']!
    // A new paragraph.
    if (words.length >= LEAST && /^[ \t]*\r?\n\s*\n/.test(match[0])) break
    if (/^\p{Lu}/u.test(word)) break
    if (SENTENCE.test(word)) sentence++
    words.push(word)
    to = match.index + match[0].length
  }
  return words.length >= LEAST && sentence < 2 && new Set(words).size > words.length * 0.6
    ? to - (/[,;]$/.test(text.slice(from, to)) ? 1 : 0)
    : 0
}
