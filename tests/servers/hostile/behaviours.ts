/** All misbehaviours: name, and what it does. Each happens where its name says; everything else is correct. */
export const behaviours = {
  good: 'Nothing is wrong: what the others are compared with',

  // wrong-answers.ts: a single response body to tools/call
  'bad-json': 'JSON that breaks off, as application/json',
  'wrong-id': 'Answers an id nobody sent',
  'null-id': 'Answers with a result whose id is null',
  'no-id': 'Answers with a result without an id',
  'id-as-string': 'Answers with the id as a string',
  'error-null': 'A good answer with "error": null beside its result',
  'answer-twice': 'The same answer two times in one stream',
  html: '200 with a page',
  'html-404': '404 with a page',
  '500-text': '500 with plain text',
  'error-id-null': '400 with an error whose id is null',
  'named-status': 'The HTTP status, the type and the body that the arguments of the call name; `rpc`: a JSON-RPC error',
  '202-for-request': '202 and no body, as for a notification',
  'json-no-content-type': 'A good answer without Content-Type',
  'sse-wrong-case-content-type': 'Events as Text/Event-Stream; charset=UTF-8',
  'batch-answer': 'The answer inside an array',
  'both-result-and-error': 'result and error in one message',

  // streams.ts: the response stream to tools/call
  'one-byte-chunks': 'BOM, comment, CR and CRLF line ends, characters of many bytes; a chunk per byte',
  'split-utf8': 'A pause in the middle of a character',
  'huge-line': 'One line of data of 20 MB',
  'endless-stream': 'A progress notification per millisecond, 100,000 at most, then the answer',
  'no-headers': 'Takes the request and never says a word',
  'no-first-event': 'Headers of a stream, then silence',
  'cut-no-ids': 'One notification without an event id, then the connection breaks',
  'priming-empty': 'An id with empty data, then the connection breaks; the GET that resumes has the answer',
  'retry-short': 'Asks to come back in 80 ms and ends the stream; the GET that resumes has the answer',
  'retry-huge': 'The same with 2^32 ms, more than a timer can hold',
  'progress-decreasing': 'Progress 3, 2, 1',
  'progress-flood': '10,000 progress notifications in one burst, then the answer',
  'burst-20000': '20,000 log messages in one burst, then the answer',
  'server-request-in-stream':
    'ping, roots/list and an unknown request in the stream; answers when all three are settled',

  // sessions.ts: initialize
  'init-html': '200 with a page',
  'init-404': '404 with plain text',
  'init-error': 'An error',
  'init-error-unsupported': '-32602 with data.supported for 2025-11-25; takes 2025-06-18',
  'init-older': 'Negotiates 2024-11-05',
  'init-unknown-version': 'Negotiates 1999-01-01',
  'init-never': 'Takes the request and never says a word',
  'empty-info': 'serverInfo of empty strings, capabilities of a client and unknown ones',
  'notification-before-init-answer': 'A log message before the answer, in its stream',

  // sessions.ts: the GET stream, the end, session IDs, CORS
  'get-405': 'GET gives 405',
  'get-404': 'GET gives 404',
  'get-500': 'GET gives 500',
  'get-never': 'GET is never answered',
  'get-events': 'A log message as soon as GET stands',
  'delete-405': 'DELETE gives 405',
  'delete-never': 'DELETE is never answered',
  'session-404-once': 'The first tools/call ends the session with 404; a new initialize begins a good one',
  'session-400': 'The same with 400 and a message that speaks of the session',
  'hidden-session': 'Wants the session id, and lets no page read it',
  'no-cors': 'Not one CORS header, and 404 to preflights',

  // lists.ts: tools/list
  paged: 'Nine tools on three pages; the second cursor is the empty string',
  'endless-cursor': 'Each page says that there is one more, always with the same cursor',
  'tools-list-error': 'An error',
  'list-changed-loop':
    'Each tools/list brings a tools/list_changed, on the GET stream or else before its answer; 1,000 at most',
  'many-tools': '1,083 tools on one page',
  'odd-tools':
    'Names twice, schemas missing or odd, arguments named like keywords, a description of 34 kB, items that are no tools',
} as const

export type Behaviour = keyof typeof behaviours
