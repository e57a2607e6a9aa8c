/**
 * Numbers of payment cards in a sentence: their first digits and their check digit (ISO/IEC 7812) are right, and words of
 * paying, or the month in which the card expires, stand beside them.
 */
import type { FoundInText } from './found-in-text.ts'

const NUMBER =
  /(?<![\p{L}\p{N}_./:#=&-])[2-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{1,4}(?![\p{L}\p{N}_/-]|[.,]\d)|(?<![\p{L}\p{N}_./:#=&-])3[47]\d{2}[ -]?\d{6}[ -]?\d{5}(?![\p{L}\p{N}_/-]|[.,]\d)/gu
const ISSUED = /^(?:4|5[0-8]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)|3[47]|6(?:011|4[4-9]|5|2|0|7))/
const MOST = 200

/** Characters around a number. */
const AROUND = 60
const PAYS =
  /(?<!\p{L})(?:exp(?:ir\p{L}*)?|valid (?:thru|until|to)|cv[vc]2?|visa|master ?card|maestro|amex|american express|discover|jcb|diners|union ?pay|mir|elo|(?:credit|debit|payment|bank) ?cards?|cards?|charg(?:e|ed|ing)|refund(?:ed)?|paid|pay(?:ing|ment)?|billed|(?:kredit|debit|bank|giro)?karten?|abgebucht|belastet|bezahlt|gültig bis|cartes?|d[ée]bit[ée]e?|pay[ée]e?|tarjetas?|pagad[oa]|cobrad[oa]|caduca|cart[ãa]o|cart[õo]es|cobrou|carta|carte|pagato|addebitat[oa]|scad(?:e|enza)|plătit|kaart|betaald|kort(?:et)?|betalt|betalat|belastat|kortti|kortin|maksettu|kaardi\p{L}*|kart[auęyoiě]\p{L}{0,2}|zapłac\p{L}+|zaplac\p{L}+|plaćen\p{L}*|plačan\p{L}*|kártya|kártyá\p{L}+|fizet\p{L}+|kart\p{L}{0,4}|ödeme|ödendi|kartu|dibayar|thẻ|карт\p{L}{1,3}|оплач\p{L}+|оплат\p{L}+|спис\p{L}+|плате\p{L}+|κάρτα\p{L}?|κάρτας|πληρ\p{L}+|כרטיס|שולם|بطاقة|البطاقة|کارت|कार्ड|কার্ড|บัตร)(?!\p{L})|カード|支払|卡|카드|결제|\b(?:0[1-9]|1[0-2])\s?\/\s?(?:20)?[2-4]\d\b/iu
/** What else has such a number, and cards that documentation shows. */
const OTHER =
  /(?:order|bestell|auftrag|commande|pedido|ordine|invoice|tracking|parcel|shipment|imei|iccid|isbn|ean|gtin|upc|barcode|serial|ticket|trace|request|session|user|account|transaction|reference|ref|id|uid|phone|tel)\W{0,3}(?:no|nr|num|number|nummer|id)?\W{0,4}$/i
const SHOWN =
  /^(?:4242424242424242|4111111111111111|4012888888881881|4000\d{12}|5555555555554444|5105105105105100|2223003122003222|37828224631000[05]|371449635398431|6011111111111117|6011000990139424|3530111333300000|4444333322221111|5454545454545454|5200828282828210)$/

export const cardNumbersIn = (text: string, found: FoundInText): void => {
  let count = 0
  for (const { 0: written, index } of text.matchAll(NUMBER)) {
    if (++count > MOST) return
    const digits = written.replace(/\D/g, '')
    if (!ISSUED.test(digits) || SHOWN.test(digits) || !hasCheckDigit(digits)) continue
    const to = index + written.length
    const front = text.slice(Math.max(0, index - AROUND), index)
    if (OTHER.test(front) || !PAYS.test(`${front} ${text.slice(to, to + AROUND)}`)) continue
    found({ from: index, to, rule: 'context:prose' })
  }
}

/** The last digit follows from the others (ISO/IEC 7812-1, annex B). */
const hasCheckDigit = (digits: string): boolean => {
  if (digits.length < 13 || new Set(digits).size < 4) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.charAt(digits.length - 1 - at))
    const value = at % 2 === 1 ? digit * 2 : digit
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}
