/**
 * What people say of something that others must not learn, taken apart into words: that only some know it, that nobody
 * else may hear of it, that it would do harm if it came out, that a note has to be destroyed. In some 45 languages,
 * compared with plain letters.
 */
import { plainLetters } from './entry-words.ts'

const any = (words: string): string => plainLetters(words).trim().split(/\s+/).join('|')
/** Up to so many words between two. */
const gap = (most: number): string => `(?: [^\\s.!?;:]{1,18}){0,${String(most)}}`

const ONLY = any(
  'only just nur bloss bloß allein alleine alleinig seul seuls seule seules seulement uniquement solo sólo solamente unicamente únicamente somente apenas só soltanto solament només nomes doar numai alleen enkel slechts kun bare bara endast enbart aðeins einungis vain ainoastaan ainult üksnes tikai tik tiktai tylko jedynie jen jenom pouze len iba samo csak csupán kizárólag yalnız yalnızca sadece tek hanya cuma chỉ tu pekee lang tanging vetëm bakarrik soilik sólo nurmi mhain dim ond μόνο μονάχα только лишь тільки лише само единствено единствен само רק אך فقط تنها صرف केवल सिर्फ सिर्फ़ শুধু কেবল மட்டும் మాత్రమే ಮಾತ್ರ മാത്രം ફક્ત ਸਿਰਫ मात्र მხოლოდ միայն тек зөвхөн',
)
const KNOW = any(
  'know knows knew known weiß weiss wissen wisst kennt kennen sait savent savons savez connait connaissons sabe saben sabemos sabéis sabem sabiam sanno sappiamo sapete sap saben sabem știe stie stiu știm stim știu weet weten kent kennen ved vet veit kender kjenner kjenn vita vide vita tietää tietävät tiedämme tiedän teab teame teavad zina zinām zinu žino žinome žinau wie wiem wiemy wiedzą zna znamy ví víme vědí znají vie vieme vedia zná zna znamo znaju znam ve vemo vedo tudja tudjuk tudom tudják ismeri bilir biliyor biliyoruz biliyorum bilen bilirik bilər tahu tau biết anajua tunajua wanajua najua alam nakakaalam di dijmë daki dakigu dakit gwybod scias ξέρει ξέρω ξέρουμε ξέρουν γνωρίζει γνωρίζουμε знает знаем знают знаю знает знає знаємо знають знаю знае знаем знаят зная знам знаме знаат יודע יודעת יודעים يعرف نعرف يعرفون أعرف يعلم نعلم می‌داند می‌دانیم می‌دانند میدونه میدونیم جانتا جانتے जानता जानते जानती पता জানে জানি தெரியும் తెలుసు ಗೊತ್ತು അറിയാം જાણે જાણીએ ਜਾਣਦੇ იცის ვიცით գիտի գիտենք',
)
/** Nobody else, no third person, outsiders. */
const OTHERS = any(
  'nobody no-one outsiders outsider strangers stranger everyone anybody anyone neighbours neighbors reporters press media public police husband wife parents kids children boss colleagues staff competitors niemand keiner keinem fremde fremden außenstehende nachbarn presse öffentlichkeit chef kollegen personne étrangers voisins public presse journalistes nadie ajenos extraños vecinos prensa jefe desconocidos ninguém estranhos vizinhos imprensa nessuno estranei vicini stampa nimeni străini vecini niemand buitenstaanders vreemden buren pers ingen fremmede uvedkommende naboer naboene pressen utomstående främlingar grannarna obehöriga kukaan ulkopuoliset naapurit keegi võõrad neviens svešie niekas svetimi nikt obcy sąsiedzi prasa nikdo cizí sousedé nikto cudzí susedia nitko niko stranci susedi komšije nihče tujci sosedje senki idegenek szomszédok kimse yabancılar komşular siapapun orang tetangga ai người-lạ mtu wageni majirani κανείς κανένας ξένοι γείτονες никто чужие соседи посторонние пресса ніхто чужі сусіди сторонні никой чужди съседи нико никој странци комшије אף-אחד זרים שכנים أحد الغرباء الجيران الصحافة هیچ‌کس کسی غریبه همسایه کوئی कोई किसी पड़ोसी কেউ কাউকে யாரும் எவரும் ఎవరూ',
)
const NOT =
  '(?:must|may|can|should|shall|will|do|does|is|are|would|could)(?:n.t| not| never)|cannot|don.?t|never|nicht|nichts|nie|niemals|ne|n.|jamais|no|nunca|jamas|nao|non|mai|nu|niet|nooit|ikke|aldri|inte|aldrig|ekki|ei|ala|ara|ne|nekad|niekada|nie|nigdy|nesmi|nesmie|nikdy|ne|nikad|nikoli|soha|nem|ma|asla|jangan|tidak|tak|dung|khong|usi\\S*|asi\\S*|huwag|δεν|μην?|ποτε|не|никогда|ніколи|нельзя|никога|לא|אל|אסור|لا|لن|ليس|نبايد|نباید|نہ|مت|न|मत|नहीं|না|নয়'
const LEARN = any(
  'know learn learns learned learnt find see hear discover notice suspect out public leak leaks leaked circulate spread repeat shared share wissen erfahren erfährt merken hören sehen herauskommen rauskommen rauskriegen außen durchsickern bekannt öffentlich publik savoir sache sachent apprendre apprenne découvrir découvre ébruite fuite saber sepa sepan entere enteren descubra descubran salga filtre trascienda saiba saibam descubra descubram saia vaze transpire sapere sappia sappiano scopra scopre esca trapeli afle știe scape weten horen achterhalen ontdekken uitkomt uitlekt uitlekken vide vite veta høre höra ud ut finde finna oppdage upptäcka slippe läcka lækkes saada tietää selville kuulla vuotaa teada uzzināt sužinoti dowie dowiedzieć wiedzieć wyjść wydostać wycieknąć dozvědět dostat vyjít vědět dozvedieť dostať vyjsť vedieť sazna saznati dozna procuri izve izvedo megtudja megtudják kitudódik kiderül kiderüljön öğrensin öğrenmesin duysun duymasın tahu tau ketahuan bocor biết lộ ajue wajue sikie malaman μάθει μάθουν μαθευτεί διαρρεύσει узнал узнали узнает узнают узнать вышло утекло просочится дізнався дізналися дізнається дізнаються научи научат разбере изтече дозна сазна ידע ידעו יידע תדע ייוודע ידלוף يعرف يعلم يدري يتسرب ينتشر يكتشف بداند بفهمد بفهمند لو चले पता जाने जानें জানে জানুক',
)
const TELL = any(
  'tell say mention reveal disclose breathe whisper share repeat pass show write name identify weitersagen verraten verrate sagen sag erzählen erzähl teilen dire dis dites parler parle répéter répète raconter révéler contar cuentes digas diga decir revelar compartir contes digas dizer fale falar revelar partilhar dire dica dite raccontare rivelare condividere spune spuneți zice vertellen vertel zeggen zeg delen sige sig si säga säg fortelle fortell berätta berätte avsløre avslöja dele dela segja kertoa kerro paljasta öelda ütle räägi stāstīt saki sakyti sakyk mówić mów powiedz zdradzić zdradź říkat říkej prozradit prozraď hovoriť hovor prezradiť govoriti govori reci odati odaj povedati povej mondani mondd elmondd áruld söyleme söylemeyin anlatma deme demeyin bilang kasih cerita beritahu nói kể usimwambie usiseme sabihin πεις πείτε λες μαρτυρήσεις говорить говори говорите рассказывай рассказывать скажи сказать выдавать казати кажи кажіть розповідай казвай казвайте говориш причај תספר תספרי תגלה תגיד לספר תגידי تخبر تخبري تخبروا تقل تقولي تبوح تفش نگو نگویید نگی بگو بتانا بتاؤ बताना बताओ बताए कहना दिखाना বলবে বলবেন বোলো',
)
const REPEAT = any(
  'post write put hang display show forward pass wiederholen weitergeben aushängen aufschreiben répéter répétez partager afficher écrire repitan repitas repetir compartas compartan compartáis escribas escribáis ripetere ripetete ripetetelo condividere scrivere scrivete repitam repita repetir compartilhe partilhes escrevas herhalen delen ophangen opschrijven upprepa dela skriva gentage dele skrive gjenta dele toista jaa powtarzać powtarzaj powtarzajcie udostępniaj udostępniać opakujte opakovat sdílejte opakujte zdieľajte ponavljajte ponavljaj dijelite ismételd oszd paylaşma paylaşmayın tekrarlama ulangi bagikan повторяйте повторять делитесь делись повторюйте діліться μοιράζεσαι μοιραστείτε repetați împărtăși',
)
/** Whom else one doesn't tell, and where. */
const VISITORS = any(
  'guests guest customers customer visitors visitor clients client members public anywhere aloud gäste gästen kunden kunde besucher besuchern nirgends nirgendwo irgendwo clients client visiteurs hôtes invités nulle-part huéspedes clientes cliente visitantes ningún-sitio ningún-lado ninguna-parte ospiti clienti cliente visitatori da-nessuna-parte hóspedes convidados visitas lugar-nenhum lado-nenhum gasten klanten bezoekers nergens gäster gästerna kunder kunderna besökare ingenstans gæster gæsterne kunderne nogen-steder gjester gjestene kundene noe-sted vieraille asiakkaille gości gościom klientom klientów nigdzie hostům hostům zákazníkům nikde hosťom zákazníkom gostima gostom kupcima nigdje nikjer vendégek vendégeknek misafirlere müşterilere tamu pelanggan гостям клиентам посетителям нигде гостям клієнтам ніде πελάτες επισκέπτες πουθενά oaspeților clienților nicăieri',
).replaceAll('-', ' ')
/** English puts the verb first; `bin` and `trash` behind a note are things. */
const DESTROY_FIRST = any('delete erase burn shred destroy eat swallow flush tear rip bin trash wipe')
const DESTROY = any(
  'lösch lösche löschen löscht vernichte vernichten verbrenn zerreiß wegwerfen wirf wirfst iss schredder supprime supprimez supprimer efface effacez effacer détruis détruire jette jetez brûle avale déchire borra borre borrar borren elimina elimine quema rompe destruye tira come apaga apague apagar elimina queima queime rasga rasgue destrói deita cancella cancellate elimina brucia strappa distruggi butta ingoia șterge ștergeți arde rupe distruge verwijder wis vernietig verbrand verscheur gooi slet slett brænd brenn makuler kast spis radera ta-bort bränn riv släng eyddu brenndu poista hävitä polta revi kustuta põleta hävita izdzēs sadedzini ištrink sudegink skasuj usuń spal zniszcz podrzyj wyrzuć zjedz smaž smažte smazat spal znič roztrhej vyhoď zmaž vymaž spáľ roztrhaj obriši izbriši spali uništi pocepaj zbriši uniči töröld égesd tépd semmisítsd sil silin yak yırt imha hapus bakar robek buang musnahkan xóa xoá đốt xé hủy futa choma chana burahin sunugin fshije digje σβήσε σβήστε κάψε σκίσε κατάστρεψε удали удалите сотри сожги порви уничтожь съешь выброси видали видаліть зітри спали порви знищ изтрий изгори скъсай унищожи избриши спали уништи поцепај תמחק תמחקי מחק מחקי תשרוף קרע زرق احذف احذفي امسح احرق مزق پاک حذف بسوزان پاره مٹا जला मिटा हटा फाड़ মুছে পুড়িয়ে அழித்து',
)
const NOTE = any(
  'message messages note notes paper letter mail e-mail email text sms chat slip list line after reading this nachricht zettel notiz notizen mail brief papier sms chat danach message messages mot billet papier note lettre mail courriel ensuite mensaje mensajes nota papel carta correo esto mensagem mensagens bilhete papel carta isto messaggio messaggi biglietto foglio nota lettera mail poi mesajul mesaj biletul hârtia bericht berichtje briefje papiertje mail besked beskeden melding meldingen seddelen lappen mailen meddelande meddelandet lappen brev brevet skilaboðin miðann viesti viestin lapun lappu sõnum sõnumi paber ziņu lapiņu žinutę lapelį wiadomość kartkę karteczkę liścik mail zprávu vzkaz papírek lístek správu odkaz papierik lístok poruku poruka papir ceduljicu sporočilo listek üzenetet papírt cetlit mesajı mesaj notu kağıdı pesan surel kertas catatan surat mesej tin giấy thư ujumbe karatasi barua mensahe papel mesazhin letrën μήνυμα σημείωμα χαρτί сообщение записку бумажку письмо смс повідомлення записку папірець листа съобщението бележката листчето поруку цедуљу פתק ההודעה הודעה הפתק الرسالة رسالة الورقة پیام کاغذ یادداشت پیغام संदेश मैसेज पर्ची कागज মেসেজ বার্তা কাগজ செய்தி',
)

/** Some of them, or all. */
const GENERAL = `(?:${any('a an any all every each multiple old some one text row rows data ein eine einen alle une un una um uma todos todas tous toutes tutti tutte et en wszystkie все всі')})(?!\\p{L})`
/** Which of them. */
const OF_PROGRAM = `(?:${any('by from in with id ids of on older at where using for matching list thread and or error de da do del di von aus mit')}|\\d)`

const word = (words: string): string => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`
const PATTERNS: readonly RegExp[] = [
  new RegExp(`${word(ONLY)}${gap(4)} ${word(KNOW)}|${word(KNOW)}${gap(3)} ${word(ONLY)}`, 'u'),
  new RegExp(`${word(OTHERS)}${gap(5)} (?:${NOT})${gap(3)} ${word(LEARN)}`, 'u'),
  new RegExp(
    `${word(OTHERS)}${gap(2)} (?:else|more|sonst|anders|mas|mais|altro|d.autre|muu|inny|jiny|mas|другой|больше)${gap(3)} ${word(KNOW)}`,
    'u',
  ),
  new RegExp(`(?<!\\p{L})(?:${NOT})${gap(3)} (?:${TELL})(?!\\p{L})${gap(4)} ${word(OTHERS)}`, 'u'),
  new RegExp(`(?<!\\p{L})(?:${NOT})${gap(3)} (?:${TELL}|${REPEAT})(?!\\p{L})${gap(4)} ${word(VISITORS)}`, 'u'),
  new RegExp(
    `${word(VISITORS)}${gap(4)} (?:${NOT}) (?:${TELL}|${REPEAT})(?!\\p{L})|(?:${NOT})${gap(1)} ${word(VISITORS)}${gap(2)} (?:${TELL}|${REPEAT})(?!\\p{L})`,
    'u',
  ),
  // `delete a message`, `delete text after the cursor`: what programs do.
  new RegExp(
    `${word(`${DESTROY_FIRST}|${DESTROY}`)}(?! ${GENERAL})${gap(2)} ${word(NOTE)}(?! ${OF_PROGRAM})|${word(NOTE)}${gap(2)} ${word(DESTROY)}`,
    'u',
  ),
]

/** Idioms, in plain letters: those without a mark of their own, such as `ı`, `ł`, `ø` and `đ`, stay. */
const IDIOMS: readonly string[] = [
  // Keep it to yourself.
  'keep (?:it|this|that) (?:all )?to (?:yourself|yourselves)|keep to yourself|telling (?:only you|you only)|only telling you|(?:please )?(?:don.t|do not|never) share (?:this |it |that )?with (?:the )?(?:guests|customers|visitors|clients|others|anyone)|so shh|shh+\\b|any(?:one|body) (?:else )?knowing|for internal eyes|(?:stay|stays|remain|remains|be|is) our secret|(?:fur|bei) (?:dich|euch|sich|mich) (?:zu )?behalten|behalt.?s? (?:es |das )?fur (?:dich|euch)|(?:sag.?s?|erzahl.?s?|verrat.?s?)(?: ich)?(?: es| das)? nur (?:dir|euch)|(?:ist|bleibt|sei) unser geheimnis|garde[rz]?(?:[- ](?:le|la|ca|cela))? pour (?:toi|vous)|gardez[- ]l[ea] pour|(?:ne |n.)?(?:le |l.)?dis qu.a toi|(?:reste|est|soit|sera) notre secret',
  'guard(?:alo|atelo|aoslo|enselo|ad(?:lo|oslo)) para (?:ti|vosotros|ustedes)|solo te lo (?:digo|cuento) a ti|te lo digo solo a ti|(?:es|sea|queda|sera) nuestro secreto|tien(?:ilo|ila|telo|etelo|etela) per (?:te|voi)|(?:lo|la) dico solo a te|(?:e|resti|rimanga|sia) il nostro segreto|guard\\w* (?:isto |isso )?para (?:ti|voce|voces|si)|so te digo a ti|(?:e|fica|sera|seja) o nosso segredo|hou(?:d|den)? (?:het|dit|dat) voor (?:je|jezelf|jou|u|jullie)|vertel het alleen (?:aan )?jou|ons geheim(?:pje)?\\b|behall det for (?:dig|er)|sager det (?:kun|bara) til dig|sager det bara till dig|(?:var|vores|var) (?:hemlighet|hemmelighed|hemmelighet)\\b',
  '(?:zachowac|zachowaj|zachowajcie) (?:to )?(?:tylko )?dla siebie|mowie (?:to )?tylko (?:tobie|wam)|nasza tajemnic|nech(?:te|ej|at) si (?:to )?pro sebe|rikam to jen (?:tobe|vam)|nase tajemstvi|nechajte si to pre seba|nase tajomstvo|zadrzi(?:te)? (?:to |ovo )?za sebe|nasa (?:tajna|skrivnost)|tartsd meg magadnak|csak neked mondom|a mi titkunk|kendine sakla|sadece sana (?:soyl|diy)|bizim sirrimiz|держи(?:те)? (?:это )?при себе|оставь(?:те)? (?:это )?при себе|говорю (?:это )?только тебе|наш(?:им)? секрет|лише тоби кажу|наша таємниц|το μυστικο μας|pastreaza (?:asta )?pentru tine|secretul nostru|spun doar tie|el nostre secret',
  '(?:nobody|no one|none) else (?:does|has|needs|knows)|if (?:it|this|that|word) (?:ever )?(?:gets?|got|comes?|leaks?) out(?! of)|if (?:anyone|they|he|she|people) (?:ever )?(?:finds? out|knew|learns?|hears?)|must ?n.?o?t (?:ever )?(?:find out|get out|leave|go (?:any )?further|be (?:known|named|identified))|never be (?:identified|named|known|traced)|between (?:these|four) walls|strictly between|(?:these|four|our) (?:four )?walls|not a (?:word|soul|peep)|not for (?:staff|the staff|publication|outsiders|anyone|circulation|others|the minutes)|in confidence|under embargo|embargoed|off the record|until the (?:announcement|press|bell|launch|news)|(?:let|leave|keep) (?:it|this|that) (?:slip|among|amongst|here|between|quiet|in the family)|for your (?:ears|eyes)|i never (?:told|said|wrote)|you didn.t (?:get|hear) (?:it|this)|ate? this (?:note|paper)|pretend you (?:don.t|never)|promised? (?:not|never|(?:her|him|them|me|she|he|they)[^.\n]{0,12} (?:not|never))|only works? (?:while|as long as|if)|out of the (?:papers|minutes|newsletter|circular)|who trades on this|word must not|strictly (?:private|confidential|between)|don.t let (?:on|it|the|him|her|them|anyone)',
  'nichts nach (?:aussen|draussen)|(?:soll|darf|muss) (?:unter uns|geheim|im raum|hier) bleiben|bleibt (?:unter uns|hier|im haus|in diesem raum)|nur du\\b|tu so als|lass dir nichts anmerken|unter dem siegel|sperrfrist|wenn das rauskommt|kommt das raus|nicht ins protokoll|nur im notfall|nur fur den (?:vorstand|notfall)|versprochen',
  "entre (?:ces|quatre) murs|que pour toi|si (?:ca|cela) (?:se sait|s'ebruite|fuit)|fais comme si|sous embargo|jure-moi|promets|seulement en cas d.urgence|reste entre|ne sorte? pas d.ici",
  'entre estas (?:cuatro )?paredes|no quier\\S+ que se sepa|que no se sepa|si se (?:sabe|entera|enter)|solo (?:tu|vosotros|ustedes)\\b|haz como que|prometim|promete|de aqui no sale|no salga de aqui|embargad|fra queste (?:quattro )?mura|tra queste mura|se si sapesse|se lo (?:scopr|sapess)|fai finta|sotto embargo|prometti|resti (?:fra|tra)|restare (?:fra|tra)|entre estas (?:quatro )?paredes|se (?:isto|isso) (?:se souber|vazar)|finge que|promete|fica entre nos|embargo|intre acesti pereti|daca (?:se )?afla',
  'alleen jij|alleen voor noodgevallen|doe alsof|binnen deze muren|als dit uitlekt|beloofd|onder embargo|kun du|bare du|bara du|blive mellem|bli mellom|stanna mellan|lad som|latsas|hvis det kommer ud|hvis det kommer ut|om det kommer ut|skal (?:det )?blive|ma ikke komme|l[oø]ftet|seinien sisalla|tasta huoneesta|ala paljasta|nende seinte',
  'w tych (?:czterech )?(?:scianach|murach)|tylko ty\\b|tylko w razie|udawaj|jesli (?:to )?wyjdzie|nie moze wyjsc|obieca[lł]|mezi (?:ctyrmi )?stenami|jen ty\\b|nesmi (?:se )?(?:dostat|ven|nikdo)|delej jako|medzi (?:styrmi )?stenami|nesmie (?:sa )?(?:dostat|von)|izme[dđ]u (?:ova )?(?:cetiri )?zida|samo ti\\b|ne sme (?:niko|da)|ne smije|pravi se|ce se sazna|negy fal kozott|csak te\\b|ha kiderul|tegyel ugy',
  'duvarlar arasında|sadece sen\\b|bir tek sen|(?:yalnızca|sadece) biz|aramızda kalsın|sakın (?:ola|kimse)|belli etme|duyulursa|hanya kau|cuma kamu|jangan sampai|kalau bocor|pura-pura|chi rieng|dung de lo|siri (?:hii|hiyo)|usimwamb|usimweleze|ni (?:yetu|yako) tu',
  'между (?:этих )?(?:четырех )?стен|в этих стенах|только ты\\b|чужим|если (?:это )?(?:узнают|всплывет|выплывет)|делай вид|не должно выйти|никому|поміж нами|тільки ти\\b|нікому|якщо дізнаються|вдавай|само ти\\b|ако (?:се )?(?:разбере|сазна)|прави се|μονο εσυ|μην? το μαθει|καν.? πως δεν|αν μαθευτει|κανεις να μη',
  'רק אתה|רק את\\b|שלא ייצא|אם זה ייצא|תעמיד פנים|לאף אחד|انت فقط|أنت فقط|لا تخبر|ولا تخبر|لا يخرج|اذا عرف|إذا عرف|سرا? بيننا|به کسی|اگر لو|فقط تو\\b|صرف تم|راز|किसी (?:को|से)[^।.\n]{0,20}(?:बता|कह|दिखा|पता|भनक)|सिर्फ तुम|हमारे बीच|कानोंकान|কাউকে|শুধু তুমি|আমাদের মধ্যে|யாரிடமும்|ఎవరికీ',
  '只有(?:我|你|咱)|(?:(?<![分类類级級特性区區个個识識辨鉴鑑差派告组組])别|不要|勿|不能|不许|千万)(?:告诉|(?:跟|对|让|给)(?:别|他|旁|外|任何|其他|家)人|说出去|外传|讲|講)|(?:不要|别|勿|不可)(?:对|跟|和|向)外人|保密|烧掉|删掉|装作不知|走漏|传出去|外人|仅限|私下|就(?:我|咱)们(?:俩|几个)?知道|(?:だけ|しか)(?:が)?知(?:って|ら)|知らない(?:ふり|振り)|内緒|秘密だ|他の(?:方|人)には|教えないで|言わないで|(?:外|他)の(?:人|方|者)(?:に|には)(?:言|話|教)|漏らさ|(?:これ|この|メモ|手紙|メッセージ|読ん[だで])[^。\n]{0,10}(?:捨てて|消して)|(?:만|밖에) (?:알|모르)|아무에게도|딴 사람|남한테|말하지 ?마|밖에 ?말하지|비밀로|모르는 ?척|รู้กันแค่|อย่าบอก|ห้ามบอก|ลบทิ้ง|chi co (?:minh|chung)',
]
const IDIOM = new RegExp(IDIOMS.map((one) => one.normalize('NFD').replace(/\p{M}/gu, '')).join('|'), 'u')

/** `delete that`: of what is said right in front of it. */
const DESTROYS = new RegExp(word(`${DESTROY_FIRST}|${DESTROY}`), 'u')
export const asksToDestroy = (text: string): boolean => DESTROYS.test(text)

/** @param text in plain letters, of one message */
export const asksDiscretion = (text: string): boolean => saysIdiom(text) || PATTERNS.some((one) => one.test(text))

/** Without what is put together from words, which may as well be of something that anyone may know. */
export const saysIdiom = (text: string): boolean => IDIOM.test(text)
