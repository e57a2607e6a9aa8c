/**
 * What somebody confides: in a few lines with a phrase such as `between us` or `burn after reading`, what is quoted,
 * typed, dialled, said, turned or drawn is a secret, and so is the place of a key. If nothing can be singled out, the
 * lines are reported as a whole.
 */
import { AnyCase } from './any-case.ts'
import { confides } from './confiding-words.ts'
import { asksDiscretion, saysIdiom } from './discretion-words.ts'
import { isVietnamese, odd, SET_TO } from './confided-secrets.ts'
import { ENTERING, HELD, OPENED, OPENING, plainLetters, saysToKeep, Stems } from './entry-words.ts'
import { describesField } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { CLOSING } from './greetings.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlaceholder } from './heuristics.ts'
import { dictatedRuns, isCounting } from './number-words.ts'
import { namesOther } from './other-numbers.ts'
import { silenceIn, tellsNothing } from './silence.ts'

const RULE = 'context:prose'

/** Longer texts are documents and programs: less than what is searched at once. */
const LONGEST = 12_000
/** From here on, marks of documents count that messages have too. */
const LEAST_OF_DOCUMENT = 400
/** Characters of what is read as one message. */
const LONGEST_MESSAGE = 700
const MOST_MESSAGES = 20
const LINES_IN_FRONT = 4
const LINES_BEHIND = 2

/** To say, hear, name, ask, text. */
export const SAYING = new Stems(
  'say. says. said. tell. tells. told. ask. asks. answer. answers. reply. replies. mention. mentions. name. hear. hears. whisper. whispers. word. words. phrase. text. texts. texting. spin. spins. drag. drags. swipe. swipes. key. keys. knock. knocks. tap. hold. shout. whistle. recite. copy. copied. spell. spells. ' +
    'sag. sagt. sage. sagst. sagen. nenn. nenne. nennt. frag. frage. fragt. fragen. antwort hort. hören. hört. wort. worte. losung flüster klopf klopfe. wisch zieh. buchstab ruf. rufe. dis. dites. dire. dit. demand nomm murmur souffl repond entend. mot. mots. phrase. frapp gliss tourne. trac ' +
    'di. diga. dice. decir. pregunt respond contest palabr frase. nombr menciona oye. susurr toca. golpe desliz arrastr di-li. digues. demana. respon. paraul dize. dizer. dis. pergunt palavr nomeia. ouv sussurr bate. bater. arrast ' +
    'dici. dica. dico. dirò. dirai. dirà. diciamo. dire. chied domand rispond parol nomin sussurr buss trascin spune. spui. zici. intreab raspund cuvant fraz sopt bate. ciocan zeg. zegt. zeggen. vraag. vraagt. antwoord woord. woorden. fluister klop. klopt. veeg. noem. noemt. ' +
    'sig. siger. sier. säg. säger. säga. sier. spørg spør. fråg svar. svarer. svara. svarar. ord. ordet. ordene. hvisk viska. bank. banker. knack. nevn. nævn. nämn. segðu. spurð svarað sano. sanot. sanoo. sana. sanoja. kysy vasta. vastaa. kuiska koput öelda. ütle. ütleb. küsi vasta. sõna sosist koputa saki. saka. jautā atbild vārd čukst sakyk. pasakyk. klaus atsak žod ' +
    'powiedz. powie. powiem. powiesz. powiemy. mów. mówi. mówię. mówisz. mówimy. pyta. zapyta odpowi odpowiadasz. słow hasł szep szepn zapuka pukn puka. řekn řekni. řekne. řeknu. řekneš. řekneme. říká. říkám. říkáš. říkáme. zeptá ptá. odpověz odpoví slov šept zašept zaklep klep. povedz. povie. poviem. povieš. povieme. hovorím. hovoríme. opýta odpovedz odpovie zaklop reci. kaže. kažem. kažeš. kažemo. pita. odgovor riječ reč šapn šapć kuc pokuc pokucaj reci. povej vpraš besed mondd. mondja. mondom. mondod. mondjuk. mondasz. kérd kérdez válasz szó. szót. súg kopog ' +
    'söyle söyler. de. der. diyor. diyoruz. diyorsun. deriz. dersin. derim. diyecek. sor. sorar. cevap kelime sözü. fısıl çal. tık. katakan. sebut. bilang. tanya jawab kata. bisik ketuk ucap sema. useme. uliza. jibu. neno. maneno. gonga. sabihin. tanong sagot salita. bulong katok nói. hỏi. trả. câu. từ. thì. ' +
    'скаж скажи. говор спрос спрашив ответ слов назов шепн постуч стукн произнес произнош скажіть. кажи. каже. спита запита відпові слов назви прошеп постук отговар кажи. казва. казвам. казваш. казваме. пита. питат отговор дума. думат почук шепн реци. кажи. праша збор кажу одговор реч. куцни. ' +
    'πες πει. πω. λέω. λέμε. πούμε. πείτε. λες. λέει. λένε. ρωτ ρώτ απαντ απάντ λέξ φράσ ψιθυρ χτύπ πεις. אמרו אמור תגיד תגידו לומר שאל ישאל ענה תענה מילה המילה לחש דפק תדפוק כותבים תכתוב כתבו קול. قل. قولي. تقول. اسأل يسأل اجب كلمة الكلمة همس اطرق دق. بگو. بگویید. بپرس جواب. کلمه. زمزمه. کہو. کہنا. پوچھ जवाब. कहो. कहे. कहना. कहें. बोलो. बोले. बोलना. पूछे शब्द. বলো. বলবে. বলুন. জিজ্ঞেস শব্দ.',
  '说|說|问|問|答|念|喊|叫|凭|憑|言|合言葉|呼|聞かれ|尋ね|囁|ささや|ノック|말하|물으면|대답|암구호|외치|속삭|두드리|บอกว่า|พูด|ถาม|ตอบ|กระซิบ|เคาะ',
)

/** A key, and where it is. */
const KEY_WORDS =
  /(?<!\p{L})(?:keys?|spare|\p{L}{0,16}schl[uü]ssel(?!dienst|wort|w[oö]rt|bund|frage|moment|figur|roll|bein|blume|tabell|techn|indust|kompet|qualif|ressourc|faktor|paar|länge|erlebnis|person|position|thema|aspekt|begriff|stell)\p{L}*|\p{L}{0,12}sleutels?|\p{L}{0,12}n[oø]gle\p{L}*|\p{L}{0,12}n[oø]kke?l\p{L}*|\p{L}{0,12}nyckel\p{L}*|cl[eé]s?|clefs?|llaves?|chiav[ei]|chaves?|clau|claus|cheia|cheile|cheie|lykil\p{L}*|avain|avaime\p{L}*|v[oõ]ti|v[oõ]tme\p{L}*|atsl[eē]ga\p{L}*|raktas|rakt\p{L}*|klucz\p{L}*|kl[ií][cč]\p{L}*|k[lľ][uú][cč]\p{L}*|klju[cč]\p{L}*|kulcs\p{L}*|anahtar\p{L}*|ключ\p{L}*|кључ\p{L}*|клуч\p{L}*|κλειδ\p{L}*|מפתח|המפתח|مفتاح|المفتاح|کلید|चाबी|চাবি|kunci|ufunguo|funguo|susi|ch[iì]a|giltza)(?!\p{L})|钥匙|鑰匙|鍵|열쇠|กุญแจ/iu
const WHERE =
  /(?<![\p{L}])(?:under|underneath|beneath|below|behind|inside|within|above|on top of|beside|next to|between|in|at|taped to|unter|hinter|in|im|neben|[uü]ber|auf|zwischen|sous|derri[eè]re|dans|sur|au-dessus|entre|debajo de|bajo|detr[aá]s de|dentro de|en|encima de|sobre|sota|darrere|dins|debaixo|atr[aá]s|dentro|por baixo|em cima|na|no|sotto|dietro|dentro|sopra|nella|nel|sub|dup[aă]|[iî]n|l[aâ]ng[aă]|onder|achter|boven|naast|under|bakom|bakved|bag|bagved|bak|inne|inuti|i|undir|bak vi[dð]|alla|takana|sis[aä]ll[aä]|p[aä][aä]ll[aä]|all|taga|sees|zem|aiz|iek[sš]|po|u[zž]|viduje|pod|za|w|nad|obok|ve?|nad|vedle|u|iza|ispod|iznad|alatt|m[oö]g[oö]tt|f[oö]l[oö]tt|bawah|belakang|dalam|chini|nyuma|ndani|ilalim|likod|loob|d[uướ]+i|sau|trong|под|за|в|над|возле|под|зад|над|испод|иза|изнад|κάτω από|πίσω από|μέσα σ\p{L}*|πάνω από|δίπλα σ\p{L}*|מתחת|מאחורי|בתוך|מעל|ליד|تحت|خلف|داخل|فوق|زیر|پشت|توی)\s/iu

const POSTPOSITION =
  /(?:(?<= )(?:alla|alta|takana|sisällä|päällä|vieressä|all|taga|sees|peal|kõrval|alatt|mögött|fölött|mellett|altında|arkasında|içinde|üstünde|yanında|नीचे|पीछे|अंदर|ऊपर|নিচে|পিছনে|azpian|atzean)(?!\p{L})|[下里裡內内后後上边邊旁缝](?:面|边|頭|头)?|の(?:下|裏|中|上|後ろ|横|間)|(?:아래|밑|뒤|안|위|옆)에?(?=\s|$))/u

/** What a program shows instead of saying it: a button, a page, a file. */
const SHOWN =
  /(?<!\p{L})(?:click|clicks|button|menu|tab|page|link|option|checkbox|sheet|section|path|window|dialog|field|label|file|folder|chapter|book|song|film|movie|titled|called|entitled|select|choose|see|klick\p{L}*|schaltfl[aä]che|seite|datei|bouton|cliquez|menu|onglet|fichier|bot[oó]n|archivo|pulsante|pulsar|file|knop|knap|knapp|przycisk|tla[cč][ií]tk\p{L}*|кнопк\p{L}*|нажмите|按钮|点击|ボタン|버튼)\s{0,2}$/iu
/** What a policy is about, not one secret: nobody confides it. */
const POLICY =
  /(?<!\p{L})(?:pass ?words?|passphrases?|pass ?codes?|pins?|otps?|tokens?|api keys?|credentials?|private keys?|verification codes?|security codes?|accounts?|seed phrases?|secrets?|passwor[td]\p{L}*|kennw[oö]rt\p{L}*|zugangsdaten|mots? de passe|identifiants|contrasen\p{L}*|claves?|senhas?|palavra.passe|wachtwoord\p{L}*|losenord\p{L}*|adgangskod\p{L}*|passord\p{L}*|salasan\p{L}*|parool\p{L}*|has[lł]\p{L}*|hesl\p{L}*|lozink\p{L}*|gesl\p{L}*|jelsz\p{L}*|parol\p{L}*|sifre\p{L}*|парол\p{L}*|лозинк\p{L}*|κωδικ\p{L}*|סיסמ\p{L}*|kata sandi|mat khau|nenosiri|licen[cs]e\p{L}*|copyright)(?!\p{L})|סיסמ|كلمة المرور|الرمز|密码|密碼|口令|验证码|パスワード|暗証番号|비밀번호|인증번호|รหัสผ่าน|पासवर्ड/u
/** What lawyers put below an e-mail. In plain letters. */
const NOTICE =
  /(?<!\p{L})(?:recipients?|empfanger|destinatair\p{L}*|destinatari\p{L}*|ontvanger|mottagar\p{L}*|modtager\p{L}*|mottaker\p{L}*|vastaanottaj\p{L}*|odbiorc\p{L}*|adresat\p{L}*|cimzett\p{L}*|получател\p{L}*|одержувач\p{L}*|personal autorizado|reserve au personnel)(?!\p{L})/u
/** Somebody said it once. */
const NARRATED =
  /(?<!\p{L})(?:said|asked|told|wrote|replied|sagte|fragte|schrieb|antwortete|a dit|dit-il|dit-elle|repondit|dijo|pregunto|disse|chiese|zei|vroeg|sa|sade|sagde|spurte|sanoi|powiedzial\p{L}*|rekl\p{L}*|povedal\p{L}*|rekao|rekla|mondta|dedi|that|сказал\p{L}*|спросил\p{L}*|сказав|каза|ειπε)\s?[:,]?\s?["'“„«‘]?$/u
const LOG_LINE =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|at \S+ \(|\[[\d:.,TZ -]{8,40}\] (?:gc|info|debug|warn|error)|\d{1,3}% \|)|^\s*\d{1,3}%\s*\||\b(?:INFO|DEBUG|WARN|ERROR|TRACE)\b.{0,40} - /iu

/** Sentences that ask for silence, and those beside them. */
interface Passage {
  readonly from: number
  readonly to: number
}

interface Message {
  readonly from: number
  readonly text: string
  readonly plain: string
}

export const confidencesIn = (text: string, found: FoundInText): void => {
  if (text.length < 12 || text.length > LONGEST) return
  directionsIn(text, found)
  if (isDocument(text)) return
  const passages: Passage[] = []
  silenceIn(text, (one) => {
    passages.push(one)
    found(one)
  })
  const whole = plainLetters(text)
  if (passages.length === 0 && !confides(whole) && !saysToKeep(whole) && !asksDiscretion(whole)) return
  let count = 0
  for (const message of messagesIn(text, passages)) {
    if (++count > MOST_MESSAGES) return
    const end = message.from + message.text.length
    const silent = passages.some(({ from, to }) => from < end && to > message.from)
    confidedIn(message, silent, (one) => {
      const isReported = passages.some(
        ({ from, to }) => from <= one.from && to >= one.to && to - from < (one.to - one.from) * 2,
      )
      if (!one.doubtful || !isReported) found(one)
    })
  }
}

/** Markdown with fences, links or several headings, the sections of a man page, comments of programs, HTML. */
const isDocument = (text: string): boolean =>
  (text.length >= LEAST_OF_DOCUMENT &&
    (/^ {0,3}(?:```|~~~)|\]\((?:https?:|\.{0,2}\/|#)|^<(?:!doctype|html|\?xml)/im.test(text) ||
      (text.match(/^#{1,6} \S/gm)?.length ?? 0) > 1)) ||
  /^(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS|USAGE)\s*$/m.test(text) ||
  (text.match(/[^\n]+/g)?.filter(isProgramLine).length ?? 0) > 4

/** `31 left, 7 right, 52 left` beside something that opens; smaller numbers are steps, and others have units. */
const directionsIn = (text: string, found: FoundInText): void => {
  if (!/\d{2}/.test(text)) return
  for (const { from, to } of turnsIn(text)) {
    const turns = text.slice(from, to)
    if (!/\d\d/.test(turns) || MEASURED.test(text.slice(Math.max(0, from - 30), to + 12))) continue
    const around = `${text.slice(Math.max(0, from - 160), from)} ${text.slice(to, to + 80)}`
    if (OPENED.in(plainLetters(around))) found({ from, to, rule: RULE })
  }
}

/** Two turns or more. One expression for all of them would be compiled for a fifth of a second. */
function* turnsIn(text: string): Generator<{ readonly from: number; readonly to: number }> {
  let row: { from: number; to: number; readonly several: boolean } | undefined
  for (const turn of TURN.in(text)) {
    if (row && BETWEEN_TURNS.test(text.slice(row.to, turn.from))) row = { from: row.from, to: turn.to, several: true }
    else {
      if (row?.several) yield row
      row = { ...turn, several: false }
    }
  }
  if (row?.several) yield row
}
const MEASURED = /\b(?:px|pixels?|rem|steps?|degrees?|grad|margins?|padding|offset|border|align)\b/i
const SIDES =
  'left|right|왼쪽|오른쪽|links|rechts|gauche|droite|izquierda|derecha|esquerda|direita|sinistra|destra|venstre|h[øo]yre|h[øo]jre|v[äa]nster|h[öo]ger|lewo|prawo|vlevo|vpravo|влево|вправо|balra|jobbra|sola|sağa|αριστερά|δεξιά'
const TURN = new AnyCase(
  `(?<![\\p{L}\\p{N}])(?:\\d{1,2} (?:(?:to the|nach|w|na|a|à la|à|vers la|a la|till|til|mot|в|на|за) )?(?:${SIDES})|(?:${SIDES}) (?:(?:to|auf|bis|sur|a|na|til|till|до|на) )?\\d{1,2})(?![\\p{L}\\p{N}])`,
)
const BETWEEN_TURNS =
  /^(?:,| and| then|,? und|,? dann|,? puis|,? luego|,? poi|,? en|,? dan|,? i|,? potem|,? och|,? og|,? и|,? потом)? $/iu

/** That nobody knows something says nothing of who may; that one should tell nobody does. */
const NOBODY =
  /(?<!\p{L})(?:no ?(?:body|one)(?: else)?|(?<!an |von |mit |zu |damit |dass )niemand|personne n[e']|(?<!a |con |de |que )nadie|(?<!a |con |da |che )nessuno|(?<!чтобы |чтоб )никто|(?<!щоб )ніхто|(?<!да )(?:никой|никој|niko|nitko)|kimse|(?<!a |com |por |que )ninguem|(?<!aby |zeby )(?:nikdo|nikto|nikt)|(?<!hogy )senki|(?<!afle |stie )nimeni|κανενας|κανεις|ingen|enginn|neviens|niekas|keegi|(?<!ettei )kukaan)(?!\p{L})(?! (?:must|should|is to|darf|soll|muss|sonst|ausser|doit|debe|deve|puede|puo|mag|moet|skal|ska|far|måste|nesmi|nesmie|nie moze|ne smije|не должен|не повинен))/gu
const isConfided = (plain: string): boolean => {
  const said = plain.replace(NOBODY, ' ')
  return confides(said) || saysToKeep(said) || asksDiscretion(plain)
}

/** What a program says about itself. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*\s|"""|'''|--\s|# (?:do not|don't|never)\b)/i

/** Lines with such a phrase, and those around them. */
function* messagesIn(text: string, passages: readonly Passage[]): Generator<Message> {
  const lines: { readonly from: number; readonly text: string; readonly plain: string }[] = []
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    // A paragraph in one line: its sentences.
    for (const { 0: piece, index: at } of line.length > 400
      ? line.matchAll(/[^.!?。！？]{1,600}(?:[.!?。！？]+["'”»)]?\s*|$)/gu)
      : [{ 0: line, index: 0 }])
      lines.push({ from: index + at, text: piece, plain: plainLetters(piece) })
  }
  let done = 0
  for (const [at, line] of lines.entries()) {
    if (at < done || isProgramLine(line.text) || COMMENT.test(line.text)) continue
    const end = line.from + line.text.length
    if (!isConfided(line.plain) && !passages.some(({ from, to }) => from < end && to > line.from)) continue
    let [first, last] = [at, at]
    let length = line.text.length
    const takes = (other: number): boolean => {
      const one = lines[other]
      if (!one || other < done || LOG_LINE.test(one.text) || isProgramLine(one.text)) return false
      length += one.text.length
      return length <= LONGEST_MESSAGE
    }
    while (at - first < LINES_IN_FRONT && takes(first - 1)) first--
    while (last - at < LINES_BEHIND && takes(last + 1)) last++
    done = last + 1
    const from = lines[first]!.from
    const message = text.slice(from, lines[last]!.from + lines[last]!.text.length)
    yield { from, text: message, plain: plainLetters(message) }
  }
}

const COMMAND =
  /^(?:\/|[a-z]+(?: [a-z-]+)? --?[a-z]|(?:npm|npx|yarn|pnpm|git|node|docker|python3?|pip|cargo|go|make|sudo|cd|ls) |[A-Z]{2,8}: ?[A-Z]{2,8}$)/
/** A file is opened, and nobody confides its name. */
const FILE = /\.(?:[a-z]{2,4}|mp[34]|7z)$/i

interface Candidate {
  readonly from: number
  readonly to: number
  /** How firmly its form says that it is one: 2 a code or a quotation, 1 a word. */
  readonly form: 1 | 2
  readonly quoted?: true
}

/** An offer "only for you" has a code that everybody gets. In plain letters. */
const OFFER =
  /\d\s?%|(?<!\p{L})(?:rabat\p{L}*|discount|checkout|promo\p{L}*|coupon|voucher|gutschein\p{L}*|angebot|sconto|descuento|desconto|remise|akcio|znizk\p{L}*|знижк\p{L}*|скидк\p{L}*|προσφορα)(?!\p{L})|折扣|优惠|割引|할인/u

const confidedIn = ({ from, text, plain }: Message, silent: boolean, found: FoundInText): void => {
  if (NOTICE.test(plain) || OFFER.test(plain)) return
  const discreet = asksDiscretion(plain)
  const confided = saysIdiom(plain) || confides(plain.replace(NOBODY, ' '))
  const strong = discreet || confided || silent
  const entered = ENTERING.in(plain) || SAYING.in(plain)
  const opened = OPENED.in(plain) || OPENING.in(plain)
  // What else has a code says nothing of a quotation.
  const held = opened || HELD.in(plain)
  const hidden = KEY_WORDS.test(text)
  const named = POLICY.test(plain) || POLICY.test(text)
  // `Only the owner knows which branch is active`
  if (!entered && !held && !hidden && !confided && !silent && !named) return
  const report = (begin: number, end: number, doubtful?: true): void =>
    found({ from: from + begin, to: from + end, rule: RULE, ...(doubtful ? { doubtful } : {}) })
  let taken = 0
  const sure: Candidate[] = []
  const others: Candidate[] = []
  for (const one of candidatesIn(text)) {
    if (NARRATED.test(plainLetters(text.slice(Math.max(0, one.from - 24), one.from)))) continue
    const front = text.slice(Math.max(0, one.from - 60), one.from)
    // What one says on the telephone is no number of it.
    const phoned = one.quoted && /(?:tel|phone|fon|тел|τηλ)\p{L}*\s?["'“„«]?$/iu.test(front)
    if ((namesOther(front) && !phoned) || isMentioned(text, one)) continue
    if (isDirect(text, one, held || named || strong, named)) sure.push(one)
    else if (!(one.quoted && named)) others.push(one)
  }
  for (const one of sure) {
    const value = text.slice(one.from, one.to)
    const said = (): boolean =>
      SAYING.in(
        plainLetters(text.slice(Math.max(0, one.from - 64), one.from))
          .split(/[.!?;](?:\s|$)/)
          .at(-1)!,
      ) || SAYING.in(plainLetters(text.slice(one.to, one.to + 24)).split(/[.!?;,](?:\s|$)/, 1)[0]!)
    // Elsewhere, a quotation after such a verb is a button, a command or a word that one talks about.
    const isFirm =
      !one.quoted ||
      odd(value) > 0 ||
      /\p{N}/u.test(value) ||
      ((discreet || confided || (silent && isPhrase(value))) && said()) ||
      // One word is the name of a button or a key, and a few in plain letters may be a command.
      (opened && isPhrase(value) && !COMMAND.test(value))
    if (!isFirm && !strong) continue
    report(one.from, one.to, isFirm ? undefined : true)
    taken++
  }
  // The only one that a short message has.
  const alone = others.filter(({ form }) => form === 2)
  if (
    taken === 0 &&
    alone.length === 1 &&
    (entered || opened || (!alone[0]!.quoted && (discreet || held))) &&
    !named &&
    !LOG_LINE.test(text)
  ) {
    const { from: begin, to: end, quoted } = alone[0]!
    // Words in quotation marks may as well be a title, a button or a command.
    const words = text.slice(begin, end)
    const phrase = words.split(/\s+/).length > 3 && SAYING.in(plainLetters(text.slice(Math.max(0, begin - 64), begin)))
    const plainWords = quoted && !phrase && odd(words) === 0 && !/\p{N}/u.test(words)
    report(begin, end, plainWords ? true : undefined)
    taken++
  } else if (entered || opened || strong) for (const one of others) if (one.form === 2) report(one.from, one.to, true)
  if (hidden) taken += placesIn(text, report)
  taken += wordsSaid(text, report)
  taken += linesIn(text, report)
  taken += addressesIn(text, plain, report)
  const isStatement =
    text.trim().split(/\s+/).length > 3 || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{8}/u.test(text)
  // Documentation has marks that no message has.
  const isSaid = isStatement && !/[`*|<>{}=#]|\]\(|:\/\//.test(text.replace(/^\s*> /gm, ''))
  if (taken === 0 && isSaid && !silent && !named && !tellsNothing(text)) {
    const begin = text.search(/\S/)
    report(begin, text.trimEnd().length, true)
  }
}

/** More than one word, as far as a language has spaces. */
const isPhrase = (value: string): boolean => /[\s\p{Pd}]|\p{Script=Han}|\p{Script=Thai}/u.test(value.trim())

/** What a text says of a word or a phrase: that it means something, or where it stands. */
const isMentioned = (text: string, { from, to, quoted }: Candidate): boolean =>
  quoted === true &&
  (MEANS_BEHIND.test(text.slice(to, to + 40)) ||
    /\b(?:meaning|means|idiom|phrase for|word for|called|as in)\s?["“„«'‘]?$/i.test(
      text.slice(Math.max(0, from - 24), from),
    ))
const MEANS_BEHIND =
  /^["'”“»’」』]?\s?(?:\([^()\n]{0,20}\)\s?)?(?:(?:first|also|often|only|never|itself|here)\s){0,2}(?:appears?|occurs?|means?|meant|is (?:an?|the) (?:idiom|word|noun|verb|term|phrase|metaphor|symbol|anagram|palindrome|synonym)|rhymes?|refers?|stands? for|comes? from|derives?|dates? (?:from|back)|was (?:coined|first|used|written|sung)|taucht|kommt|bedeutet|steht für|stammt|signifie|apparaît|vient|désigne|significa|aparece|viene|proviene|appare|deriva|betekent|betyder|oznacza|znamená|означает|встречается|という)(?!\p{L})/iu

const QUOTED =
  /(?:[“„«»‘「『"]|(?<![\p{L}\p{N}])')(?<quoted>[^"“”„«»‘’'「」『』\n]{2,90}(?:'[^"“”„«»‘’'「」『』\n]{1,60})?)[”“"»«’'」』]/gu
/** Digits with signs between them, or mixed with letters. */
const CODE =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{N}_.,:/$€£+=@%&\\-])(?:\p{Lu}\p{Ll}{3,9} (?=\p{N}-))?[#*]?(?=[^\s]{0,12}\p{N})(?:[A-Za-z\p{Lu}]{1,6}[-–*#]?)?\p{N}+(?:(?:[-–—·•*#/]| [▸►→>·•–] | (?=\p{N}(?:\s|$|[.,])))?(?:\p{N}+|\p{Lu}{1,8}|(?<=-)\p{Ll}{1,10})){0,9}[#*]?(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_%°€$£]|[.:]\p{N}|,\p{N}{3})/gu
/** Numbers with words between them: `12, puis 70, puis 33`. */
const SEQUENCE =
  /(?<![\p{L}\p{N}.,:/])\p{N}{1,3}(?:(?:,|;| –| —)? (?:\p{L}{1,8} ){0,2}\p{N}{1,3}){2,6}(?![\p{L}\p{N}]|[.:]\p{N})/gu
const TOKEN = /[^\s"'`“”‘’„«»「」『』()<>[\]{},;|，。、：！？]{5,48}/gu
const NO_CODE =
  /^(?:(?:19|20)\d\d|(?:19|20)\d\d-\d\d-\d\d|(?:0?[1-9]|[12]\d|3[01])[-/](?:0?[1-9]|1[0-2])[-/](?:(?:19|20)[0-4]\d|\d\d)|(?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12]\d|3[01])[-/](?:(?:19|20)[0-4]\d|\d\d)|\d{1,3}|\d0{3,}|[A-Z]{2,5}-\d{1,3}|\d{1,2}-\d{1,2}|24\/7|\d{1,2}(?:am|pm|AM|PM|h|H))$/
/** In front of other numbers. */
const COUNTED =
  /(?<!\p{L})(?:tel|phone|telefon|fon|tlf|call|room|raum|zimmer|page|seite|line|ticket|issue|order|invoice|case|ref|version|line|bus|flight|train|port|http|error|rfc|isbn|iso|section|chapter|artikel|article|agent|apt|floor|ray id|total|totale|summe|verses?|vers|sections?|year|jahr|since|seit|from|of|eur|usd|no|nr|№|n°)[.:#\s-]{0,3}$|(?:端口|ポート|포트|порт)[^\p{L}\p{N}]{0,3}(?:は|は「)?$|\+\d[\d /()-]{0,14}$|(?<!\d)0\d{2,4}[ /-]$/iu
/** `180-200`, `1-2-3-4`, and the number of a hotline. */
const isRange = (code: string): boolean => {
  if (/^0[89]00[-–/ ]\d/.test(code)) return true
  if (!/^\d{1,3}(?:[-–]\d{1,3}){1,9}$/.test(code)) return false
  const numbers = code.split(/[-–]/).map(Number)
  if (numbers.length === 2) return numbers[0]! < numbers[1]! && numbers[1]! % 5 === 0
  return numbers.every((each, at) => at === 0 || each === numbers[at - 1]! + 1)
}
const CAPITALS = /(?<![\p{L}\p{N}-])\p{Lu}[\p{Lu}\p{N}]{3,}(?:[ -]\p{Lu}[\p{Lu}\p{N}]{1,})*(?![\p{L}\p{N}])/gu

function* candidatesIn(text: string): Generator<Candidate> {
  for (const { 0: all, index, groups } of text.matchAll(QUOTED)) {
    const quoted = groups!['quoted']!
    const from = index + all.indexOf(quoted, 1)
    if (
      quoted.trim().length > 2 &&
      quoted.length < text.trim().length * 0.6 &&
      !isConfided(plainLetters(quoted)) &&
      !POLICY.test(plainLetters(quoted)) &&
      !SHOWN.test(text.slice(Math.max(0, index - 24), index)) &&
      !isPlaceholder(quoted) &&
      !FILE.test(quoted) &&
      !describesField(quoted)
    )
      yield { from, to: from + quoted.length, form: 2, quoted: true }
  }
  for (const pattern of [CODE, SEQUENCE])
    for (const { 0: code, index } of text.matchAll(pattern)) {
      const digits = code.match(/\p{N}/gu)!.length
      const groups = code.split(/[-–—·•*#/▸►→>\s]+/).length
      const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
      if (
        (digits < 3 && groups < 3) ||
        (NO_CODE.test(code) &&
          !(/^\d{1,2}[-/]\d{1,2}[-/]\d\d$/.test(code) && opensWith(text, index, index + code.length)) &&
          !(
            /^\d{3}$/.test(code) &&
            SET_TO.test(line.slice(-12)) &&
            ENTERING.in(
              plainLetters(
                line
                  .slice(-40)
                  .split(/[.!?;]/)
                  .at(-1)!,
              ),
            )
          )) ||
        COUNTED.test(line.slice(-16)) ||
        isRange(code) ||
        /^\.(?:[a-z]{2,4}|mp[34]|7z)(?![\p{L}\p{N}])/iu.test(
          text.slice(index + code.length, index + code.length + 6),
        ) ||
        /^\s*\[?[\d:. ]*$/.test(line) ||
        /^\s?(?:ms|s|km|m|kg|g|cm|mm|eur|usd|gbp|kr|zł|people|days|hours|minutes|years|am|pm|uhr)\b/iu.test(
          text.slice(index + code.length, index + code.length + 10),
        )
      )
        continue
      yield { from: index, to: index + code.length, form: 2 }
    }
  for (const { from, to, numbers, count } of dictatedRuns(text))
    if (!isRange(text.slice(from, to)) && !isCounting(text.slice(from, to)))
      yield { from, to, form: numbers > 1 || count > 3 ? 2 : 1 }
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const value = token.replace(/^[*_~:.=-]+|[.:*~…?!]+$/gu, '')
    const from = index + token.indexOf(value)
    // Who writes, and when: `front-desk 09:31 …`.
    if (
      /^\s*$/.test(text.slice(text.lastIndexOf('\n', from - 1) + 1, from)) &&
      /^(?: \d{1,2}[:.]\d\d|:)(?:\s|:)/.test(text.slice(from + value.length, from + value.length + 8))
    )
      continue
    if (value.length > 4 && odd(value) > 0) yield { from, to: from + value.length, form: odd(value) > 1 ? 2 : 1 }
    else if (/^\p{Ll}{3,16}[_-]\p{Ll}{3,16}\d{1,4}$/u.test(value)) yield { from, to: from + value.length, form: 1 }
    // A word with a digit in it, of a language without spaces.
    else if (
      /\p{Lo}\p{M}?\p{Nd}+\p{Lo}|\p{Lo}{3}\p{M}?\p{Nd}{2,}/u.test(value) &&
      !/[年月日時分秒号號円元人件回]/.test(value)
    )
      yield { from, to: from + value.length, form: 2 }
  }
  if (/\p{Ll}/u.test(text))
    for (const { 0: word, index } of text.matchAll(CAPITALS))
      if (
        !POLICY.test(plainLetters(word)) &&
        !isPlaceholder(word) &&
        !/["'“„«/][^"'”“»\n]*$/.test(text.slice(Math.max(0, index - 24), index))
      )
        yield { from: index, to: index + word.length, form: /[ -]/.test(word) && word.length > 9 ? 2 : 1 }
}

/** What looks like a date is a code directly beside a word of opening: `s'ouvre en faisant 31-12-07`. */
const opensWith = (text: string, from: number, to: number): boolean =>
  OPENING.in(
    plainLetters(text.slice(Math.max(0, from - 24), from))
      .split(/[.!?;,]/)
      .at(-1)!,
  ) ||
  (/^ (?:ile|ilə|se|con|mit|-?ra|-?re) /i.test(text.slice(to, to + 6)) &&
    OPENING.in(plainLetters(text.slice(to, to + 24))))

/** What it is follows. In plain letters. */
const IS =
  /(?:(?<!\p{L})(?:is|it's|its|was|ist|lautet|heisst|est|c'est|es|e|era|is|luidt|ar|er|heter|hedder|je|znie|zni|brzmi|jest|este|ειναι|это|є|це|е|је|הוא|היא|هو|هي|است|है|हैं|adalah|ialah)|[:：=→]|[是为為は는은])\s?["'“„«‘「『]?$/u

const NEGATED =
  /(?<!\p{L})(?:don.?t|do not|never|not|nicht|ne|no|nao|non|niet|inte|ikke|ikkje|ei|ala|ara|nie|ni|не|ні|μη|μην|לא|אל|لا|jangan|[dđ]ung) /u

/** A word of entering or saying belongs to it. */
const isDirect = (text: string, { from, to, form, quoted }: Candidate, about: boolean, named: boolean): boolean => {
  const front = plainLetters(text.slice(Math.max(0, from - 64), from))
  const back = plainLetters(text.slice(to, to + 40))
  const clause = front.split(/[.!?;](?:\s|$)/).at(-1)!
  const before = clause
    .trim()
    .split(/\s+/)
    .slice(form === 2 ? -6 : -3)
    .join(' ')
  const after = back
    .split(/[.!?;](?:\s|$)/, 1)[0]!
    .trim()
    .split(/\s+/)
    .slice(0, 3)
    .join(' ')
  if (/(?<!\p{L})(?:the|an?|your|my|this|that)\s$/u.test(front) && form === 1) return false
  if (form === 2 && about && IS.test(front)) return true
  const says =
    (SAYING.in(before) && !NEGATED.test(before.split(/,\s/).at(-1)!)) ||
    isVietnamese(text.slice(Math.max(0, from - 40), from))
  // A policy of passwords, and a button.
  if (quoted && named) return says
  if (form === 2 && !quoted && opensWith(text, from, to)) return true
  return says || ENTERING.in(before) || (form === 2 && (ENTERING.in(after) || SAYING.in(after)))
}

type Report = (from: number, to: number, doubtful?: true) => void

/**
 * A word or two behind the imperative of saying, up to the end of the clause: `then say gooseberry.` Of answering only
 * what `we` do: `answer briefly` is what every prompt tells a model.
 */
const SAY_WORD =
  /(?<![\p{L}])(?:say|whisper|shout|sag(?:e|st|t|en sie)?|nenn(?:e|en)?|fl[uü]ster\p{L}{0,3}|dis|dites|chuchote|di|diga|decid|diz|diga|dici|di'|dica|spune|spui|zeg(?:gen)?|fluister|s[aä]g(?:er)?|viska|sig(?:er)?|hvisk|(?<!(?:se|che|non|come|quando|ci|no|que|ya|como) )si|segðu|sano|kuiskaa|[uü]tle|sosista|saki|sakyk|powiedz|szepnij|[rř]ekni|za[sš]eptej|povedz|reci|povej|[sš]apni|mondd|s[uú]gd|s[oö]yle|katakan|bilang|jawab saja|we (?:answer|reply)|antworten wir|wir antworten|r[eé]pondons|respondemos|rispondiamo|wij antwoorden|vi svarar?|odpowiadamy|odpov[ií]dáme|odgovaramo|отвечаем|sema|sabihin|nói|скажи(?:те)?|шепни|кажи|реци|πες|πείτε|ψιθύρισε) (?<said>\p{L}[\p{L}\p{M}'’-]{3,20}(?: \p{L}[\p{L}\p{M}'’-]{2,20})?)(?=\s?(?:[.!?,;\n—–)]|$))/giu
const NOTHING_SAID =
  /^(?:here|there|now|more|again|everything|everyone|them|hier|dort|jetzt|mehr|alles|ici|plus|tout|aqui|aquí|ahora|todo|qui|adesso|tutto|agora|tudo|meer|nu|her|nå|här|mer|teraz|tady|teď|tukaj|burada|тут|здесь|сейчас|сега|εδώ|τώρα|that|this|nothing|something|anything|hello|thanks?|please|sorry|goodbye|yes|when|what|where|anyone|anybody|nobody|no one|none|niemand\p{L}*|keinem|nichts|etwas|bescheid|bitte|danke|hallo|ihm|ihr|das|nicht|rien|personne|merci|bonjour|oui|nada|nadie|gracias|hola|ning\p{L}+|niente|nessuno|grazie|nimic|nim[aeă]nui|niets|hallo|ingen|inget|ingenting|noget|noe|engum|kenellekään|nikomu|nic|nikome|senki\p{L}*|semmit|kimseye|siapa\p{L}*|jangan|mtu|никому|ничего|никого|ничто|нищо|κανεν\p{L}*|τίποτα)(?:\s|$)/iu

const wordsSaid = (text: string, report: Report): number => {
  let count = 0
  for (const { 0: all, index, groups } of text.matchAll(SAY_WORD)) {
    const said = groups!['said']!
    if (NOTHING_SAID.test(said) || isConfided(plainLetters(all)) || POLICY.test(plainLetters(said))) continue
    const from = index + all.length - said.length
    report(from, from + said.length, /\s/.test(said) ? true : undefined)
    if (!/\s/.test(said)) count++
  }
  return count
}

/** Behind a word for a key, up to the end of the clause: where it is. */
const placesIn = (text: string, report: Report): number => {
  const key = KEY_WORDS.exec(text)
  if (
    !key ||
    /\b(?:map|sort|primary|foreign|shortcut|public|private|api|ssh|cache|hot|arrow|object|dict|same)\s$/i.test(
      text.slice(0, key.index),
    )
  )
    return 0
  const rest = text.slice(key.index + key[0].length, key.index + key[0].length + 200)
  const where = WHERE.exec(rest)
  // In other languages, the word stands at the end.
  const behind = POSTPOSITION.exec(rest.split(/[.!?;,，。！\n]/, 1)[0]!)
  if (behind && (!where || where.index > behind.index - 3)) {
    const begin = key.index + key[0].length
    const clause = rest.slice(0, behind.index + behind[0].length)
    const skipped = clause.search(/\S/)
    report(begin + skipped, begin + clause.length)
    return 1
  }
  if (!where || /[.!?;\n]\s/.test(rest.slice(0, where.index))) return 0
  // The key to success isn't in a drawer.
  if (
    /^\s?(?:to (?!the |my |our |this |that )\p{L}|zum erfolg|du succ|de la r[eé]ussite|del [eé]xito|do sucesso|del succ|к успеху|до успіху|sukses|do sukcesu)/iu.test(
      rest,
    )
  )
    return 0
  const from = key.index + key[0].length + where.index
  const place = /^[^.!?;:\n—–,]{6,120}/u.exec(text.slice(from))?.[0].trimEnd()
  if (place === undefined || place.split(/\s+/).length < 2) return 0
  const vague = /^(?:in|im|at|en|dans|no|na|nella|nel|i|w|v|ve|u|в|di|dalam|po|sur|auf|on|sobre|sau)\s/iu.test(where[0])
  report(from, from + place.length, vague ? true : undefined)
  return vague ? 0 : 1
}

/** Short lines of their own behind a line that speaks of entering or saying. */
const linesIn = (text: string, report: Report): number => {
  let before = ''
  let count = 0
  for (const { 0: line, index } of text.matchAll(/[^\r\n]+/g)) {
    const value = line.trim()
    if (value.length < 40 && CLOSING.test(plainLetters(value))) return count
    const short =
      value.length > 1 &&
      value.length < 40 &&
      value.split(/\s+/).length < 4 &&
      !/[.:!?。！？…)(\]>-]$|^[-*•([<#>]|[=<>{}]|^[A-Z][A-Z ,]+$/.test(value) &&
      !LOG_LINE.test(line)
    if (short && before !== '' && (ENTERING.in(before) || SAYING.in(before) || OPENED.in(before))) {
      const from = index + line.indexOf(value)
      report(from, from + value.length)
      count++
    } else before = /[:：,，。.]\s*$/.test(line) ? plainLetters(line) : ''
  }
  return count
}

/** A page that anybody can read who knows its address. */
const addressesIn = (text: string, plain: string, report: Report): number => {
  if (
    !/unlisted (?:link|url|address|page)|anyone (?:else )?(?:who|with)|whoever|forward|weiterleit|transfer|reenvi|inoltr|doorstur|vidare|videre|пересыл|转发|転送|전달/u.test(
      plain,
    )
  )
    return 0
  let count = 0
  for (const { 0: url, index } of text.matchAll(/https?:\/\/[^\s"'<>`)\]}]{6,300}/giu)) {
    const last = /\/(?<last>[\w.~%-]{8,120})\/?(?:[?#].*)?$/u.exec(url.replace(/[.,;]+$/, ''))
    const segment = last?.groups!['last']
    if (
      segment === undefined ||
      url.indexOf('/', 8) < 0 ||
      url.indexOf(segment) < url.indexOf('/', 8) ||
      /\.\w{2,4}$/.test(segment)
    )
      continue
    const from = index + url.lastIndexOf(segment)
    report(from, from + segment.length, /\d|-.*-/.test(segment) ? undefined : true)
    count++
  }
  return count
}
