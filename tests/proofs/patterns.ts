/**
 * Progress, cancellation, ping, timeouts, rounds, subscriptions, caching: which tests prove which requirement. See
 * `../requirements.ts` for how to add a proof.
 */
import { titles, type Proofs } from './proof.ts'

const lintAnswers = titles('web/lint/wire/answers.test.ts')
const lintDeclared = titles('web/lint/wire/declared.test.ts')
const lintForms = titles('web/lint/wire/forms.test.ts')
const inputRequired = titles('web/mcp/input-required.test.ts')
const protocol = titles('tests/e2e/protocol.spec.ts')
const caching = titles('web/mcp/caching.test.ts')
const deadline = titles('web/mcp/deadline.test.ts')
const duties = titles('web/mcp/duties.test.ts')
const exchange = titles('web/mcp/jsonrpc-exchange.test.ts')
const health = titles('web/features/overview/health-fold.test.ts')
const lintFlow = titles('web/lint/wire/flow.test.ts')
const lintModern = titles('web/lint/wire/modern.test.ts')
const lintSubscriptions = titles('web/lint/wire/subscriptions.test.ts')
const sent = titles('tests/wire-sent.case.ts')
const session = titles('web/mcp/session.test.ts')
const sessionEnds = titles('web/mcp/session-ends.test.ts')
const stateless = titles('web/mcp/stateless.test.ts')
const subscription = titles('web/mcp/subscription.test.ts')
const tasksFollow = titles('web/features/tasks/follow.test.ts')
const toolsFold = titles('web/features/tools/tools-fold.test.ts')
const verdict = titles('web/mcp/schema/verdict.test.ts')
const wire = titles('tests/wire.case.ts')

/** In checklist order. */
export const patterns: Proofs = {
  // 6.1 Progress
  'UT-PROG-01': [
    wire('UT-PROG-01: progress arrives, and belongs to the call that has its token'),
    sent('BP-04, BP-05: no id was used twice'),
  ],
  'UT-PROG-02': [lintFlow('UT-PROG-02: a value that does not grow is told with the one before')],
  'UT-PROG-03': [lintForms('the form of a member is cited by its own row: %s in %s')],
  'UT-PROG-04': [
    lintFlow('UT-PROG-04: an unknown token, one of the other type, and one whose request was answered are told'),
    lintFlow('UT-PROG-04: progress of a request that the client gave up is a race'),
  ],
  'UT-PROG-05': [
    duties('UT-PROG-05: after the answer that made a task of the call still belongs to it'),
    lintFlow('UT-PROG-05: the token of a task lives until the task has ended'),
  ],
  'UT-PROG-07': [
    exchange('progress belongs to the request with its token, and a flood of it stays small'),
    lintFlow('UT-PROG-07: a thousand notifications within a second are a flood, told once'),
  ],
  'UT-PROG-08': [
    sent('BP-01, BP-02, BP-03, BP-10, TR-STDIO-04: all that was sent, but by hand, are messages, each on one line'),
    lintFlow('UT-PROG-08: a call that became a task of the extension has no progress'),
  ],
  // 6.2 Cancellation
  'UT-CANC-01': [
    sessionEnds('UT-CANC-01: does not send what was cancelled meanwhile, nor a cancellation of it'),
    session('UT-CANC-01, UT-CANC-03: a cancelled call says so to the server, and its late answer is shown and ignored'),
    wire('UT-CANC-01, TR-HTTP-09, TR-HTTP-10, TR-STDIO-13: a cancelled call ends here, and the server hears of it'),
    lintFlow('UT-CANC-01: one of its own requests may be cancelled, nothing else'),
  ],
  'UT-CANC-02': [
    stateless('TR-HTTP-10, UT-CANC-02: closes the stream at once and sends nothing'),
    stateless('TR-STDIO-15, UT-CANC-02: there are no headers, and a notification cancels'),
    lintFlow('UT-CANC-02: in 2026-07-28 only a subscription may be ended so'),
  ],
  'UT-CANC-03': [
    session('UT-CANC-01, UT-CANC-03: a cancelled call says so to the server, and its late answer is shown and ignored'),
    exchange('a second answer and a late answer are shown as what they are and change nothing'),
    wire('UT-CANC-03: an answer after the cancellation is shown, and changes nothing'),
    lintAnswers('UT-CANC-03: a response long after the cancellation is reported, one that crossed it is not, in %s'),
  ],
  'UT-CANC-04': [
    duties('UT-CANC-04: that are invalid, or late, change nothing and get no answer'),
    wire('UT-CANC-03: an answer after the cancellation is shown, and changes nothing'),
    sessionEnds('UT-CANC-01: does not send what was cancelled meanwhile, nor a cancellation of it'),
    lintFlow('UT-CANC-04: one that was answered meanwhile is a race'),
  ],
  'UT-CANC-05': [
    wire('UT-CANC-01, TR-HTTP-09, TR-HTTP-10, TR-STDIO-13: a cancelled call ends here, and the server hears of it'),
  ],
  'UT-CANC-06': [
    tasksFollow('TEXT-11: a cancellation is asked for with tasks/cancel alone, and the state is the server’s'),
  ],
  'UT-CANC-07': [session('a handler answers for its method; UT-CANC-07: a question taken back gets no answer')],
  // 6.3 Ping
  'UT-PING-01': [
    session('UT-PING-01, BP-13: ping is answered at once, an unknown method with -32601, each exactly once'),
    session('LC-05: what the server says before its answer is heard and not lost'),
    wire('UT-PING-01: the server’s ping is answered'),
    lintDeclared('a method that a version lacks, or must have, is answered as such: %s in %s'),
  ],
  'UT-PING-02': [
    duties('UT-PING-02: goes on at the chosen interval, never before the answer, until it is turned off'),
    wire('UT-PING-02, UT-PING-04: the server is asked whether it is there, as its era has it'),
    health(
      'a ping is timed by its answer, an error being one; what is asked before a session is open is none (UT-PING-02)',
    ),
  ],
  'UT-PING-04': [
    stateless('UT-PING-04: there is no ping; asking whether it lives is server/discover'),
    wire('UT-PING-02, UT-PING-04: the server is asked whether it is there, as its era has it'),
    lintDeclared('a method that a version lacks, or must have, is answered as such: %s in %s'),
  ],
  // 6.4 Timeouts
  'UT-TIME-01': [deadline('UT-TIME-01: ends when nothing happens within the idle limit')],
  'UT-TIME-02': [
    session('UT-TIME-02: a call that times out is cancelled at the server and told as a timeout, not as an error'),
    wire('UT-TIME-02: a call without a sign of life is given up, and cancelled at the server'),
    stateless('UT-TIME-02: a limit that is over closes the stream too'),
  ],
  'UT-TIME-03': [
    deadline('UT-TIME-03, UT-TIME-04: progress starts the idle clock anew, but the total holds'),
    session('UT-TIME-03, META-16: long calls ask for progress, and progress keeps them alive'),
  ],
  'UT-TIME-04': [
    deadline('UT-TIME-03, UT-TIME-04: progress starts the idle clock anew, but the total holds'),
    wire('UT-TIME-04: progress does not carry a call beyond its total limit'),
  ],
  'UT-TIME-05': [subscription('UT-TIME-05: has no limit of time')],
  // 8.1 Multi round-trip requests
  'MRTR-01': [
    stateless('BP-42, BP-43, MRTR-01: %s is no answer to the call, and the session goes on'),
    verdict('may be input_required on three methods only, and then asks something or has a state'),
    lintModern('MRTR-01: only three methods may ask'),
  ],
  'MRTR-02': [
    inputRequired('MRTR-02, MRTR-04: the official SDK asks twice, and gets what it asked for'),
    wire('BP-13, MRTR-02: the server has its questions to the user answered'),
  ],
  'MRTR-03': [inputRequired('MRTR-03: a state alone is sent back after a pause')],
  'MRTR-04': [
    inputRequired('MRTR-04, MRTR-05, MRTR-06, MRTR-10: %s is sent again exactly, with a new id'),
    inputRequired('MRTR-02, MRTR-04: the official SDK asks twice, and gets what it asked for'),
  ],
  'MRTR-05': [inputRequired('MRTR-04, MRTR-05, MRTR-06, MRTR-10: %s is sent again exactly, with a new id')],
  'MRTR-06': [
    inputRequired('MRTR-04, MRTR-05, MRTR-06, MRTR-10: %s is sent again exactly, with a new id'),
    inputRequired('MRTR-06: parameters that were written by hand are sent again as they were written'),
    toolsFold('MRTR-06: the rounds of a call are one call, whatever was called between them'),
  ],
  'MRTR-07': [inputRequired('MRTR-07: parallel calls do not share their answers')],
  'MRTR-08': [
    inputRequired('MRTR-08: %s is no answer to the call'),
    lintModern('MRTR-08: something has to be asked, or a state given'),
  ],
  'MRTR-09': [lintModern('MRTR-09: %s'), lintModern('MRTR-09: the pointer names the key, whatever it is')],
  'MRTR-10': [
    inputRequired('MRTR-04, MRTR-05, MRTR-06, MRTR-10: %s is sent again exactly, with a new id'),
    inputRequired('MRTR-10: what nothing answers abandons the call, and says which question'),
  ],
  'MRTR-11': [
    inputRequired('MRTR-11: a server that never has enough is left alone, and said so'),
    inputRequired('MRTR-11: the call can be cancelled while a question waits for its answer'),
  ],
  'MRTR-12': [caching('MRTR-12: what came of answered questions is kept by nobody')],
  'MRTR-13': [
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
  ],
  // 8.2 subscriptions/listen
  'SUB-01': [
    subscription('SUB-01, SUB-03: what was asked for arrives, and what was granted is known'),
    wire('SUB-01, SF-TOOL-21: that the list of tools changed is heard of'),
  ],
  'SUB-02': [
    lintSubscriptions('SUB-02, SUB-04, SUB-08: one that is well is told nothing of'),
    lintSubscriptions('SUB-02: the acknowledgement comes first'),
  ],
  'SUB-03': [
    subscription('SUB-01, SUB-03: what was asked for arrives, and what was granted is known'),
    health(
      'a subscription is followed from what was asked to what was granted, heard and how it ended (SUB-03, SUB-06, SUB-08)',
    ),
    lintSubscriptions('SUB-03: what was not asked for is not granted'),
    lintSubscriptions('SUB-03: of a list, no more is granted than was asked for'),
    lintForms('the form of a member is cited by its own row: %s in %s'),
  ],
  'SUB-04': [
    lintSubscriptions('SUB-02, SUB-04, SUB-08: one that is well is told nothing of'),
    lintSubscriptions('SUB-04: what was not asked for is not sent'),
  ],
  'SUB-05': [
    subscription('SUB-05, SUB-06, SUB-11: several at once are told apart by the ids of their requests'),
    wire('SUB-05, SUB-11, TR-STDIO-12: that a resource changed is heard of by who asked for it'),
    lintSubscriptions('SUB-05: the id is that of the request, type included'),
  ],
  'SUB-06': [subscription('SUB-05, SUB-06, SUB-11: several at once are told apart by the ids of their requests')],
  'SUB-07': [subscription('SUB-07: closing it closes its stream, and nothing more is heard')],
  'SUB-08': [
    subscription('SUB-08: %s is an end, and is not asked again'),
    lintSubscriptions('SUB-02, SUB-04, SUB-08: one that is well is told nothing of'),
    lintSubscriptions('SUB-08: the result that ends it names it'),
    lintSubscriptions(
      'SUB-08: a stream that the server closes without a result is told, one that broke or was left is not',
    ),
  ],
  'SUB-09': [subscription('SUB-09: %s is asked for again, with growing pauses, and the gap is told')],
  'SUB-10': [lintSubscriptions('SUB-10, SF-LOG-04: progress and log messages do not come on it')],
  'SUB-11': [
    subscription('SUB-05, SUB-06, SUB-11: several at once are told apart by the ids of their requests'),
    wire('SUB-05, SUB-11, TR-STDIO-12: that a resource changed is heard of by who asked for it'),
  ],
  // 8.3 Caching
  'CACHE-01': [lintModern('CACHE-01: %s')],
  'CACHE-02': [
    caching('CACHE-02: %j is fresh for as long as %j'),
    protocol('how long a client might keep a list is shown, and why not at all (CACHE-02, CACHE-03)'),
  ],
  'CACHE-03': [caching('CACHE-03, CACHE-05: each answer has its clock, by method and by what decides it')],
  'CACHE-04': [caching('CACHE-04: nothing is asked again because it grew old')],
  'CACHE-05': [caching('CACHE-03, CACHE-05: each answer has its clock, by method and by what decides it')],
  'CACHE-06': [caching('CACHE-06: what is private does not outlive its connection')],
  'CACHE-07': [caching('CACHE-07: a change that is told makes an answer stale at once')],
  'CACHE-08': [caching('CACHE-03, CACHE-05: each answer has its clock, by method and by what decides it')],
  'CACHE-09': [lintModern('CACHE-09: the pages of one list have one scope; other lists have their own')],
  'CACHE-10': [lintModern('CACHE-10: a result that asks has no hints')],
}
