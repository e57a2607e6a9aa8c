/**
 * Which names and patterns are secret, as data. Capture masks by these names; before a session is exported, users see
 * and edit the rules: they can switch off each and add their own. The rule's ID replaces what it removed.
 */

import { TOKEN_FORMATS } from './token-formats.ts'

export type RedactionRule = { readonly id: string; readonly off?: boolean } & (
  | {
      readonly kind: 'name'
      /**
       * Words as in `api key`, which also match `apiKey`, `X-API-Key`, `OPENAI_API_KEY`. The last words of a name
       * count.
       */
      readonly names: readonly string[]
      /** `parameter`: only in a query or form; `header`: only in HTTP. Default: everywhere. */
      readonly where?: 'parameter' | 'header'
      /** Other things have these names too, so the value must look like a secret. */
      readonly ambiguous?: true
      /** Short numbers count as well: `"pin": 4821`. */
      readonly digits?: true
    }
  /** Names that end like a secret's but aren't secrets. */
  | { readonly kind: 'except'; readonly names: readonly string[] }
  | {
      readonly kind: 'pattern'
      /** A regular expression; every match is removed. */
      readonly pattern: string
      readonly flags?: string
      /** Literals, one of which occurs in every match: texts without any of them aren't searched. */
      readonly hints?: readonly string[]
      /** Removed only if its base64 decodes to `name:secret`. */
      readonly check?: 'pair'
    }
  /** Secrets that only their surroundings tell: in commands, files of known formats, tables and sentences. */
  | { readonly kind: 'context'; readonly context: 'command' | 'file' | 'prose' }
  /** The working directory and the home directory, which name the user. */
  | { readonly kind: 'paths' }
  /** Everything below a JSON pointer into a frame; `*` stands for any single member. */
  | { readonly kind: 'pointer'; readonly pointer: string }
  | { readonly kind: 'value'; readonly value: string }
  /**
   * Texts that look random are reported but never removed: too many IDs and hashes look the same. Entropy in bits per
   * character.
   */
  | { readonly kind: 'entropy'; readonly bits: number }
)

const pattern = (id: string, source: string, hints: readonly string[], flags = ''): RedactionRule => ({
  id: `pattern:${id}`,
  kind: 'pattern',
  pattern: source,
  hints,
  ...(flags ? { flags } : {}),
})

const name = (id: string, names: string, more: { ambiguous?: true; digits?: true } = {}): RedactionRule => ({
  id: `name:${id}`,
  kind: 'name',
  names: names.split(/,\s*/),
  ...more,
})

/** Names of keys that protect something, unlike those of tables, maps and keyboards. */
const KEYS =
  'access activation admin aes app application auth backup bearer bot client consumer cookie crypto decryption deploy ' +
  'device hmac network ingest ingestion instrumentation integration jwt licence license management product publish root rpc ' +
  'security server service session shared ssh storage stream system unlock unseal validation vault wallet webhook wep wifi wpa write'

/** One rule for each vendor. */
const tokenRules: readonly RedactionRule[] = [...new Set(TOKEN_FORMATS.map(({ vendor }) => vendor))].map((vendor) => {
  const own = TOKEN_FORMATS.filter((format) => format.vendor === vendor)
  const hints = own.some((format) => format.hints.length === 0) ? [] : own.flatMap((format) => format.hints)
  return pattern(vendor, own.map(({ form }) => form).join('|'), hints)
})

/** The lists of names are sorted by certainty: the first one that applies is reported. */
export const DEFAULT_REDACTIONS: readonly RedactionRule[] = [
  name(
    'password',
    'write community, read community, read write community, read only community, rw community, ro community, get community, set community, trap community, snmp community, community string, snmp community string, ' +
      'password, passwords, passwd, pwd, passphrase, passphrases, passcode, passkey, pw, pswd, psw, pswrd, passwrd, pwrd, ' +
      '通行碼, 通行码, 通關密碼, 存取碼, 登入碼, 开机码, 取用碼, 暗証コード, 암호말, ' +
      'wifi pass, wlan pass, kodord, koodisana, koodsõna, kodowe słowo, kódové slovo, kodna riječ, kodna reč, kodna beseda, codewoord, パスコード, 패스코드, пасскод, пасс код, пас код, κωδικός συνάντησης, pass number, passnumber, memorable number, telepin, kenncode, kenncodes, codewort abholung, password phrase, ' +
      'cheie precomună, cheie partajată, cheie prepartajată, clé prépartagée, clé pré partagée, clave precompartida, clave compartida, clau precompartida, chave pré partilhada, chave pré compartilhada, chave partilhada, chave compartilhada, chiave precondivisa, chiave pre condivisa, chiave condivisa, vorinstallierter schlüssel, vorab vereinbarter schlüssel, pre shared schlüssel, gemeinsamer schlüssel, vooraf gedeelde sleutel, gedeelde sleutel, fördelad nyckel, i förväg delad nyckel, delad nyckel, forhåndsdelt nøkkel, delt nøkkel, forhåndsdelt nøgle, delt nøgle, forudaftalt nøgle, esijaettu avain, jaettu avain, eeljagatud võti, jagatud võti, iepriekš koplietota atslēga, iš anksto bendrinamas raktas, bendrasis raktas, ' +
      'klucz współdzielony, klucz wstępny, klucz wstępnie współdzielony, předsdílený klíč, sdílený klíč, predzdieľaný kľúč, zdieľaný kľúč, unaprijed dijeljeni ključ, dijeljeni ključ, deljeni ključ, ključ v skupni rabi, előre megosztott kulcs, megosztott kulcs, önceden paylaşılan anahtar, paylaşılan anahtar, kunci bersama, khóa chia sẻ trước, предварительный ключ, общий ключ, предварительно согласованный ключ, попередній ключ, спільний ключ, предварително споделен ключ, споделен ключ, дељени кључ, προκαθορισμένο κλειδί, κοινόχρηστο κλειδί, מפתח משותף, مفتاح مشترك, مفتاح مشترک, کلید مشترک, 预共享密钥, 預共用金鑰, 共享密钥, 事前共有鍵, 共有鍵, 사전 공유 키, 공유 키, ' +
      'psk, pre shared key, requirepass, masterauth, password confirmation, storepass, keypass, ' +
      'passwort, kennwort, mot de passe, mdp, contraseña, clave secreta, senha, palavra passe, ' +
      'passfrase, passfras, phrase secrete, phrase de passe, frase segreta, frase secreta, wachtzin, lösenfras, svar på sikkerhetsspørsmål, sicherheitsantwort, ' +
      'réponse de sécurité, respuesta de seguridad, risposta di sicurezza, resposta de segurança, loginpas, startkennwort, contrasenya, contrasinal, pasahitza, parool, salasõna, parole, slaptažodis, lykilorð, cyfrinair, pasfhocal, ' +
      'netzwerkschlüssel, wlan schlüssel, sicherheitsschlüssel, netwerksleutel, wifi sleutel, nätverksnyckel, netværksnøgle, nettverksnøkkel, verkkoavain, ' +
      'klucz sieciowy, klucz sieci, síťový klíč, clé réseau, clé wifi, clave de red, clave wifi, chave de rede, chiave di rete, cheie de rețea, ağ anahtarı, ключ сети, ключ безопасности, 网络密钥, ' +
      'fjalëkalimi, šifra, шифра, лозинка, tunnuslause, kata laluan, nenosiri, parol, гасло, κωδικός πρόσβασης, رمز عبور, گذرواژه, پاس ورڈ, ' +
      'পাসওয়ার্ড, கடவுச்சொல், პაროლი, գաղտնաբառ, құпия сөз, нууц үг, ' +
      'wachtwoord, hasło, haslo, heslo, jelszó, lösenord, adgangskode, kodeord, passord, salasana, ' +
      'db pass, database pass, smtp pass, mail pass, email pass, user pass, admin pass, root pass, ftp pass, redis pass, ' +
      'mysql pass, postgres pass, http pass, mqtt pass, ldap pass, become pass, keystore pass, auth pass, login pass, bind pw, bindpw, root pw, rootpw, bind password, security answer, secret answer, challenge answer, memorable word, ' +
      'parola, parolă, parola d ordine, şifre, şifresi, parolası, lozinka, geslo, пароль, парола, κωδικός, 密码, 密碼, 口令, 暗码, パスワード, ' +
      'парольна фраза, парольная фраза, кодова фраза, кодовая фраза, кодове слово, кодовое слово, секретное слово, секретне слово, ключова фраза, тайна дума, тајна реч, лозинка за приступ, ' +
      'frase di accesso, frase de acceso, frase de acesso, frase de contraseña, frase chave, fraza dostępu, fraza hasła, přístupová fráze, heslová fráze, přístupové heslo, prístupová fráza, prístupové heslo, ' +
      'zaporka, pristupna fraza, geslo za dostop, vstopno geslo, jelmondat, titkos szó, frază de acces, cuvânt secret, fjalëkalim, salasana lause, tunnussana, lösenordsfras, adgangsfrase, passordfrase, wachtwoordzin, ' +
      'geheimwort, codewort, zugangswort, losungswort, mot secret, mot magique, palabra secreta, palabra de seguridad, parola segreta, palavra secreta, geheim woord, hemligt ord, hemmeligt ord, hemmelig ord, salainen sana, tajné slovo, ' +
      'parola chiave di accesso, contrasenya d acces, clau d acces, lykilorð aðgangs, leyniorð, aðgangsorð, pasvorto, paswort, wagwoord, iphasiwedi, neno la siri, neno siri, nywila, namba ya siri, nambari ya siri, nambari siri, kalmar sirri, ọrọ aṣínà, ' +
      'slaptas žodis, slaptafrazė, parole piekļuvei, slepens vārds, paroles frāze, paroolifraas, salafraas, salasõna, ' +
      'gizli kelime, parola ifadesi, giriş şifresi, gizli söz, şifrə, parolni, құпиясөз, сырсөз, сырдык сөз, рамз, ' +
      'φράση πρόσβασης, συνθηματική φράση, κωδική λέξη, μυστική λέξη, συνθηματικό, סיסמת כניסה, מילת סוד, מילת קוד, ביטוי סיסמה, عبارة المرور, كلمة سر, كلمة مرور, رمز سري, عبارت عبور, کلمه عبور, کلمه رمز, ' +
      'कूटशब्द, गुप्त शब्द, संकेतशब्द, गुप्तशब्द, গোপন শব্দ, পাসফ্রেজ, ரகசிய சொல், పాస్వర్డ్, సంకేతపదం, ಪಾಸ್ವರ್ಡ್, ಗುಪ್ತಪದ, പാസ്‌വേഡ്, રહસ્ય શબ્દ, પાસવર્ડ, ਪਾਸਵਰਡ, මුරපදය, လျှို့ဝှက်နံပါတ်, ពាក្យសម្ងាត់, ລະຫັດຜ່ານ, วลีรหัสผ่าน, cụm mật khẩu, mật mã, frasa sandi, katasandi, sandi, ' +
      'パスフレーズ, 合言葉, 合い言葉, 口令词, 密语, 通关密语, 暗号词, 비밀구절, 비밀 단어, 비번, 암호문구, password pepper, hmac pepper, hash pepper, hasher pepper, hashing pepper, kdf pepper, argon pepper, bcrypt pepper, passwords pepper, ' +
      '비밀번호, 암호, كلمة المرور, كلمة السر, סיסמה, סיסמא, รหัสผ่าน, mật khẩu, kata sandi, पासवर्ड, पासफ्रेज़, ਪਾਸਫਰੇਜ਼, पासकोड, পাসকোড, கடவுக்குறியீடு, കടവാക്ക്, संकेताक्षर, רמז לסיסמה, تورن, پټنوم, тирсўз, парола за достъп, фьшралъхэ, пароле, wagfrase, phasewedi, okwegatsha, kupita neno, kalmar wucewa, okwuntughe, ọ̀rọ̀ìgbaniwọlé, hitz sekretua, pasa hitza, fjalëkalim sekret, aðgangslykilorð, ' +
      'pasword, passw, رمز دوم, رمز اول, mother maiden name, mothers maiden name, mother s maiden name, maiden name of mother, security question answer, kba answer, memorable date, memorable place, memorable information, mmn, ' +
      'geburtsname der mutter, mädchenname der mutter, nom de jeune fille, apellido de soltera, cognome da nubile, nome de solteira, meisjesnaam van moeder, moders pigenavn, mors pikenavn, moderns flicknamn, mammas flicknamn, äidin tyttönimi, nazwisko panieńskie matki, rodné příjmení matky, rodné priezvisko matky, djevojačko prezime majke, девојачко презиме мајке, девичья фамилия матери, дівоче прізвище матері, моминско име на майката, πατρικό όνομα μητέρας, anne kızlık soyadı, annenin kızlık soyadı, anyja neve, nama gadis ibu kandung, nama ibu kandung, שם נעורים של האם, اسم الأم قبل الزواج, माता का विवाहपूर्व नाम, 母亲婚前姓, 母の旧姓, 어머니 성함',
    { digits: true },
  ),
  name(
    'pin',
    'pin, pin code, पिन, পিন, பின் எண், பின், పిన్, ಪಿನ್, പിൻ, પિન, ਪਿੰਨ, පින්, พิน, ပင်, ፒን, პინი, პინ კოდი, փին, փին կոդ, پن, پین, پین کوڈ, بن كود, الرقم السري, رقم سري, رمز پین, קוד סודי, ओटीपी, ওটিপি, ஓடிபி, ఓటీపీ, ಒಟಿಪಿ, ഒടിപി, ઓટીપી, ਓਟੀਪੀ, او ٹی پی, رمز پویا, otp кодо, sms otp, pinkodi, pin koodi, pin kods, pin kodas, pin kodu, pin code kaart, пін, пін код, пинкод карты, ' +
      'otp, totp, one time password, one time code, verification code, security code, mfa code, ' +
      'kreditkartennummer, kaartnummer, kartennummer, creditcardnummer, numéro de carte, número de tarjeta, numero della carta, numero carta, número do cartão, număr card, kortnummer, kortinnumero, luottokortin numero, numer karty, číslo karty, broj kartice, številka kartice, kártyaszám, kart numarası, kart no, номер карты, номер картки, номер на карта, αριθμός κάρτας, מספר כרטיס, رقم البطاقة, شماره کارت, कार्ड नंबर, 卡号, 卡號, 信用卡号, カード番号, 카드번호, số thẻ, nomor kartu, ' +
      'tfa code, sms code, cvv, cvc, card number, card no, credit card, cc number, ' +
      'ssn, social security number, access code, door code, gate code, entry code, alarm code, safe code, garage code, keypad code, ' +
      'cod de acces, cod acces, cod dezarmare, codigo de uso unico, codigo uso unico, code a usage unique, einmalcode, kopplungscode, ' +
      'párovací kód, kod parowania, code d appairage, activation code, code d acces, code acces, code d activation, codigo de acceso, codigo de activacion, codice di accesso, codice accesso, ' +
      'zugangscode, aktivierungscode, toegangscode, activatiecode, kod dostępu, kod aktywacyjny, přístupový kód, aktivační kód, код доступа, ' +
      'cryptogramme, cryptogramme visuel, kartenprüfnummer, prüfziffer karte, ' +
      'otp code, one time pin, login code, sign in code, setup code, setup pin, setup pin code, setup passcode, manual pairing code, hold key, holdkey, ' +
      'guard code, mã xác nhận, mã kích hoạt, mã nhận hàng, mã lấy hàng, mã vào cửa, mã bảo mật, mã dự phòng, mã khôi phục, mã truy cập, mã mở khóa, mã bảo vệ, mã xác thực, kode akses, kode kunci, kod akses, koda za dostop, pristupni kod, belépési kód, kapukód, giriş kodu, kapı kodu, κωδικός εισόδου, ' +
      'код доступу, код за достъп, код от домофона, код для входа, adgangskode til dør, dørkode, portkode, portkod, dörrkod, ovikoodi, uksekood, deurcode, türcode, ' +
      'tan, mtan, push tan, photo tan, chip tan, sms tan, tan code, transaktionsnummer, tan nummer, sms kod, sms код, код из смс, код смс, код із смс, sms kodu, kod sms, código sms, code sms, codice sms, smskod, ' +
      'engangskode, engångskod, kertakoodi, kertakäyttökoodi, jednorazowy kod, kod jednorazowy, hasło jednorazowe, jednorázový kód, jednorázové heslo, jednorazové heslo, enkratno geslo, enkratna koda, jednokratna lozinka, egyszeri kód, egyszer használatos kód, ' +
      'cod de unică folosință, tek kullanımlık şifre, tek kullanımlık kod, одноразовый код, одноразовый пароль, одноразовий код, еднократен код, еднократна парола, κωδικός μιας χρήσης, קוד חד פעמי, رمز لمرة واحدة, رمز یکبار مصرف, वन टाइम पासवर्ड, 一次性密码, 一次性验证码, 动态密码, 短信验证码, ワンタイムパスワード, ワンタイムコード, 일회용 비밀번호, mật khẩu dùng một lần, ' +
      'verificatiecode, verifieringskod, bekræftelseskode, bekreftelseskode, vahvistuskoodi, kinnituskood, apstiprinājuma kods, patvirtinimo kodas, kod weryfikacyjny, ověřovací kód, overovací kód, potvrditvena koda, kontrolni kod, ellenőrző kód, cod de verificare, doğrulama kodu, onay kodu, код подтверждения, код підтвердження, код за потвърждение, κωδικός επαλήθευσης, קוד אימות, رمز التحقق, کد تایید, सत्यापन कोड, 確認コード, 認証コード, 인증번호, 인증 코드, mã xác minh, kode verifikasi, kode otp, ' +
      'ligipääsukood, piekļuves kods, prieigos kodas, aðgangskóði, pääsykoodi, tilgangskode, adgangskode kort, åtkomstkod, passerkode, přístupový pin, vstupný kód, vstupní kód, vstopna koda, koda za vstop, ulazni kod, ' +
      'kaartcode, kartenpin, geheimzahl, geheimnummer, code confidentiel, code secret, código secreto, número secreto, clave numérica, codice segreto, codice pin, código pin, pincode kaart, tajny kod, kod pin, pin kód, pin kod, bankkod, kortkod, pinkod, pinkode, tunnusluku, пин, пин код, пинкод, код карты, код картки, ' +
      'voicemail pin, mailbox pin, vm pin, 取件码, 提货码, 门锁密码, 開錠番号, 解錠番号, 解錠コード, 暗証コード, 비밀 번호 4자리, 출입번호, รหัสพิน, รหัสเข้า, ' +
      'lock code, lockbox code, unlock code, disarm code, pairing code, two factor code, 2fa code, fa code, puk, 暗証番号, 验证码',
    { ambiguous: true, digits: true },
  ),
  name(
    'secret',
    'secret, secrets, erlang cookie, client secret, shared secret, signing secret, webhook secret, app secret, secret value, ' +
      'secret key base, secret text, geheimnis, secreto, segredo, секрет, 秘密, ' +
      'kundengeheimnis, clientgeheimnis, secret client, secreto de cliente, secreto del cliente, segredo do cliente, segreto del client, klientgeheim, clientgeheim, klienthemlighet, klienthemmelighed, klienthemmelighet, asiakassalaisuus, sekret klienta, tajemství klienta, tajomstvo klienta, istemci sırrı, секрет клиента, клиентский секрет, секрет клієнта, клиентска тайна, μυστικό πελάτη, סוד לקוח, סוד הלקוח, سر العميل, راز کلاینت, क्लाइंट सीक्रेट, 客户端机密, 客户端密钥, 用戶端密碼, クライアントシークレット, 클라이언트 시크릿, 클라이언트 보안 비밀',
  ),
  name(
    'recovery',
    'mnemonic, mnemonic phrase, seed phrase, recovery phrase, recovery code, recovery codes, backup code, backup codes, ' +
      'scratch code, scratch codes, recovery key, unseal keys, root token, keyfile password, salt key, ' +
      'taastekood, taastamiskood, taastekoodid, palautuskoodi, palautusavain, varakoodi, återställningskod, återställningsnyckel, reservkod, gjenopprettingskode, gendannelseskode, gendannelsesnøgle, reservekode, backupcode, herstelcode, herstelsleutel, noodcode, ' +
      'wiederherstellungscode, wiederherstellungsschlüssel, wiederherstellungsphrase, ersatzcode, notfallcode, backup schlüssel, code de récupération, code de secours, clé de récupération, phrase de récupération, code de sauvegarde, ' +
      'código de recuperación, códigos de recuperación, clave de recuperación, frase de recuperación, frase semilla, código de respaldo, código de recuperação, chave de recuperação, frase de recuperação, código de backup, codice di recupero, codici di recupero, chiave di recupero, frase di recupero, codice di emergenza, codi de recuperació, cod de recuperare, cheie de recuperare, cod de rezervă, ' +
      'kod odzyskiwania, klucz odzyskiwania, kod zapasowy, kod ratunkowy, kód pro obnovení, obnovovací kód, obnovovací klíč, záložní kód, záložný kód, kód na obnovenie, obnovitvena koda, rezervna koda, kod za oporavak, pričuvni kod, rezervni kod, helyreállítási kód, tartalék kód, atkopšanas kods, rezerves kods, atkūrimo kodas, atsarginis kodas, ' +
      'kurtarma kodu, kurtarma anahtarı, yedek kod, код восстановления, ключ восстановления, резервный код, код відновлення, резервний код, код за възстановяване, резервен код, код за опоравак, κωδικός ανάκτησης, εφεδρικός κωδικός, קוד שחזור, קוד גיבוי, رمز الاسترداد, رمز احتياطي, کد بازیابی, पुनर्प्राप्ति कोड, 恢复码, 恢復碼, 备用码, 恢复代码, 助记词, 助記詞, 復元コード, リカバリーコード, 回復キー, バックアップコード, 복구 코드, 백업 코드, 니모닉, mã khôi phục, mã dự phòng, kode pemulihan, kode cadangan, รหัสกู้คืน, msimbo wa kurejesha, ' +
      'wallet phrase, wallet words, seed words, backup phrase, backup words, emergency code, rescue code, ' +
      'otp seed, totp seed, hotp seed, mfa seed, otp secret, totp secret, ' +
      '2fa seed, fa seed, tfa seed, two factor seed, 2fa secret, fa secret, tfa secret, two factor secret, authenticator seed, authenticator secret',
  ),
  name(
    'api-key',
    'api key, api keys, secret key, private key, private key pem, private key data, client key data, priv key, ' +
      'account key, signing key, shared access key, subscription key, encryption key, master key, functions key, ' +
      'honeycomb team, 密钥, 密鑰, 秘钥, api 密钥, clé api, clave api, chave api, schlüssel api, api schlüssel, api sleutel, api nyckel, api nøgle, api nøkkel, api avain, ' +
      'clé d accès, clé secrète, clave de acceso, clave privada, llave secreta, llave privada, chave de acesso, chave secreta, chave privada, chiave di accesso, chiave segreta, chiave privata, cheie de acces, cheie secretă, cheie privată, clau secreta, ' +
      'zugriffsschlüssel, zugangsschlüssel, geheimer schlüssel, geheimschlüssel, privater schlüssel, toegangssleutel, geheime sleutel, åtkomstnyckel, hemlig nyckel, adgangsnøgle, hemmelig nøgle, tilgangsnøkkel, hemmelig nøkkel, käyttöavain, salainen avain, pääsuvõti, salajane võti, ligipääsuvõti, piekļuves atslēga, slepenā atslēga, prieigos raktas, slaptasis raktas, aðgangslykill, leynilykill, ' +
      'klucz dostępu, tajny klucz, klucz prywatny, przístupový klíč, přístupový klíč, tajný klíč, soukromý klíč, prístupový kľúč, tajný kľúč, dostopni ključ, skrivni ključ, pristupni ključ, tajni ključ, privatni ključ, hozzáférési kulcs, titkos kulcs, erişim anahtarı, gizli anahtar, ' +
      'ключ доступа, ключ доступу, ключ за достъп, ключ за пристап, кључ за приступ, секретный ключ, секретний ключ, таен ключ, тајни кључ, закрытый ключ, приватный ключ, приватний ключ, частен ключ, κλειδί πρόσβασης, μυστικό κλειδί, ιδιωτικό κλειδί, מפתח גישה, מפתח סודי, מפתח פרטי, مفتاح الوصول, مفتاح سري, المفتاح السري, کلید دسترسی, کلید مخفی, गुप्त कुंजी, एक्सेस कुंजी, ' +
      '访问密钥, 私钥, 访问令牌, 存取金鑰, 金鑰, 秘密鍵, アクセスキー, シークレットキー, 개인키, 비밀키, 액세스 키, khóa bí mật, khóa truy cập, kunci rahasia, kunci akses, ufunguo wa siri, คีย์ลับ, ' +
      'klucz api, api klíč, api kulcs, api anahtarı, api ключ, ключ api, chiave api, api キー, apiキー, api 키, api키, kunci api, khóa api',
  ),
  // AWS: the ID of a key names its account and is only useful together with the key.
  name(
    'key',
    `access key id, key secret, key component, clear component, component clear, ${KEYS.split(' ')
      .map((one) => `${one} key`)
      .join(', ')}`,
    { ambiguous: true },
  ),
  name(
    'token',
    'one time ticket, login ticket, sign in ticket, auth ticket, sso ticket, magic ticket, reset ticket, ' +
      'access token, refresh token, id token, auth token, bearer token, api token, bot token, session token, csrf token, ' +
      'jwt, access tokens, api tokens, client assertion, software statement, code verifier, device code, saml response, 令牌',
  ),
  name(
    'ambiguous-token',
    'token, bearer, assertion, user code, authorization code, auth code, auth req id, id token hint, pat, jeton, pass, ' +
      'csrf, xsrf, anti csrf, csrfmiddlewaretoken, csrftoken, xsrftoken, xsrf token, request verification token, anti forgery token, ' +
      'license code, clave, parola chiave, palabra clave, pepper, magic link token',
    { ambiguous: true },
  ),
  // What the code entitles its holder to, or what it opens.
  name(
    'redeem-code',
    'invite code, ' +
      'ホストキー, 主持人密钥, 호스트 키, gift card code, gift code, voucher code, pickup code, pick up code, collection code, parcel code, locker code, invitation code, ' +
      'gutscheincode, geschenkcode, abholcode, paketcode, einladungscode, code cadeau, code de retrait, code d invitation, code du bon, código de regalo, código de recogida, código de invitación, ' +
      'código do vale, código do vale presente, código de presente, código de levantamento, código de retirada, código de convite, codice regalo, codice di ritiro, codice invito, codice di invito, cadeaucode, cadeaubon code, afhaalcode, uitnodigingscode, ' +
      'presentkortskod, hämtkod, uthämtningskod, inbjudningskod, gavekortkode, afhentningskode, invitationskode, hentekode, invitasjonskode, lahjakortin koodi, noutokoodi, kutsukoodi, kinkekaardi kood, kutse kood, izņemšanas kods, ielūguma kods, atsiėmimo kodas, kvietimo kodas, ' +
      'kod odbioru, kod zaproszenia, kod podarunkowy, kód pro vyzvednutí, kód pozvánky, kód na vyzdvihnutie, koda za prevzem, kod za preuzimanje, kod pozivnice, átvételi kód, meghívó kód, meghívókód, cod de ridicare, cod de invitație, teslim kodu, teslimat kodu, davet kodu, hediye kodu, ' +
      'код получения, код приглашения, код подарочной карты, код отримання, код запрошення, код за получаване, код за покана, код за преузимање, κωδικός παραλαβής, κωδικός πρόσκλησης, קוד הזמנה, קוד איסוף, رمز الدعوة, رمز الاستلام, کد دعوت, کد تحویل, ' +
      'kode undangan, kode pengambilan, mã mời, mã nhận hàng, msimbo wa mwaliko, 取件码, 取件碼, 邀请码, 邀請碼, 礼品卡号, 受取コード, 招待コード, ギフトコード, 초대 코드, 수령 코드, 기프트 코드',
    { ambiguous: true, digits: true },
  ),
  name('authorization', 'authorization, proxy authorization, authentication, auth, basic auth, dpop, x auth', {
    ambiguous: true,
  }),
  name('credentials', 'credential, credentials, creds, cred', { ambiguous: true }),
  // Of a person or of a company: see `isSecretOf`.
  name('nif', 'nif'),
  // Each holds what identifies a person.
  name(
    'identity',
    'ni number, ni no, nino number, medical record number, medical record no, medical record nr, mrn, patient record number, health record number, hospital number, health insurance number, health insurance no, health card number, medicare number, insurance policy number, nhs no, social insurance no, social security no, soc sec no, ss number, voter id, voter id number, driver licence number, drivers license number, drivers license no, dl number, visa number, residence permit number, alien registration number, itin, tin, ' +
      'krankenversichertennummer, versichertennummer, patientennummer, krankenkassennummer, führerscheinnummer, aufenthaltstitelnummer, numéro de dossier médical, numéro de carte vitale, numéro d assuré, permis de conduire, número de seguro social, nss, historia clínica, número de historia clínica, número de afiliación, número de carnet, licencia de conducir, cartão de saúde, número de utente, carta de condução, tessera sanitaria, numero tessera sanitaria, patente di guida, zorgverzekeringsnummer, rijbewijsnummer, körkortsnummer, kørekortnummer, førerkortnummer, ajokortin numero, numer prawa jazdy, numer ubezpieczenia, číslo pojištěnce, číslo poistenca, broj osiguranika, broj vozačke dozvole, társadalombiztosítási azonosító, sürücü belgesi no, sosyal güvenlik numarası, полис омс, номер полиса, номер водительского удостоверения, номер медкарты, αριθμός διπλώματος, מספר רישיון, رقم التأمين, رقم الرخصة, شماره بیمه, मतदाता पहचान, ड्राइविंग लाइसेंस नंबर, 病历号, 病歷號, 医保卡号, 社会保障号码, 驾驶证号, 健康保険証番号, 診察券番号, 건강보험번호, nomor bpjs, nomor sim, số bảo hiểm xã hội, số bhyt, ' +
      'pan, pan no, primary account number, passport number, passport no, passport nr, passport num, passport, national id, national id number, national identity number, national insurance number, nino, nhs number, tax id, tax file number, taxpayer id, social insurance number, aadhaar, aadhaar number, aadhar, pan number, driver license number, driving licence number, identity card number, id card number, ' +
      'reisepass, reisepassnummer, passnummer, ausweisnummer, personalausweisnummer, steuer id, steueridentifikationsnummer, steuernummer, sozialversicherungsnummer, rentenversicherungsnummer, ahv nummer, ahv nr, svnr, ' +
      'numéro de passeport, passeport, numéro de sécurité sociale, sécurité sociale, n sécu, numéro de sécu, numéro fiscal, carte d identité, número de pasaporte, pasaporte, dni, nie, dni nie, nie dni, número de identidad, número de seguridad social, curp, cédula, cédula de identidad, rut, cuil, número de passaporte, passaporte, cpf, cnh, número de contribuinte, niss, bilhete de identidade, cartão de cidadão, codice fiscale, numero di passaporto, numero passaporto, carta d identità, ' +
      'cnp, cod numeric personal, pașaport, număr pașaport, burgerservicenummer, bsn, paspoort, paspoortnummer, rijksregisternummer, personnummer, personnr, fødselsnummer, fødselsnr, cpr, cpr nummer, cpr nr, pasnummer, passnr, samordningsnummer, henkilötunnus, hetu, passin numero, kennitala, vegabréf, vegabréfsnúmer, isikukood, passi number, personas kods, pases numurs, asmens kodas, paso numeris, ' +
      'pesel, numer paszportu, paszport, numer dowodu, dowód osobisty, rodné číslo, číslo pasu, číslo občanského průkazu, číslo op, rodné číslo pacienta, emšo, številka potnega lista, oib, jmbg, broj putovnice, broj pasoša, broj lične karte, személyi szám, személyi igazolvány szám, útlevélszám, taj szám, adóazonosító jel, letërnjoftim, numri personal, ' +
      'tc kimlik no, tc kimlik, tckn, t c kimlik no, kimlik no, kimlik numarası, pasaport no, pasaport numarası, снилс, инн, паспорт, номер паспорта, серия паспорта, серия и номер паспорта, іпн, рнокпп, номер паспорту, егн, лична карта, номер на паспорт, номер на лична карта, јмбг, број пасоша, матичен број, иин, жсн, ' +
      'αφμ, αμκα, αριθμός διαβατηρίου, αριθμός ταυτότητας, τεζ, מספר זהות, תעודת זהות, ת ז, מספר דרכון, דרכון, رقم الهوية, الهوية الوطنية, رقم جواز السفر, جواز السفر, الرقم القومي, الرقم الوطني, کد ملی, شماره ملی, شماره پاسپورت, شماره گذرنامه, شناختی کارڈ نمبر, ' +
      'आधार संख्या, आधार, आधार नंबर, पासपोर्ट संख्या, पासपोर्ट नंबर, पैन, জাতীয় পরিচয়পত্র নম্বর, পাসপোর্ট নম্বর, ஆதார் எண், ఆధార్ సంఖ్య, ' +
      '身份证号, 身份证号码, 身份证, 身分證字號, 身分證號, 护照号, 护照号码, 護照號碼, 社保号, 居民身份证, マイナンバー, 個人番号, パスポート番号, 旅券番号, 運転免許証番号, 주민등록번호, 주민번호, 여권번호, 외국인등록번호, 운전면허번호, ' +
      'เลขบัตรประชาชน, เลขประจำตัวประชาชน, หมายเลขหนังสือเดินทาง, số cmnd, số cccd, căn cước công dân, số hộ chiếu, nik, nomor ktp, no ktp, nomor paspor, no kad pengenalan, nombor pasport, kitambulisho, namba ya pasipoti, nambari ya kitambulisho, ' +
      'pasaporte no, numero ng pasaporte',
    { ambiguous: true, digits: true },
  ),
  name(
    'cookie',
    'cookie, cookies, set cookie, session id, sid, jsessionid, phpsessid, sitzungs id, sitzungsid, sitzungskennung, sitzungsschlüssel, sitzungstoken, id de session, id session, jeton de session, identifiant de session, id de sesión, id sesión, identificador de sesión, token de sesión, ficha de sesión, id de sessão, id da sessão, id sessão, id sessione, id di sessione, id sesiune, sessie id, sessiesleutel, ' +
      'sessions id, sessionsnyckel, sesjons id, istunto id, istuntotunnus, istunnon tunnus, seansi id, seansi tunnus, sesijas id, sesijos id, id sesji, identyfikator sesji, klucz sesji, id relace, identifikátor relace, id relácie, id seje, id sesije, identifikator sesije, munkamenet azonosító, oturum kimliği, oturum id, oturum anahtarı, id sesi, kode sesi, mã phiên, id phiên, ' +
      'ид сессии, идентификатор сессии, ключ сессии, сессия id, id сессии, ідентифікатор сесії, ід сесії, ид на сесия, идентификатор на сесия, ид сесије, αναγνωριστικό συνεδρίας, מזהה שיחה, מזהה סשן, معرف الجلسة, رمز الجلسة, شناسه نشست, सत्र आईडी, 会话标识, 会话id, 会话令牌, 工作階段id, セッションid, セッション番号, 세션id, 세션 아이디, 세션키, kitambulisho cha kikao',
    { ambiguous: true },
  ),
  {
    id: 'name:header',
    kind: 'name',
    where: 'header',
    names: [
      'authorization',
      'proxy authorization',
      'cookie',
      'set cookie',
      'session',
      'session id',
      'sid',
      'dpop',
      'x auth',
      'authentication',
      'token',
    ],
  },
  {
    id: 'name:signature',
    kind: 'name',
    where: 'parameter',
    names: [
      'sig',
      'signature',
      'amz credential',
      'key',
      'auth',
      'sid',
      'ticket',
      'jsessionid',
      'session',
      'session id',
      'token',
      'pin',
      'otp',
      'hash key',
      'k',
      'hmac',
      'nonce token',
      'magic',
      'magic link',
      'magiclink',
      'enlace magico',
      'lien magique',
      'link magico',
      'magischer link',
      'magic lenke',
      'magisk lenke',
      'magisk länk',
      'magiczny link',
      'kouzelny odkaz',
      'sihirli bağlantı',
      'login link',
      'anmeldelink',
      'invite',
      // Keys of services, in other languages.
      ...'schlüssel clé llave chave chiave cheie clau sleutel nyckel nøgle nøkkel avain võti atslēga raktas klucz klíč kľúč ključ kulcs anahtar ключ κλειδί kunci 密钥 キー 키'.split(
        ' ',
      ),
    ],
  },
  { id: 'name:code', kind: 'name', where: 'parameter', names: ['code'] },
  { id: 'name:app-id', kind: 'name', where: 'parameter', names: ['appid'], ambiguous: true },
  {
    id: 'except',
    kind: 'except',
    names: [
      ...['progress token', 'page token', 'next token', 'continuation token', 'continue token', 'sync token'],
      ...['cancellation token', 'max token', 'min token', 'design token', 'eos token', 'bos token', 'pad token'],
      ...['boarding pass', 'first pass', 'second pass', 'single pass', 'by pass', 'hall pass', 'season pass'],
      ...['render pass', 'unk token', 'mask token', 'sep token', 'cls token', 'stop token', 'end token', 'start token'],
      ...[
        'special token',
        'watch token',
        'delta token',
        'skip token',
        'resume token',
        'syntax token',
        'public key',
        'public key token',
        'publishable key',
        'site key',
        'existing secret',
        'secret name',
      ],
      ...['allow credentials', 'idempotency key', 'sec websocket key', 'cache key', 'surrogate key', 'host key'],
      // What a cache of GitHub Actions, a translation or a store of files is looked up by.
      ...['restore key', 'restore keys', 'fallback key', 'fallback keys', 'fallback phrase', 'fallback word'],
      // A keyword, a booking, a short word.
      ...[
        'gpio pin',
        'led pin',
        'data pin',
        'clock pin',
        'input pin',
        'output pin',
        'relay pin',
        'sensor pin',
        'interrupt pin',
      ],
      ...['senha de atendimento', 'senha de atendimento n', 'senha de espera', 'senha de chamada'],
      ...['từ khóa', 'cụm từ khóa', 'código de reserva', 'código reserva', 'kort ord', 'kort fras', 'kort frase'],
      // A word for passwords that other codes have as well.
      ...[
        'ταχυδρομικός κωδικός',
        'κωδικός ταχυδρομείου',
        'εκπτωτικός κωδικός',
        'τηλεφωνικός κωδικός',
        'γραμμωτός κωδικός',
      ],
      ...[
        'διεθνής κωδικός',
        'αριθμητικός κωδικός',
        'postal pin',
        'postal pin code',
        'zip pin',
        'पिन कोड',
        'পিন কোড',
        'பின் கோடு',
        'పిన్ కోడ్',
        'ಪಿನ್ ಕೋಡ್',
        'പിൻ കോഡ്',
        'પિન કોડ',
        'ਪਿੰਨ ਕੋਡ',
      ],
      ...['www authenticate', 'software licence', 'software license', 'oldpwd', 'browser session', 'chat session'],
      // A session ID is masked when captured; the rest of it helps to find the session in a server's log.
      'mcp session id',
    ],
  },
  pattern(
    'private-key',
    '-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----[^]*?(?:-----END (?:[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----|$)|(?<=Private-(?:Lines|MAC): )[0-9a-f]+(?:\\r?\\n[A-Za-z0-9+/=]{4,}(?=\\r?\\n|$))*',
    ['PRIVATE KEY', 'OpenVPN Static key', 'Private-'],
  ),
  pattern('jwt', '\\beyJ[\\w-]{8,}\\.(?:[\\w-]{8,}(?:\\.[\\w-]*){1,3}|\\.[\\w-]{8,}\\.[\\w-]{4,}\\.[\\w-]{8,})', [
    'eyJ',
  ]),
  // Of persons: companies have other letters in front, and Portuguese ones other digits.
  pattern(
    'spanish-id',
    '(?<![\\w-])(?:\\d{2}\\.?\\d{3}\\.?\\d{3}|[XYZKLM][.-]?\\d{7})[ -]?[A-HJ-NP-TV-Z](?![\\w-])(?<=\\b(?:D\\.?N\\.?I|N\\.?I\\.?E|N\\.?I\\.?F)\\b[^\\n]{0,60})|(?<=\\bNIF["\\\']?[:=\\s]{1,4}["\\\']?)[123]\\d{8}(?!\\d)',
    ['DNI', 'NIE', 'NIF', 'D.N.I', 'N.I.E', 'N.I.F'],
  ),
  // A column that `netsh wlan show profile key=clear` prints.
  pattern(
    'netsh',
    '(?<=^[ \\t]+(?:key content|schlüsselinhalt|contenu de la clé|contenido de la clave|contenuto chiave|conteúdo da chave|sleutelinhoud|nyckelinnehåll|zawartość klucza|obsah klíče|содержимое ключа|anahtar içeriği|关键内容|金鑰內容)[ \\t]{2,40}: )\\S[^\\r\\n]{6,61}\\S',
    [
      'ontent',
      'nhalt',
      'onten',
      'onte',
      'inhoud',
      'inneh',
      'klucza',
      'klíče',
      'ключа',
      'içeriği',
      '关键内容',
      '金鑰內容',
    ],
    'imu',
  ),
  // As text; a header's value keeps what helps to find the session.
  pattern('session-id', '(?<=\\bmcp-session-id["\']?:\\s{0,4}["\']?)[\\w-]{16,200}', ['ession-', 'ESSION-'], 'i'),
  ...tokenRules,
  // The last part of a webhook's URL lets anybody call it.
  pattern(
    'webhook',
    '(?<=https?://[^\\s"\'<>]{0,200}(?:/webhooks?/|/hooks?/|//hooks?\\.[\\w.-]{3,80}/)(?:[^\\s"\'<>]{0,200}/)?)(?=[\\w-]*\\d)(?=[\\w-]*[A-Za-z])[\\w-]{16,}',
    ['hook'],
  ),
  pattern(
    'bearer',
    '(?<=\\b(?:Bearer|DPoP)\\s{1,4})(?=[A-Za-z._~+/-]*\\d)[\\w.~+/-]{16,}={0,2}',
    ['earer', 'EARER', 'DPoP'],
    'i',
  ),
  {
    id: 'pattern:basic',
    kind: 'pattern',
    pattern: '(?<=\\bBasic\\s{1,4})[A-Za-z0-9+/_-]{6,}={0,2}',
    flags: 'i',
    hints: ['asic ', 'ASIC '],
    check: 'pair',
  },
  pattern(
    'userinfo',
    '(?<=\\b[a-z][a-z0-9+.-]{1,30}://[^\\s/?#@:\'"<>]{0,256}:)[^\\s/?#@\'"<>]{1,256}(?=@(?!sha\\d+:)[\\w.[%-])',
    ['://'],
    'i',
  ),
  // `sip:204:…@pbx.example`: schemes without strokes.
  pattern(
    'userinfo-call',
    '(?<=\\b(?:sips?|turns?|stuns?|xmpp):[^\\s/?#@:\'"<>;]{1,80}:)[^\\s/?#@:\'"<>;]{3,256}(?=@[\\w.[%-])',
    ['sip:', 'sips:', 'turn:', 'turns:', 'stun:', 'stuns:', 'xmpp:', 'SIP:'],
    'i',
  ),
  // The number by which somebody leads a meeting; other keys of hosts are public.
  pattern('host-key', '(?<=\\bhost[ _-]?key["\\\']?\\s?(?:is|[:=])\\s{0,3}["\\\']?)\\d{6,10}(?![\\w.:-])', ['ey'], 'i'),
  // What a client of Digest (RFC 7616) sends: who has it can try passwords against it.
  pattern(
    'digest',
    '(?<=\\b(?:response|cnonce)\\s?=\\s?\\\\?"?)(?<=\\bDigest\\s+(?:username|realm|nonce|uri|qop|algorithm|response|cnonce|nc|opaque)\\*?\\s?=[^\\r\\n]{0,800})(?=[\\w+/=-]{0,40}\\d)[\\w+/=-]{6,200}(?![\\w(])',
    ['response=', 'cnonce=', 'response =', 'cnonce ='],
    'i',
  ),
  // A token in place of a user: `https://TOKEN@host`, `https://TOKEN:@host`, `https://TOKEN:x-oauth-basic@host`.
  pattern(
    'userinfo-token',
    '(?<=//)(?=[\\w~%+-]{16})(?<=\\b(?:https?|wss?|git\\+https?)://)(?=[A-Za-z_~%+-]*\\d)(?=[\\d_~%+-]*[A-Za-z])[\\w~%+-]{16,400}(?=(?::(?:x-oauth-basic)?)?@[\\w[])',
    ['://'],
  ),
  // What follows lets anybody in: a key in a path, a link to sign in or to set a new password. The cheap conditions come
  // first, because a lookbehind is tried at every character.
  pattern(
    'link',
    '(?<=/)(?=[\\w.~-]{16})(?<=://[^\\s"\'<>?#]{1,300}/(?:api[-_]?keys?|access[-_]?tokens?|auth[-_]?tokens?|secrets?)/)(?=[\\w.~-]*\\d)(?=[\\w.~-]*[A-Za-z])(?![\\da-f]{8}-)[\\w.~-]{16,400}|' +
      '(?<=/)(?=[\\w~-]{20})(?<=://[^\\s"\'<>?#]{1,300}/(?:[\\w]{1,20}-)?(?:recover\\w*|reset|verif\\w+|magic\\w*|invit\\w+|sign-?in|log-?in|sign-?up|activat\\w+|confirm\\w*|passwordless|one-?time|otp|claim|unlock|set-password|password|sso|join|accept|unsubscribe|token|key)(?:-\\w{1,20})?/(?:[a-z][a-z-]{0,20}/){0,2})(?![\\da-f]{8}-[\\da-f]{4}-)(?=[\\w~-]*\\d[\\w~-]*[A-Za-z][\\w~-]*\\d)[\\w~-]{20,400}',
    ['://'],
  ),
  { id: 'context:command', kind: 'context', context: 'command' },
  { id: 'context:file', kind: 'context', context: 'file' },
  { id: 'context:prose', kind: 'context', context: 'prose' },
  // Off: without its folder, a command can't be run again.
  { id: 'paths', kind: 'paths', off: true },
  { id: 'entropy', kind: 'entropy', bits: 3.6 },
]
