/**
 * What a form or a documentation says about a field instead of its value: `required`, `at least 8 characters`, `32 hex
 * digits`, `write-only`, in some 30 languages.
 */
import { plainLetters, Stems } from './entry-words.ts'

const SAYS = new Stems(
  'required. optional. mandatory. compulsory. minimum. maximum. characters. chars. alphanumeric. letters. digits. nullable. varchar. read-only. write-only. readonly. writeonly. masked. hashed. encrypted. case-sensitive. uppercase. lowercase. ' +
    'erforderlich pflicht mindest hochstens höchstens zeichen. ziffern. buchstaben. freiwillig. verschlüsselt. ' +
    'obligatoire facultati requis caractère chiffres. lettres. obligatori obligatorio requerid opciona caracteres. dígitos. cifras. letras. mínimo máximo ' +
    'obbligatori richiest facoltativ caratteri. cifre. lettere. obrigatóri opcional algarismos. obligatoriu caractere. opțional ' +
    'verplicht. vereist. optioneel. tekens. cijfers. minimaal. minstens. obligatorisk påkrævet påkrevd krävs. krävs valfri valgfri frivillig tecken. tegn. siffror. siffer. bogstaver. bokstäver. bokstaver. minst. mindst. nauðsynleg ' +
    'pakolli valinnai merkki numeroa. vähintään. kohustusli vähemalt tähemärk obligāt simboli. vismaz. privalom simboli skaitmen mažiausi ' +
    'wymagan obowiązkow opcjonal znaków. znaki. cyfr. cyfry. minimum. povinn volitel voliteľn znaků. znaky. znakov. číslic. nejméně. alespoň. aspoň. obvezn obavez znakov. znakova. števk znamenki. najmanj. najmanje. vsaj. ' +
    'kötelező karakter számjegy legalább zorunlu. karakter. rakam. haneli. gerekli. wajib. karakter. minimal. diperlukan. herufi. lazima. ' +
    "обязател необязат символ цифр знаков. знака. буквы. букв. минимум. обов'язк обов’язк щонайменше. літер задължит символа обавезн знакова. опционал " +
    'υποχρεωτικ προαιρετικ χαρακτηρες. ψηφια. τουλαχιστον. חובה. תווים. ספרות. אותיות. إلزامي الزامي إجباري أحرف. أرقام. حروف. رقما. کاراکتر الزامی حداقل. अनिवार्य अक्षर अंक. আবশ্যক অক্ষর',
  '必填|必须|请输入|以上|以内|以下で|必須|可选|选填|字符|位数|\\d ?位|\\d ?个?字|文字|桁|入力して|필수|\\d ?자리|\\d ?자 ?이상|글자|bắt buộc|tối thiểu|ký tự|chữ số|จำเป็น|ตัวอักษร|อักขระ',
)

/** So many of something: `12 znaków`, `32 hex digits`. */
const MEASURED =
  /^(?:at least|up to|exactly|max\.?|min\.?|[<>≥≤]=?|en az|ít nhất)?\s?\d{1,3}(?:\s?[-–]\s?\d{1,3})? (?:hex |random |decimal )?(?:digits?|chars?|characters?|bytes?|bits?|letters?|hex|words?)(?!\p{L})/iu

/** What a number of them is asked for: `4-digit number`, `4-stellige Zahl`. */
const UNITS = new Stems(
  'digit. digits. number. numbers. numeric char. figures. zahl. zahlen. ziffer. stellig chiffre. chiffres. car. caract. cifra. numero. numeros. digito digiti. numeri. algarismo tal. tall. cifre. siffra. merkin numero. numeroinen numbrit numbri cipari skaitmenys liczb znak. cislic cislice cisla znaku znakmi brojki brojke znamenk stevilk szamjegy szamot karakteres basamakli hane. rakam angka digit. tarakimu herufi numero. chu. so. ky. ' +
    'цифра. цифру. цифры. цифр чисел число. знак. знаков. символ цифре цифри ψηφιο ψηφι αριθμο χαρακτηρ ספרה ספרות תו. תווים ارقام رقم احرف حرف خانات رقمی رقم. نویسه अंकों अंक. अक्षरों अंको সংখ্যা অক্ষর எண்கள் இலக்க అంకెలు',
  '\\d ?(?:位|桁|个|個|字|자리|자|글자|ตัว|หลัก)',
)

/** @param text several words, or one of a language without spaces; a single word may be any password */
export const describesField = (text: string): boolean => {
  if (text.length > 400 || !/\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text))
    return false
  const plain = plainLetters(text)
  return MEASURED.test(text) || SAYS.in(plain) || (/(?<!\p{N})\d{1,2}(?!\p{N})/u.test(text) && UNITS.in(plain))
}

/** In some 40 languages. */
const STATES: readonly string[] = [
  'required optional mandatory missing empty blank none null nil set unset absent present hidden shown masked changed unchanged reset forgotten forgot wrong incorrect correct invalid valid weak strong medium short long expired active inactive enabled disabled unknown',
  'erforderlich pflicht pflichtfeld optional freiwillig fehlt fehlend leer keine keins gesetzt vorhanden geändert geaendert vergessen falsch ungültig gültig schwach stark abgelaufen unbekannt verborgen sichtbar nein ja',
  'obligatoire requis requise requises facultatif facultative optionnel manquant manquante vide aucun aucune défini définie absent absente présent modifié modifiée changé oublié oubliée incorrect incorrecte invalide valide faible fort forte expiré inconnu masqué oui non',
  'obligatorio obligatoria requerido requerida opcional falta faltante vacío vacía ninguno ninguna definido definida ausente presente cambiado cambiada modificada olvidado olvidada incorrecto incorrecta inválido inválida válida débil fuerte caducada vencida desconocido oculto oculta',
  'obrigatório obrigatória necessário necessária requerida opcional ausente vazio vazia nenhum nenhuma definido definida alterado alterada esquecida incorreto incorreta inválido inválida fraca forte expirada desconhecida oculta sim não',
  'obbligatorio obbligatoria richiesto richiesta facoltativo facoltativa opzionale mancante assente vuoto vuota nessuno nessuna impostata presente modificata cambiata dimenticata errata sbagliata corretta valida debole forte scaduta sconosciuta nascosta',
  'obligatoriu obligatorie opțional opțională lipsă gol goală niciunul setată schimbată uitată greșită incorectă validă slabă puternică expirată necesar necesară obligatori obligatòria opcional buit buida',
  'verplicht vereist optioneel ontbreekt leeg geen ingesteld aanwezig afwezig gewijzigd vergeten onjuist fout ongeldig geldig zwak sterk verlopen onbekend verborgen nee ja nodig',
  'påkrævet obligatorisk valgfri valgfritt påkrevd mangler tom tomt ingen sat angivet ændret endret glemt forkert feil ugyldig gyldig svag svak stærk sterk udløbet utløpt ukendt ukjent skjult krævs krävs obligatoriskt valfri valfritt frivilligt saknas tomt angivet ändrat glömt fel felaktigt ogiltigt giltigt svagt starkt utgånget okänt dolt nauðsynlegt valfrjálst vantar tómt rangt gleymt',
  'pakollinen vaaditaan valinnainen puuttuu tyhjä ei asetettu vaihdettu muutettu unohtunut unohtui väärä virheellinen oikea heikko vahva vanhentunut tuntematon piilotettu kohustuslik nõutav valikuline puudub tühi määratud muudetud unustatud vale nõrk tugev aegunud obligāts obligāta nepieciešama neobligāta trūkst tukša nav mainīta aizmirsta nepareiza vāja privalomas privaloma būtinas neprivalomas nėra tuščias pakeistas pamirštas neteisingas silpnas',
  'wymagane wymagany wymagana obowiązkowe opcjonalne opcjonalny brak puste pusty ustawione ustawiony zmienione zmieniony zapomniane błędne nieprawidłowe niepoprawne poprawne słabe silne wygasło nieznane ukryte tak nie',
  'povinné povinný povinná vyžadováno volitelné chybí prázdné žádné nastaveno změněno zapomenuté špatné neplatné správné slabé silné vypršelo neznámé skryté ano ne povinne vyžadované voliteľné chýba žiadne nastavené zmenené zabudnuté nesprávne slabé obvezno potrebno neobvezno manjka prazno nastavljeno spremenjeno pozabljeno napačno obavezno obavezna potrebna opcionalno nedostaje prazna postavljena promijenjena promenjena zaboravljena netočna pogrešna slaba jaka istekla',
  'kötelező szükséges opcionális hiányzik üres nincs beállítva megváltozott elfelejtett hibás helytelen érvénytelen gyenge erős lejárt ismeretlen rejtett igen nem',
  'zorunlu gerekli isteğe bağlı eksik boş yok ayarlı değiştirildi unutuldu unuttum yanlış hatalı geçersiz geçerli zayıf güçlü bilinmiyor gizli evet hayır məcburi tələb olunur yoxdur',
  'wajib diperlukan opsional pilihan kosong hilang tiada salah benar lemah kuat tersembunyi berubah diubah lupa kedaluwarsa lazima hiari tupu hakuna siyo kailangan opsyonal',
  'обязательно обязательный обязателен обязательное обязательна требуется необязательно необязательный опционально отсутствует нет пусто пустой задан задано установлен изменён изменен забыли забыт неверный неверно неправильный верный слабый слабая сильный надёжный истёк просрочен неизвестно скрыт скрыто да',
  "обов'язково обов’язково обов'язковий потрібно необов'язково відсутній немає порожньо порожній задано встановлено змінено забули невірний неправильний слабкий надійний приховано так ні задължително задължителна незадължително липсва празно празна зададена променена забравена грешна невалидна слаба силна скрита обавезно обавезна потребно недостаје празно промењена заборављена погрешна задолжително потребна",
  'υποχρεωτικό υποχρεωτικός υποχρεωτική απαιτείται προαιρετικό προαιρετικός λείπει κενό κενός κανένα κανένας ορισμένος άλλαξε ξεχάσατε λάθος λανθασμένος άκυρος έγκυρος αδύναμος ισχυρός έληξε άγνωστο κρυφό',
  'חובה נדרש נדרשת נחוץ רשות אופציונלי חסר חסרה ריק ריקה אין הוגדרה שונתה נשכחה שגוי שגויה תקינה חלשה חזקה מוסתר מוסתרת לא כן',
  'مطلوب مطلوبة إلزامي إلزامية الزامي اختياري اختيارية إجباري اجباري مفقود مفقودة ناقصة فارغ فارغة لا نعم يوجد معين معينة منسية خاطئ خاطئة صحيحة صالحة غير ضعيفة قوية منتهية مخفي مخفية مجهولة الزامی اجباری اختیاری ضروری خالی ندارد نادرست اشتباه درست ضعیف قوی پنهان نامعتبر فراموشی لازمی درکار اختیاری غلط',
  'आवश्यक अनिवार्य ज़रूरी वैकल्पिक खाली रिक्त अनुपलब्ध नहीं गलत ग़लत सही कमज़ोर मज़बूत छिपा অপরিহার্য আবশ্যক প্রয়োজনীয় ঐচ্ছিক খালি ভুল সঠিক দুর্বল தேவை கட்டாயம் விருப்பம் காலி தவறு అవసరం తప్పనిసరి ఐచ్ఛికం ఖాళీ',
  'სავალდებულო აუცილებელია არასავალდებულო ცარიელი არასწორი պարտադիր պահանջվում է ոչ-պարտադիր դատարկ սխալ բացակայում թաքնված',
  '必填 必填项 必須 必须 必需 必要 需要 可选 可選 选填 選填 非必填 任意 空 为空 空白 无 無 無し なし 缺失 缺少 未填 未填写 未设置 未設定 設定済み 已设置 已設定 已修改 已更改 变更済み 変更済み 忘记 忘記 忘れた 错误 錯誤 誤り 不正确 无效 無効 有效 有効 正确 弱 强 強 已过期 期限切れ 未知 不明 隐藏 隱藏 非表示 表示 有り あり',
  '필수 선택 필요 없음 비어있음 미설정 설정됨 변경됨 잊음 틀림 오류 올바름 유효 무효 약함 강함 만료됨 숨김 표시 จำเป็น ต้องระบุ ไม่บังคับ ว่าง ไม่มี ผิด ถูกต้อง อ่อน แข็งแรง ซ่อน buộc trống sai đúng yếu mạnh ẩn thiếu',
]

const withoutMarks = (text: string): string => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
const STATE_WORDS: ReadonlySet<string> = new Set(STATES.flatMap((line) => withoutMarks(line).split(' ')))

/**
 * Whether these are words for the state of a field, in place of its value: required, set, empty, wrong, shown.
 *
 * @param text up to three words, with or without punctuation
 */
export const isFieldState = (text: string): boolean => {
  if (text.length > 40 || /\p{N}/u.test(text)) return false
  const words = withoutMarks(text)
    .replace(/[.!?。！？…]+$/, '')
    .split(/[\s_-]+/)
  return words.length < 4 && words.every((word) => STATE_WORDS.has(word))
}

/** Words for a state that may as well be a password: forgotten, strong, weak. */
const CHOSEN_STATES =
  /^(?:forg[eo]t|vergess|oubli|olvid|esquec|dimentic|uitat|vergeten|glemt|glomt|unohtu|unust|aizmirst|pamirst|zapom[ni]|zabud|zaborav|pozab|elfelej|unut|lupa|забы|забрав|заборав|ξεχασ|נשכח|منسي|strong|weak|stark|schwach|fort|faible|fuerte|debil|forte|fraca|debole|sterk|zwak|svag|vahva|heikko|siln|slab|eros|gyenge|guclu|zayif|сильн|слаб|над[её]жн|ισχυρ|αδυναμ)\p{L}*$/u

/** Such a word alone, of which only a reader knows. */
export const mayBeChosen = (text: string): boolean =>
  text.length > 3 && isFieldState(text) && CHOSEN_STATES.test(withoutMarks(text))
