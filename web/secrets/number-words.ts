/** Runs of words for numbers, letters and directions, as people dictate codes: `six two six one`, `left, left, up`. */
import { plainLetters } from './entry-words.ts'

const set = (words: string): ReadonlySet<string> => new Set(plainLetters(words).split(/\s+/))

/** Of each language from zero upwards. */
const IN_ORDER: readonly string[] = plainLetters(
  'zero oh one two three four five six seven eight nine niner ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety ' +
    'null eins ein zwei zwo drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig ' +
    'zéro un deux trois quatre cinq sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante ' +
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa ' +
    'um dois quatro sete oito nove dez onze doze treze vinte trinta quarenta cinquenta sessenta due tre quattro cinque sei sette otto dieci undici dodici venti trenta quaranta cinquanta sessanta ' +
    'zece unu doi trei patru sase sapte opt noua douazeci treizeci cinci u dos tres quatre sis set vuit nou deu vint trenta ' +
    'nul een twee drie vijf zes zeven negen tien twaalf twintig dertig veertig vijftig zestig zeventig tachtig negentig ' +
    'noll ett en två tre fyra fem sex sju åtta nio tio elva tolv tjugo trettio fyrtio femtio sextio sjuttio åttio nittio nul to fire seks syv otte ni ti elleve tyve tredive fyrre halvtreds tres halvfjerds firs halvfems åtte tjue tretti førti femti seksti sytti åtti nitti einn tveir þrír fjórir fimm sex sjö átta níu tíu ' +
    'nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen null üks kaks kolm neli viis kuus seitse kaheksa üheksa kümme nulle viens divi trīs četri pieci seši septiņi astoņi deviņi desmit nulis vienas du trys keturi penki šeši septyni aštuoni devyni dešimt ' +
    'jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć nula jedna dva tři čtyři pět šest sedm osm devět deset tri štyri päť šesť sedem osem deväť desať ena štiri pet devet jedan četiri šest sedam osam nulla egy kettő két három négy öt hat hét nyolc kilenc tíz ' +
    'sıfır bir iki üç dört beş altı yedi sekiz dokuz on yirmi otuz kırk elli nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sifuri moja mbili tatu nne tano sita saba nane tisa kumi isa dalawa tatlo apat lima anim pito walo siyam không một hai ba bốn năm sáu bảy tám chín ' +
    'ноль нуль один одна два две три четыре пять шесть семь восемь девять десять двадцать тридцать сорок пятьдесят дві чотири п’ять пять шість сім вісім дев’ять едно две четири пет шест седем осем девет нула једно један седам осам ' +
    'μηδέν ένα δύο δυο τρία τέσσερα πέντε έξι εφτά επτά οχτώ οκτώ εννιά εννέα δέκα אפס אחת אחד שתיים שניים שלוש ארבע חמש שש שבע שמונה תשע صفر واحد اثنان اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة یک دو سه چهار پنج شش هفت هشت نه शून्य एक दो तीन चार पाँच पांच छह सात आठ नौ ' +
    'to‘rt besh kuwatro kwatro singko sais siyete otso nuwebe diyes ' +
    'nought naught এক দুই তিন চার পাঁচ ছয় সাত আট নয় শূন্য ஒன்று இரண்டு மூன்று நான்கு நாலு ஐந்து ஆறு ஏழு எட்டு ஒன்பது பூஜ்ஜியம் பூஜ்யம் ఒకటి రెండు మూడు నాలుగు ఐదు ఆరు ఏడు ఎనిమిది తొమ్మిది సున్నా ಒಂದು ಎರಡು ಮೂರು ನಾಲ್ಕು ಐದು ಆರು ಏಳು ಎಂಟು ಒಂಬತ್ತು ಸೊನ್ನೆ ഒന്ന് രണ്ട് മൂന്ന് നാല് അഞ്ച് ആറ് ഏഴ് എട്ട് ഒമ്പത് പൂജ്യം એક બે ત્રણ ચાર પાંચ સાત આઠ નવ શૂન્ય ਇੱਕ ਦੋ ਤਿੰਨ ਚਾਰ ਪੰਜ ਸੱਤ ਅੱਠ ਨੌਂ ਸਿਫ਼ਰ दोन पाच सहा नऊ ' +
    'ایک تین چھ سات آٹھ نو پانچ واحدة اثنتان اثنتين ثلاث أربع خمس ست سبع ثمان ثماني تسع ' +
    'ერთი ორი სამი ოთხი ხუთი ექვსი შვიდი რვა ცხრა ნული մեկ երկու երեք չորս հինգ վեց յոթ ութ ինը զրո бір екі үш төрт бес алты жеті сегіз тоғыз нөл нэг хоёр гурав дөрөв тав зургаа долоо найм ес тэг ' +
    'bat bi hiru lau bost sei zazpi zortzi bederatzi hamar huts pedwar pump chwech saith wyth naw náid aon trí ceathair cúig seacht ocht naoi një tre katër pesë gjashtë shtatë tetë nëntë vyf ses sewe agt nege dörd yeddi səkkiz doqquz ikki uch olti yetti sakkiz kosong lapan biyar shida bakwai takwas tara biyu uku huɗu sifili unu kvar kvin xero catro ' +
    'jednička dvojka trojka čtyřka pětka šestka sedmička osmička devítka единица двойка тройка четвёрка четверка пятёрка пятерка шестёрка шестерка семёрка семерка восьмёрка восьмерка девятка ' +
    // Again, without what stands between them above.
    'nine ten eins zwei drei cinq six sept um dois três quatro cinco seis sete uno due drie vier vijf en to tre fire fem seks ett två один два три',
).split(/\s+/)
const NUMBERS: ReadonlySet<string> = new Set(IN_ORDER)
/** A number and the one behind it. */
const STEPS: ReadonlySet<string> = new Set(IN_ORDER.slice(1).map((word, at) => `${IN_ORDER[at]!} ${word}`))
const SPELLED = set(
  'alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu ' +
    'anton berta berthe cäsar caesar dora emil friedrich gustav heinrich julius kaufmann ludwig martha nordpol otto quelle richard samuel siegfried theodor ulrich viktor wilhelm xanthippe ypsilon zeppelin ' +
    'anatole eugène marcel raoul suzanne thérèse ursule victor yvonne zoé ancona bologna como domodossola empoli firenze genova imola livorno milano napoli otranto palermo roma savona torino udine venezia zara ' +
    'анна борис василий григорий дмитрий елена женя зинаида иван константин леонид михаил николай ольга павел роман семён татьяна ульяна',
)
const PLACES = set(
  'left right up down top bottom centre center middle corner upper lower clockwise anticlockwise counterclockwise north south east west star hash pound slow fast quick long short tap pause red blue green yellow black white ' +
    'links rechts oben unten mitte stern raute langsam schnell lang kurz rot blau grün gelb schwarz weiß gauche droite haut bas centre étoile dièse lent lents rapide long court rouge bleu vert jaune noir blanc ' +
    'izquierda derecha arriba abajo centro asterisco almohadilla lento rápido largo corto rojo azul verde amarillo esquerda direita cima baixo meio lentos curto longo vermelho sinistra destra sopra sotto basso alto lungo rosso giallo ' +
    'stânga dreapta sus jos linksom rechtsom boven onder vänster höger upp ner stjärna fyrkant venstre højre høyre op ned opp stjerne firkant langsomt hurtigt fort kort vasen oikea ylös alas tähti ruutu vasak parem üles alla ' +
    'lewo prawo góra dół gwiazdka krzyżyk wolno szybko długo krótko vlevo vpravo nahoru dolů hvězdička křížek vľavo lijevo levo desno gore dolje zvjezdica ljestve balra jobbra fel le csillag sol sağ yukarı aşağı yıldız kare yavaş hızlı uzun kısa kiri kanan atas bawah bintang pagar trái phải lên xuống ' +
    'влево вправо налево направо вверх вниз звёздочка звездочка решётка решетка медленно быстро длинный короткий вліво вправо вгору вниз наляво надясно нагоре надолу αριστερά δεξιά πάνω κάτω αστεράκι δίεση αργό αργά γρήγορο γρήγορα μακρύ κοντό ימינה שמאלה למעלה למטה כוכבית סולמית يمين يسار فوق تحت نجمة',
)
const JOINERS = set(
  'then and next twice thrice double triple times to the dash hyphen capital small upper lower case dann und danach mal zweimal dreimal bindestrich puis et ensuite fois le la les tiret majuscule luego y después veces el depois e vezes poi volte il dopo apoi si ori dan en daarna keer sedan och sen gånger så derefter og gange sitten ja kertaa siis potem i razy potom a krát pak nato majd és szer sonra ve kez lalu dan kali kisha na rồi потом и затем раза раз потім та пъти после μετά και φορές אז ואז ثم و سپس फिर और',
)

export interface Run {
  readonly from: number
  readonly to: number
  readonly count: number
  /** Words for numbers and letters, without directions. */
  readonly numbers: number
  /** Those that are names of persons, cities or dances as well. */
  readonly letters: number
}

const LEAST = 3
const MOST_RUNS = 40

export const isNumber = (word: string): boolean => {
  if (NUMBERS.has(word)) return true
  if (word.length < 6 || word.length > 20) return false
  // `tjueto`, `zweiundvierzig`
  for (let at = 2; at < word.length - 1; at++)
    if (NUMBERS.has(word.slice(0, at)) && NUMBERS.has(word.slice(at).replace(/^(?:und|en|og|och)/, ''))) return true
  return false
}

/** Three or more words in a row that stand for numbers, letters or directions. */
export const dictatedRuns = (text: string): readonly Run[] => {
  const runs: Run[] = []
  let [from, to, end, count, numbers, letters, words] = [-1, 0, 0, 0, 0, 0, 0]
  const close = (): void => {
    // Digits alone are a code of their own, and the phonetic alphabet itself is none.
    if (/^alf?p?ha[,\s-]+bravo[,\s-]+charlie/i.test(text.slice(from, from + 24))) count = 0
    if (count >= LEAST && words > 1 && runs.length < MOST_RUNS) runs.push({ from, to, count, numbers, letters })
    ;[from, count, numbers, letters, words] = [-1, 0, 0, 0, 0]
  }
  for (const { 0: token, index } of text.matchAll(/[\p{L}\p{M}’'‘ʻ]+|\p{N}{1,4}/gu)) {
    if (from >= 0 && !/^[\s,،、;:.–—▸·>→*#-]{1,6}$/.test(text.slice(end, index))) close()
    if (from >= 0 && /[.]\s|\n\s*\n/.test(text.slice(end, index))) close()
    end = index + token.length
    const word = plainLetters(token)
    const digits = /^\p{N}/u.test(token)
    const letter = !digits && !isNumber(word) && SPELLED.has(word)
    const number = digits || letter || isNumber(word)
    if (number || PLACES.has(word)) {
      if (from < 0) from = index
      to = end
      count++
      if (number) numbers++
      if (letter) letters++
      if (!digits) words++
    } else if (from < 0 || !JOINERS.has(word)) close()
  }
  close()
  return runs
}

/** One counts: each number is one more than the one before, or one less. */
export const isCounting = (run: string): boolean => {
  const words = plainLetters(run).match(/\p{L}+/gu) ?? []
  const steps = words.slice(1).map((word, at) => [words[at]!, word] as const)
  return (
    steps.length > 1 &&
    (steps.every(([one, next]) => STEPS.has(`${one} ${next}`)) ||
      steps.every(([one, next]) => STEPS.has(`${next} ${one}`)))
  )
}
