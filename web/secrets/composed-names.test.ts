import { describe, expect, test } from 'vitest'
import { COMPOSED_HINTS, composedKind } from './composed-names.ts'
import { DEFAULT_REDACTIONS } from './redaction-rules.ts'
import { Names } from './secret-names.ts'

const NAMES = new Names(DEFAULT_REDACTIONS, { hints: COMPOSED_HINTS, kindOf: composedKind })

describe('names composed of a word for a code and a word for what it protects', () => {
  test.each([
    ['turvakoodi', 'name:pin'],
    ['código de seguridad', 'name:pin'],
    ['codigo_seguridad', 'name:pin'],
    ['セキュリティコード', 'name:pin'],
    ['보안코드', 'name:pin'],
    ['安全码', 'name:pin'],
    ['код безопасности', 'name:pin'],
    ['গোপন পিন', 'name:pin'],
    ['Codes de secours', 'name:recovery'],
    ['резервные коды', 'name:recovery'],
    ['kauliSiri', 'name:password'],
    ['Security answer 2', 'name:password'],
    ['secreto_cliente', 'name:secret'],
    ['customerNif', 'name:nif'],
    ['SSHPASS', 'name:password'],
    ['METEO_APIKY', 'name:api-key'],
    ['yayinDepoSifresi', 'name:password'],
    ['Versichertennr', 'name:identity'],
    ['x-rajapinta-avain', 'name:key'],
    ['Cheie de produs', 'name:key'],
    ['סוד_לקוח', 'name:secret'],
    ['msimboWaSiriWaMwaliko', 'name:password'],
    ['segurtasunErantzuna', 'name:password'],
    ['Kode OTP Anda', 'name:pin'],
    ['Doğrulama kodunuz', 'name:pin'],
    ['Atsiėmimo kodas', 'name:redeem-code'],
    ['ホストキー', 'name:redeem-code'],
  ])('are names of secrets: %s', (name, rule) => expect(NAMES.ruleOf(name, 'key')).toBe(rule))

  test.each([
    'security question',
    'country code',
    'source code',
    'discount code',
    'kod pocztowy',
    'kode pos',
    'mã bưu điện',
    'Ταχυδρομικός κωδικός',
    'पिन कोड',
    'Sicherheitshinweis',
    'question_answer',
    'Kort svar',
    'kort ord',
    'từ khóa',
    'código de reserva',
    'unique_code',
    'Κωδικός προϊόντος',
    'restore-keys',
    'fallbackKey',
    'secretKeyRef',
    'COMPASS',
    'access level',
    'host_key',
    'sortKey',
    'i18n_key',
  ])('others are none: %s', (name) => expect(NAMES.ruleOf(name, 'key')).toBeUndefined())
})
