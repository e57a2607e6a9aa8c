/**
 * Words for typing something in, for what is opened with it, and for keeping it to oneself, in some 40 languages: as stems
 * in small letters without accents. A text is compared word by word, because one expression with all of them would take
 * too long.
 */

/** Small letters without accents, in which the stems are written. Keeps neither offsets nor length. */
export const plainLetters = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')

/**
 * Stems of words. A dot at the end stands for the end of the word, a hyphen in front for what a compound ends with:
 * `tapez.`, `tapp`, `-deur`.
 */
export class Stems {
  readonly #beginnings = new Map<string, string[]>()
  readonly #endings = new Map<string, string[]>()
  readonly #whole: ReadonlySet<string>
  readonly #unspaced: RegExp

  /** @param unspaced of languages without spaces, divided by `|` */
  constructor(stems: string, unspaced: string) {
    const whole = new Set<string>()
    for (const stem of plainLetters(stems).split(/\s+/)) {
      if (stem.startsWith('-')) push(this.#endings, stem.slice(-2), stem.slice(1))
      else if (stem.endsWith('.')) whole.add(stem.slice(0, -1))
      else if (stem !== '') push(this.#beginnings, stem.slice(0, 2), stem)
    }
    this.#whole = whole
    this.#unspaced = new RegExp(plainLetters(unspaced), 'u')
  }

  /** @param text in plain letters */
  in(text: string): boolean {
    for (const [written] of text.matchAll(WORD))
      if (
        this.has(/['’]s$/.test(written) ? written.slice(0, -2) : written) ||
        (ELIDED.test(written) && this.has(written.replace(ELIDED, '')))
      )
        return true
    return UNSPACED.test(text) && this.#unspaced.test(text)
  }

  has(word: string): boolean {
    // `واضغطي`, `ותקישי`: conjunctions, articles and prepositions are written as one word with what follows.
    const bare = PREFIXED.test(word) ? word.replace(PREFIX, '') : word
    return this.#has(word) || (bare !== word && bare.length > 2 && this.#has(bare))
  }

  #has(word: string): boolean {
    return (
      this.#whole.has(word) ||
      (this.#beginnings.get(word.slice(0, 2))?.some((stem) => word.startsWith(stem)) ?? false) ||
      (this.#endings.get(word.slice(-2))?.some((stem) => word.endsWith(stem) && word.length > stem.length) ?? false)
    )
  }
}

/** `s'ouvre`, `l'alarme`, `qu'on tape`. */
const ELIDED = /^(?:[sldntjmc]|qu|dell|all|nell|sull|un)['’](?=\p{L}{3})/u
const PREFIXED = /^[\u0590-\u06ff]/u
const PREFIX = /^(?:[وف]?(?:بال|كال|لل|ال|[بلكس])|[وف]|[ושהבלכמ]{1,2})/u

const push = (map: Map<string, string[]>, key: string, stem: string): void => {
  const stems = map.get(key)
  if (stems) stems.push(stem)
  else map.set(key, [stem])
}

/** No part of a name in a program: `@type`, `FILE_TYPE`, `type: …`. */
const WORD = /(?<![\p{L}\p{N}_@$.])(?!type["'`]?\s?[:=?])\p{L}[\p{L}'’]+(?![_(=])/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}\u01a0-\u01b0\u0111]/u

/** To type, press, dial, turn, draw. */
export const ENTERING = new Stems(
  'type. types. typed. typing. enter. enters. entered. entering. press. presses. pressed. pressing. dial. dials. dialed. dialled. dialing. punch. punches. punched. punching. keyed. keying. tap. taps. tapped. tapping. put. puts. say. turn. turns. ' +
    // Germanic
    'tipp eintipp eingib eingeb einzugeb eingegeb gib. gibt. gibst. druck drück eindruck gedrückt wahl wähl. wählen. wählt. taste. tasten. tastet. dreh stell. stellen. hinschreib reinschreib schreib. schreibst. schreibe. ' +
    'toets. toetst. toetsen. intoets ingetoetst typ. typt. typen. tik. tikt. tikken. intik voer. voert. invoer invul vul. druk. drukt. draai indruk ' +
    'tast. taste. taster. tastes. indtast inntast skriv. skriver. skrives. tryk trykk drej drei. dreier. vri. vrid slå. slår. slås. trykker knapp. knappa. knappar. tryck ange. anger. mata. matar. sla. ýttu sláðu skrifa ' +
    // Romance
    'tape. tapez. taper. tapes. tapé. tapant. compose. composez. composer. composes. saisi saisir saisiss entre. entrez. entrer. appuie appuyez appuyer tourne. tournez. tourner. faites. écris. écrivez. ' +
    'marca. marcas. marcar. marque. marcando. teclea teclee tecleo tecle. digit pulsa pulse pulsando escrib introduc introduz introduj ingresa ingrese ingreso. pon. ponga. poner. pones. gira. gire. girar. aprieta apriete ' +
    'carrega. carregue. carregar. aperte. apertar. tecla. teclar. pressione insira insere inserir escrev coloque. coloca. inserisc inserir premi. preme. prema. premere. scriv. scrivi. scrivere. scriva. componi comporre componga componete immett batti. faisant. faciendo. haciendo. ' +
    'tast tastez introdu scrie. scrii. scrieti. apas formez formeaz formati. rotest prem. premeu. escriu. escriviu. marqueu. ' +
    // Finnic, Baltic
    'näppäil kirjoit syött syötä syota. paina. painamalla. painat. sisest vajuta vajutage trüki. trükkida. kirjuta ievad spied. nospied uzspied įved surink paspausk paspaud spausk. suved. ' +
    // Slavic in Latin letters, Hungarian, Turkish
    'wpis wstuk wystuk wklep wklik wciśn wcisk naciśn nacisk wybier. wybierz. wybrać. podaj. podać. przekręć kręć. wbij. wprowad ' +
    'zadej zadat zadejte zadaj vyťuk naťuk ťuk. stiskn zmáčkn stlač napiš napísa vytoč otoč zadá navoľ navol vtipkaj unesi unesite unos ukucaj upiši vpiši pritisn otkuc okreni zavrti ' +
    'üsd. üssed. ütni. üss. beüt beír írd. írja. gépel nyomd nyomja tárcs pötyög ' +
    'tuşla. tuşlay tuşlar tuşlad tuşlarına tuşlayın yaz. yazın. yazıp. yazacağın. yazıyor yazman. gir. girin. girip. girer. basın. basıp. basınca. çevir. çevirin. ' +
    'tekan. menekan. ketik. ketikkan. masukkan. pencet. putar. taip. bonyeza. andika. weka. pindutin. ' +
    // Greek, Cyrillic
    'πληκτρολογ πατα. πατατε. πατας. πατησ πατωντας γραφεις. γραψε. γραψτε. γραφω. βαλε. βαλτε. βαζεις. στριψ γυρισ χτυπ δωσε. δινεις. ' +
    'набер набир набра набор введ вводи ввел ввест нажм нажим вбей вбил вбива жми. жмешь. печата напечат напиш пиши. пишешь. покрут поверн докрут натисн тисн. тисни. вбий вбити впиш уведі уведит въвед въвежд натиск притиск пиша. укуц откуц притисн унес унесит окрени внеси ' +
    // Hebrew, Arabic, Persian, Urdu, Hindi, Bengali, Georgian, Armenian
    'הקש הקישו הקישי להקיש תקיש הקלד הקלידו להקליד לחץ לחצו ללחוץ הזן הזינו סובב ' +
    'اضغط اضغطي ادخل أدخل اكتب اكتبي أدر ندخل نكتب تكتب يكتب تدخل طلب اطلب بزن بزنید بزنيد وارد بنویس بنويس فشار دبائیں دبا لکھ ' +
    'दबा लिख डाल टाइप घुमा চাপ টিপ লিখ აკრიფ შეიყვან დააჭირ հավաք մուտքագր ' +
    'apesi. apeși. apăsați apasati apese. tastez formezi formeaz poke. jab. spin. rotate. rotates. flick. swipe. thumb. ' +
    'knackst drücken drückst tippst dreht drehst schieb. schiebe. einstell einstellst stellst ' +
    'enfonce. tapote. tournez. tournes. mets. mettre. réglez. pianote. presse. presser. ' +
    'mete. metes. marcáis. marcad. teclead. girad. ruede. rueda. pulsad. toca. toque. presiona presione ' +
    'rode. rodar. rodas. rode-o. disca. disque. discar. aperta. toque. digite. ' +
    'gira. girate. ruota. ruotare. imposta. impostare. pigia. pigiare. schiaccia. disinserisc metti. mettete. battete. ' +
    'draaien. draaiend. zet. zetten. stel. druk. drukken. indrukken. tikje. ' +
    'drej. dreje. indstil. stilla. vrida. rulla. rull. rul. snurr. knapper knapp. naputtele näpyttele naputtel näpytt pyöritä pyörit. kierrä kierr. aseta. keera keerake pööra. pöörake toksi. pagriez. griez. ievadiet. pasuk. sukti. įvesti ' +
    'ustaw. ustawić. nastaw. nastawić. obróć. pokręć. wciskasz. wpisujesz. wklepać. nastav. nastavit. nastavíš. pootoč. točit. naťukej. zadávaš. zadáš. točiť. namesti. namjesti. okreći. vtipkaš. zasukaj. zavrti. tekerd. tekerje. állítsd. pötyögd. ütöd. ' +
    'tuşlaman. basman. basar. ayarla. döndür. yazarsın. girersin. putarkan. setel. atur. tekanlah. ketiklah. bonyezeni. zungusha. ingiza. ipasok. ipihit. pihitin. ' +
    'στρίψε στρίβεις πατήστε γύρνα γυρνάς βάζεις χτυπάς κάλεσε ' +
    'постав выстави выставь выставить крути крутишь поверни повернуть вращай набивай тыкай ткни щелкни постави виставте виставити крутни обертай завърти завърташ набереш натискаш наведи наведеш заврти вртиш укуцаш притиснеш ' +
    'תקליד תקישי תסובב סובבי תלחצ לחצי תכניס הכניסי تضغط اضغطوا لف لفي دوري أدخلي ادخلي اكتبوا بچرخان بچرخون بزنی فشار گھماؤ घुमाओ घुमाएँ दबाओ दबाएँ दबाइए डालो डालें लिखो लिखें টিপুন টাইপ ঘোরান அழுத்து தட்டச்சு నొక్కండి ಒತ್ತಿ അമർത്തുക દબાવો ਦਬਾਓ დააჭირე აკრიფე გადაატრიალე սեղմիր հավաքիր бас. тер. бұра. бұраңыз. дар. эргүүл. sakatu idatzi biratu gwasgwch teipiwch deialwch brúigh scríobh shtyp shkruaj rrotullo premu tajpu',
  '按|输入|輸入|拨|撥|键入|鍵入|敲|填|打上|打入|转到|轉到|转至|拧|擰|旋|转右|转左|右转|左转|拨到|入力|押し|押す|押せ|打っ|打て|打ち|合わせ|回し|タップ|กด|พิมพ์|ใส่|หมุน|누르|눌|입력|치고|치면|쳐|돌리|누른|gõ|nhập|bấm|xoay|quay số',
)

/** To open something. Also what one says of a code: `the lid springs open with …`. */
export const OPENING = new Stems(
  'open. opens. unlock unlocks unlocked disarm öffn oeffn geöffnet aufgeh aufmach entsperr entriegel aufschlie aufschließ aufsperr ouvr débloqu déverrouill abre. abren. abrir. abra. abrió. abriu. abres. abrirá. apre. aprire. apri. aprono. apra. sblocc desbloque deschi obre. obrir. ' +
    'opengaat openen. opent. ontgrendel åbn åpn öppn opnar opna. aukea avaut avaa. avata. avaan. avaat. avada. avane. atver atveras. veras. verama atidar atsidar atrakin atsirak otwier otwór otworz odblok otvír otevř otevír otvár otvor odemk odomk odomyk odemyk odblok otklj odklen nyíl nyit kinyi açıl açar. açmak. açın. membuka. terbuka. buka. dibuka. ' +
    'ανοιγ ανοιξ ξεκλειδ откр открыв отпер отопр разблок відчин відкр відімк розблок отвар отвор отключ открив פתח פתחו לפתוח נפתח נפתחת افتح لفتح تفتح يفتح فتح باز खोल खुल खुलत খোল',
  '开|開|解锁|解鎖|解除|解錠|열|เปิด|ปลดล็อก|mở',
)

/** Doors, safes, locks, machines that ask. Also a sign-in, which is a door. */
export const OPENED = new Stems(
  'door. doors. doorbell gate. gates. safe. safes. vault lock. locks. locked. padlock lockbox keybox keysafe keypad intercom garage alarm barrier turnstile locker lockers cabinet shed. strongbox letterbox atm. atms. cashpoint voicemail kiosk till. unlock login. logon. login logins wifi. wi. ssid. hotspot. router. vpn. sudo. ' +
    'tür. türe. türen. türcode -tür -türe -türen tresor tor. tore. tores. -tor -tores schloss. -schloss -schlösser schließfach schliessfach zahlenschloss schranke -schranke alarmanlage alarm schlüsselkasten kästchen -kästchen zahlenrad rädchen schlüsseltresor schlüsselsafe safe. bankautomat geldautomat automat. sprechanlage pförtner anmeld angemeld einlogg eingelogg bildschirm wlan. w-lan. entsperr spind. kasse. kassen. ' +
    'porte. portes. portail portillon coffre cadenas digicode interphone boîte boite. alarme casier distributeur guichet barrière identifi répondeur écran grille. caisse. ' +
    'puerta portón portal. garaje cerradura candado caja. alarma taquilla buzón cajero cancela barrera acced acceso sesión pantalla portero. reja. ' +
    'porta. portas. portão portao. cofre cadeado fechadura armário cancela. garagem caixa. ecrã tela. painel. alarme. portone cancello cassaforte lucchetto serratura allarme armadietto citofono bancomat sbarra accesso. accessi. tastiera. schermo. schermata. cassetta. ' +
    'ușă. ușa. usa. ușii. poart poarta. seif lacăt dulap interfon barier loghez loghe autentific caixa caixer pany. ' +
    'deur. deuren. -deur -deuren poort. -poort kluis -kluis -kluisje slot. -slot kastje -kastje slagboom hek. inlog pinautomaat geldautomaat aanmeld garage. toegang. kelder. ' +
    'dør. døra. døren. døre. -dør -døren -døra porten. porte. -port -porten -porten lås. låsen. låse. -lås -låsen låseboks -boks -boksen boksen. pengeskab skab. skabet. -skab -skabet skap. -skap -skapet safen. -safe -safen minibank logger. logge. bom. bommen. hængelås hengelås nøgleboks alarmen. ' +
    'dörr. dörren. -dörr -dörren grind. grinden. kassaskåp skåp. skåpet. -skåp -skåpet låset. -låset nyckelbox nyckelskåp larm. larmet. bankomat logga. loggar. inlogg dosan. hurð læs. lás. ' +
    'ovi. ovea. oven. ovelle. ovet. -ovi -oven -ovea portti portin kassakaap -laatikko -laatikon -lukko -lukon lukko. lukon. hälyt hälyty puomi kirjaud kirjautu automaat autotall tallin. uks. uksed. ukse. värav seif. seifi. lukk. durvis durv vārt spyna durys durų duris vartai vartus seif ' +
    'drzwi brama. bramk bramy. bramie. bramę. furtk sejf kłódk zamek. zamk skrytk szafk domofon szlaban zalog logow bankomat wejśc wejść. wchodz panel. panelu. alarmu. garaż ' +
    'dveř dver brán závor zámek zámk zámok trezor skříň skříňk skrin schránk přihlas prihlás prihlas chalup domovn vrat vrata kapij sef. sefa. brav lokot prijav rampa. garáž visac ' +
    'ajtó kapu. kapu széf szef lakat zár. zárat. riaszt belép sorompó -ajtó -kapu bejelentk bankautomat zipek ' +
    'kapı kapıs kasa. kasan kasay kasay kilid kilit giriş bankamatik bariyer alarm dolab asma. garaj ' +
    'pintu brankas gembok gerbang peti. loker mlango sefu pinto kandado ' +
    'πορτα πορτας πορτ αυλοπορτ εξωπορτ πυλη χρηματοκ λουκετ κλειδαρ συναγερμ πληκτρολογιο μπαρα θυρα θυρωρ γκαραζ συνδε κλειδοθ ' +
    'двер ворот калит сейф замок замк домоф сигнализ шлагб шкаф подъезд банкомат вход входа вход. войти. войд зайти. зайд зайт вхід увій брам хвірт каса. касу. каси. касс приват врата врати порта катинар капиј логин экран гараж ' +
    'דלת הדלת שער השער כספת הכספת מנעול המנעול אזעק האזעק להיכנס כניסה הכניסה נכנסים לוקר חניה ' +
    'باب الباب بوابة البوابة خزنة الخزنة خزان قفل القفل للدخول الدخول دخول انذار المبنى المرآب در. گاوصندوق ورود दरवाज तिजोर ताला लॉकर गेट अलार्म कंप्यूटर দরজা তালা সিন্দুক গেট',
  '门|門|柜|櫃|保险|保險|锁|鎖|闸|登录|登錄|登入|警报|扉|ドア|金庫|鍵|キーボックス|ロッカー|錠|玄関|ゲート|ログイン|ATM|Wi-?Fi|つなが|문|현관|출입|금고|자물쇠|도어락|잠금|잠긴|사물함|경보|로그인|주차|ประตู|ตู้|ล็อก|เซฟ|cửa|khóa|khoá|két|cổng|mạng|đăng nhập',
)

/** What else has a code: cases, cards, telephones, accounts, bicycles. */
export const HELD = new Stems(
  'suitcase suitcases. briefcase trunk chest. box. boxes. strongroom cellar. attic. hatch. drawer. drawers. bike. bikes. bicycle scooter. trolley. card. cards. cashpoint. cashpoints. machine. phone. phones. mobile. tablet. laptop. computer. screen. account. accounts. savings. bank. wallet. archive. folder. file. files. locker. shutter. elevator. lift. clicker. remote. chain. diary. caravan. boat. cabin. hut. fridge. stash. signature. strip. bridge. briefing. ' +
    'koffer -koffer truhe. kiste. kassette. keller. schublade fahrrad fahrradschloss karte. -karte -karten handy. telefon. rechner. konto. konten. -konto sparkonto bank. ordner. datei. dateien. archiv. aufzug. rollladen tagebuch. boot. hutte. kuhlschrank. datenraum ' +
    'valise mallette malle. boite. caisse. cave. tiroir vélo. carte. cartes. téléphone. portable. ordinateur. compte. comptes. livret. banque. dossier. fichier. archive. ascenseur. journal. bateau. cabane. antivol ' +
    'maleta maletín baúl. caja. cofre. sótano cajón bici. bicicleta. tarjeta. tarjetas. teléfono. móvil. celular. ordenador. computadora. cuenta. cuentas. banco. archivo. carpeta. ascensor. diario. barco. portal. ' +
    'mala. maleta. baú. caixa. cave. gaveta. bicicleta. cartão. telefone. telemóvel. computador. conta. contas. banco. arquivo. ficheiro. elevador. diário. barco. ' +
    'valigia valigetta baule. scatola. cantina. cassetto bici. bicicletta. carta. telefono. cellulare. computer. conto. conti. banca. archivio. cartella. ascensore. diario. barca. antifurto. ' +
    'valiză geamant cutie. pivniț sertar biciclet card. cardul. telefon. telefonul. contul. bancă. arhiv lift. ' +
    'koffer. koffertje kist. doos. kelder. lade. fiets. fietsslot kaart. pinpas. telefoon. mobiel. computer. rekening. spaargeld spaarrekening bank. bestand. archief. lift. dagboek. boot. ' +
    'kuffert kasse. kiste. kælder skuffe cykel. cyklen. -lås kort. kortet. telefon. telefonen. mobil. mobilen. konto. kontoen. bank. banken. arkiv elevator. dagbog. båd. koffert skuff. sykkel. sykkelen. heis. dagbok. båt. resväska väska. väskan. låda. lådan. källare cykeln. kortet. hiss. dagbok. taska. hjól. kort. sími. ' +
    'matkalauk laukku laukun kellari pyörä. pyörän kortti. kortin puhelin. puhelimen tili. tilille tilin pankki kansio hissi päiväkirja vene. kohver ratas. ratta. kaart. telefon. konto. pank. lift. koferis velosip karte. telefon konts. banka. lagamin dvirat kortel telefon sąskait bank ' +
    'walizk walizc teczk skrzyni pudełk piwnic szuflad rower karta. kartę. karty. telefon konto. konta. konto bank plik folder winda. windą. windy. pamiętnik łódk kufr kufřík krabic sklep zásuvk kolo. karta. kartu. karty. telefon účet účtu. bank soubor výtah deník kufor škatuľ pivnic zásuvk bicyk kartu účet výťah denník kovčeg kofer kutij podrum ladic bicikl kartic telefon račun bank lift dnevnik kovček škatl klet predal kolo. kartic telefon račun ' +
    'bőrönd láda. doboz pince fiók bicikli kártya kártyá telefon számla számlá bank mappa lift napló bavul valiz kutu bodrum çekmece bisiklet kart. kartı telefon hesap hesab bank dosya asansör günlük çanta ' +
    'koper. kotak. laci. gudang. sepeda. kartu. telepon. ponsel. komputer. rekening. bank. berkas. berkasnya lift. vali. va-li điện thoại. tài khoản. sanduku begi baiskeli kadi simu akaunti benki maleta kahon bisikleta ' +
    'βαλίτσα κουτί κασέλα υπόγει συρτάρ ποδήλατ κάρτα κάρτας κινητό τηλέφων λογαριασμ τράπεζ μηχάνημα μηχανημα φάκελο ' +
    'чемодан кейс сундук коробк ящик подвал погреб велосипед карт карта телефон мобильн компьютер счет счёт банк папк файл архив лифт дневник лодк валіз скрин коробк шухляд підвал велосипед картк телефон рахун банк архів ліфт щоденник куфар сандък кутия мазе чекмедже колело карта телефон сметка банк кофер кутиј подрум бицикл картиц рачун ' +
    'מזוודה תיק תיבה ארגז מרתף מגירה אופניים כרטיס הכרטיס טלפון נייד מחשב חשבון בנק קובץ תיקייה מעלית יומן כספומט حقيبة صندوق درج قبو دراجة بطاقة بطاقتي الصراف صراف هاتف جوال حاسوب حساب بنك ملف مصعد چمدان جعبه صندوق کشو دوچرخه کارت گوشی موبایل تلفن حساب بانک پرونده فایل خودپرداز صندوق بیگ دراز سائیکل کارڈ فون اکاؤنٹ بینک सूटकेस संदूक बक्स डिब्ब दराज साइकिल कार्ड फोन मोबाइल खात बैंक एटीएम ব্যাগ বাক্স সাইকেল কার্ড ফোন অ্যাকাউন্ট ব্যাংক',
  '箱|行李|抽屉|抽屜|自行车|自行車|单车|卡|手机|手機|电话|電話|电脑|電腦|账户|帳戶|账号|银行|銀行|取款机|提款|文件|档案|スーツケース|カバン|鞄|引き出し|自転車|カード|電話|スマホ|携帯|パソコン|口座|銀行|ファイル|書類|가방|상자|서랍|자전거|카드|전화|휴대폰|핸드폰|컴퓨터|계좌|은행|파일|넷플릭스|กระเป๋า|กล่อง|ลิ้นชัก|จักรยาน|บัตร|โทรศัพท์|มือถือ|บัญชี|ธนาคาร|ไฟล์|tài khoản|thẻ|điện thoại',
)

/** Phrases of keeping something to oneself, compared with plain letters. */
const KEPT = [
  '(?:do not|don.?t|never|must not|mustn.?t|shouldn.?t|not to be|cannot be|please no) (?:[a-z]+ ){0,2}(?:tell|shar|post|publish|forward|pass|give|giv|repeat|mention|write|writ|reveal|disclos|show|hand|spread|leak|print|paste|outsiders|public|lose)|keep (?:it|this|that|them|private|secret|quiet)\\b|keep (?:[a-z]+ )?to yourself|tell no ?(?:one|body)|between (?:us|you and me|ourselves)|for your eyes|(?:staff|employees|family|internal) only|only (?:for )?(?:staff|employees|family)|confidential|\\bhush\\b|\\bpsst\\b|(?:delete|erase|burn|shred|destroy) (?:this|it|the|after|me)|memori[sz]e|by heart|nobody else|no one else|(?:change|replace) (?:it|this|that)\\b|(?:choose|pick) your own',
  '(?:andere|andern) (?:sie |sie bitte )?(?:es|das|sie|danach|sofort|gleich)|(?:gleich|sofort|danach) andern|changez|change-le|cambia(?:la|lo)\\b|cambiarl|troque\\b|altere\\b|schimbi\\b|wijzig|zmien je|zmenit|byt (?:det|den|sen)|смени|поменя|зміни|αλλαξε|改掉|修改|換掉|変更して|nicht (?:[a-zß]+ ){0,3}(?:weiter|verrat|sagen|teilen|veroffentlich|herausgeb|aufschreib|notier|verlier|zeigen|ausplaudern)|niemand(?:em|en|)\\b|nie(?:mals)? (?:[a-z]+ )?(?:weiter|verr)|geheim(?!tip|dienst|zahl|nummer|agent|rezept|labor|rat|waff|schrift|favorit|polizei|gesellschaft|bund|code|wort)|vertraulich|unter uns|fur dich behalt|nur (?:fur )?(?:mitarbeit|intern|personal)|auswendig|(?:losch|vernicht)[a-z]{0,6} (?:sie |bitte )?(?:diese|die|das|nach)|nach [a-z]+ loschen',
  "\\bne (?:[a-z']+ ){0,2}pas (?:[a-z']+ ){0,3}(?:publi|partag|diffus|donn|dire|repet|divulg|communiq|montr|noter|ecri|transmet)|\\bne (?:le |la |les |l')?(?:dis|dites|donne|donnez|partage|publie|montre|diffuse|repete)[a-z]* |n'en parl|\\bne [a-z'-]{1,24} nulle part|\\ba personne\\b|entre nous|confidentiel|reserve au personnel|par coeur|efface[a-z]{0,4} (?:ce|apres)|detrui",
  '\\bno (?:[a-z]+ ){0,2}(?:compart|publi|digas|diga|decir|decirlo|dar|des|cuent|divulg|difund|ensen|reenvi|revel|apunt)|\\bnadie\\b|entre nosotros|confidencial|en secreto|solo (?:para )?(?:el )?personal|borra[a-z]* (?:est|despu)|\\bningu\\b|abans de publicar|no ho diguis',
  '\\bnao (?:[a-z]+ ){0,2}(?:compartilh|partilh|divulg|pass|cont|diga|dig|publi|espalh|mostr|revel|escrev|troc)|\\bninguem\\b|entre nos\\b|segredo|apag(?:ue|a)\\b',
  '\\bnon (?:[a-z]+ ){0,3}(?:dir|dare|darl|condivid|diffond|pubblic|rivel|divulg|comunic|scriv|lasciar|mostr|dic|passar)|\\bnessuno\\b|tra (?:di )?noi|riservat[oa]|in segreto|cancella (?:quest|il mess|dopo)',
  '\\bnu (?:[a-z]+ ){0,3}(?:spun|spuneti|da|divulg|distrib|public|transmi|arat|zice)|nimanui|nimeni|confident|intre noi',
  '\\bniet (?:[a-z]+ ){0,2}(?:door|delen|deel|vertel|zegg|verklap|public|opschrijv|verspreid|rondvertel|laten zien)|\\bniemand|onder ons|vertrouwelijk|alleen (?:voor )?(?:personeel|medewerkers|intern)',
  '\\b(?:ikke|ikkje|inte|ej|aldrig|aldri|ekki) (?:[a-zøæ]+ ){0,2}(?:del|fortæl|fortell|sig|si|gi|ge|berat|sprid|spred|publis|offentlig|sag|skriv|vis|lamna|videre|vidare|segja)|\\b(?:beratta|sag|del|si|fortell|fortæl|sig)[a-z]* (?:[a-zøæ]+ ){0,3}(?:inte|ikke|ingen|til noen|til nogen|till nagon)\\b|ingen (?:andre|andra|annen)|mell[eoa][mn] oss|mellem os|fortrolig|konfidensi|hemlig|hemmelig|kun (?:for )?(?:ansatte|personale)|endast personal|utenat|udenad|utantill|makuler',
  '\\bala (?:[a-z]+ ){0,2}(?:kerro|jaa|anna|nayta|paljasta|kirjoita|julkais)|\\bei (?:[a-z]+ ){0,2}(?:saa |kerrota|jaeta|kenellekaan)|kenellekaan|valillamme|luottamuksel|\\bara (?:[a-z]+ ){0,2}(?:utle|raagi|jaga|anna|avalda)|kellelegi|\\bne(?:saki|stasti|dod|izpaud|publice)|nevienam|\\bne(?:sakyk|rodyk|dalin|skelb|atskleis|duok)|niekam',
  '\\bnie (?:[a-z]+ ){0,3}(?:mow|podaw|podaj|udostep|przekaz|zdradz|zapis|publik|pokazu|rozpowiad|dawa)|nikomu|miedzy nami|poufn|tylko dla (?:pracown|person)',
  '\\bne(?:rikej|sdelu|rik|prozra|davej|pis|ukaz|sdil|zverej|pov|hovor|prezra|dava|zdiel|preposil)|mezi nami|medzi nami|duvern|dovern|\\b(?:ne|nemoj|nemojte) (?:[a-z]+ ){0,3}(?:reci|govor|deli|dijeli|daj|pokaz|poved|kazi|kazuj|objav)|nikome|nikomur|medu nama|poverljiv|povjerljiv|zaupn',
  '\\bne (?:[a-z]+ ){0,2}(?:mond|add|oszd|ird|mutas|arul|kozol)|senkinek|kozottunk|bizalmas|kimse|paylasma|soyleme|\\bverme(?:yin)?\\b|gizli|aramizda|gosterme',
  '[dđ]ung (?:[a-zđ]+ ){0,3}(?:cho|noi|ke|chia|[dđ]e|[dđ]ua)|khong (?:[a-z]+ ){0,2}(?:noi|chia se|tiet lo|cong khai)|\\bbi mat|jangan (?:[a-z]+ ){0,3}(?:beri|bagi|sebar|bilang|kasih|kata|sampai|tulis|dibag|kongsi)|rahasia|rahsia|usimwambi|usiwaambi|huwag',
  'μην? (?:το |τον |την |τα |τους )?(?:\\S+ ){0,2}(?:πει|λες|λετε|δωσ|μοιρ|κοινοπ|δημοσι|γραψ|δειξ|αποκαλ)|σε κανεν|μεταξυ μας|εμπιστευτ|απορρητ',
  '(?:^|[^а-я])не (?:\\S+ ){0,2}(?:говор|скаж|рассказ|сообща|дел|переда|публик|показ|разгла|запис|дава|свет|распростр|каж|каз|розпов|розголош|публік|повідом|діл|пиш|спод|разкри|реци|дај|пока)|никому|никоме|нікому|между нами|між нами|секрет|конфиденц|конфіденц|таємн|поверит|немој|только для (?:сотруд|персон|своих)',
  '(?:^|[^\\u0621-\\u064a])(?:و)?لا (?:\\S+ ){0,2}ت(?:خبر|عط|شارك|نشر|قل|كتب|رسل|كشف)|سري(?:$|[^\\u0621-\\u064a])|احدا|(?:לא|אל) (?:\\S+ ){0,2}(?:לספר|תספר|לגלות|תגל|לשתף|תשתפ|לפרסם|להעביר|לתת|תגיד|לומר)|לאף אחד|סודי|בינינו|نگو|نده |نگوی|به کسی|محرمانه|کسی کو|किसी को|मत बता|न बता|गोपनीय|কাউকে',
  '말하지|알려 ?주지|알리지|공유하지|공유 ?금지|비밀로|유출|아무에게도|누구에게도|切勿|[请請]勿|不要(?:告|外|分享|给|給|发|發|传|傳|泄|公开|公開|写|寫|跟)|别(?:告|外|发|给|说|传|跟)|[别別](?:告|傳)|勿(?:外|泄|传|傳|告)|保密|不得|外[传傳泄]|千万别|严禁|内緒|教えない|言わない|他言|口外|公開しない|社外|漏らさ|共有しない|[ほ他]の?か?の?人には|ห้ามบอก|อย่าบอก|ห้ามเผยแพร่|ความลับ|อย่าแชร์',
]
const SECRECY = new RegExp(KEPT.map((one) => one.normalize('NFD').replace(/\p{M}/gu, '')).join('|'), 'u')

/** @param text in plain letters */
export const saysToKeep = (text: string): boolean => SECRECY.test(text)
