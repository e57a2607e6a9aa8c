/**
 * The base protocol: envelope, batches, error codes, results, `_meta`, JSON Schema: which tests prove which
 * requirement. See `../requirements.ts` for how to add a proof.
 */
import { titles, type Proofs } from './proof.ts'

const schemaKeywords = titles('web/forms/schema-keywords.test.ts')
const lintAnswers = titles('web/lint/wire/answers.test.ts')
const duties = titles('web/mcp/duties.test.ts')
const exchange = titles('web/mcp/jsonrpc-exchange.test.ts')
const hostile = titles('web/mcp/transports/hostile-http.test.ts')
const hostileStdio = titles('web/mcp/transports/hostile-stdio.test.ts')
const httpSse = titles('web/mcp/transports/http-sse.test.ts')
const jsonrpc = titles('web/mcp/jsonrpc.test.ts')
const lintContents = titles('web/lint/wire/contents.test.ts')
const lintHttp = titles('web/lint/wire/http.test.ts')
const lintIds = titles('web/lint/wire/ids.test.ts')
const lintModern = titles('web/lint/wire/modern.test.ts')
const lintSubscriptions = titles('web/lint/wire/subscriptions.test.ts')
const methods = titles('web/mcp/schema/methods.test.ts')
const model = titles('web/forms/model.test.ts')
const paramHeaders = titles('web/mcp/eras/param-headers.test.ts')
const proxyLines = titles('proxy/lines.test.ts')
const sent = titles('tests/wire-sent.case.ts')
const session = titles('web/mcp/session.test.ts')
const sessionEnds = titles('web/mcp/session-ends.test.ts')
const sse = titles('web/mcp/transports/sse.test.ts')
const stateless = titles('web/mcp/stateless.test.ts')
const traceContext = titles('web/mcp/eras/trace-context.test.ts')
const validate = titles('web/forms/validate.test.ts')
const timedValidation = titles('web/forms/timed-validation.test.ts')
const verdict = titles('web/mcp/schema/verdict.test.ts')
const wire = titles('tests/wire.case.ts')
const icon = titles('web/features/lists/icon.test.ts')
const hostileIcons = titles('tests/e2e/content.spec.ts')(
  'the overview tells a hostile identity, its icons and its instructions, and copies them as code',
)

/** In checklist order. */
export const base: Proofs = {
  // 1.1 Envelope and ids
  'BP-01': [
    jsonrpc('finds nothing wrong with %s and calls it a %s'),
    jsonrpc('says of %s that it is %s and cites %s'),
    sent('BP-01, BP-02, BP-03, BP-10, TR-STDIO-04: all that was sent, but by hand, are messages, each on one line'),
    wire('BP-01: text by hand, wrong on purpose, is marked as such and does not end the session'),
  ],
  'BP-02': [
    session('answers find their calls in any order, with integer ids that never come back (BP-02, BP-04)'),
    jsonrpc('says of %s that it is %s and cites %s'),
    sent('BP-01, BP-02, BP-03, BP-10, TR-STDIO-04: all that was sent, but by hand, are messages, each on one line'),
    wire('BP-02, BP-06: fifty calls at once get each its own answer, whatever the order'),
    lintIds('BP-02, BP-03, BP-07, BP-09: is told with the keyword and the revision in force'),
  ],
  'BP-03': [
    jsonrpc('says of %s that it is %s and cites %s'),
    sent('BP-01, BP-02, BP-03, BP-10, TR-STDIO-04: all that was sent, but by hand, are messages, each on one line'),
    lintIds('BP-02, BP-03, BP-07, BP-09: is told with the keyword and the revision in force'),
  ],
  'BP-04': [
    session('answers find their calls in any order, with integer ids that never come back (BP-02, BP-04)'),
    hostile('TR-HTTP-26: %s begins a new session, sends the request again, and says so'),
    sessionEnds('BP-04: numbers all it sends anew, both handshakes included'),
    sent('BP-04, BP-05: no id was used twice'),
    lintIds('BP-04: an id that the server uses for two requests of a session is told, with the first'),
    lintIds(
      'BP-04: numbers and texts are different ids, those of the client are its own, and a new session begins anew',
    ),
  ],
  'BP-05': [
    sent('BP-04, BP-05: no id was used twice'),
    lintIds('BP-12, BP-05: no request of the server is allowed, and one whose id is still in flight less so'),
  ],
  'BP-06': [
    hostileStdio('BP-06: answers to ids nobody sent are orphans, and the right ones find their calls'),
    exchange('BP-06: a response belongs to the request with exactly its id'),
    session('UT-PING-01, BP-13: ping is answered at once, an unknown method with -32601, each exactly once'),
    jsonrpc('says of %s that it is %s and cites %s'),
    wire('BP-02, BP-06: fifty calls at once get each its own answer, whatever the order'),
    lintIds('BP-06: an answer to nobody, a second answer and an id of the other type are told'),
    lintAnswers('BP-06: an error that shows that the request was read has its id, in %s'),
    lintIds('BP-06: an answer that comes after the client gave up or cancelled is a race, and nobody’s fault'),
  ],
  'BP-07': [
    jsonrpc('says of %s that it is %s and cites %s'),
    hostile('BP-07: result and error together are told'),
    lintIds('BP-02, BP-03, BP-07, BP-09: is told with the keyword and the revision in force'),
    lintIds('BP-07: what is wrong with a part is told with the pointer to it'),
  ],
  'BP-08': [hostile('BP-08: an error that lost its id is the answer to what was posted')],
  'BP-09': [
    jsonrpc('says of %s that it is %s and cites %s'),
    lintIds('BP-02, BP-03, BP-07, BP-09: is told with the keyword and the revision in force'),
  ],
  'BP-10': [
    sent('BP-01, BP-02, BP-03, BP-10, TR-STDIO-04: all that was sent, but by hand, are messages, each on one line'),
    lintHttp('TR-HTTP-04, BP-10: an answer to a notification is told as both'),
    lintIds('BP-10: a notification with an id is told'),
  ],
  'BP-11': [
    stateless('BP-11, BP-12: a request of the server gets no answer, and the call goes on'),
    sent('BP-11, BP-13: each question of the server got one answer, and nothing else did'),
  ],
  'BP-12': [
    methods('that servers ask with becomes a question inside a result with 2026-07-28 (BP-12)'),
    verdict('since 2026-07-28 clients answer nothing and servers ask nothing'),
    lintIds('BP-12: a request of the server is well before 2026-07-28'),
    lintIds('BP-12, BP-05: no request of the server is allowed, and one whose id is still in flight less so'),
  ],
  'BP-13': [
    session('UT-PING-01, BP-13: ping is answered at once, an unknown method with -32601, each exactly once'),
    hostile('TR-HTTP-06, BP-13: questions inside the answer’s stream are answered on their own POSTs'),
    hostileStdio('BP-13: fifteen questions at once get one answer each'),
    sent('BP-11, BP-13: each question of the server got one answer, and nothing else did'),
    wire('BP-13, MRTR-02: the server has its questions to the user answered'),
    httpSse('BP-13: the server’s questions on the stream get answers on their own POSTs'),
  ],
  'BP-14': [
    hostileStdio('BP-14: a byte order mark is told off, and it and CRLF are understood'),
    hostileStdio('BP-14: characters split between writes arrive whole'),
    sse('BP-14: bytes that are no UTF-8 are noticed; a U+FFFD of the server’s own is not'),
    hostile('BP-14: bytes that are no UTF-8 in %s are noticed; a U+FFFD of the server’s own is not'),
    proxyLines('whatever the bytes are, as many lines come out as went in, and the bad ones say so'),
    wire('BP-14: a call brings back what was sent, character for character'),
    lintHttp('BP-14: noise that is no UTF-8 is told as that too'),
  ],
  // 1.2 Batching (2025-03-26 only)
  'BP-20': [
    hostile('%s is understood all the same'),
    wire('BP-20: answers in JSON arrays find their calls'),
    verdict('of a batch is judged message by message, in 2025-03-26 alone'),
    lintIds('BP-20: 2025-03-26 has them, and each part finds its request'),
  ],
  'BP-21': [wire('BP-21, BP-22, BP-23: requests of one batch are sent together, and each gets its answer')],
  'BP-22': [
    wire('BP-21, BP-22, BP-23: requests of one batch are sent together, and each gets its answer'),
    lintIds('BP-22, BP-23: what a client may post in a batch is no rule for what a server sends'),
  ],
  'BP-23': [
    wire('BP-21, BP-22, BP-23: requests of one batch are sent together, and each gets its answer'),
    lintIds('BP-22, BP-23: what a client may post in a batch is no rule for what a server sends'),
  ],
  'BP-24': [
    lintIds('BP-24: an answer that ends with requests of the batch unanswered is told, k of n'),
    lintIds('BP-24: a batch answered as JSON is judged by the message, which comes after the end of its body'),
  ],
  'BP-25': [
    wire('BP-25: a batch is not sent where there is none'),
    verdict('of a batch is judged message by message, in 2025-03-26 alone'),
  ],
  // 1.3 Error codes
  'BP-30': [
    wire('BP-30: a method that does not exist is refused with -32601'),
    methods('%d in %s is %s (BP-30, BP-31, BP-32, BP-35)'),
    lintAnswers('BP-30, BP-35, SF-TOOL-19: a code has its meaning: %s in %s'),
  ],
  'BP-31': [
    methods('%d in %s is %s (BP-30, BP-31, BP-32, BP-35)'),
    methods('between -32000 and -32019 gets no guessed meaning since 2026-07-28'),
  ],
  'BP-32': [
    methods('%d in %s is %s (BP-30, BP-31, BP-32, BP-35)'),
    lintModern('BP-32: a reserved code that nobody defined is told'),
  ],
  'BP-33': [
    stateless('BP-33: what capability is missing is the server’s word, and comes whole'),
    lintModern('BP-33, TR-HDR-03: the three codes of the revision come with their data and with HTTP 400'),
  ],
  'BP-34': [lintModern('BP-34: -32042 lists what to open, in 2025-11-25')],
  'BP-35': [
    methods('%d in %s is %s (BP-30, BP-31, BP-32, BP-35)'),
    methods('for a missing resource is told in each revision'),
    lintModern('BP-35: the code of a missing resource is that of the revision'),
    lintAnswers('BP-30, BP-35, SF-TOOL-19: a code has its meaning: %s in %s'),
  ],
  'BP-36': [methods('%d in %s is %s (BP-30, BP-31, BP-32, BP-35)')],
  'BP-37': [
    session('the peer’s error rejects with its code, message and data; a local fault never looks like one (BP-37)'),
  ],
  'BP-38': [
    duties('BP-38: has a code of JSON-RPC, whatever the handler that failed threw'),
    lintModern('BP-38: an application’s code stays out of the range of JSON-RPC'),
  ],
  // 1.4 resultType
  'BP-40': [lintModern('BP-40: every result has one')],
  'BP-41': [
    stateless('BP-41: one without resultType is complete'),
    verdict('has to be said since 2026-07-28, and counts as complete where it is not'),
  ],
  'BP-42': [
    stateless('BP-42, BP-43, MRTR-01: %s is no answer to the call, and the session goes on'),
    verdict('is one that core or a declared extension defines'),
    lintModern('BP-42, BP-43: one that nobody defined, and one of an extension that was not declared, are told'),
  ],
  'BP-43': [
    stateless('BP-42, BP-43, MRTR-01: %s is no answer to the call, and the session goes on'),
    stateless('BP-43: a task is a result once the extension is declared'),
    verdict('is one that core or a declared extension defines'),
    lintModern('BP-42, BP-43: one that nobody defined, and one of an extension that was not declared, are told'),
  ],
  // 1.5 _meta
  'META-01': [
    duties('META-01, META-06: whatever stands in its _meta comes whole, and changes nothing'),
    verdict('is no news in _meta, experimental capabilities, arguments, structured content and schemas'),
  ],
  'META-02': [
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
    lintContents('META-02, META-05: the grammar of %s'),
  ],
  'META-03': [
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
    lintContents('META-03, META-04: which prefixes are reserved changed with 2025-11-25'),
    lintAnswers('CF-URL-05, META-03: ids and keys: %s in %s'),
  ],
  'META-04': [
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
    lintContents('META-03, META-04: which prefixes are reserved changed with 2025-11-25'),
  ],
  'META-05': [
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
    lintContents('META-02, META-05: the grammar of %s'),
    lintContents('META-05: the keys of each item of a list are looked at, and the pointer names them'),
  ],
  'META-06': [duties('META-01, META-06: whatever stands in its _meta comes whole, and changes nothing')],
  'META-07': [
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
  ],
  'META-10': [
    stateless('META-10, META-11, META-12, VN-02: revision, client and capabilities, on every request'),
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
    lintAnswers('META-10: without the keys in _meta, it is refused'),
  ],
  'META-11': [
    stateless('META-10, META-11, META-12, VN-02: revision, client and capabilities, on every request'),
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
  ],
  'META-12': [
    stateless('META-10, META-11, META-12, VN-02: revision, client and capabilities, on every request'),
    wire('SF-PAGE-01, META-12: all pages of a list are had with the cursors as they came'),
  ],
  'META-13': [lintModern('META-13: results name the server, told once')],
  'META-14': [duties('META-14: changes nothing in what it is sent')],
  'META-15': [
    stateless('META-15: on request each has a trace context of its own, and one that was written stays'),
    traceContext('META-15: a traceparent is one by the W3C grammar, never all zeros, and never the same twice'),
    lintContents('META-15: trace context is written as the W3C has it'),
  ],
  'META-16': [session('UT-TIME-03, META-16: long calls ask for progress, and progress keeps them alive')],
  'META-17': [lintSubscriptions('META-17: every notification names its subscription')],
  // 1.6 JSON Schema usage
  'JS-01': [validate('are those of $schema, 2020-12 without one')],
  'JS-02': [validate('that cannot be checked are named, not passed over')],
  'JS-04': [lintContents('JS-04: inputSchema is an object'), schemaKeywords('JS-04: %s in %j')],
  'JS-05': [validate('make the schema unusable, never permissive, and nothing is fetched')],
  'JS-07': [
    validate('make the schema unusable, never permissive, and nothing is fetched'),
    validate('do not hide what is wrong elsewhere'),
  ],
  'JS-08': [
    validate('any JSON whatsoever gets a verdict'),
    timedValidation('%s'),
    timedValidation('patterns that backtrack for years are noted, and all else is checked'),
    model('a schema of many wide objects stops growing'),
    paramHeaders('JS-08: whatever a schema is, reading it ends and throws nothing'),
  ],
  'JS-09': [
    validate('what was left out of the check is noted'),
    model('any JSON whatsoever in place of a schema gives a form, never an exception'),
    model('that lead nowhere, elsewhere or in circles leave a JSON field for that part alone'),
  ],
  // 1.7 Icons: an icon that isn't embedded in the message is never fetched, from any origin.
  'ICON-01': [icon('that came along is drawn: %s (ICON-01)')],
  'ICON-02': [icon('that is %s is not, and says why (ICON-02, ICON-03, ICON-04)'), hostileIcons],
  'ICON-03': [icon('that is %s is not, and says why (ICON-02, ICON-03, ICON-04)'), hostileIcons],
  'ICON-04': [
    icon('that is %s is not, and says why (ICON-02, ICON-03, ICON-04)'),
    icon('whatever stands there, nothing throws, and nothing but a data: URL of a picture is drawn'),
  ],
  'ICON-05': [
    icon('whatever stands there, nothing throws, and nothing but a data: URL of a picture is drawn'),
    hostileIcons,
  ],
  'ICON-06': [
    icon('by size: the smallest that is large enough, else the largest'),
    icon('by theme, before the size; one without a theme suits both'),
    lintAnswers('ICON-06: a size is WxH or any, in %s'),
  ],
}
