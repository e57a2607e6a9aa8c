import { describe, expect, test } from 'vitest'
import { asksDiscretion } from './discretion-words.ts'
import { plainLetters } from './entry-words.ts'

describe('what people say of something that others must not learn', () => {
  test.each([
    'Eat this note.',
    'Please delete this message.',
    'Bitte Notizen vernichten.',
    'Bunu yalnızca biz biliyoruz.',
    'Aramızda kalsın.',
    'Det er et løfte mellem os, og bare du ved det.',
    '别让别人知道。',
    'यह किसी को मत बताना।',
  ])('is recognized: %s', (text) => expect(asksDiscretion(plainLetters(text))).toBe(true))

  test.each([
    'Delete a message by its ID.',
    'Deletes an email from the trash.',
    'Delete messages older than 30 days.',
    'Delete text after the cursor.',
    'If it gets out of sync, restart the container.',
    'We promised them a fix by Friday.',
    '这个药不能给三岁以下儿童服用。',
    '電気を消して、窓を閉めてから帰ってください。',
    'बॉक्स को खोलिए।',
  ])('nothing is recognized: %s', (text) => expect(asksDiscretion(plainLetters(text))).toBe(false))
})
