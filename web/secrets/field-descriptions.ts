/**
 * What a form or a documentation says about a field instead of its value: `required`, `at least 8 characters`, `32 hex
 * digits`, `write-only`, in some 30 languages.
 */
import { Stems } from './entry-words.ts'

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
  '必填|必须|必須|可选|选填|字符|位数|\\d ?位|\\d ?个?字|文字|桁|入力して|필수|\\d ?자리|\\d ?자 ?이상|글자|bắt buộc|tối thiểu|ký tự|chữ số|จำเป็น|ตัวอักษร|อักขระ',
)

/** So many of something: `12 znaków`, `32 hex digits`. */
const MEASURED =
  /^(?:at least|up to|exactly|max\.?|min\.?|[<>≥≤]=?|en az|ít nhất)?\s?\d{1,3}(?:\s?[-–]\s?\d{1,3})? (?:hex |random |decimal )?(?:digits?|chars?|characters?|bytes?|bits?|letters?|hex|words?)(?!\p{L})/iu

/** @param text several words, or one of a language without spaces; a single word may be any password */
export const describesField = (text: string): boolean => {
  if (text.length > 400 || !/\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text))
    return false
  return MEASURED.test(text) || SAYS.in(text)
}
