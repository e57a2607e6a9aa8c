/**
 * Names that are composed of a word for a code, a word, a key or an answer and a word for what it protects, in some 50
 * languages, in either order and with or without words between: `código de seguridad`, `turvakoodi`, `κωδικός ασφαλείας`.
 */
import { OTHER_CODES, PROTECTED, PROTECTED_HINTS, THREATS } from './protected-things.ts'
import { Stems } from './entry-words.ts'
import { inBothScripts } from './han-spellings.ts'
import { inAscii, inBaseLetters, OF_DOCUMENT } from './secret-names.ts'

type Kind = 'code' | 'word' | 'key' | 'answer'

/** Codes and numbers; words, phrases and sentences; keys; answers. */
const NOUNS: Readonly<Record<Kind, string>> = {
  code:
    'code codes combination combinations combo kombination kombinationen combinaison combinación combinazione combinação combinatie kombinace kombináció kombinácia kombinacja kombinacija kombinació kombinasyon kombinasi yhdistelmä yhdistelmän kombinatsioon kombinācija combinație combinația комбинация комбинацию комбінація комбинацията комбинација συνδυασμός συνδυασμό συνδυασμού צירוף קומבינציה ترکیب تركيبة 組み合わせ 密码组合 组合 조합 pin pins kod koden koder kode koda kods kodas kodi kodu kody kodo kodea kood koodi koodit koodid kodlar koder kóði kóðar código códigos codigo codigos códi codi codis codice codici cod coduri coduri ' +
    'geheimzahl cod còd cód kódy kód kódok kodai kodovi koda msimbo misimbo namba nambari lambobi lamba kóòdù ikhodi khodi koodhka koodka kuwayit kodenya kodea kodoa codul kodin kódja kodunuz kodum koodisi koodini kóðinn sandi kata mã ' +
    'пин пін код кода коды коди кодове кодови кодът шифр шифра κωδικός κωδικοί κωδικό κωδικού קוד קודי كود الكود رمز رموز الرمز کد کدهای کوڈ کوڈز कोड कोड्स संकेत পিন কোড குறியீடு కోడ్ ಕೋಡ್ കോഡ് કોડ ਕੋਡ කේතය კოდი կոդ კოდები կոդեր код-пароль เลข รหัส ລະຫັດ លេខកូដ ကုဒ် ኮድ コード 番号 ピン 代码 代碼 码 碼 코드 번호 핀',
  word:
    'word words phrase phrases sentence wort wörter satz parole losung phrase mot mots palabra palabras frase frases palavra palavras parola parole paraula paraules cuvânt cuvântul cuvinte fraza frază woord woorden zin ord ordet fras frase setning sana sanat lause sõna fraas vārds frāze žodis frazė słowo słowa hasło fraza slovo slova heslo fráza beseda besede ordið ordet hitza hitzak fjala riječ riječi reč reči szó szavak mondat kelime sözcük söz cümle ' +
    'kata kalimat frasa từ câu cụm neno maneno kauli kalma magana ọ̀rọ̀ igama ilizwi fjalë fjala frazë hitza hitz palabra gair focal facal vorto frazo слово слова фраза фразу дума думата збор реч израз λέξη φράση מילה מילת ביטוי كلمة عبارة کلمه عبارت لفظ فقرہ शब्द वाक्य শব্দ বাক্য சொல் పదం ಪದ പദം શબ્દ ਸ਼ਬਦ სიტყვა ფრაზა բառ արտահայտություն сөз үг คำ วลี 词 詞 言葉 単語 フレーズ 구절 단어 문구',
  key: 'key keys schlüssel clé clés clef clave claves llave llaves chave chaves chiave chiavi clau claus cheie chei sleutel sleutels nyckel nycklar nøgle nøgler nøkkel nøkler lykill avain avaimet võti võtmed atslēga raktas klucz klucze klíč klíče kľúč kľúče ključ ključevi kulcs kulcsa anahtar anahtarı anahtari kunci khóa ufunguo funguo giltza giltzak gakoa gako cheia cheile nyckeln nøglen nøkkelen lykillinn çelësi avaimeni anahtarınız allwedd eochair çelës ŝlosilo ключ ключи ключі ключове клуч кључ κλειδί κλειδιά מפתח مفتاح مفاتيح کلید کلیدی कुंजी चाबी চাবি গোপনকী გასაღები բանալի кілт түлхүүр กุญแจ คีย์ 密钥 鍵 キー 키 열쇠',
  answer:
    'answer answers antwort réponse respuesta risposta resposta răspuns antwoord svar vastaus vastus atbilde atsakymas odpowiedź odpověď odpoveď odgovor válasz cevap yanıt jawaban jawapan trả lời jibu amsa ateb freagra erantzun erantzuna përgjigje përgjigjja svaret svarið svarinn vastausta răspunsul отговорът одговорот válasza cevabı cevabi yanıtı yaniti jawabannya ответ відповідь отговор одговор απάντηση תשובה إجابة جواب پاسخ उत्तर जवाब উত্তর பதில் జవాబు ಉತ್ತರ ഉത്തരം જવાબ პასუხი պատասխան คำตอบ 答案 回答 答え 답변 대답',
}

/** What lets somebody in, or must not be known. */
const SECRET =
  'secret secrets secrète geheim geheimes geheimer secreto secreta secretos segreto segreta segreti segredo secretă geheime hemlig hemliga hemlis hemligt hemmelig hemmeligt hemmelige leyni leynilegur salainen salaiset salajane slepens slepenais slaptas slapta tajny tajne tajná tajné tajni tajna skrivni skrivna titkos gizli rahasia rahsia bí siri sirri àṣírí imfihlo sekreta sekretua isilpeko cyfrinachol rúnda dìomhair секретный секретное секретная секрет секретний таємний таємне таен тайна тайное тайно таинствен таен тајни тајна μυστικός μυστικό μυστική סודי סודית סוד سر سري سرية سرّي مخفی محرمانه خفیہ गुप्त गोपनीय গোপন রহস্য ரகசிய రహస్య ರಹಸ್ಯ രഹസ്യ ગુપ્ત ਗੁਪਤ საიდუმლო գաղտնի құпия нууц ลับ ລັບ សម្ងាត់ လျှို့ဝှက် ሚስጥራዊ 秘密 机密 機密 비밀'
const SECURITY =
  'security sicherheit sicherheits sécurité seguridad sicurezza segurança seguretat securitate beveiliging beveiligings veiligheids säkerhet säkerhets sikkerhed sikkerheds sikkerhets öryggis turva turvallisuus turvalisuse drošības saugos bezpieczeństwa bezpečnostní bezpečnostný varnostna varnostni sigurnosna sigurnosni sigurnosno bezbednosni biztonsági güvenlik keamanan keselamatan bảo mật an ninh usalama tsaro segurtasun diogelwch slándála sigurisë безопасности безпеки сигурност безбедност безбедносни ασφαλείας ασφάλειας אבטחה ביטחון الأمان الأمن امنیتی سیکیورٹی सुरक्षा নিরাপত্তা பாதுகாப்பு భద్రత ಭದ್ರತೆ സുരക്ഷാ સુરક્ષા უსაფრთხოების անվտանգության қауіпсіздік аюулгүй ความปลอดภัย 安全 保安 セキュリティ 보안'
const ACCESS =
  'access acces accès acceso accesso acesso accés zugang zugangs zugriffs zutritts toegang toegangs adgang adgangs tilgang tilgangs åtkomst åtkomsts aðgangs pääsy pääsu ligipääsu piekļuves prieigos dostępu dostep přístup přístupový přístupová přístupové prístupový prístupová prístupové dostop dostopa dostopna dostopni pristup pristupa pristupni pristupna hozzáférési belépési belépő erişim giriş girişi akses masuk truy cập vào ufikiaji kuingia sarbide mynediad rochtana qasje доступа доступу достъп пристап приступ вход входа входу вхід вход за пропуск πρόσβασης εισόδου גישה כניסה الوصول الدخول دخول دسترسی ورود رسائی प्रवेश पहुँच প্রবেশ அணுகல் ప్రవేశ ಪ್ರವೇಶ പ്രവേശന પ્રવેશ შესვლის մուտքի кіру нэвтрэх เข้า เข้าถึง 访问 訪問 进入 進入 入室 アクセス 入場 출입 접근 접속 ' +
  'login logins logon anmelde einlog connexion sesión sessione sessão autentificare inlog aanmeld inloggnings login innlogging innskráningar kirjautumis sisselogimise logowania přihlašovací prihlasovací prijave prijavna bejelentkezési oturum masuk đăng nhập saioa logini hyrjes логина авторизации авторизації σύνδεσης התחברות تسجيل लॉगिन লগইন உள்நுழைவு లాగిన్ შესასვლელი 登录 登錄 登入 ログイン 로그인 ' +
  'unlock entsperr entsperrungs freischalt öffnungs déverrouillage déblocage desbloqueo sblocco desbloqueio deblocare ontgrendel ontgrendelings upplåsnings låse oplåsnings opplåsings avaus lukituksen avamis atslēgšanas atrakinimo odblokowania odemykací odblokovania odklepanja odklene otključavanja feloldó açma açılış kilit pembuka buka mở khóa kufungua desblokeatzeko разблокировки розблокування отключване откључавање ξεκλειδώματος פתיחה نطاق فتح بازکردن अनलॉक আনলক திறக்கும் 解锁 解鎖 解除 잠금해제 ' +
  'alarm alarma alarme allarme alarmă alarmkode hälytys signalizare alarmu alarmi riasztó alarm сигнализации сигналізації алармата συναγερμού אזעקה الإنذار هشدار अलार्म 报警 警報 경보 ' +
  'door gate safe vault garage lock haustür tür tresor tor porte portail coffre puerta caja cassaforte porta cancello portão cofre deur poort kluis dörr kassaskåp dør ovi drzwi bramy sejfu dveří trezoru dverí vrat vrata sefa kapı kasa pintu brankas cửa mlango двери дверей ворот сейфа домофона брами врата πόρτας χρηματοκιβωτίου דלת כספת الباب الخزنة درب دروازے दरवाज़ा तिजोरी দরজা 门 門 保险箱 ドア 金庫 현관 금고 ' +
  'card atm voicemail sim karte karten bankkarten carte bancaire tarjeta carta bancomat cartão card kaart pinpas kort bankkort kortti kaardi karty karte kartya kártya kart kartu thẻ kadi txartel cerdyn карты картки карта картата картица κάρτας כרטיס البطاقة کارت کارڈ कार्ड কার্ড அட்டை కార్డు ಕಾರ್ಡ್ കാർഡ് કાર્ડ ბარათის քարտի карта บัตร ລາຍບັດ 卡 カード 카드'
/** What gets somebody back in. */
const RECOVERY =
  'zurücksetz zurücksetzungs rücksetz réinitialisation restablecimiento restabliment redefinição reposição reimpostazione resetare resetării herinstel nollställnings återställnings nulstillings tilbakestillings endurstillingar endurheimtar nollaus nollauksen lähtestamis atiestatīšanas atstatymo resetowania resetu vynulování resetiranja ponastavitve ponastavitvena visszaállítási alaphelyzetbe sıfırlama setel kuweka сброса скидання нулиране ресетовања επαναφοράς איפוס التعيين بازنشانی रीसेट রিসেট 重置 リセット 재설정 recovery recover backup emergency rescue restore scratch spare fallback wiederherstellungs wiederherstellung ersatz notfall reserve sicherungs récupération secours sauvegarde restauration recuperación respaldo emergencia repuesto rescate recupero riserva ripristino emergenza recuperação reserva resgate recuperació recuperare rezervă salvare urgență herstel nood reserve noodgeval återställnings återställning reserv nød gendannelses gendannelse gjenopprettings gjenoppretting reserve nødkode endurheimtar vara palautus varmuus hätäavaus taaste taastamis vara atkopšanas rezerves atkūrimo atsarginis atsarginiai odzyskiwania odzyskania zapasowy zapasowe awaryjny awaryjne obnovení obnovy záložní nouzový obnovenie záložný záložné núdzový obnovitvena obnovitev rezervna rezervne oporavak oporavka pričuvni rezervni sigurnosna helyreállítási tartalék visszaállító kurtarma yedek acil pemulihan cadangan darurat pemulihan sandaran khôi phục dự phòng kurejesha dharura chelezo berreskuratze adferiad athshlánaithe rimëkëmbjes rezervë восстановления резервный резервные аварийный відновлення резервний резервні възстановяване резервен резервни враќање опоравак ανάκτησης εφεδρικός εφεδρικοί έκτακτης שחזור גיבוי חירום الاسترداد استرداد احتياطي احتياطية الطوارئ بازیابی پشتیبان اضطراری بحالی بیک रिकवरी पुनर्प्राप्ति बैकअप आपातकालीन পুনরুদ্ধার ব্যাকআপ மீட்பு காப்பு రికవరీ బ్యాకప్ ಮರುಪಡೆಯುವಿಕೆ വീണ്ടെടുക്കൽ પુનઃપ્રાપ્તિ აღდგენის სარეზერვო վերականգնման պահուստային қалпына резервтік сэргээх กู้คืน สำรอง 恢复 恢復 备用 備用 备份 救援 復元 復旧 回復 リカバリー バックアップ 복구 백업 비상'
/** Once, and to confirm who somebody is: only of codes. */
const ONCE =
  'otp ओटीपी ওটিপি ஓடிபி ఓటీపీ ಒಟಿಪಿ ഒടിപി ઓટીપી ਓਟੀਪੀ onetime einmal bestätigungs verifizierungs prüf confirmation vérification validation confirmación verificación verificación monouso conferma verifica confirmação verificação confirmare verificare eenmalige bevestigings verificatie engångs bekräftelse verifierings engangs bekræftelses bekreftelses staðfestingar vahvistus kertakäyttö kinnitus vienreizējais apstiprinājuma patvirtinimo jednorazowy potwierdzenia weryfikacyjny jednorázový ověřovací potvrzovací potvrdzovací overovací overovacia verifikačný verifikační ověřovacího kontrolný overenia overeniu ověření bevestigings goedkeurings godkjennings godkendelses godkännande potrditvena enkratna potvrda potvrdni jednokratni ellenőrző egyszeri onay doğrulama konfirmasi verifikasi pengesahan xác minh xác nhận xác thực uthibitisho одноразовый подтверждения проверки одноразовий підтвердження потвърждение потврда επαλήθευσης επιβεβαίωσης אימות חד التحقق التأكيد تأیید تایید یکبار تصديق सत्यापन पुष्टि যাচাইকরণ சரிபார்ப்பு ధృవీకరణ ದೃಢೀಕರಣ സ്ഥിരീകരണ ચકાસણી დადასტურების հաստատման растау баталгаажуулах ยืนยัน 验证 驗證 确认 確認 動態 认证 認証 인증 확인'

/** What a code or a key starts: a card, an account, a programme. */
const ACTIVATES =
  'activation activations activate aktivierungs aktivierung freischaltungs activación ativação attivazione activació activare activării activatie activerings aktiverings aktivering aktiveringen virkjunar aktivointi aktivoinnin aktiveerimis aktivizācijas aktivēšanas aktyvavimo aktyvinimo aktywacji aktywacyjny aktivace aktivační aktivácie aktivačný aktivačné aktivacije aktivacijski aktivacijska aktivacijska aktivizavanja aktiválási aktiváló aktifleştirme aktivasyon etkinleştirme aktivləşdirmə aktivasi pengaktifan uwezeshaji uanzishaji aktibatze aktibazio gweithredu gníomhachtaithe aktivizimi aktivizimit ' +
  'активации активация активації активація активиране активиращ активирање активације активације активизации ενεργοποίησης הפעלה ההפעלה التفعيل تفعيل التنشيط فعال‌سازی فعالسازی ایکٹیویشن सक्रियण सक्रियता সক্রিয়করণ செயல்படுத்தும் აქტივაციის ակտիվացման белсендіру идэвхжүүлэх 激活 啟用 启用 開通 有効化 アクティベーション 활성화 เปิดใช้งาน'

/** What a key does: only of keys. */
const USES =
  'enrolment enrollment einschreibe einschreib inscription matriculación matrícula inscripción inscrição iscrizione inscripció înscriere inschrijf inschrijvings inskrivnings tilmeldings påmeldings skráningar ilmoittautumis rekisteröitymis registreerumis zapisu zapisowy zápisu zápisový zápisný upisa upisni vpisni beiratkozási kayıt pendaftaran usajili записи зачисления зарахування записване уписа εγγραφής הרשמה الالتحاق ثبت‌نام 选课 選課 加入 登録 등록 수강 ' +
  'licence license lizenz lizenzs licencia licença licenza licentie licens lisens lisenssi lisenssin litsentsi licences licencijos licencji licenční licenčný licenčni licenc lisans lisensi лицензии лицензионный ліцензії лиценз лиценца лиценце άδειας רישיון ترخيص الترخيص لایسنس लाइसेंस 许可证 許可證 授权 授權 ライセンス 라이선스 라이센스 ' +
  'stream streams streaming diffusion retransmisión transmisión transmissão trasmissione streamu transmisji strømme strömnings lähetys вещания трансляции потока стрима трансляції потоку yayın yayin siaran 推流 直播 串流 配信 ストリーム ストリーミング 스트림 방송 송출 ' +
  'api rajapinta rajapinnan schnittstellen interfaz interfejsu rozhraní gränssnitts grensesnitt produs produktu produits produkt produkts producto prodotto produto ürün продукта tuote tuotteen signature signatures signing sign signatur signatura signier signierung unterschrift unterschriften firma firmas firmado firmas assinatura sottoscrizione semnare semnătură semnatura ondertekening ondertekenings handtekening signerings signering underskrift underskrifts undirskrift allekirjoitus allekirjoituksen allkirja allkirjastamise paraksta parašo podpis podpisu podpisový podpisovy podpisovací podpisni potpis potpisa potpisni aláíró aláírás alairo imza imzalama tanda tangan ký sahihi подписи подпись підпису підпис подпис потпис υπογραφής חתימה التوقيع توقيع امضا हस्ताक्षर স্বাক্ষর 签名 簽名 署名 서명 ' +
  'encryption encrypting cipher verschlüsselung verschlüsselungs chiffrier chiffrement cifrado cifrador cifratura crittografia criptografia criptare versleuteling versleutelings krypterings kryptering krypto salauksen salaus krüpteerimise krüpteerimis šifrēšanas šifravimo szyfrowania szyfrujący šifrovací šifrování šifrovania šifriranja enkripcije enkripcijski titkosító titkosítási şifreleme enkripsi mã hóa шифрования шифрування шифроване шифровања κρυπτογράφησης הצפנה التشفير رمزنگاری एन्क्रिप्शन 加密 暗号化 암호화'
/** Short names of codes, which are in every language. */
const ABBREVIATIONS = 'pin cvc cvv csc puk otp totp tan'
/** Numbers of something. */
const NUMBERS =
  'number numbers no num nr nummer nummern prüfnummer prüfziffer numéro numero número numer numerzy číslo cislo číslica broj številka stevilka szám szam száma numara numarası numarasi nomor nombor số so nambari namba numri tala numero numerot numur numurs numeris номер номера номерок αριθμός מספר رقم شماره नंबर संख्या নম্বর எண் 号 號 号码 號碼 番号 번호'
/** Whom a number of this kind identifies, as the beginnings of words. */
const PERSONS =
  'sozialvers rentenvers krankenvers versichert reisepass personalausweis ausweis führerschein burgerservice rijksregister bsn passport passeport pasaporte passaporto passaporte paspoort paszport pasaport pesel nino cpf curp cuil insee sécu assuré afiliación afiliacion asegurado segurado utente contribuinte aadhaar kimlik kennitala henkilö henkilo isikukood rodné rodne egn jmbg oib снилс инн паспорт полис егн јмбг рнокпп іпн амка αμκα αφμ'

/** Without accents, and as keyboards write it that have none: `schlussel`, `schluessel`. */
const plain = (word: string): string => word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
const wordsIn = (text: string): readonly string[] =>
  [
    ...new Set(
      text
        .split(/\s+/)
        .flatMap((word) => [...inBothScripts(plain(word)), plain(inAscii(word)), plain(inBaseLetters(word))]),
    ),
  ].filter((one) => one.length > 1 || /\p{Script=Han}|\p{Script=Hangul}/u.test(one))
const set = (text: string): ReadonlySet<string> => new Set(wordsIn(text))

const NOUN: ReadonlyMap<string, Kind> = new Map(
  (['answer', 'key', 'word', 'code'] as const).flatMap((kind) =>
    wordsIn(NOUNS[kind]).map((noun) => [noun, kind] as const),
  ),
)
const [secret, security, recovery] = [set(SECRET), set(SECURITY), set(RECOVERY)]
const access = set(`${ACCESS} ${SECURITY}`)
const [uses, abbreviations, numbers] = [
  set(`${USES} ${ACTIVATES}`),
  set(ABBREVIATIONS),
  set(`${NUMBERS} id idnr ident`),
]
const once = set(`${ONCE} ${ACTIVATES}`)
const PERSON = wordsIn(PERSONS)

/** What a password joins to: `wifi_nyckel`, `clé WPA`. */
const NETWORKS: ReadonlySet<string> = set('wifi wlan wpa wep hotspot wifis')

/** Articles and prepositions between them. */
const BETWEEN: ReadonlySet<string> = set(
  'de del di da do dos das della delle dello dei du des la le les el los il lo of for the for d l a zu zum zur der die das von för til till av af for na do od za pro pre za по за на для до wa ya cha kwa untuk για του της τη',
)

/** Programs have a key of a label and a code of a state: `wifiKey: 'Network name'`, `wifi_code=disconnected`. */
const isOfNetwork = (one: string, other: string): boolean => {
  const noun = NETWORKS.has(one) ? other : NETWORKS.has(other) ? one : ''
  return NOUN.has(noun) && !/^(?:keys?|codes?)$/.test(noun)
}

const kindOf = (noun: Kind, modifier: string): string | undefined => {
  // `Kort svar` is a short answer, and `question_answer` one of a quiz.
  if (noun === 'answer') return secret.has(modifier) || security.has(modifier) ? 'password' : undefined
  if (recovery.has(modifier)) return 'recovery'
  if (noun === 'code')
    return secret.has(modifier) || access.has(modifier) || once.has(modifier) || abbreviations.has(modifier)
      ? 'pin'
      : undefined
  if (noun === 'key' && uses.has(modifier)) return 'key'
  if (secret.has(modifier) || access.has(modifier))
    return noun === 'key' ? (secret.has(modifier) ? 'api-key' : 'key') : 'password'
  return undefined
}

/** Words that one says to be let in or to be given something; elsewhere, the first ones are keywords. */
const CODE_WORDS = set(
  'codeword codewords passwort-wort codewort kodord kodordet kodordsord kodeord codewoord koodisana kodsona koodsona kodovord kodoveslovo kodowoslowo palabraclave palabracodigo palabracontraseña motcle motcode parolachiave parolacodice palavrachave palavracodigo cuvantcheie cuvantcod paraulaclau slowokluczowe slowokodowe kliceoveslovo klucoveslovo kljucnarijec kljucnarec kljucnabeseda jelszo kulcsszo kodszo anahtarkelime parolakelime katakunci katasandi tukhoa кодовоеслово ключевоеслово кодовеслово ключовеслово кодовадума ключовадума λεξηκλειδι λεξηκωδικος מילתקוד מילתמפתח كلمةالسر كلمهرمز کلمهرمز',
)
/** What to look for before a name is taken apart. */
export const COMPOSED_HINTS: readonly string[] = [
  ...[...secret, ...access, ...recovery, ...once, ...uses, ...PERSON].filter(
    (word) => word.length > 3 || /[^\p{Script=Latin}]/u.test(word),
  ),
  ...abbreviations,
  ...CODE_WORDS,
  ...NETWORKS,
  ...'salak slaptak slepenk hemlik hemligk titkosk tajnok'.split(' '),
  ...['break glass', 'break_glass', 'break-glass', 'breakGlass'],
  'combina',
  'kombina',
  ...PROTECTED_HINTS,
]

/**
 * @param words of a name, in small letters without accents
 * @returns the rule that has such names, without `name:`
 */
export const composedKind = (words: readonly string[]): string | undefined => {
  const said = words.filter((word) => !BETWEEN.has(word))
  if (isOfPerson(said)) return 'identity'
  const all = said.slice(-2)
  const [one = '', other = ''] = all
  // `CVC-Prüfnummer`
  if ((abbreviations.has(one) && numbers.has(other)) || (abbreviations.has(other) && numbers.has(one))) return 'pin'
  if (all.length > 1 && isOfNetwork(one, other)) return 'password'
  const noun = NOUN.get(other)
  // `msimbo wa siri wa mwaliko`: a secret code, and what for.
  const [first = '', second = '', third] = said
  if (said.length === 3 && third !== undefined && NOUN.has(first) && secret.has(second)) return 'password'
  const password = codeWordFor(said) ?? passwordFor(said)
  if (password !== undefined) return password
  const kind = (noun && kindOf(noun, one)) ?? (NOUN.has(one) ? kindOf(NOUN.get(one)!, other) : undefined)
  // `Hata kodu (kapı)`
  if (kind === 'pin' && said.length > 2 && said.some((word) => isIn(OTHER_CODES, word))) return undefined
  if (kind !== undefined) return kind
  return glued(all.at(-1) ?? '') ?? kindByThing(said)
}

/** Words for a password, in front of what it is for: `mot_de_passe_urgence`, `passord ved henting`. */
const PASSWORDS = set(
  'password passphrase passcode passwd passwort kennwort clave motdepasse motpasse mdp contraseña contrasenya contrasinal senha palavrapasse wachtwoord lösenord passord adgangskode kodeord salasana parool parole slaptažodis lykilorð hasło haslo heslo lozinka zaporka geslo jelszó parola parolă şifre şifresi пароль гасло парола лозинка шифра κωδικοςπροσβασης סיסמה סיסמת סיסמא katasandi sandi katalaluan matkhau nenosiri pasahitza cyfrinair pasfhocal fjalëkalimi pasvorto رمزعبور گذرواژه كلمةالمرور كلمةمرور كلمةالسر كلمةسر पासवर्ड পাসওয়ার্ড',
)
/** What is said of a password: its length, its rules, what became of it. */
const ABOUT_PASSWORDS = new Stems(
  'parser parse. parsing handler module plugin tool. tools. librar package docs document tutorial example sample feature support mode. modal. sharing share. reuse audit entropy character symbol word. words. digit id. ids. uuid. url. uri. link. links. field. fields. input. box. form. component. strength. age. days. histor expir complex protect manage generator generation rotat rules. rule. algorithm hashed hashing encoding count. attempt retr update creat based. less. file. files. path. page. screen. view. prompt. dialog test. tests. check. checks. verif validat util service. provider. store. stores. column. key. keys. grant. flow. auth authentic login. logins. leak breach spray crack guess brute required. enabled. disabled. visible. visibility toggle. icon. button. state. status. class. option. options. setting. settings. config set. only. was. is. has. for. to. in. on. at. of. with. must. should. can. will. cannot. polit polic richtl regel regl regul regol règl hint hinweis indic indiz pista pist. suger sugg tipp tips vihje vihj reset zuruck reinic reinit ripristin rest. nollst nulstil cambi chang wechs ander. andern geander modif alter. alterar alterad endr endre byt. byta byter bytt vaihd vaihto muuta izmain keis zmian zmień zmien zmen změn promen promjen promijen sprem módos változ valtoz degis değiş смен зміна зміни измен промен αλλαγ שינוי החלפ تغيير تغییر lang. lange länge langd lengde længde pituus longue longit dlugosc delka dĺžka sure süre atend lungh lengte compri dlug dług dulj dužin delk délk hossz uzunl длин довж дължин μηκος min. max. minim maxim anzahl numer. nombre. numero. felt. feltet champ campo feld. fält pole. mező polje поле requis requer required erford obrig oblig wymag vyžad potreb gerek требуем обязат обов expir ablauf abgelauf scad venc vence utgå utløp udløb vanhen wygas vyprš istek istic lejár срок истек термин vergess oubli olvid esquec dimentic uitat vergeten glemt glömt unohtu unust zapom zabud pozab unut elfelej забы забрав заборав ξεχασ ungült ungult invalid falsch incorr errat erron sbagli onjuist feil. fel. forkert väär väärä vale. błędn bledn nieprawid nespráv chybn hibás yanlış неверн невірн грешн stark schwach fort. faible forca força forza sterkte styrka styrke siła síla gücü güç сила confirm bestät bestat bekreft bekræft bekräft repet répét ripet wiederhol herhaal gjenta upprepa potvrd potwierdz potvrz overen onay подтв підтв потвър επιβεβ hash salt krypt cifr chiffr encrypt crypt verschl manager gestor gestion verwalt generat genera generer erzeug show zeig anzeig mostra affich zobraz pokaz visa. vis. label titel titre titul titol typ type tipo. format length count name. status stav. stan. stato. estado. etat. text. placeholder error fehler erreur erro. errore fejl and und et e i y og och oder ou o или и',
  '长度|修改|重置|策略|提示|规则|规則|忘记|忘記|错误|確認|変更|長さ|ヒント|忘れ|リセット|변경|재설정|길이|힌트|확인|오류|규칙',
)

export const isAboutPasswords = (words: readonly string[]): boolean => words.some((word) => isIn(ABOUT_PASSWORDS, word))

/** Whose password at a till, a terminal or a machine is often a number. */
const STAFF = new Stems(
  'operator cashier waiter staff. clerk. manager. teller bedien kassier kassen. kellner personal. mitarb filialleit operateur operatrice caissier caissiere serveur gerant. gerante. operador operadora cajero cajera caja. camarero gerente. encargad caixa. vendedor garcom atendente operatore operatrice cassiere cassiera cameriere gestore. responsabile. casier. casiera operatoru operatorul ospatar vanzator kassamedewerk kelner ober. kasjer kasjerka sprzedawc obslug obsług kassör kassorsk kasserer ekspedient betjening myyj kassanhoit tarjoilij kassapidaja teenindaja kasieris kasininkas padavej pokladn obsluh cisnik číšník cisnik blagajn konobar prodavac prodavač natakar penztar pénztár pincer pincér elado eladó kasiyer garson operatör kasir. kasir pramusaji pelayan juruwang mhudumu karani. thu ngan. ' +
    'оператор кассир официант продав касир офіціант касиер сервитьор благајник конобар χειριστ ταμια ταμει σερβιτορ קופאי קופא מלצר מפעיל الكاشير كاشير امين النادل المشغل صندوقدار اپراتور گارسون कैशियर ऑपरेटर ক্যাশিয়ার',
  '收银|收銀|操作员|服务员|店员|レジ|オペレーター|店員|担当者|계산원|캐셔|직원|พนักงาน|แคชเชียร์',
)

/** A password's name comes first: such a value must look like one, and numbers count if something is opened with it. */
const passwordFor = (said: readonly string[]): string | undefined => {
  for (let count = 1; count < Math.min(4, said.length); count++) {
    if (!PASSWORDS.has(said.slice(0, count).join(''))) continue
    const rest = said.slice(count)
    if (rest.length > 4 || isAboutPasswords(rest)) return undefined
    return rest.some((word) => isIn(PROTECTED, word) || isIn(STAFF, word)) ? 'password-number' : 'password-word'
  }
  return undefined
}

/** Whom it identifies, and when. */
const SAID_FOR = new Stems(
  'pickup. pick. collection. collect. family. child. childs. kids. school. nursery. kindergarten. daycare. safety. safe. emergency. alarm. rescue. duress. door. familie abhol kinder. kita. hort. schul. notfall. famil enfant. enfants. ecole. creche. garderie. sortie. urgence. recogida. nino. guarderia. ninos. nina. cole. colegio. escuela. guarderia. emergencia. busca. crianca. criancas. escola. filho. bambin ritiro. scuola. asilo. asil nido. emergenza. copil. copii. gradinita. scoala. gezin. ophaal ophalen. kind. kinderen. noodgeval. familj hamt hämt hamtning skola. forskola. afhent hent. henting. barnehage. bornehave. barn. skole. perhe perheen. nouto. noudon. paivakoti. koulu. pere. lasteaia. rodzin rodzinn odbior dzieck przedszkol szkol rodinn vyzvedn skolk skola. obitelj porodic druzin vrtic skol csalad ovoda iskola aile. okul. kres. keluarga. anak. sekolah. gia dinh. familia. семейн семьи детск школ семь сім роден дитяч школ семеен дете училищ οικογεν παιδ σχολει משפח ילד גן العائلة العايلة المدرسة خانواد مدرسه परिवार बच्चे',
  '家庭|家族|孩子|接送|幼儿园|お迎え|子供|保育園|가족|어린이집|아이',
)

/** `pickup_codeword`, `palabra clave familiar`. */
const codeWordFor = (said: readonly string[]): string | undefined => {
  if (said.length < 2 || said.length > 5) return undefined
  for (let at = 0; at < said.length; at++)
    for (const count of [1, 2]) {
      if (!CODE_WORDS.has(said.slice(at, at + count).join(''))) continue
      const rest = [...said.slice(0, at), ...said.slice(at + count)]
      if (rest.some((word) => isIn(SAID_FOR, word))) return 'said'
    }
  return undefined
}

/** Words of a name: more are a sentence. */
const MOST_SAID = 6
const PINS = set('pin pins pinul pin-ul pinkod pinkode pinkoodi pincode пин пін пинкод пінкод пин-код')
/** Of contacts of a chip, of pins on a map, of messages that are pinned; and what is said of a PIN. */
const OTHER_PINS = set(
  'assignment assignments gpio adc dac pwm spi i2c uart base bit bits board boards color colour cell comment config configuration count counts date definition definitions diameter direction drop entry enum expired expires function functions gpio group header headers hash icon id ids image in index init interrupt label labels latitude layout led length location lat lng lon list longitude locked map mapping marker max message messages min missing mode modes name names note number numbers offset order out output outputs pad pads path pitch pos position post posts project reset retry retries required rx scl sda sha size spacing state states status style tab target text thread title torque tweet tx type types url value version width x y z attempts change changed policy hint verified verify valid invalid enabled disabled wrong incorrect try tries error failed ok set mux mask port speed pull level reg register nr nummer row rows to up down of for is was',
)
/** `kód`, `koodi`, `Türcode`: what a word that is joined ends with. */
const CODE_ENDINGS = wordsIn(
  'code codes kod kode kodea koden kood koodi koodin kóði kóðinn kód kódja kodas kods kodo pin pinkod pinkode pinkoodi pincode kombination kombinatie kombinasjon kombinasjonen',
).toSorted((one, other) => other.length - one.length)

/** `kód rádia`, `code_boite_a_cles`, `BtM-Tresor-Code`, `pin_parental`, `duress_word`: a code and what it opens, in any order. */
const kindByThing = (said: readonly string[]): string | undefined => {
  if (said.length === 0 || said.length > MOST_SAID) return undefined
  const nouns = said.map((word) => NOUN.get(word) ?? joinedNoun(word))
  const head = nouns.findIndex((noun) => noun === 'code' || noun === 'word')
  if (head < 0) return undefined
  const rest = said.flatMap((word, at) => {
    const noun = nouns[at]
    if (NOUN.has(word) && (noun === 'code' || noun === 'word')) return []
    return noun === undefined ? [word] : [word, frontOf(word)]
  })
  const turned = said.some((word) => /^comb(?:o|inati|inais|inac|inazi|inaci)|^komb/.test(word))
  if (turned && rest.length > 0 && rest.every((word) => TURNED.has(word) || isIn(PROTECTED, word))) return 'pin'
  if (rest.length === 0 || rest.some((word) => isIn(OTHER_CODES, word))) return undefined
  // `break_glass_code`, `key_safe_code`: two words for one thing.
  const things = [...rest, ...rest.slice(1).map((word, at) => `${rest[at]}${word}`)]
  if (things.some((word) => isIn(THREATS, word))) return 'password'
  if (nouns[head] === 'word') return undefined
  if (things.some((word) => isIn(PROTECTED, word))) return 'pin'
  if (isBesideCode(said, nouns)) return 'pin'
  if (NOUN.get(said[0]!) !== 'code') return undefined
  // `pin_parental`, `mã_PIN_quản_lý`
  return said.slice(0, 2).some((word) => PINS.has(word)) &&
    said.length < 5 &&
    !rest.some((word) => OTHER_PINS.has(word))
    ? 'number'
    : undefined
}

/** `activatiecode_kaart`, `kod_aktywacji_karty`: what the code does, and of what. */
const isBesideCode = (said: readonly string[], nouns: readonly (Kind | undefined)[]): boolean =>
  said.some((word, at) => {
    // In Vietnamese, several words are one.
    if (nouns[at] !== 'code' || word === 'ma') return false
    if (!NOUN.has(word)) return [frontOf(word), `${frontOf(word)}s`].some((front) => kindOf('code', front) === 'pin')
    return kindOf('code', said[at - 1] ?? '') === 'pin' || kindOf('code', said[at + 1] ?? '') === 'pin'
  })

/** What a combination is dialled at. */
const TURNED = set(
  'dial box post po letter mail bike bicycle fahrrad vélo bici bicicleta fiets cykel sykkel my the our your number numbers lock zahlenschloss three four letters digits wheel disc turn office main old new back front left right upper lower',
)

const isIn = (stems: typeof PROTECTED, word: string): boolean =>
  word.length > 1 && (stems.has(word) || (/\P{ASCII}/u.test(word) && stems.in(word)))

/** `schlüsseltresorcode`: the word in front of the code. */
const frontOf = (word: string): string => {
  const end = CODE_ENDINGS.find((one) => word.length > one.length + 2 && word.endsWith(one))
  return end === undefined ? '' : word.slice(0, -end.length).replace(/(?<=.{3})[s-]$/, '')
}
const joinedNoun = (word: string): Kind | undefined =>
  frontOf(word) !== '' || (UNSPACED.test(word) && CODE_UNSPACED.test(word)) ? 'code' : undefined
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
/** Ends with a word for a code, or begins with one in Thai. */
const CODE_UNSPACED = new RegExp(
  `(?:${wordsIn('コード 番号 ピン 代码 代碼 密码 密碼 口令 码 碼 코드 번호 비밀번호 핀 組み合わせ').join('|')})$|^(?:${plain('รหัส')})`,
  'u',
)

/** `Sozialvers.-Nr.`, `Steuer-IdNr.`, `nº de afiliación`: a number and whom it identifies, in either order. */
const isOfPerson = (words: readonly string[]): boolean => {
  const isNumber = (word: string): boolean => numbers.has(word) || /^(?:n|c|č)$/.test(word)
  // `Versichertennr.`, `Ausweisnummer`
  const [whole = ''] = words
  if (words.length === 1 && /(?:nr|nummer|numer|nummeret)$/.test(whole) && PERSON.some((one) => whole.startsWith(one)))
    return true
  const rest = words.filter((word) => !isNumber(word))
  if (rest.length === 0) return false
  if (rest.length === words.length)
    return (
      /^(?:инн|снилс|егн|јмбг|pesel|cpf|bsn|oib)$/.test(words[0]!) &&
      words.length < 4 &&
      !OF_DOCUMENT.test(words.slice(1).join(' '))
    )
  if (rest.length === 1 && rest[0] === 'steuer') return words.some((word) => /^(?:id|idnr|ident)/.test(word))
  return rest.length < 3 && PERSON.some((person) => rest.at(-1)!.startsWith(person) || rest[0]!.startsWith(person))
}

/** `salakood`, `hooldussalakood`: what may precede such a noun, and means something else on its own. */
const SECRET_FRONT = /(?:sala|slapta?|slepen|hemlig?|titkos|tajno)$/

/** One word made of both: `turvakoodi`, `пинкод`, `安全码`. */
const glued = (word: string): string | undefined => {
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u.test(word)
  if (word.length < (unspaced ? 3 : 7) || word.length > 40) return undefined
  for (let at = unspaced ? 1 : 3; at <= word.length - (unspaced ? 1 : 3); at++) {
    const [one, other] = [word.slice(0, at), word.slice(at).replace(/^s(?=koodi|kod)/, '')]
    const noun = NOUN.get(other)
    const kind =
      (noun && kindOf(noun, one)) ??
      (noun === 'code' && SECRET_FRONT.test(one) ? 'pin' : undefined) ??
      ((unspaced || word.length > 7) && NOUN.has(one) ? kindOf(NOUN.get(one)!, other) : undefined)
    if (kind !== undefined) return kind
  }
  return undefined
}
