/**
 * Which tests prove which requirements (`web/lint/requirements.json`).
 *
 * To add a proof, name the test file once below and put its title under the id of the requirement:
 *
 *     const jsonrpc = titles('web/mcp/jsonrpc.test.ts')
 *     …
 *     'BP-07': [jsonrpc('a response with both result and error is told off')],
 *
 * A title is the text in `test(…)` or `it(…)` exactly as the file has it, with `${…}` and `%s` left as they are.
 * `tests/requirements.test.ts` fails on ids that do not exist, on files that do not exist, and on titles that are not
 * in their file or whose test is skipped: rename a test, and this map follows.
 *
 * An id belongs here only if its test would fail were the requirement broken. Several proofs for one id are welcome.
 */
export interface Proof {
  /** Path from the root of the project. */
  readonly file: string
  readonly test: string
}

const titles =
  (file: string) =>
  (test: string): Proof => ({ file, test })

const chunking = titles('web/mcp/transports/chunking.test.ts')
const content = titles('web/content/content.test.ts')
const deadline = titles('web/mcp/deadline.test.ts')
const exchange = titles('web/mcp/exchange.test.ts')
const hostile = titles('web/mcp/transports/hostile-http.test.ts')
const hostileStdio = titles('web/mcp/transports/hostile-stdio.test.ts')
const http = titles('web/mcp/transports/streamable-http.test.ts')
const jsonrpc = titles('web/mcp/jsonrpc.test.ts')
const overview = titles('web/features/overview/overview.test.ts')
const proxyApp = titles('proxy/app.test.ts')
const proxyEnvironment = titles('proxy/environment.test.ts')
const proxyLines = titles('proxy/lines.test.ts')
const proxyStdio = titles('proxy/stdio.test.ts')
const session = titles('web/mcp/session.test.ts')
const sessionEnds = titles('web/mcp/session-ends.test.ts')
const sse = titles('web/mcp/transports/sse.test.ts')
const stdio = titles('web/mcp/transports/stdio-bridge.test.ts')
const tools = titles('web/features/tools/outcome.test.ts')
const toolsFold = titles('web/features/tools/tools-fold.test.ts')
const toolsList = titles('web/features/tools/list.test.ts')

/** In the order of the list. */
export const proofs: Readonly<Record<string, readonly Proof[]>> = {
  // Envelope and ids
  'BP-01': [jsonrpc('finds nothing wrong with %s and calls it a %s'), jsonrpc('says of %s that it is %s and cites %s')],
  'BP-02': [
    session('answers find their calls in any order, with integer ids that never come back (BP-02, BP-04)'),
    jsonrpc('says of %s that it is %s and cites %s'),
  ],
  'BP-03': [jsonrpc('says of %s that it is %s and cites %s')],
  'BP-04': [
    session('answers find their calls in any order, with integer ids that never come back (BP-02, BP-04)'),
    hostile('TR-HTTP-26: %s begins a new session, sends the request again, and says so'),
    sessionEnds('BP-04: numbers all it sends anew, both handshakes included'),
  ],
  'BP-06': [
    hostileStdio('BP-06: answers to ids nobody sent are orphans, and the right ones find their calls'),
    exchange('BP-06: an answer belongs to the request with its id, of the same type'),
    session('UT-PING-01, BP-13: ping is answered at once, an unknown method with -32601, each exactly once'),
    jsonrpc('says of %s that it is %s and cites %s'),
  ],
  'BP-07': [jsonrpc('says of %s that it is %s and cites %s'), hostile('BP-07: result and error together are told')],
  'BP-08': [hostile('BP-08: an error that lost its id is the answer to what was posted')],
  'BP-09': [jsonrpc('says of %s that it is %s and cites %s')],
  'BP-13': [
    session('UT-PING-01, BP-13: ping is answered at once, an unknown method with -32601, each exactly once'),
    hostile('TR-HTTP-06, BP-13: questions inside the answer’s stream are answered on their own POSTs'),
    hostileStdio('BP-13: fifteen questions at once get one answer each'),
  ],
  'BP-14': [
    hostileStdio('BP-14: a byte order mark is told off, and it and CRLF are understood'),
    hostileStdio('BP-14: characters split between writes arrive whole'),
    sse('BP-14: bytes that are no UTF-8 are noticed; a U+FFFD of the server’s own is not'),
    proxyLines('whatever the bytes are, as many lines come out as went in, and the bad ones say so'),
  ],
  'BP-20': [hostile('%s is understood all the same')],
  'BP-37': [
    session('the peer’s error rejects with its code, message and data; a local fault never looks like one (BP-37)'),
  ],
  'META-16': [session('UT-TIME-03, META-16: long calls ask for progress, and progress keeps them alive')],

  // Lifecycle
  'LC-01': [session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized')],
  'LC-02': [session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized')],
  'LC-03': [session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized')],
  'LC-04': [
    session('LC-01, LC-02, LC-03: initialize with the newest revision comes first, then initialized'),
    session('can be stopped while the server keeps silent, and LC-13: initialize is not cancelled'),
  ],
  'LC-05': [session('LC-05: what the server says before its answer is heard and not lost')],
  'LC-06': [session('LC-06: a server that answers %s is left, with both revisions named')],
  'LC-07': [session('LC-07: a server that answers %s is spoken to in %s')],
  'LC-08': [session('LC-08: a refusal that names what is supported is answered with the newest of these')],
  'LC-12': [
    overview(
      "capabilities are told apart: known, of another revision, a client's, unknown, malformed; none is dropped",
    ),
  ],
  'LC-13': [session('can be stopped while the server keeps silent, and LC-13: initialize is not cancelled')],
  'LC-16': [
    hostile('%s is told as it is'),
    hostile('init-never names the step it waited in, and can be stopped meanwhile'),
  ],

  // stdio
  'TR-STDIO-01': [stdio('TR-STDIO-01: a real server starts, lists its tools, answers, and ends')],
  'TR-STDIO-02': [
    stdio('TR-STDIO-02: lines keep their order, however many are said at once'),
    proxyLines('any chunking gives the same lines, also inside a character'),
  ],
  'TR-STDIO-05': [
    hostileStdio('TR-STDIO-05: banners, log lines and JSON that is no message come between messages and hinder none'),
    stdio('TR-STDIO-05: a line that is no message is shown as noise, in its place, and kills nothing'),
  ],
  'TR-STDIO-06': [proxyStdio('a prompt on stderr that no line end closes is shown soon')],
  'TR-STDIO-08': [
    hostileStdio('TR-STDIO-08: one that ignores the end is taken through all steps, in their order'),
    proxyStdio('a polite one ends when its stdin does, and needs no signal'),
    proxyStdio('a stubborn one and what it started are gone after stdin, SIGTERM and SIGKILL, in this order'),
  ],
  'TR-STDIO-09': [
    hostileStdio('TR-STDIO-09: one that dies in a call fails that call with its code and last words'),
    stdio('TR-STDIO-09: a process that dies during a call fails that call with exit code and last words'),
  ],
  'TR-STDIO-16': [
    proxyStdio('the environment is the allow-list and what the user adds'),
    proxyEnvironment('has what the user adds, and the user wins'),
  ],

  // Streamable HTTP
  'TR-HTTP-01': [http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session')],
  'TR-HTTP-02': [http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session')],
  'TR-HTTP-03': [http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session')],
  'TR-HTTP-05': [
    http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session'),
    hostile('%s is understood all the same'),
  ],
  'TR-HTTP-06': [hostile('TR-HTTP-06, BP-13: questions inside the answer’s stream are answered on their own POSTs')],
  'TR-HTTP-12': [sse('TR-HTTP-14: any chunking gives the same events (%s line ends)')],
  'TR-HTTP-14': [
    sse('TR-HTTP-14: any chunking gives the same events (%s line ends)'),
    chunking('any chunking gives the same frames, split characters and split lines included'),
    hostile('TR-HTTP-14: %s loses nothing'),
  ],
  'TR-HTTP-15': [
    http('TR-HTTP-15, TR-HTTP-19: the GET stream resumes too, and every notification arrives once and in order'),
    hostile('TR-HTTP-15: what comes on the GET stream is heard'),
  ],
  'TR-HTTP-16': [hostile('TR-HTTP-16: %s hinders nothing')],
  'TR-HTTP-19': [
    http('TR-HTTP-19: streams cut between two events, and broken all at once, lose and repeat nothing'),
    http('TR-HTTP-19, TR-HTTP-20, TR-HTTP-22: nothing is lost, nothing comes twice, and the trace shows each resume'),
    http('TR-HTTP-15, TR-HTTP-19: the GET stream resumes too, and every notification arrives once and in order'),
  ],
  'TR-HTTP-20': [
    http('TR-HTTP-19, TR-HTTP-20, TR-HTTP-22: nothing is lost, nothing comes twice, and the trace shows each resume'),
  ],
  'TR-HTTP-21': [hostile('TR-HTTP-21: a priming event is no message, and the answer arrives on the resumed stream')],
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
  'TR-HTTP-25': [hostile('TR-HTTP-25, TR-HDR-01: session id and revision go with every request after initialize')],
  'TR-HTTP-26': [hostile('TR-HTTP-26: %s begins a new session, sends the request again, and says so')],
  'TR-HTTP-27': [
    http('TR-HTTP-01 … -05: connects, lists 13 tools or more, calls one, and ends the session'),
    hostile('TR-HTTP-27: %s does not keep the session from ending'),
  ],
  'TR-HDR-01': [hostile('TR-HTTP-25, TR-HDR-01: session id and revision go with every request after initialize')],

  // Tools and pages
  'SF-TOOL-02': [
    toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included'),
    toolsFold('pages are joined in order, and an empty cursor is a cursor (SF-PAGE-03)'),
  ],
  'SF-TOOL-03': [tools('the display name is title, then annotations.title, then name (SF-TOOL-03)')],
  'SF-TOOL-06': [tools('the defaults of the specification hold where nothing is claimed')],
  'SF-TOOL-09': [tools('content is required beside structured content, too')],
  'SF-TOOL-10': [content('a block the revision does not know yet is shown, with the revision that brought it')],
  'SF-TOOL-11': [
    content('no text makes it throw, and what it accepts is what a strict decoder accepts, or is marked'),
    content('bad base64 leaves no bytes and says so'),
  ],
  'SF-TOOL-14': [tools('with an outputSchema structured content is due, except where the tool failed')],
  'SF-TOOL-15': [tools('null is structured content from 2026-07-28 on, and is never taken for absent')],
  'SF-TOOL-16': [tools('null is structured content from 2026-07-28 on, and is never taken for absent')],
  'SF-TOOL-17': [tools('structured content that no text repeats is a SHOULD')],
  'SF-TOOL-21': [toolsList('many changes at once are one refresh, and changes during it are one more')],
  'SF-PAGE-01': [toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included')],
  'SF-PAGE-02': [toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included')],
  'SF-PAGE-03': [
    toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included'),
    toolsFold('pages are joined in order, and an empty cursor is a cursor (SF-PAGE-03)'),
  ],
  'SF-PAGE-07': [
    toolsList('a repeated cursor is not asked for again'),
    toolsFold('a server with ever new cursors is stopped after 1,000 pages'),
  ],

  // Cancellation, ping, timeouts
  'UT-CANC-01': [
    sessionEnds('UT-CANC-01: does not send what was cancelled meanwhile, nor a cancellation of it'),
    session('UT-CANC-01, UT-CANC-03: a cancelled call says so to the server, and its late answer is shown and ignored'),
  ],
  'UT-CANC-03': [
    session('UT-CANC-01, UT-CANC-03: a cancelled call says so to the server, and its late answer is shown and ignored'),
    exchange('a second answer and a late answer are shown as what they are and change nothing'),
  ],
  'UT-CANC-07': [session('a handler answers for its method; UT-CANC-07: a question taken back gets no answer')],
  'UT-PING-01': [
    session('UT-PING-01, BP-13: ping is answered at once, an unknown method with -32601, each exactly once'),
    session('LC-05: what the server says before its answer is heard and not lost'),
  ],
  'UT-TIME-01': [deadline('UT-TIME-01: ends when nothing happens within the idle limit')],
  'UT-TIME-02': [
    session('UT-TIME-02: a call that times out is cancelled at the server and told as a timeout, not as an error'),
  ],
  'UT-TIME-03': [
    deadline('UT-TIME-03, UT-TIME-04: progress starts the idle clock anew, but the total holds'),
    session('UT-TIME-03, META-16: long calls ask for progress, and progress keeps them alive'),
  ],
  'UT-TIME-04': [deadline('UT-TIME-03, UT-TIME-04: progress starts the idle clock anew, but the total holds')],

  // Security, and what a browser makes of it
  'SEC-03': [content('no JSON value makes it throw'), content('only http, https and mailto lead anywhere')],
  'SEC-05': [proxyApp('and everything else is served under the strict policy, refusals too')],
  'SEC-08': [proxyApp('wants the token on %s %s')],
  'SEC-09': [proxyApp('refuses a foreign Host and a foreign Origin on %s %s')],
  'SEC-15': [hostile('TR-HTTP-30, SEC-15: secrets never reach the trace')],
  'BR-12': [session('numbers beyond 2^53 go out as they were written')],
  'BR-13': [jsonrpc('keeps the parsed value as it was, unknown keys and all')],
}
