/**
 * What one has to say to be let in, believed or handed something: a sentence with a verb of saying, somebody who guards,
 * hands over or pays, and a condition. Which of its words it is, only a reader knows, so the sentence is reported; words in
 * lines of their own below `say to him:` are removed.
 */
import { SAYING } from './confidences.ts'
import { asksDiscretion } from './discretion-words.ts'
import { OPENED, plainLetters, saysToKeep, Stems } from './entry-words.ts'
import { describesField } from './field-descriptions.ts'
import type { FoundInText } from './found-in-text.ts'
import { isProgramLine } from './handed-over.ts'
import { isPlaceholder } from './heuristics.ts'

const RULE = 'context:prose'
/** Longer texts are documents. */
const LONGEST = 12_000
const LONGEST_SENTENCE = 400
const MOST = 40

/** Who guards, asks, hands over or pays, and what they do. */
const GUARDED = new Stems(
  'guard. guards. sentry sentries porter porters. doorman doormen bouncer gatekeeper doorkeeper usher steward stewards. lookout. host. hostess. receptionist janitor caretaker concierge nursery kindergarten school. teacher teachers. nurse monitoring dispatcher courier stranger bank. banker teller cashier police estate. challenge countersign password watchword codeword signal. duress danger. threatened forced forcing pick-up. pickup collect collects. hand over handed hands release released rings. let. lets. admit admits transfer payout customs barman bartender waiter hostess smuggler dealer contact. courier. ' +
    'wache wächter wachmann posten. pförtner türsteher hausmeister kindergarten kita. erzieher lehrer schule. bank. bankberater schalter polizei leitstelle notrufzentrale kurier fremden. losung parole. codewort gefahr. bedroht abhol ausgehändigt aushändig herausgib herausgeb reinlass einlass hereinlass durchlass durchgelass rein. überweis ' +
    'garde. gardien videur vigile physio. portier concierge crèche école. maîtresse instituteur banque. conseiller guichet police télésurveillance coursier inconnu mot de passe convenu convenue danger. menac récupérer chercher. remet remett laisser laisse. laissera entrer. virement débloqu ' +
    'guardia. guardias. vigilante portero gorila. cole. coles. conserje guardería colegio escuela maestra profesora banco. cajero policía central. mensajero desconocido contraseñ peligro amenaz recoger entreg deja. dejan. dejará pasar. transferencia guarda. porteiro segurança creche escola professora banco. polícia estafeta estranho senha perigo ameaç buscar entrega deixa. deixam. transferência ' +
    'guardia. guardie. guardiano portiere buttafuori custode asilo. scuola. maestra banca. sportello polizia vigilanza corriere sconosciut parola. pericolo minacci ritirare prelev consegn lasci. lascia. passare. bonifico sblocc paznic portar grădiniț școal învățăto banc poliți curier străin parol pericol ' +
    'bewaker portier uitsmijter conciërge crèche kinderopvang school. juf. meester. bank. politie meldkamer koerier vreemde wachtwoord gevaar bedreig ophalen. overhandig afgeven meegeven binnenlaat binnenlaten overschrijv ' +
    'vagt. vagten. vakt. vakten. dørmand dørvakt portner portvakt børnehave barnehage dagis förskola skole. skolen. skola. lærer lärare bank. banken. politi polis. vagtcentral alarmcentral bud. budet. fremmed främling kodeord lösenord fare. fara. hente. henter. hämta. hämtar. udlever utlever lämna slipper. släpper. lukker overførsel överför vörður leikskól skóli banki lögregl ' +
    'vartija portsari päiväkoti koulu opettaja pankki poliisi hätäkeskus lähetti vieras. salasana vaara. hakea. hakija luovut päästä valvur lasteaed kool. õpetaja pank. politsei kuller võõras ohu. üle anda sargs apsarg bērnudārz skol skolotāj banka polic kurjer svešinieks sargas darželis mokykl mokytoj bankas policij kurjeris ' +
    'strażnik wartownik portier ochroniarz ochrona przedszkol szkoł nauczyciel bank. banku. policj kurier obcy. obcemu hasło niebezpiecz zagroż odebrać odbier wydać. wyda. wpuści wpuszcz przelew hlídač vrátný vyhazovač školk škol. učitelk bank. policie kurýr cizí. heslo nebezpeč vyzvedn vydat. vydá. pustí. převod strážnik vrátnik škôlk učiteľk polícia kuriér cudz vyzdvih ' +
    'čuvar portir izbacivač vrtić vrtic škola učitelj banka policij kurir stranac lozink opasnost preuzme izda. pusti. čuvaj stražar varuh vratar učiteljic tujec geslo ' +
    'őr. őrnek portás kidobó óvoda óvónő iskola tanár bank. rendőr futár idegen jelszó veszély elhoz kiad beenged átutal bekçi güvenlik. kapıcı anaokul okul. okuldan öğretmen banka polis. kurye yabancı parola tehlike alma. almaya verme. vermeyin teslim bırak geçir havale ' +
    'satpam penjaga pengawal guru. sekolah bank. teller polisi kurir asing. sandi bahaya jemput menjemput serah mlinzi askari mwalimu shule benki polisi mgeni hatari guwardiya bantay paaralan guro bangko pulis bảo vệ giáo viên trường ngân hàng cảnh sát ' +
    'φρουρ θυρωρ πορτιέρ σχολείο παιδικό δασκάλ τράπεζ αστυνομ κούριερ ξένο σύνθημα κίνδυν παραλάβ παραδώσ αφήσ ' +
    'охранник охране охрану сторож часово вахтер вахтёр вышибал садик детсад школ учител воспитател банк. банка. банке. полици пульт курьер чужо незнакомц пароль опасност забрать забира отдад отда. пропуст впуст перевод охоронц вартов садок вихователь вчител поліці кур’єр незнайом небезпе пропуст пазач портиер детска училищ учител полици непознат опасност чувар вртић школа учитељ полициј курир странац ' +
    'שומר השומר מאבטח גן. גננת מורה בית הספר בנק משטרה מוקד שליח זר. סיסמה סכנה לאסוף למסור להכניס حارس الحارس البواب حضانة مدرسة معلمة بنك البنك شرطة الشرطة غريب خطر يستلم تسلم يسلم نگهبان دربان مهد مدرسه معلم بانک پلیس غریبه خطر تحویل چوکیدار گارڈ سکول استاد بینک پولیس چوکیدار चौकीदार गार्ड स्कूल शिक्षक टीचर बैंक पुलिस अजनबी खतर দারোয়ান স্কুল শিক্ষক ব্যাংক পুলিশ',
  '守卫|守衛|卫兵|衛兵|保安|门卫|門衛|幼儿园|幼稚園|老师|老師|学校|學校|银行|銀行|警察|快递员|陌生人|暗号|暗號|口令|危险|危險|接孩子|放行|转账|転送|番人|見張り|門番|受付|保育園|先生|交番|宅配|知らない人|合言葉|危険|迎え|振込|通し|경비|수위|문지기|유치원|어린이집|선생|학교|은행|경찰|택배|낯선|암호|위험|데리러|들여보|송금|ยาม|โรงเรียน|ครู|ธนาคาร|ตำรวจ|คนแปลกหน้า|อันตราย|bảo vệ|ngân hàng',
)

/** It depends on what is said. In plain letters. */
const CONDITION =
  /(?<!\p{L})(?:only|unless|until|whoever|who|anyone who|otherwise|or else|nothing else|exactly|word for word|if|when|before|nur|sonst|wer|wenn|falls|bevor|bis|ausser|genau|wortlich|erst|seul\p{L}*|sinon|si|quand|quiconque|celui qui|jusqu\S*|exactement|simplement|mot pour mot|avant|solo|si no|quien|cuando|hasta|salvo|exactamente|palabra por palabra|antes|so|se|quem|quando|ate|exatamente|soltanto|chi|altrimenti|finche|esattamente|parola per parola|daca|cine|pana|exact|alleen|anders|wie|als|totdat|tenzij|precies|bare|kun|bara|ellers|annars|hvis|om|nar|indtil|tills|precis|hvem|vem|den som|vain|jos|kunnes|muuten|kuka|ainult|kui|muidu|tikai|ja|kamer|tik|jei|kol|tylko|inaczej|jesli|kto|dopoki|dok[lł]adnie|jen|jinak|jestli|kdyz|kdo|dokud|presne|len|inak|ak|ked|samo|inace|ako|kad|tko|ko|dok|ce|csak|kulonben|ha|aki|amig|pontosan|sadece|yoksa|yalnız|yalnızca|eger|aynen|hanya|kalau|jika|siapa|sebelum|persis|kama|ikiwa|tu|isipokuwa|neu|chi|ai|khi|μονο|αλλιως|αν|οποιος|μεχρι|ακριβως|только|иначе|кто|если|когда|пока|слово в слово|ровно|лише|хто|якщо|коли|поки|само|ако|който|докато|רק|אחרת|מי|אם|עד|בדיוק|فقط|الا|إلا|من|اذا|إذا|حتى|تماما|اگر|وگرنه|تا|صرف|ورنہ|सिर्फ|वरना|अगर|जब|যদি|নইলে)(?!\p{L})|(?<=\p{L})(?:mezse|mazsa|meden|madan|irse|rse|rsa|se|sa)(?!\p{L})|只|才|否则|否則|如果|谁|だけ|以外|なければ|たら|ない限り|만|아니면|않으면|면/u
/** What prompts say to models, and what programs say to people. */
const PROGRAM =
  /(?<!\p{L})(?:user|users|tool|tools|assistant|model|llm|prompt|prompts|response|output|json|api|server|client|file|files|function|command|error|query|default|parameter|argument|field|form|page|button|click|email|e-mail|ticket|support|customer|agent|question|questions|survey|quiz|nutzer|utilisateur|usuario|utente|gebruiker|bruger|bruker|anvandare|uzytkownik|uzivatel|пользовател\p{L}*|用户|ユーザー)(?!\p{L})|https?:|[`{}<>|=]/u

export const watchwordsIn = (text: string, found: FoundInText): void => {
  if (text.length > LONGEST || text.length < 20) return
  const whole = plainLetters(text)
  if (!SAYING.in(whole)) return
  linesSaid(text, found)
  if (!GUARDED.in(whole) && !MAY_PASS.test(whole)) return
  let count = 0
  for (const { 0: sentence, index } of text.matchAll(
    /[^.!?。！？\n]{12,400}(?:[.!?。！？]["'”»」)]?(?=\s|$)|(?=\n|$)|)/gu,
  )) {
    if (++count > MOST) return
    const plain = plainLetters(sentence)
    if (sentence.length > LONGEST_SENTENCE || !SAYING.in(plain) || !CONDITION.test(plain)) continue
    const window = plainLetters(text.slice(Math.max(0, index - 100), index + sentence.length + 160))
    if (PROGRAM.test(plain) || isProgramLine(sentence)) continue
    const signs =
      Number(GUARDED.in(plain) || (OPENED.in(plain) && MAY_PASS.test(plain))) +
      Number(asksDiscretion(window) || saysToKeep(window)) +
      Number(STRONG.test(plain) || QUOTED.test(sentence))
    if (signs < 2) continue
    const said = SAYER.exec(sentence)
    const words = said?.groups!['said']
    if (said && words !== undefined && GUARDED.in(plain) && asksDiscretion(window) && !NOTHING.test(words)) {
      const from = index + said.index + said[0].length - words.length
      found({ from, to: from + words.length, rule: RULE })
    }
    const begin = sentence.search(/\S/)
    found({ from: index + begin, to: index + sentence.trimEnd().length, rule: RULE, doubtful: true })
  }
}

/** That somebody may pass. In plain letters. */
const MAY_PASS =
  /(?<!\p{L})(?:(?:may|can|will) (?:pass|enter|come|get|go)|gets? (?:in|through)|darf|durfen|(?:kommt|kommst) (?:rein|hinein|herein|durch)|peut (?:entrer|passer)|passe|puede (?:entrar|pasar)|pasa|entra|puo (?:entrare|passare)|pode (?:entrar|passar)|mag (?:erdoor|erin|binnen|naar)|far (?:passera|komma|ga)|ma (?:passere|komme)|ma komme|saa (?:menna|tulla)|moze (?:wejsc|przejsc)|smi (?:dovnitr|projit|vejit)|moze (?:dalej|vojst|prejst|uci|proci)|bejohet|atmehet|gecer|gecebilir|girebilir|boleh (?:masuk|lewat)|пройд\p{L}*|проход\p{L}*|войд\p{L}*|зайде|пройде|περνα\p{L}*|μπαιν\p{L}*|poate (?:intra|trece))(?!\p{L})/u
/** Nothing but these words will do, or somebody is in danger. In plain letters. */
const STRONG =
  /(?<!\p{L})(?:otherwise|or else|sonst|sinon|si no|senao|altrimenti|altfel|anders niet|ellers|annars|muuten|muidu|citadi|kitaip|inaczej|jinak|inak|inace|sicer|kulonben|yoksa|kalau tidak|kama sivyo|neu khong|αλλιως|иначе|інакше|אחרת|والا|وإلا|وگرنه|ورنہ|वरना|নইলে|in danger|duress|forced to|threaten\p{L}*|(?:en|in|in|em) (?:danger|peligro|pericolo|perigo|gefahr|gevaar)|peligro|pericolo|perigo|gefahr|gevaar|menac\p{L}*|amenaz\p{L}*|fare|fara|vaarassa|ohus|niebezpiecz\p{L}*|nebezpec\p{L}*|opasnost\p{L}*|veszely\p{L}*|tehlike\p{L}*|bahaya|hatari|κινδυν\p{L}*|опасност\p{L}*|небезпе\p{L}*|סכנה|خطر|खतर\p{L}*|only|unless|until|whoever|nothing else|word for word|nur wer \p{L}+ sagt|sonst nichts|erst wenn|wortlich|a moins|seulement si|tant que|mot pour mot|rien d.autre|solo si|a menos|hasta que|palabra por palabra|nada mas|so se|ate que|nada mais|solo se|a meno|finche|nient.altro|tenzij|totdat|niets anders|kun hvis|bare hvis|bara om|intet andet|ingenting annat|vain jos|tylko jesli|dopoki|nic innego|s[lł]owo w s[lł]owo|jen kdyz|dokud|nic jineho|samo ako|dok ne|nista drugo|csak ha|amig|semmi mast|hanya kalau|kecuali|только если|пока не|слово в слово|ничего больше|лише якщо|поки не|само ако|докато не|μονο αν|εκτος αν|τιποτα αλλο)(?!\p{L})|(?<=\p{L})(?:mezse|mazsa|meden|madan)(?!\p{L})|除非|否则|否則|危险|危險|危険|위험|でないと|才能|なければ|ない限り|않으면|아니면/u

/** A phrase in quotation marks. */
const QUOTED = /[“„«「『"][^“”„«»「」『』"\n]{4,60}\s[^“”„«»「」『』"\n]{2,60}[”“»」』"]/u

/** Whoever says so, up to the end of the clause. */
const SAYER =
  /(?<!\p{L})(?:(?:who|whoever|anyone who|unless (?:he|she|they|you|somebody)|only if (?:he|she|they|you))(?: [\p{L}]{2,10}){0,2}? (?:says?|will say|whispers?|mentions?|answers?|replies)|(?:celui|celle) qui (?:dit|dira|prononce|murmure)|quiconque (?:dit|dira)|quien (?:diga|dice|susurre)|quem (?:diga|disser|diz)|chi (?:dice|dirà|sussurra)|den (?:der siger|som säger|som sier)|kto (?:powie|mówi|szepnie|povie)|kdo (?:řekne|zašeptá)|кто (?:скажет|говорит|шепнет)|хто (?:скаже|каже)|който каже|ko kaže|tko kaže|όποιος πει|siapa yang (?:bilang|menyebut))\s["“„«]?(?<said>\p{L}[\p{L}\p{M}'’-]{2,20}(?: \p{L}[\p{L}\p{M}'’-]{2,20}){0,2}?)["”“»]?(?=\s?(?:[.!?,;]|$)| (?:and nothing else|and no more|only|et rien d|y nada|e niente|und nichts|и ничего))/iu
const NOTHING =
  /^(?:yes|no|that|this|so|hello|hi|thanks?|thank|please|sorry|nothing|something|anything|they|their|it|otherwise|oui|non|cela|ça|bonjour|merci|sí|que|eso|hola|gracias|sim|isso|olá|sì|questo|ciao|ja|nej|nei|hej|hei|tak|nie|to|ano|ne|да|нет|это|привет|так|ні|ναι|όχι)(?:\s|$)/iu

/** The last words of a line ask to say what the next lines are. */
const linesSaid = (text: string, found: FoundInText): void => {
  let count = 0
  for (const { 0: line, index } of text.matchAll(/[^\r\n]{8,300}(?<=[:：]\s{0,3})(?=\r?\n)/g)) {
    if (++count > MOST) return
    const clause = plainLetters(line)
      .split(/[.!?;](?:\s|$)/)
      .at(-1)!
    if (!SAYING.in(clause) || PROGRAM.test(clause)) continue
    const rest = text.slice(index + line.length)
    const rows = /^(?:\r?\n[ \t>]{0,8}[^\r\n.:;!?<>{}=|`]{2,40}(?=\r?\n|$)){1,3}/.exec(rest)?.[0] ?? ''
    const words = rows.trim()
    if (
      words === '' ||
      words.split(/\s+/).length > 8 ||
      /^[-*•\d]/.test(words) ||
      isPlaceholder(words) ||
      describesField(words)
    )
      continue
    const around = plainLetters(
      `${text.slice(Math.max(0, index - 160), index + line.length)} ${rest.slice(rows.length, rows.length + 160)}`,
    )
    const guarded = GUARDED.in(around)
    if (!guarded && !asksDiscretion(around)) continue
    const from = index + line.length + rows.indexOf(words)
    found({
      from,
      to: from + words.length,
      rule: RULE,
      ...(guarded && CONDITION.test(around) ? {} : { doubtful: true as const }),
    })
  }
}
