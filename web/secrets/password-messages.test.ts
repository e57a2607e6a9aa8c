import { describe, expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { passwordMessagesIn } from './password-messages.ts'

const listed = (text: string): readonly string[] => {
  const all: string[] = []
  passwordMessagesIn(text, ({ from, to, doubtful }) => {
    expect(doubtful).toBe(true)
    all.push(text.slice(from, to))
  })
  return all
}

describe('what people write about a password is listed', () => {
  test.each([
    [
      'a correction',
      'Sorry, typo. The password of the archive is not Heronmoor but Herongate, no digits.',
      'Herongate',
    ],
    ['a correction in German', 'Das Kennwort ist nicht Mohnblume, sondern Kornblume. Danke!', 'Kornblume'],
    ['a correction in Chinese', '打错了，邮箱的密码不是珍珠奶茶，是红豆牛奶，看完请删。', '红豆牛奶'],
    ['a change', 'I changed the password this morning. It is now seven grey otters, all small.', 'seven grey otters'],
    ['a change in Spanish', 'Cambié la contraseña ayer, ahora es pan con aceite, sin mayúsculas.', 'pan con aceite'],
    ['a change in Vietnamese', 'Chị ơi, mật khẩu đổi rồi, giờ là mưa đầu mùa, viết thường.', 'mưa đầu mùa'],
    [
      'the value in front of the word',
      'Když se zeptá, zadej znovu bílá vrána, to je heslo do skladu.',
      'znovu bílá vrána',
    ],
    [
      'the value in front of a question',
      'Step 2: type ninety green buttons when it asks for the passphrase.',
      'ninety green buttons',
    ],
    [
      'the end of a line',
      'Bas: inloggen en dan als wachtwoord poffertjes met room\nSanne: dank',
      'poffertjes met room',
    ],
    ['a joined word', 'Am ersten Tag gilt: das Startpasswort lautet Butterhorn und wird geändert.', 'Butterhorn'],
    [
      'an answer in a chat',
      '[09:12] Ada: what was the password again?\n[09:13] Ben: Quiet Harbour, with the space\n',
      'Quiet Harbour',
    ],
  ])('%s', (_, text, value) => expect(listed(text)).toEqual([value]))

  test.each([
    ['a policy', 'The password is not optional but required. It is now longer than before.'],
    ['another subject', 'The train is not late but cancelled. It is now platform seven.'],
    ['a question to somebody else', 'Ada: what is the password?\nBen: ask Tom\n'],
    ['an answer to something else', 'Ada: what is the plan?\nBen: Quiet Harbour\n'],
    ['a button', 'Type the code when the app asks for your password.'],
    ['a program', 'if (password) {\n  // it is now safe to go on\n}'],
  ])('%s is not', (_, text) => expect(listed(text)).toEqual([]))

  test('long hostile texts take a moment', async () => {
    const units = [
      'password is not a b c d ',
      'password, it is now ',
      'as password a b c ',
      'Ada: password?\n',
      ', that is password',
      'type a b c d when ',
    ]
    await expectWithin(4_000, () => {
      for (const unit of units) listed(unit.repeat(5_900 / unit.length))
    })
  })
})
