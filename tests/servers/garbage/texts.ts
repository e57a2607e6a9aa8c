/** Texts that aren't messages, or barely are. */
import { answer, one, rpc, resultFor, utf8, withBytes, type GarbageKinds } from './kind.ts'

const DEEP = 10_000

/** A response whose result contains this JSON in a member. */
const holding = (id: unknown, json: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"deep":${json}}}`

export const texts = {
  empty: one('Nothing at all', 'BP-01', () => ''),
  spaces: one('Spaces and tabs', 'BP-01', () => ' \t  '),
  words: one('Words', 'BP-01', () => 'Hello! How can I help you today?'),
  'log-line': one('A coloured line of a log', 'BP-01', () => '\u001b[32m[info]\u001b[0m listening {'),
  'log-json': one('A line of a log in JSON', 'BP-01', () => '{"level":30,"time":1760000000000,"msg":"request"}'),
  'half-json': one('An answer that breaks off', 'BP-01', (asked) => answer(asked).slice(0, -10)),
  'escape-cut': one(
    'A long string that ends inside an escape',
    'BP-01',
    ({ id }) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"text":"${'long '.repeat(60_000)}\\u00`,
  ),
  'json-and-more': one('An answer, and more behind it', 'BP-01', (asked) => `${answer(asked)} trailing`),
  'two-in-one': one('Two messages in one text', 'TR-STDIO-02', (asked) => answer(asked) + answer(asked)),
  'trailing-comma': one('A comma too many', 'BP-01', (asked) => answer(asked).replace(/\}$/, ',}')),
  'single-quotes': one('Quotes of another language', 'BP-01', (asked) => answer(asked).replaceAll('"', "'")),
  'js-values': one(
    'undefined and NaN',
    'BP-01',
    ({ id }) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":NaN}`,
  ),
  'nul-bytes': one('NUL before, inside and after', 'BP-01', (asked) => `\0${answer(asked).replace('{', '{\0')}\0`),
  'nul-in-string': one('NUL inside a string', 'BP-01', (asked) => answer(asked).replace('2.0', '2.0\0')),
  bom: one('A byte order mark before the answer', 'BP-14', (asked) => `\uFEFF${answer(asked)}`),
  'crlf-inside': one('CRLF between the tokens', 'TR-STDIO-02', (asked) => answer(asked).replaceAll(',"', ',\r\n"')),
  'cr-inside': one('CR between the tokens', 'TR-STDIO-02', (asked) => answer(asked).replaceAll(',"', ',\r"')),
  'line-separators': one('U+2028 and U+2029 inside a string, which is well', 'BP-14', ({ id }) =>
    rpc({ id, result: { ...resultFor('tools/call'), note: 'a\u2028b\u2029c' } }),
  ),
  'invalid-utf8': one('A byte that is no UTF-8 inside a string', 'BP-14', ({ id }) =>
    withBytes(rpc({ id, result: { ...resultFor('tools/call'), note: 'a~b' } }), 0xff),
  ),
  'overlong-utf8': one('A slash in two bytes', 'BP-14', ({ id }) =>
    withBytes(rpc({ id, result: { ...resultFor('tools/call'), note: '~' } }), 0xc0, 0xaf),
  ),
  'latin1-bytes': one('Latin-1', 'BP-14', ({ id }) =>
    withBytes(rpc({ id, result: { ...resultFor('tools/call'), note: 'Gr~e' } }), 0xfc, 0xdf),
  ),
  utf16: one('UTF-16, with its byte order mark', 'BP-14', (asked) =>
    Uint8Array.from([0xff, 0xfe, ...[...answer(asked)].flatMap((each) => [each.charCodeAt(0) & 0xff, 0])]),
  ),
  'lone-surrogate': one('Half of a character, escaped', 'BP-14', (asked) =>
    answer(asked).replace('"result":{', '"result":{"note":"\\ud800",'),
  ),
  binary: one('All 256 bytes but those that end a line', 'BP-14', () =>
    Uint8Array.from(Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 10 && byte !== 13)),
  ),
  'duplicate-keys': one('Two ids and two results, the last ones other', 'BP-01', (asked) =>
    answer(asked).replace(/\}$/, ',"id":"second","result":{"second":true}}'),
  ),
  'proto-keys': one('__proto__ and constructor as keys everywhere', 'BP-01', ({ id }) =>
    [
      '{"jsonrpc":"2.0","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"id":',
      JSON.stringify(id),
      ',"result":{"__proto__":{"polluted":true},"content":[{"type":"text","text":"","__proto__":{"polluted":true}}],',
      '"_meta":{"__proto__":{"polluted":true}}}}',
    ].join(''),
  ),
  'deep-arrays': one('10,000 arrays in each other', 'BP-01', ({ id }) =>
    holding(id, '['.repeat(DEEP) + ']'.repeat(DEEP)),
  ),
  'deep-objects': one('10,000 objects in each other', 'BP-01', ({ id }) =>
    holding(id, '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP)),
  ),
  'deep-open': one('100,000 arrays that never end', 'BP-01', () => '['.repeat(100_000)),
  'huge-number': one('1e400, and 400 digits', 'BP-01', ({ id }) => holding(id, `[1e400,${'9'.repeat(400)}]`)),
  'huge-string': one('A string of a million characters', 'BP-01', ({ id }) =>
    holding(id, `"${'ü'.repeat(1_000_000)}"`),
  ),
  'many-keys': one('100,000 keys', 'BP-01', ({ id }) =>
    holding(id, `{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":0`).join()}}`),
  ),
  'sse-inside': one('A text that looks like an event', 'BP-01', () => utf8('data: {"jsonrpc":"2.0"}')),
} as const satisfies GarbageKinds
