/**
 * Labels in front of numbers, codes and words that let nobody in: orders, ports, postal codes, files, models, verses, in
 * some 25 languages.
 */

import { isOtherLabel } from './protected-things.ts'

const LABELS =
  // English
  'process|pid|job|postal|order|invoice|booking ref\\w*|tracking|parcel|shipment|reference|ref|case|ticket|issue|bug|ray id|request id|trace id|ports?|postal code|post ?code|zip(?: code)?|total|sum|subtotal|amount|model|version|build|release|branch|tag|folder|directory|path|file(?: ?name)?|sheet|table|column|chapter|sections?|paragraph|clause|article|verses?|page|line|figure|exhibit|item|part|serial|sku|isbn|issn|rfc|iso|din|course(?: code)?|class|grade|room|floor|suite|apt|flight|train|bus|gate|route|highway|road|street|phone|tel|telephone|mobile|fax|call|hotline|extension|ext|account|customer|member|employee|student|patient|score|result|year|temperature|oven(?: to)?|range|size|height|width|weight|distance|speed|channel|frequency|episode|season|level|stage|step|turn order|alphabet|konami code|scale|chord|tuning|insee|area code|country code|dial(?:l?ing)? code|currency code|error code|status code|exit code|' +
  // German, Dutch, Scandinavian
  'bestell\\w*|auftrag\\w*|rechnung\\w*|sendung\\w*|buchung\\w*|aktenzeichen|vorgang\\w*|kundennummer|plz|postleitzahl|summe|gesamt|betrag|modell|ordner|datei(?:name)?|pfad|blatt|kapitel|abschnitt|absatz|seite|zeile|zimmer|raum|stock|gleis|zug|linie|telefon|fon|hotline|durchwahl|vorwahl|konto|bestelnummer|ordernummer|factuur\\w*|postcode|totaal|bestand|map|hoofdstuk|kamer|rekening|bestilling\\w*|ordre\\w*|ordernr|faktura\\w*|postnummer|filnavn|filnamn|fil|mappe|mapp|kapitel|side|sida|rum|rom|tlf|konto|' +
  // Romance
  'commande|facture|colis|suivi|dossier|fichier|chemin|page|ligne|chambre|salle|étage|code postal|montant|modèle|chapitre|verset|pedido|factura|envío|archivo|carpeta|página|línea|habitación|sala|piso|código postal|importe|modelo|capítulo|versículo|teléfono|móvil|ordine|fattura|spedizione|cartella|pagina|riga|stanza|piano|cap|codice postale|totale|modello|capitolo|versetto|telefono|encomenda|fatura|arquivo|ficheiro|pasta|linha|quarto|andar|cep|comandă|factură|fișier|dosar|pagina|cod poștal|' +
  // Others in Latin letters
  'zamówieni\\w*|faktur\\w*|przesyłk\\w*|plik\\w*|folder\\w*|stron\\w*|pok[oó]j\\w*|kod pocztowy|telefon\\w*|objednávk\\w*|zásilk\\w*|soubor\\w*|složk\\w*|stran\\w*|psč|narudžb\\w*|račun\\w*|datotek\\w*|rendelés\\w*|számla\\w*|fájl\\w*|oldal\\w*|irányítószám\\w*|tilaus\\w*|lasku\\w*|tiedosto\\w*|sivu\\w*|postinumero|sipariş\\w*|fatura\\w*|dosya\\w*|sayfa\\w*|posta kodu|nomor pesanan|pesanan|faktur|berkas|halaman|kode pos|nomor|đơn hàng|hóa đơn|trang|' +
  // Greek, Cyrillic, Hebrew, Arabic, Hindi
  // Numbers of queues, stores, counters and calls. A lock beside them makes no difference.
  'drawer|cylinder|shelf|rack|bin|lot|batch|badge|sensor|terminal(?:-id)?|trace|rma|actuator|key blank|lock(?:er)? (?:part|model|type|cylinder)|queue(?: number)?|token number|slip|plate|seat|row|aisle|pallet|inventory|asset(?: tag)?|serial(?: number)?|part(?: number)?|spare part|lotto|scaffale|cassetto|sensore|matricola|civico|interno|pratica|biglietto|turno|sportello|posto|pezzo|ricambio|serie|' +
  'wartenummer|wartemarke|inventar\\p{L}*\\.?|inv\\.?-?nr\\.?|seriennummer|serien-?nr\\.?|ersatzteil\\p{L}*|teile-?(?:nr|nummer)\\.?|regal|fach|charge|beleg-?(?:nr|nummer)?\\.?|ta-?nr\\.?|durchwahl|nebenstelle|schalter|platz|' +
  'poste|num[ée]ro de s[ée]rie|n° de s[ée]rie|pi[èe]ce|r[ée]f[ée]rence|casier|[ée]tag[èe]re|rayon|guichet|place|lot|inventaire|talon|n[úu]mero de serie|n[úu]mero de s[ée]rie|repuesto|pieza|estante|expediente|anexo|ramal|ventanilla|asiento|lote|inventario|gaveta|prateleira|pe[çc]a|senha n\\.?|guich[êe]|' +
  'serienummer|onderdeel\\p{L}*|plank|loket|toestel|bon(?:nummer)?|kassa|volgnummer|delenummer|reservedel\\p{L}*|hylle|hylde|hylla|kolli|k[øo]nummer|k[öo]nummer|anknytning|lokalnummer|sarjanumero|varaosa\\p{L}*|hylly|vuoronumero|alanumero|' +
  'numerek|bilet\\p{L}*|nr seryjny|numer seryjny|cz[ęe][śs][ćc]\\p{L}*|nr cz[ęe][śs]ci|p[óo][łl]ka|wewn[ęe]trzn\\p{L}*|okienk\\p{L}*|po[řr]adov\\p{L}*|s[ée]riov\\p{L}* [čc][íi]sl\\p{L}*|d[íi]l\\p{L}*|linka|klapka|serijsk\\p{L}* broj\\p{L}*|lokal|rezervn\\p{L}* d[ei]\\p{L}*|sorsz[áa]m\\p{L}*|alkatr[ée]sz\\p{L}*|mell[ée]k|polc|seri no|par[çc]a(?: no)?|s[ıi]ra(?: no)?|dahili|raf|nomor seri|nomor antrian|antrian|suku cadang|rak|s[ốo] th[ứu] t[ựu]|m[áa]y l[ẻe]|' +
  'талон\\p{L}*|инв\\p{L}*\\.?|серийн\\p{L}* номер\\p{L}*|артикул\\p{L}*|деталь|запчаст\\p{L}*|полк\\p{L}*|стеллаж\\p{L}*|окн\\p{L}*|доб(?:авочн\\p{L}*)?\\.?|внутр\\p{L}*|серійн\\p{L}* номер\\p{L}*|деталі|полиц\\p{L}*|вікн\\p{L}*|σειριακ\\p{L}* αριθμ\\p{L}*|ανταλλακτικ\\p{L}*|ράφι|εσωτερικό|αριθμός προτεραιότητας|מספר סידורי|חלק|שלוחה|תור|מדף|الرقم التسلسلي|قطعة|تحويلة|رف|رقم الانتظار|شماره سریال|قطعه|داخلی|قفسه|सीरियल नंबर|पुर्जा|टोकन|एक्सटेंशन|' +
  'ταχυδρομικ\\p{L}* κώδικ\\p{L}*|ταχυδρομικ\\p{L}* κωδικ\\p{L}*|τ\\. ?κ\\.?|παραγγελί\\p{L}*|τιμολόγιο|αρχείο|σελίδα|σύνολο|τηλέφωνο|заказ\\p{L}*|замовлення|счёт|счет|рахунок|посылк\\p{L}*|файл\\p{L}*|папк\\p{L}*|страниц\\p{L}*|сторінк\\p{L}*|стр|глав\\p{L}*|индекс|порт\\p{L}{0,2}|телефон\\p{L}*|тел|итого|версия|הזמנה|קובץ|עמוד|טלפון|הזמנה מספר|طلب رقم|(?:ال)?(?:ملف|صفحة|هاتف)|الرمز البريدي|کد پستی|מיקוד|ऑर्डर|पिन कोड|পিন কোড|பின்கோடு|అంచల్ పిన్|फ़ाइल|पृष्ठ'
const UNSPACED =
  '整理券(?:番号)?|受付番号|伝票(?:番号)?|棚(?:番号)?|製造番号|部品(?:番号)?|内線|座席|便名|批号|排队号|排號|取号|叫号|号码牌|房号|座位|分机|序列号|序號|货架|库位|零件(?:号)?|配件|工位|窗口|대기표|대기(?:번호|순번)|좌석|내선|일련번호|부품(?:번호)?|선반|창구|บัตรคิว|คิว|หมายเลขเครื่อง|อะไหล่|ชั้นวาง|' +
  '订单号?|尾号|訂單(?:編號)?|单号|快递|端口号?|文件名?|檔名|檔案|文件夹|页|頁|章|邮编|郵遞區號|电话|電話|型号|版本|房间|总计|合计|注文(?:番号)?|ポート(?:番号)?|ファイル(?:名)?|フォルダ|ページ|郵便番号|電話番号|型番|バージョン|合計|주문(?:번호)?|포트|파일|폴더|페이지|우편번호|전화(?:번호)?|คำสั่งซื้อ|ไฟล์|หน้า|พอร์ต|รหัสไปรษณีย์'
/** Between a label and what it names: `no.`, `#`, `is`, `, e.g.`, a quotation mark, other numbers. */
const BEHIND =
  '(?:\\s?(?:no|nr|num|number|nummer|numéro|número|numero|n°|№|id|code)\\.?)?(?:\\s?(?:is|ist|est|es|è|eingeben|ein|an|to|wie|like)(?!\\p{L}))?[\\s:=#.,は是为為号]{0,4}(?:(?:z\\. ?b\\.|e\\.g\\.|i\\.e\\.|p\\. ?ex\\.|par exemple|p\\. ?ej\\.|ad es\\.|bijv\\.|f\\.eks\\.|np\\.|např\\.|напр\\.|for example|such as)[\\s:,]{0,3})?(?:[\\p{N}–-]{1,9}(?:,| and| und| et| y| e|\\s)\\s?)?["\'“„«‘「『(]?'
const OTHER = new RegExp(`(?:(?<![\\p{L}\\p{N}]|(?:over|on|by) the )(?:${LABELS})|${UNSPACED})${BEHIND}$`, 'iu')

/** @param front the text before a candidate, of which the last 60 characters count */
export const namesOther = (front: string): boolean => OTHER.test(front.slice(-60)) || isOtherLabel(front)

/** Whether the text around a number is an address in India, where a PIN is a postal code. */
export const isOfAddress = (text: string, at: number): boolean =>
  POSTAL.test(text.slice(Math.max(0, at - 120), at + 80))
/** Only places in India. Words such as `address`, `state` and `road` stand beside PINs of cards, too. */
const POSTAL =
  /\b(?:india|bharat|nagar|pradesh|rajasthan|maharashtra|karnataka|kerala|gujarat|punjab|haryana|bihar|odisha|assam|telangana|delhi|mumbai|bengaluru|bangalore|chennai|kolkata|hyderabad|pune|jaipur|lucknow|tamil nadu|west bengal|jharkhand|uttarakhand|chhattisgarh|taluka?|tehsil)\b|पता|मार्ग|नगर|प्रदेश/iu
