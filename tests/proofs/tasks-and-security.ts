/**
 * Tasks, security, and browser consequences: which tests prove which requirement. See `../requirements.ts` for how to
 * add a proof.
 */
import { titles, type Proofs } from './proof.ts'

const lintAnswers = titles('web/lint/wire/answers.test.ts')
const lintDeclared = titles('web/lint/wire/declared.test.ts')
const lintInvalid = titles('web/lint/wire/invalid-params.test.ts')
const lintForms = titles('web/lint/wire/forms.test.ts')
const content = titles('web/content/content.test.ts')
const detection = titles('web/mcp/eras/detection.test.ts')
const headers = titles('web/mcp/eras/standard-headers.test.ts')
const hostile = titles('web/mcp/transports/hostile-http.test.ts')
const hosted = titles('web/mcp/hosted-tasks.test.ts')
const hostedFold = titles('web/features/tasks/hosted-fold.test.ts')
const hostedBySdk = titles('web/mcp/hosted-tasks.node.test.ts')
const injection = titles('web/lint/wire/injection.test.ts')
const jsonrpc = titles('web/mcp/jsonrpc.test.ts')
const jsonText = titles('web/mcp/json-text.test.ts')
const lintContents = titles('web/lint/wire/contents.test.ts')
const proxyApp = titles('proxy/app.test.ts')
const session = titles('web/mcp/session.test.ts')
const stateless = titles('web/mcp/stateless.test.ts')
const tasksFold = titles('web/features/tasks/tasks-fold.test.ts')
const tasksFollow = titles('web/features/tasks/follow.test.ts')

/** In checklist order. */
export const tasksAndSecurity: Proofs = {
  // 9.1 Experimental tasks (2025-11-25 core)
  'TASK-01': [
    lintAnswers('TASK-01, TASK-03, TASK-04: a call becomes a task where both sides may: %s in %s'),
    lintDeclared('what the server did not declare is neither sent nor answered: %s in %s'),
    lintDeclared('TASK-01: of tasks, each method that was declared is served'),
    hosted('TASK-01: tasks.list and tasks.cancel are served only where they are declared'),
  ],
  'TASK-02': [
    lintDeclared(
      'CF-ELIC-01, CF-SAMP-08, TASK-02: what the client declared without a part is asked without it: %s in %s',
    ),
    lintDeclared('TASK-02, CF-SAMP-08, CF-ELIC-01: declared in full, all of it may be asked'),
  ],
  'TASK-03': [lintAnswers('TASK-01, TASK-03, TASK-04: a call becomes a task where both sides may: %s in %s')],
  'TASK-04': [
    tasksFollow(
      'TASK-04, TASK-08: the reference server’s research runs as a task, and its result is fetched once when it is over',
    ),
    lintForms('TASK-04, TASK-05, TASK-09, TASK-15: the form of a task is cited by the row of its member: %s in %s'),
    lintAnswers('TASK-01, TASK-03, TASK-04: a call becomes a task where both sides may: %s in %s'),
    hosted('TASK-13, TASK-04, TASK-09: gets a working task at once, with an id, times and the granted time to live'),
  ],
  'TASK-05': [
    tasksFollow(
      'TASK-04, TASK-08: the reference server’s research runs as a task, and its result is fetched once when it is over',
    ),
    lintForms('TASK-04, TASK-05, TASK-09, TASK-15: the form of a task is cited by the row of its member: %s in %s'),
  ],
  'TASK-07': [
    tasksFold('TASK-07, TASK-09, TASK-11: what breaks the rules of tasks is reported once, with the rule'),
    lintContents('TASK-07: the result of a task names it'),
    hosted('TASK-13, TASK-08: tasks/result waits for the response, and returns it with the name of the task'),
  ],
  'TASK-08': [
    tasksFollow(
      'TASK-04, TASK-08: the reference server’s research runs as a task, and its result is fetched once when it is over',
    ),
    hosted('TASK-13, TASK-08: tasks/result waits for the response, and returns it with the name of the task'),
    hosted('TASK-08: a handler’s error fails the task, and tasks/result returns the same error'),
    hostedBySdk('TASK-08, TASK-11, TASK-12: it lists and cancels them, and gets the error of a task that failed'),
  ],
  'TASK-09': [
    tasksFold('TASK-07, TASK-09, TASK-11: what breaks the rules of tasks is reported once, with the rule'),
    lintContents('TASK-09: a task begins as working, moves freely, and stays as it ended'),
    lintContents('TASK-09: what is older than what is known came late, and proves nothing'),
    lintForms('TASK-04, TASK-05, TASK-09, TASK-15: the form of a task is cited by the row of its member: %s in %s'),
    hosted('TASK-13, TASK-04, TASK-09: gets a working task at once, with an id, times and the granted time to live'),
  ],
  'TASK-10': [tasksFold('TASK-10: a tool’s own failure fails the task, told when the result comes %s the state')],
  'TASK-11': [
    tasksFold('TASK-07, TASK-09, TASK-11: what breaks the rules of tasks is reported once, with the rule'),
    lintInvalid('TASK-11: a task that has ended can’t be cancelled any more'),
    hosted('TASK-11: ends the task and its handler; a late response changes nothing'),
    hosted('TASK-11: of a task that has ended, or that does not exist, is refused with -32602'),
  ],
  'TASK-12': [
    tasksFold('TASK-12: a list is read page by page, and one bad entry spoils nothing'),
    lintDeclared('what the server did not declare is neither sent nor answered: %s in %s'),
    hosted('TASK-12: has all tasks in order, page by page, though some expire meanwhile'),
    hosted('TASK-12: refuses a cursor that it did not issue'),
  ],
  'TASK-13': [
    hosted('TASK-13, TASK-04, TASK-09: gets a working task at once, with an id, times and the granted time to live'),
    hosted('TASK-13, TASK-08: tasks/result waits for the response, and returns it with the name of the task'),
    hosted('TASK-13, TASK-14: counts as it was declared to this server, at 2025-11-25 only'),
    hostedBySdk(
      'TASK-13, TASK-08: a server on the SDK runs sampling and elicitation as tasks of this client, and gets their results',
    ),
    hostedFold('TASK-13, TASK-16: %s polls this client, and its request has one place with one response'),
  ],
  'TASK-14': [
    hosted('TASK-14: without it, the member "task" is ignored, and the methods of tasks are unknown'),
    hosted('TASK-13, TASK-14: counts as it was declared to this server, at 2025-11-25 only'),
  ],
  'TASK-15': [
    lintForms('TASK-04, TASK-05, TASK-09, TASK-15: the form of a task is cited by the row of its member: %s in %s'),
    hosted('TASK-15: %j becomes %j ms'),
    hosted('TASK-15: after it, an unfinished task is cancelled and its user need not respond; both kinds are unknown'),
  ],
  'TASK-16': [hostedFold('TASK-13, TASK-16: %s polls this client, and its request has one place with one response')],
  // 9.2 Tasks extension (io.modelcontextprotocol/tasks, with 2026-07-28)
  'TEXT-02': [
    tasksFollow(
      'TEXT-02, TEXT-05: a task of the extension is polled as its changing interval says, no faster than the floor, and ends',
    ),
  ],
  'TEXT-04': [lintAnswers('TEXT-04: without the extension in the request, its methods are refused: %s in %s')],
  'TEXT-06': [
    tasksFollow('TEXT-06: a task that goes on is followed again after a reload, and forgotten once it is over'),
  ],
  'TEXT-05': [
    tasksFollow(
      'TEXT-02, TEXT-05: a task of the extension is polled as its changing interval says, no faster than the floor, and ends',
    ),
  ],
  'TEXT-07': [
    tasksFollow(
      'TEXT-07, TEXT-08: two questions are two, whatever the number of polls; each is answered once by hand, in any order',
    ),
  ],
  'TEXT-08': [
    tasksFollow(
      'TEXT-07, TEXT-08: two questions are two, whatever the number of polls; each is answered once by hand, in any order',
    ),
  ],
  'TEXT-09': [tasksFollow('TEXT-09: a handler that answers such questions elsewhere answers them here, once')],
  'TEXT-10': [
    tasksFollow('TEXT-10: a tool’s own failure completes the task; an error of the protocol fails it'),
    lintContents('TEXT-10: completed has a result, failed an error, and nothing else has one'),
  ],
  'TEXT-11': [
    tasksFollow('TEXT-11: a cancellation is asked for with tasks/cancel alone, and the state is the server’s'),
  ],
  'TEXT-12': [lintContents('TEXT-12: the methods of tasks answer complete')],
  'TEXT-13': [
    tasksFollow('TEXT-13: a server that pushes is listened to, and polled far less'),
    lintAnswers('TEXT-13: carries the full task'),
  ],
  'TEXT-14': [tasksFold('TEXT-14: names of the other form are told, and not taken for its own')],
  'TEXT-15': [tasksFollow('TEXT-15: a task that the server forgot is no longer asked for')],
  // 9.3 MCP Apps (io.modelcontextprotocol/ui, 2026-01-26)
  'APPS-02': [
    lintAnswers('APPS-02: a tool links to a page of its own: %s in %s'),
    lintAnswers('APPS-02: without the extension, the members are someone else’s'),
  ],
  // 10. Security duties of the client, host and bridge
  'SEC-03': [content('no JSON value makes it throw'), content('only http, https and mailto lead anywhere')],
  'SEC-05': [proxyApp('and everything else is served under the strict policy, refusals too')],
  'SEC-08': [proxyApp('wants the token on %s %s')],
  'SEC-09': [
    proxyApp('refuses a foreign Host and a foreign Origin on %s %s'),
    lintAnswers('SEC-09: a foreign Origin is refused, in %s'),
  ],
  'SEC-15': [hostile('TR-HTTP-30, SEC-15: secrets never reach the trace')],
  // 11. Browser consequences (derived, not spec text)
  'BR-05': [
    detection(
      'BR-05: a preflight that refuses the new headers is no verdict; the handshake is tried, and the page says why',
    ),
  ],
  'BR-11': [headers('TR-HDR-08, TR-HDR-09, BR-11: whatever the text is, it comes back as it was')],
  'BR-12': [
    session('numbers beyond 2^53 go out as they were written'),
    jsonText('BR-12: what is not replaced stands as it was written'),
    stateless('BR-12: arguments beyond 2^53 go out as they were written, beside what the era adds'),
  ],
  'BR-13': [jsonrpc('keeps the parsed value as it was, unknown keys and all')],
  // 12. Advice (not spec text)
  'ADV-01': [injection('an order to the model is advice, never a violation, with its place')],
  'ADV-02': [injection('hidden characters are counted, and shown as numbers')],
}
