/**
 * stdio, Streamable HTTP, HTTP+SSE: which tests prove which requirement. See `../requirements.ts` for how to add a
 * proof.
 */
import { titles, type Proofs } from './proof.ts'

const lintAnswers = titles('web/lint/wire/answers.test.ts')
const headerGate = titles('web/features/tools/header-gate.test.ts')
const protocol = titles('tests/e2e/protocol.spec.ts')
const chunking = titles('web/mcp/transports/chunking.test.ts')
const detection = titles('web/mcp/eras/detection.test.ts')
const duties = titles('web/mcp/duties.test.ts')
const failure = titles('web/app/failures/failure.test.ts')
const headers = titles('web/mcp/eras/standard-headers.test.ts')
const hostile = titles('web/mcp/transports/hostile-http.test.ts')
const hostileStdio = titles('web/mcp/transports/hostile-stdio.test.ts')
const http = titles('web/mcp/transports/streamable-http.test.ts')
const httpSse = titles('web/mcp/transports/http-sse.test.ts')
const lintContents = titles('web/lint/wire/contents.test.ts')
const lintHttp = titles('web/lint/wire/http.test.ts')
const lintModern = titles('web/lint/wire/modern.test.ts')
const paramHeaders = titles('web/mcp/eras/param-headers.test.ts')
const proxyEnvironment = titles('proxy/environment.test.ts')
const proxyLines = titles('proxy/lines.test.ts')
const proxyStdio = titles('proxy/stdio-child.test.ts')
const real = titles('web/mcp/real-servers.test.ts')
const sent = titles('tests/wire-sent.case.ts')
const settings = titles('web/app/connect/settings.test.ts')
const sse = titles('web/mcp/transports/sse.test.ts')
const stateless = titles('web/mcp/stateless.test.ts')
const stdio = titles('web/mcp/transports/stdio-bridge.test.ts')
const subscription = titles('web/mcp/subscription.test.ts')
const wire = titles('tests/wire.case.ts')

/** In checklist order. */
export const transports: Proofs = {
  // 3.1 stdio (through the Hono bridge)
  'TR-STDIO-01': [stdio('TR-STDIO-01: a real server starts, lists its tools, answers, and ends')],
  'TR-STDIO-02': [
    stdio('TR-STDIO-02: lines keep their order, however many are said at once'),
    proxyLines('any chunking gives the same lines, also inside a character'),
    wire('TR-STDIO-02: a message of 5 MB goes and comes whole'),
    lintHttp('TR-STDIO-02: a message over several lines is told'),
  ],
  'TR-STDIO-03': [wire('BP-20: answers in JSON arrays find their calls')],
  'TR-STDIO-04': [
    sent('BP-01, BP-02, BP-03, BP-10, TR-STDIO-04: all that was sent, but by hand, are messages, each on one line'),
  ],
  'TR-STDIO-05': [
    hostileStdio('TR-STDIO-05: banners, log lines and JSON that is no message come between messages and hinder none'),
    stdio('TR-STDIO-05: a line that is no message is shown as noise, in its place, and kills nothing'),
    lintHttp('TR-STDIO-05: noise is told in every revision, and before any is known'),
  ],
  'TR-STDIO-06': [proxyStdio('a prompt on stderr that no line end closes is shown soon')],
  'TR-STDIO-07': [duties('TR-STDIO-07: is not ill: its words are shown, and fail nothing')],
  'TR-STDIO-08': [
    hostileStdio('TR-STDIO-08: one that ignores the end is taken through all steps, in their order'),
    proxyStdio('a polite one ends when its stdin does, and needs no signal'),
    proxyStdio('a stubborn one and what it started are gone after stdin, SIGTERM and SIGKILL, in this order'),
  ],
  'TR-STDIO-09': [
    hostileStdio('TR-STDIO-09: one that dies in a call fails that call with its code and last words'),
    stdio('TR-STDIO-09: a process that dies during a call fails that call with exit code and last words'),
  ],
  'TR-STDIO-10': [
    duties('TR-STDIO-10, TR-STDIO-11: what waited is lost and told; in a new one the subscription is asked for again'),
    settings('addresses connect again by themselves unless told not to, processes only when told to'),
    settings('pauses grow up to a bound, and a crash loop ends'),
  ],
  'TR-STDIO-11': [
    duties('TR-STDIO-10, TR-STDIO-11: what waited is lost and told; in a new one the subscription is asked for again'),
  ],
  'TR-STDIO-12': [
    wire('SUB-05, SUB-11, TR-STDIO-12: that a resource changed is heard of by who asked for it'),
    subscription('SUB-05, SUB-06, SUB-11: several at once are told apart by the ids of their requests'),
  ],
  'TR-STDIO-13': [
    wire('UT-CANC-01, TR-HTTP-09, TR-HTTP-10, TR-STDIO-13: a cancelled call ends here, and the server hears of it'),
    stateless('TR-STDIO-15, UT-CANC-02: there are no headers, and a notification cancels'),
  ],
  'TR-STDIO-14': [
    wire('LC-07, VN-04: ends by itself in the newest revision that both sides speak'),
    settings('needs the proxy for processes and for the relay, and says so before anything is sent'),
  ],
  'TR-STDIO-15': [stateless('TR-STDIO-15, UT-CANC-02: there are no headers, and a notification cancels')],
  'TR-STDIO-16': [
    proxyStdio('the environment is the allow-list and what the user adds'),
    proxyEnvironment('has what the user adds, and the user wins'),
  ],
  // 3.2 Streamable HTTP: sending
  'TR-HTTP-01': [http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session')],
  'TR-HTTP-02': [http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session')],
  'TR-HTTP-03': [http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session')],
  'TR-HTTP-04': [
    lintHttp('TR-HTTP-04: a notification is answered with 202 and nothing'),
    lintHttp('TR-HTTP-04, BP-10: an answer to a notification is told as both'),
  ],
  'TR-HTTP-05': [
    http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session'),
    hostile('%s is understood all the same'),
    lintHttp('TR-HTTP-05: a request is answered with JSON or a stream'),
  ],
  'TR-HTTP-06': [hostile('TR-HTTP-06, BP-13: questions inside the answer’s stream are answered on their own POSTs')],
  'TR-HTTP-07': [
    lintHttp('TR-HTTP-07: what comes in the answer to a request of 2026-07-28 is about it, and before its answer'),
  ],
  'TR-HTTP-08': [lintHttp('TR-HTTP-08: what follows the response on its stream is reported once')],
  'TR-HTTP-09': [
    wire('UT-CANC-01, TR-HTTP-09, TR-HTTP-10, TR-STDIO-13: a cancelled call ends here, and the server hears of it'),
  ],
  'TR-HTTP-10': [
    wire('UT-CANC-01, TR-HTTP-09, TR-HTTP-10, TR-STDIO-13: a cancelled call ends here, and the server hears of it'),
    stateless('TR-HTTP-10, UT-CANC-02: closes the stream at once and sends nothing'),
  ],
  'TR-HTTP-11': [stateless('TR-HTTP-11: a stream that breaks has lost its request, and nothing asks for the rest')],
  'TR-HTTP-12': [sse('TR-HTTP-14: any chunking gives the same events (%s line ends)')],
  'TR-HTTP-13': [
    lintAnswers('TR-HTTP-13: an event stream says that it is not to be buffered, told once; CORS may hide it'),
  ],
  'TR-HTTP-14': [
    sse('TR-HTTP-14: any chunking gives the same events (%s line ends)'),
    chunking('any chunking gives the same frames, split characters and split lines included'),
    hostile('TR-HTTP-14: %s loses nothing'),
    lintAnswers('TR-HTTP-14: a stream that ends within an event is reported; one that breaks is not, in %s'),
    lintAnswers('TR-HTTP-14: a message under another event name is reported once, in %s'),
    sse('TR-HTTP-14: the first line without a field name is reported; unknown fields are not'),
  ],
  // 3.3 Streamable HTTP: GET stream, resumption, polling (2025-03-26 … 2025-11-25)
  'TR-HTTP-15': [
    http('TR-HTTP-15, TR-HTTP-19: the GET stream resumes too, and every notification arrives once and in order'),
    hostile('TR-HTTP-15: what comes on the GET stream is heard'),
  ],
  'TR-HTTP-16': [
    hostile('TR-HTTP-16: %s hinders nothing'),
    lintHttp('TR-HTTP-16: GET is answered with a stream or 405'),
    lintHttp('TR-HTTP-16: GET before the handshake is the search for an older transport'),
  ],
  'TR-HTTP-17': [
    lintHttp('TR-HTTP-17: an answer on a GET stream is told, unless it carries on the stream of its POST'),
  ],
  'TR-HTTP-18': [lintHttp('TR-HTTP-18: one message on two streams is told')],
  'TR-HTTP-19': [
    http('TR-HTTP-19: streams cut between two events, and broken all at once, lose and repeat nothing'),
    http('TR-HTTP-19, TR-HTTP-20, TR-HTTP-22: nothing is lost, nothing comes twice, and the trace shows each resume'),
    http('TR-HTTP-15, TR-HTTP-19: the GET stream resumes too, and every notification arrives once and in order'),
  ],
  'TR-HTTP-20': [
    http('TR-HTTP-19, TR-HTTP-20, TR-HTTP-22: nothing is lost, nothing comes twice, and the trace shows each resume'),
    lintHttp('TR-HTTP-20: an event id that comes back with another event is told, one that is sent again is not'),
  ],
  'TR-HTTP-21': [
    hostile('TR-HTTP-21: a priming event is no message, and the answer arrives on the resumed stream'),
    lintHttp('TR-HTTP-21: a stream without a priming event is told once, in 2025-11-25 alone'),
  ],
  'TR-HTTP-22': [
    http('TR-HTTP-19, TR-HTTP-20, TR-HTTP-22: nothing is lost, nothing comes twice, and the trace shows each resume'),
    http('TR-HTTP-21, TR-HTTP-23: a server that closes the stream and asks to come back is polled at its pace'),
  ],
  'TR-HTTP-23': [
    http('TR-HTTP-21, TR-HTTP-23: a server that closes the stream and asks to come back is polled at its pace'),
    hostile('TR-HTTP-23: the server’s retry is waited for'),
    hostile(
      'TR-HTTP-23: a retry beyond all reason is shown as it came, waited for within a bound, and left by closing',
    ),
  ],
  'TR-HTTP-24': [hostile('TR-HTTP-24: a cut stream without event ids is lost, and the reason is given')],
  // 3.4 Streamable HTTP: sessions (2025-03-26 … 2025-11-25)
  'TR-HTTP-25': [hostile('TR-HTTP-25, TR-HDR-01: session id and revision go with every request after initialize')],
  'TR-HTTP-26': [hostile('TR-HTTP-26: %s begins a new session, sends the request again, and says so')],
  'TR-HTTP-27': [
    http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session'),
    hostile('TR-HTTP-27: %s does not keep the session from ending'),
    wire('LC-15, TR-HTTP-27, VN-08: the end is clean: no call is left, no timer, no session, no process'),
  ],
  'TR-HTTP-29': [
    lintHttp('TR-HTTP-29: a session id of other characters than visible ASCII is told, as far as it is kept'),
  ],
  'TR-HTTP-30': [hostile('TR-HTTP-30, SEC-15: secrets never reach the trace')],
  'TR-HTTP-31': [
    stateless('TR-HDR-02, TR-HDR-06, TR-HDR-07, TR-HTTP-31: the headers repeat it, and there is no session'),
    lintHttp('TR-HTTP-31, TR-HTTP-32: the stateless era has no session ids, and no GET or DELETE'),
  ],
  'TR-HTTP-32': [lintHttp('TR-HTTP-31, TR-HTTP-32: the stateless era has no session ids, and no GET or DELETE')],
  // 3.5 Version and standard headers
  'TR-HDR-01': [
    hostile('TR-HTTP-25, TR-HDR-01: session id and revision go with every request after initialize'),
    httpSse('TR-HDR-01: later revisions over this transport name themselves from then on'),
  ],
  'TR-HDR-02': [
    stateless('TR-HDR-02, TR-HDR-06, TR-HDR-07, TR-HTTP-31: the headers repeat it, and there is no session'),
    headers('TR-HDR-02, TR-HDR-06: repeat revision and method'),
    lintAnswers('TR-HDR-02: a header that differs from the body, or is missing, is refused'),
  ],
  'TR-HDR-03': [
    lintHttp('TR-HDR-03: a version that nobody speaks is to be refused'),
    lintModern('BP-33, TR-HDR-03: the three codes of the revision come with their data and with HTTP 400'),
    lintAnswers('TR-HDR-03: a version that the server lacks is refused with its own code'),
    lintAnswers('TR-HDR-03: an unsupported version is refused with 400, in %s'),
  ],
  'TR-HDR-06': [
    stateless('TR-HDR-02, TR-HDR-06, TR-HDR-07, TR-HTTP-31: the headers repeat it, and there is no session'),
    headers('TR-HDR-02, TR-HDR-06: repeat revision and method'),
    sent(
      'META-02, META-03, META-04, META-05, META-07, MRTR-13, VN-30: the keys of _meta and the headers are those of the revision',
    ),
  ],
  'TR-HDR-07': [
    stateless('TR-HDR-02, TR-HDR-06, TR-HDR-07, TR-HTTP-31: the headers repeat it, and there is no session'),
    headers('TR-HDR-07: %s repeats what it is about'),
    headers('TR-HDR-07: other methods have no name'),
  ],
  'TR-HDR-08': [
    headers('TR-HDR-08, TR-HDR-09, BR-11: whatever the text is, it comes back as it was'),
    headers('TR-HDR-08: %j goes as %s'),
  ],
  'TR-HDR-09': [headers('TR-HDR-08, TR-HDR-09, BR-11: whatever the text is, it comes back as it was')],
  'TR-HDR-10': [duties('TR-HDR-10: a header that is written by hand takes the place of ours, whatever its case')],
  // 3.6 x-mcp-header
  'TR-XH-01': [
    paramHeaders(
      'TR-XH-01, TR-XH-02, TR-XH-03: strings, integers and booleans, nested ones by the exact chain of keys',
    ),
    stateless('TR-XH-01: annotated arguments reach a server on the official SDK as headers'),
  ],
  'TR-XH-02': [
    paramHeaders(
      'TR-XH-01, TR-XH-02, TR-XH-03: strings, integers and booleans, nested ones by the exact chain of keys',
    ),
    paramHeaders('TR-XH-02: what is absent or null has no header; an empty text has an empty one'),
    paramHeaders('TR-XH-02: keys that every object inherits are not arguments'),
  ],
  'TR-XH-03': [
    paramHeaders(
      'TR-XH-01, TR-XH-02, TR-XH-03: strings, integers and booleans, nested ones by the exact chain of keys',
    ),
    paramHeaders('TR-XH-03: an integer that no header can carry truly is refused before anything is sent'),
    lintContents('TR-XH-03, TR-XH-04, TR-XH-05: an annotation that keeps a tool out of use is told with its place'),
  ],
  'TR-XH-04': [
    paramHeaders('TR-XH-06: %s'),
    lintContents('TR-XH-03, TR-XH-04, TR-XH-05: an annotation that keeps a tool out of use is told with its place'),
  ],
  'TR-XH-05': [
    paramHeaders('TR-XH-06: %s'),
    paramHeaders('TR-XH-05: neither does one behind $defs, nor on the root'),
    lintContents('TR-XH-03, TR-XH-04, TR-XH-05: an annotation that keeps a tool out of use is told with its place'),
  ],
  'TR-XH-06': [
    headerGate('TR-XH-06: what is set apart stands last in the list, under a heading of its own'),
    protocol(
      'tools that may not be used over HTTP stand apart with the rule, and run on a second press (TR-XH-06, TR-XH-07)',
    ),
    paramHeaders('TR-XH-06: %s'),
    duties('TR-XH-06, TR-XH-07: are told one by one, with the place and the reason, and the others are not'),
  ],
  'TR-XH-07': [
    headerGate(
      'TR-XH-06, TR-XH-07: a tool whose annotation breaks a rule is set apart over HTTP, with the rule; the others stay',
    ),
    duties('TR-XH-06, TR-XH-07: are told one by one, with the place and the reason, and the others are not'),
  ],
  'TR-XH-08': [
    stateless(
      'TR-XH-08: headers made from an old list are refused; the list is asked for again, and the call succeeds',
    ),
    stateless('TR-XH-08: a mismatch that a fresh list does not mend is the answer'),
  ],
  'TR-XH-09': [lintContents('TR-XH-09: what looks like a secret is not to be a header')],
  // 3.7 HTTP+SSE (2024-11-05) and its detection
  'TR-SSE-01': [
    httpSse('TR-SSE-01, TR-SSE-02, TR-SSE-03: %s is understood'),
    detection('TR-SSE-01, TR-SSE-02: the official SDK’s old server is inspected with no setting by hand'),
    lintHttp('TR-SSE-01: the endpoint comes first, once, and is an address'),
    lintHttp('TR-SSE-01: an event of another name can only be meant as the endpoint'),
  ],
  'TR-SSE-02': [
    httpSse('TR-SSE-02: %s: the answer is what comes on the stream'),
    httpSse('TR-SSE-01, TR-SSE-02, TR-SSE-03: %s is understood'),
    lintHttp('TR-SSE-02: an answer in the body of the POST, or as an event of another name, is told'),
    lintHttp('TR-SSE-02: a line that no parser reads is reported'),
  ],
  'TR-SSE-03': [
    httpSse('TR-SSE-03: %s gets nothing, and the failure names it'),
    httpSse('TR-SSE-03: unless the user says so'),
    failure('an endpoint on another origin is explained, and followed only when told to (TR-SSE-03)'),
    lintHttp('TR-SSE-03: an endpoint on another origin is told'),
  ],
  'TR-SSE-04': [httpSse('TR-SSE-04: when it %ss, the session is over and says so')],
  'TR-SSE-05': [
    detection(
      'TR-SSE-05, TR-SSE-07, TR-SSE-08: a server that answers POST with 400, 404 or 405 is asked over HTTP+SSE',
    ),
    real('$what is inspected at $revision: LC-07, VN-04, TR-SSE-05'),
  ],
  'TR-SSE-06': [duties('TR-SSE-06: at %s any status from 400 to 499 is reason to look for its event stream')],
  'TR-SSE-07': [
    detection(
      'TR-SSE-05, TR-SSE-07, TR-SSE-08: a server that answers POST with 400, 404 or 405 is asked over HTTP+SSE',
    ),
  ],
  'TR-SSE-08': [
    detection(
      'TR-SSE-05, TR-SSE-07, TR-SSE-08: a server that answers POST with 400, 404 or 405 is asked over HTTP+SSE',
    ),
    detection('VN-23, VN-24: %s ends in %s'),
  ],
  'TR-SSE-09': [
    detection(
      'TR-SSE-05, TR-SSE-07, TR-SSE-08: a server that answers POST with 400, 404 or 405 is asked over HTTP+SSE',
    ),
    settings('is Streamable HTTP with the older one behind it, or the one that was chosen, alone'),
  ],
}
