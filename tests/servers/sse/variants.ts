/** All ways an HTTP+SSE server can name its message path, or go wrong: name, and what it does. */
export const sseVariants = {
  // the endpoint event
  rooted: 'The path from the root, as the SDK sends it',
  relative: 'A path relative to the SSE URL',
  absolute: 'A whole URL of the same origin',
  query: 'A path with a query of its own, encoded characters in it',
  'other-origin': 'A whole URL of another origin, which counts what it gets',
  'other-host': 'localhost for 127.0.0.1, or the other way round: the same machine, another origin',
  'script-url': 'A javascript: URL',
  'empty-endpoint': 'An endpoint event without data',
  'late-endpoint': 'The endpoint comes after a comment, a message and 200 ms',
  'two-endpoints': 'A second endpoint event after initialized; only the first one works',
  'no-endpoint': 'The stream stands, and the endpoint never comes',
  'json-endpoint': 'A message event where the endpoint should be',

  // the SSE URL
  'post-400': 'POST to the SSE URL gives 400 with plain text',
  'post-404': 'POST to the SSE URL gives 404',
  'post-405': 'POST to the SSE URL gives 405',
  'post-never': 'POST to the SSE URL is never answered',
  'get-html': 'GET gives 200 with a page',
  'get-500': 'GET gives 500',

  // messages
  'message-400': 'Every POST of a message gives 400',
  'message-202-body': 'A POST of a message gives 202 with the word Accepted, as the SDK does',
  'message-200-json': 'The answer comes in the response to the POST and not on the stream',
  'message-both': 'The answer comes in the response to the POST and on the stream',
  'stream-first': 'The answer is on the stream 50 ms before the response to its POST',
  'unnamed-events': 'Messages come as events without a name',
  'crlf-bom': 'BOM, comments, CRLF; a message over several data lines',
  'bad-json': 'tools/call is answered with JSON that breaks off',

  // the end
  cut: 'The connection breaks in the middle of the answer to tools/call',
  ends: 'The stream ends, whole, instead of the answer to tools/call',
  'asks-back': 'tools/call sends ping and roots/list first, and answers when both are settled',
} as const

export type SseVariant = keyof typeof sseVariants
