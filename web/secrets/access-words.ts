/**
 * Words of getting in somewhere, as stems in some 25 languages: of signing in and unlocking, of entering something, and of
 * what follows. They only say what a sentence is about; what is handed over must look like it.
 */

import { AnyCase } from './any-case.ts'

/** `\b` is for ASCII only. */
const WORD_ENDS = '(?![\\p{L}\\p{N}])'

/** Stems that begin a word, and others that are found anywhere because the language has no spaces or other endings. */
const stems = (beginning: readonly string[], anywhere: string): AnyCase =>
  new AnyCase(`(?<![\\p{L}\\p{N}])(?:${beginning.join('|').replaceAll('\\b', WORD_ENDS)})|${anywhere}`)

/** What a text is about: getting in. */
export const ACCESS = stems(
  [
    // English
    'log(?:s|ged|ging)?[ -]?(?:in|on|into|onto)\\b|log[io]ns?\\b|sign(?:s|ed|ing)?[ -]?(?:in|on|into)\\b|unlock|decrypt|disarm|' +
      'get(?:s|ting)? (?:\\p{L}+ ){0,2}(?:back )?in\\b|let(?:s|ting)? (?:\\p{L}+ ){0,2}in\\b|credential|creds\\b|pass(?:words?|phrases?|codes?|wd|keys?)\\b|pwd\\b|authenticat|' +
      'wi-?fi|ssid|hotspot|wlan|vpn\\b|(?:guest|visitor|private|home|office)[ -](?:net|network|wlan)\\b|vaults?\\b|(?:the|our|my|your|a|wall|hotel|office|gun|floor)[ -]safe\\b|strongbox|' +
      'get(?:s|ting)? (?:\\p{L}+ ){0,2}into\\b|nas\\b|cms\\b|erp\\b|barrier|turnstile|checkpoint|gatekeeper|(?:boot|root|shell|login|sudo|enable|bios) prompt|alarms?\\b|gates?\\b|doors?\\b|lockers?\\b|padlock|lock ?box|bike (?:shed|lock)|garage|shed\\b|key ?(?:pad|box|safe|cabinet)|intercom|entry ?phone|voice ?mail|answering machine|remote desktop|' +
      'at the prompt|when(?:ever)? (?:it|he|she|they|the \\p{L}+) (?:asks?|prompts?|challenges?)\\b|if (?:it|he|she|they) asks?\\b|when (?:asked|prompted|challenged)|(?:admin|web|config|setup|settings|management) (?:page|panel|area|console|interface)|' +
      'online banking|net ?banking|rdp\\b|vnc\\b|telnet\\b|ssh\\b|ftp\\b|access (?:code|denied|word|phrase|point)|challenge[ds]?\\b|backup (?:drive|disk|tape)|safe word|code ?word|password manager|master word|test account|shared account|demo account|sudo\\b|kiosk|tablets? lock|bastion|proper account|admits?\\b|(?:no such|unknown|invalid) user|user ?name for|sorry, try again|radius\\b|hard-?coded|remove before|before (?:sharing|release)|if (?:asked|prompted)|whisper',
    // German
    'anmeld|angemeldet|meld\\p{L}{1,3} (?:du |dich |sie sich |euch )|einlogg|eingelogg|einwähl|zugang|zugriff|passwor|kennw|losung|entsperr|freischalt|freigeschalt|entriegel|aufschlie|aufsperr|tresor|tor\\b|tore?s\\b|haust[uü]r|t[uü]r(?:en|code|schloss)?\\b|schlie(?:ß|ss)fach|schloss\\b|alarm|w-?lan|pf[öo]rtner|erste[rnm]? (?:start|anmeldung)|mailbox|anrufbeantworter|gastnetz|[öo]e?ff?ne[nt]?\\b|zur[uü]ckgesetzt|sprechanlage|fahrradschloss|nutzername|benutzer|rechner|verbinde',
    // French
    'connex|connect(?:e|er|ez)(?:[- ](?:toi|vous))|connecte|identifi|mot de passe|d[ée]verrouill|d[ée]bloqu|coffre|portail|porte\\b|portillon|digicode|interphone|alarme|cadenas|casier|r[ée]pondeur|messagerie|acc[eè]s|acc[eé]d|ouvr(?:e|ir|ez|ira)\\b|session\\b.{0,12}ouv|identifiant|bo[iî]te [àa] cl[ée]s',
    // Spanish, Catalan, Portuguese, Italian, Romanian
    'inici\\p{L}* (?:de )?sesi[oó]n|acced|acceso|entrar?\\b|contrase|clave\\b|desbloque|abr(?:e|ir|en|a)\\b|caja fuerte|puerta|port[oó]n|candado|taquilla|buz[oó]n|usuario|alarma|' +
      'accesso|parola|sblocc|apr(?:i|ire|e|ono)\\b|cassaforte|cancello|porta\\b|portone|allarme|lucchetto|armadietto|segreteria|citofono|utente\\b|colleg|negato|' +
      'acess|senha|desbloque|cofre|port[aã]o|cadeado|arm[aá]rio|utilizador|usu[aá]rio|entre com\\b|contrasenya|autentific|conect|deschid|seif\\b|u[sș]a\\b|poart|lac[aă]t',
    // Dutch, Danish, Norwegian, Swedish, Icelandic
    'inlog|aanmeld|wachtwoord|toegang|ontgrendel|ontsluit|kluis|deur|poort|hangslot|kastje|slot\\b|binnenkom|op de (?:nas|server|router|pc|computer)|' +
      'log(?:ge|ger|ga|gar|get)?[ -]?(?:p[aå]|ind?|inn)\\b|adgang|tilgang|[åa]tkomst|kodeord|passord|l[öo]senord|l[åa]se?r? (?:op|upp)|l[åa]s\\b|d[øö]r(?:en|r)?\\b|port(?:en)?\\b|skab|sk[åa]p|telefonsvar|innskr[aá]|lykilor|hur[ðd]',
    // Finnish, Estonian, Latvian, Lithuanian
    'kirjaud|kirjautu|salasan|avaa\\b|avaus|avautu|lukit|ovi\\b|oven\\b|ovikoodi|portti|portin|kassakaap|h[aä]lyt|langato|sis[aä][aä]np[aä][aä]s|sisene|parool|uks\\b|ukse|v[aä]rav|piesl[eē]g|durv|prisijung|slapta[zž]|dur[uųy]',
    // Polish, Czech, Slovak, Slovene, Croatian, Hungarian
    'zaloguj|logow|has[łl]|odblokuj|dost[eę]p|sejf|drzwi|bram[aęy]|furtk|k[łl][óo]dk|szafk|domofon|wej[sś]ci|otw[ioó]|' +
      'p[rř]ihl[aá]s|hesl|odemk|odomk|odemyk|trezor|dve[rř]|br[aá]n[aeuy]|z[aá]mek|z[aá]mok|p[rř][ií]stup|u[zž]ivat|prijav|lozink|gesl|vrat|otklju|otklj|sef\\b|' +
      'jelsz|bejelentkez|bel[eé]p|l[eé]pj? be|kapu|ajt[oó]|sz[eé]f|riaszt|z[aá]r(?:at|as)?\\b|felold|hozz[aá]f[eé]r|lakat',
    // Turkish, Vietnamese, Indonesian
    'giri[sş]|oturum|[sş]ifre|kasa\\b|kap[ıi]|kilid|kilit|eri[sş]im|[đd][aă]ng nh[aậ]p|m[aậ]t kh[aẩ]u|m[oở] kh[oó]a|masuk\\b|sandi\\b|brankas|pintu|gembok',
    // Greek, Russian, Ukrainian, Bulgarian, Serbian
    'σύνδε|συνδε|μπαίν|μπες\\b|μπεις|κωδικ|συνθηματικ|ξεκλειδ|πόρτα|πύλη|χρηματοκ|συναγερμ|θυρωρ|' +
      'войд|войт|зайд|зайти|вход|логин|залогин|парол|доступ|авториз|разблок|сейф|двер|ворот|калитк|домофон|сигнализ|зам[ок]к|шкафчик|учетн|учётн|откро|открыв|' +
      'увійд|увійт|вхід|розблок|відчин|відімк|брам|сигналіз|сховищ|влез|влизан|парола|врата|портал|лозинк|капиј|пријав',
  ],
  '登录|登錄|登入|登陆|密码|密碼|口令|解锁|解鎖|开门|開門|门禁|門禁|保险[柜箱]|保險|警报|无线|ログイン|サインイン|パスワード|合言葉|暗証|解錠|解除|開け|金庫|ドア|玄関|로그인|접속|비밀번호|암호|잠금|현관|금고|도어락|와이파이|출입|' +
    'تسجيل الدخول|كلمة المرور|كلمة السر|افتح|البوابة|الباب|خزنة|قفل|סיסמה|סיסמא|להתחבר|כניסה|השער|הדלת|כספת|पासवर्ड|लॉगिन|तिजोरी|दरवाज|ताला',
)

const ENTRY_VERBS = [
  'type|types|typed|typing|enter|enters|entered|entering|key in|keyed in|punch in|put in|puts in|tap in|tap|dial|say|says|said|saying|whisper|whispers|answer|answers|answered|reply|replies|replied|respond with|responded|responds with|speak|submit|input|fill in|paste|try|tries|try again with|accepts|accept|wants|expects|takes|opens (?:up )?with|opened with|opens to|unlocks (?:it )?with|unlocked with|unlocks? by|works (?:only )?with|worked with|gets? (?:you|us|me) in with|lets? (?:you|us|me) in with|logs? in with|logged in with|signed? in with|sign in using|log in using|authenticates? (?:with|as)|tell (?:him|them|her|it)|told (?:him|them|her)|give (?:him|them|her|it)',
  'tipp(?:e|en|st|t)?|tippt|gib|gebt?|geben sie|eingeben|schreib|schreiben sie|schreibe|sag|sage|sagen sie|nimm|nehmen sie|probier|versuch|versuche|geht mit|öffnet mit|oeffnen mit|öffnen mit|aufgeht mit|lautet|heißt|akzeptiert|nutze|nutzt|benutz|benutze',
  'tape|taper|tapez|saisis|saisir|saisissez|entre|entrer|entrez|compose|composez|composer|dis|dites|dire|écris|écrivez|écrire|réponds|répondez|utilise|utilisez|essaie|essayez|mets|mettez|donne|donnez',
  'escribe|escriba|escribir|teclea|teclee|teclear|introduce|introduzca|introducir|ingresa|ingrese|ingresar|pon|ponga|poner|di|diga|decir|marca|marque|usa|usar|prueba|pruebe|responde|le dejé|dejé',
  "digita|digitare|digiti|inserisci|inserire|inserisca|scrivi|scrivere|metti|mettere|di'|dici|usa|usare|prova (?:ancora )?con|prova|rispondi|digite|digitar|escreva|escrever|insira|inserir|coloque|usar|diga|tente",
  'typ|typ je|tik|tik in|voer in|vul in|invullen|gebruik|zeg|probeer|skriv|skriver|indtast|tast|tast inn|slå in|ange|knappa in|säg|sig|si|bruk|brug|använd|prøv|prova',
  'kirjoita|syötä|näppäile|sano|käytä|kokeile|sisesta|kirjuta|ütle|ieraksti|ievadi|įvesk|rašyk|sakyk',
  'wpisz|wpisać|podaj|napisz|powiedz|użyj|wklep|spróbuj|zadej|zadejte|zadaj|zadajte|napiš|napište|řekni|řekněte|použij|použijte|vlož|upiši|vpiši|unesi|ukucaj|reci|írd|írja|írd be|gépeld|gépeld be|add meg|mondd|használd|üsd be|(?:utána|aztán) (?:ezt|azt) írd',
  'yaz|yazın|gir|girin|kullan|kullanın|söyle|tuşla|nhập|gõ|dùng|ketik|masukkan|gunakan|scrie|scrieți|introdu|introduceți|spune|folosește',
  'πληκτρολόγησε|γράψε|γράψτε|γράφεις|βάλε|βάλτε|βάζεις|πες|πείτε|λες|δώσε|δίνεις|χρησιμοποίησε|' +
    'введи|введите|ввести|вводишь|набери|наберите|набрать|напиши|напишите|скажи|скажите|сказать|говоришь|используй|используйте|попробуй|введіть|набрати|наберіть|скажіть|сказати|сказати (?:йому|їй)|напишіть|въведи|напиши|кажи|укуцај|унеси',
]
const SEQUENCES =
  "it'?s|it is|that'?s|was|changed (?:it )?to|reset (?:it )?to|used|then|and then|then type|followed by|after that|plus|with the word|dann|und dann|danach|danach kommt|anschließend|dann kommt|puis|et puis|ensuite|et ensuite|luego|y luego|después|y después|poi|e poi|dopo|depois|e depois|e então|en dan|dan|daarna|så|og så|och sen|sen|sedan|och sedan|derefter|deretter|etterpå|sitten|ja sitten|sen jälkeen|potem|a potem|następnie|pak|a pak|potom|a potom|nato|pa|zatim|onda|utána|aztán|majd|sonra|ve sonra|apoi|și apoi|μετά|και μετά|ύστερα|потом|а потом|и потом|затем|далее|потім|а потім|далі|после|i onda"
const LINKS =
  'with|use|using|uses|is|but|now|takes|set to|aber|mais|pero|ma|mas|and|via|by|as|mit|per|und|ist|avec|et|est|con|y|es|e|è|com|é|met|en|med|og|och|ja|z|ze|i|hasłem|s|se|ve|ile|με|και|с|и|з|і|та|за|cu|și|dengan|dan|với'
/** One may stand between the verb and what is entered. */
const MARKUP = '[\\s:：]{1,3}(?:<[a-z]{1,6}>)?["\'`*_“”„‘’«»「『(]{0,3}'
const NOT_WORD = '(?<![\\p{L}\\p{N}])'

/** In front of what one enters, says or shows. */
export const ENTERS_BEFORE = new RegExp(
  `(?:${NOT_WORD}(?:${ENTRY_VERBS.join('|')})(?: (?:simply|just|in|back|du|sie|man|je|you|ni|vous|him|her|it|them|ihm|ihr|ein|einfach|lui|le|йому|їй|ему|ей|again))?${MARKUP}|(?:输入|輸入|说|説|填|用|使用|是|入力は|は|を使って|입력은|는|은)[\\s:：]?["“「『《]?)$`,
  'iu',
)
export const FOLLOWS_BEFORE = new RegExp(
  `(?:${NOT_WORD}(?:${SEQUENCES})[:,]?${MARKUP}|(?:然后|再|接着|次に|そして|그리고|다음)[\\s:：]?["“「]?)$`,
  'iu',
)
export const LINKS_BEFORE = new RegExp(`(?:${NOT_WORD}(?:${LINKS})${MARKUP}|[:：=→]\\s{0,2}["'\`“„«「*]{0,2})$`, 'iu')
/** Behind it: `… eintippen`, `… at the prompt`, `…, all lower case`. */
export const ENTERS_AFTER =
  /^(?:<\/[a-z]{1,6}>)?["'`*_”“’»」』)]{0,3}[,.]?\s{0,2}(?:(?:\([^()\n]{0,40}\)\s)?(?:ein(?:tippen|geben|zugeben|tippst|gibst)?\b|eintippen|eingeben|tippen\b|sagen\b|erachter|invoeren|invullen|intikken|typen\b|at the (?:\p{L}+ )?prompt|when (?:it|he|she|they|prompted|asked)|if (?:it |he |she |they )?(?:asks?|asked|prompted)|to (?:open|unlock|log|sign|get in|enter|join|disarm|decrypt)|(?:and |then )?(?:press|hit) enter|as (?:the )?pass\w+|yazın|yaz\b|girin|gir\b|beírás|kirjoita|ile giriş|と入力|を入力|で(?:ログイン|開|解)|로 |을 입력|를 입력|입력|登录|登入|开门|解锁)|(?:[(—–-]\s?)?(?:all |alles |tout |todo |tutto |wszystko )?(?:in )?(?:lower ?case|small letters|capital|upper ?case|no spaces?|one word|kleingeschrieben|klein(?:\b|\sgeschrieben)|gro(?:ß|ss)|minuscul|majuscul|may[uú]scul|min[uú]scul|maiuscol|minuscol|hoofdletter|kleine letters|wielk|mał|velk|mal[yéý]|s velk|с больш|с маленьк|заглавн|mit \p{Lu}?\p{L}{2,12}zeichen|with (?:a |the )?(?:capital|dash|hyphen|plus|exclamation|spaces?|dot|dollar)|without (?:the )?spaces?|avec (?:un |une )?(?:maj|tiret|point)|con (?:la )?may|ohne leer))/iu
/** What a word in front of these is only about: `enter GitHub/GitLab credentials`. */
export const MODIFIES =
  /^["'`*_”’»]{0,3}\s(?:tokens?|credentials?|passwords?|keys?|accounts?|urls?|uris?|apis?|ids?|names?|username|user|emails?|addresses|address|details|information|settings|mode|format|files?|page|menu|tab|button|section|screen|dialog|field|version|library|package|module|plugin|extension|server|service|provider|scheme|flow|method|type|class|function|component|command|model|integration|projects?|repository|repositories|repo|environment|database|cluster|region|style|syntax|headers?|parameters?|values?|options?|flags?|systems?|platforms?|devices?|users?|developers?|applications?|apps?|tools?|client|interface|protocol)\b/i
