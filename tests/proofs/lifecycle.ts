/**
 * Lifecycle and protocol versions: which tests prove which requirement. See `../requirements.ts` for how to add a
 * proof.
 */
import { titles, type Proofs } from './proof.ts'

const lintAnswers = titles('web/lint/wire/answers.test.ts')
const lintDeclared = titles('web/lint/wire/declared.test.ts')
const lintForms = titles('web/lint/wire/forms.test.ts')
const detection = titles('web/mcp/eras/detection.test.ts')
const duties = titles('web/mcp/duties.test.ts')
const health = titles('web/features/overview/health-fold.test.ts')
const hostile = titles('web/mcp/transports/hostile-http.test.ts')
const httpSse = titles('web/mcp/transports/http-sse.test.ts')
const lintFlow = titles('web/lint/wire/flow.test.ts')
const lintModern = titles('web/lint/wire/modern.test.ts')
const official = titles('web/mcp/schema/official.node.test.ts')
const overview = titles('web/features/overview/overview.test.ts')
const real = titles('web/mcp/real-servers.test.ts')
const sent = titles('tests/wire-sent.case.ts')
const serverName = titles('web/app/server/server-name.test.ts')
const session = titles('web/mcp/session.test.ts')
const stateless = titles('web/mcp/stateless.test.ts')
const taskGate = titles('web/features/tools/task-gate.test.ts')
const toolsList = titles('web/features/lists/list-pages.test.ts')
const verdict = titles('web/mcp/schema/verdict.test.ts')
const wire = titles('tests/wire.case.ts')

/** In checklist order. */
export const lifecycle: Proofs = {
  // 2.1 Initialize era (2024-11-05 … 2025-11-25)
  'LC-01': [session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized')],
  'LC-02': [session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized')],
  'LC-03': [session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized')],
  'LC-04': [
    session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized'),
    session('can be stopped while the server keeps silent, and LC-13: initialize is not cancelled'),
  ],
  'LC-05': [
    session('LC-05: what the server says before its answer is heard and not lost'),
    lintFlow('LC-05: before initialized the server may ping and log, and nothing else'),
  ],
  'LC-06': [session('LC-06: a server that answers %s is left, with both revisions named')],
  'LC-07': [
    session('LC-07: a server that answers %s is spoken to in %s'),
    wire('LC-07, VN-04: ends by itself in the newest revision that both sides speak'),
    real('$what is inspected at $revision: LC-07, VN-04, TR-SSE-05'),
    lintFlow('LC-07: %s as the outcome is told'),
    lintFlow('LC-07: %s as the outcome is well'),
    lintFlow('LC-07: a refusal that lists what was offered contradicts itself'),
  ],
  'LC-08': [session('LC-08: a refusal that names what is supported is answered with the newest of these')],
  'LC-09': [
    toolsList('a server that does not offer tools is not asked until the user asks, and changes are still followed'),
    lintFlow('LC-09: what was not declared is not used, as strongly as the revision has it'),
    lintFlow('LC-09: methods of another revision, of clients, and of none are told with where they exist'),
    lintFlow('SF-LOG-01, LC-09: notifications of what the server did not declare are told'),
  ],
  'LC-10': [wire('VN-32, LC-10: opens in the pinned revision, says what it can do in that one, and closes again')],
  'LC-12': [
    overview(
      "capabilities are told apart: known, of another revision, a client's, unknown, malformed; none is dropped",
    ),
  ],
  'LC-13': [session('can be stopped while the server keeps silent, and LC-13: initialize is not cancelled')],
  'LC-14': [
    serverName('LC-14: a server calls itself by its title, else by its name'),
    official('a key is known exactly where the official schema names it'),
    lintForms('LC-14: names itself in the form of %s'),
  ],
  'LC-15': [
    wire('LC-15, TR-HTTP-27, VN-08: the end is clean: no call is left, no timer, no session, no process'),
    httpSse('LC-15: closing it is all there is to closing'),
  ],
  'LC-16': [
    hostile('%s is told as it is'),
    hostile('init-never names the step it waited in, and can be stopped meanwhile'),
  ],
  // 2.2 Stateless era (2026-07-28)
  'VN-01': [
    stateless('TR-HDR-02, TR-HDR-06, TR-HDR-07, TR-HTTP-31: the headers repeat it, and there is no session'),
    stateless('META-10, META-11, META-12, VN-02: revision, client and capabilities, on every request'),
  ],
  'VN-02': [
    stateless('META-10, META-11, META-12, VN-02: revision, client and capabilities, on every request'),
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
  ],
  'VN-03': [detection('VN-23, VN-24: %s ends in %s')],
  'VN-04': [
    wire('LC-07, VN-04: ends by itself in the newest revision that both sides speak'),
    detection('the versions of a server and its answers are kept as evidence'),
    real('$what is inspected at $revision: LC-07, VN-04, TR-SSE-05'),
    lintModern('VN-04: supportedVersions and capabilities are due'),
    lintModern('VN-04: a server that lists older revisions alone is judged by those'),
    lintDeclared('a method that a version lacks, or must have, is answered as such: %s in %s'),
  ],
  'VN-05': [detection('VN-05: a pinned stateless revision needs no server/discover')],
  'VN-06': [
    health('what discovery told is kept beside what was asked, whatever stands there (VN-04, VN-06)'),
    lintForms('the form of a member is cited by its own row: %s in %s'),
  ],
  'VN-07': [
    stateless('BP-42, BP-43, MRTR-01: %s is no answer to the call, and the session goes on'),
    taskGate('at %s with %j a tool that says %s: %s'),
    verdict('of the extension are only known where it was declared'),
    lintFlow('VN-07: in 2026-07-28 a notification that nobody defined is told'),
  ],
  'VN-08': [wire('LC-15, TR-HTTP-27, VN-08: the end is clean: no call is left, no timer, no session, no process')],
  'VN-09': [
    lintAnswers('VN-09: a call changes no list that was said to be fresh, list %#'),
    lintAnswers('VN-09: neither does another request, list %#'),
    lintAnswers('VN-09: a list may change with a notification, and with other credentials'),
  ],
  // 2.3 Choosing the era (dual-era client)
  'VN-20': [
    detection('VN-20, VN-21, VN-22: %s ends in %s'),
    wire('LC-07, VN-04: ends by itself in the newest revision that both sides speak'),
  ],
  'VN-21': [
    detection('VN-20, VN-21, VN-22: %s ends in %s'),
    detection('VN-21: silence means older: the handshake follows on the same process'),
    detection('a probe that is answered late, because the process had to start first, still counts'),
  ],
  'VN-22': [detection('VN-20, VN-21, VN-22: %s ends in %s')],
  'VN-23': [detection('VN-23, VN-24: %s ends in %s')],
  'VN-24': [detection('VN-23, VN-24: %s ends in %s')],
  'VN-25': [
    lintModern('VN-25: a method that the server lacks gives 404'),
    lintAnswers('VN-25: is answered 404 with -32601'),
  ],
  'VN-26': [
    detection('VN-26: a remembered handshake is not probed for'),
    detection('VN-26: it is checked again when it fails'),
  ],
  'VN-27': [
    duties('VN-27, VN-30: serves both eras at once: what the client sends decides, and each session keeps to its own'),
  ],
  'VN-28': [
    wire('VN-32, LC-10: opens in the pinned revision, says what it can do in that one, and closes again'),
    detection('VN-20, VN-21, VN-22: %s ends in %s'),
  ],
  'VN-29': [
    lintDeclared('a method that a version lacks, or must have, is answered as such: %s in %s'),
    lintDeclared('VN-29: an older server that refuses initialize has no versions to name'),
  ],
  'VN-30': [
    duties('VN-27, VN-30: serves both eras at once: what the client sends decides, and each session keeps to its own'),
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
    sent('BP-11, BP-13: each question of the server got one answer, and nothing else did'),
  ],
  'VN-31': [
    detection('VN-31: 401 says nothing about the era: nothing else is sent, and the sign-in comes first'),
    detection('VN-31: nor does silence, and the limit is told'),
    detection('VN-23, VN-24: %s ends in %s'),
  ],
  'VN-32': [
    wire('VN-32, LC-10: opens in the pinned revision, says what it can do in that one, and closes again'),
    detection('VN-32: a pinned revision is spoken without a probe, and nothing else is accepted'),
  ],
}
