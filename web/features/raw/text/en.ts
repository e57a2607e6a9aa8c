export default {
  // Templates
  templates: 'Templates',
  templatesLabel: 'Message templates',
  filter: 'Filter templates',
  filterHint: 'Filter templates   /',
  requests: 'Requests',
  notifications: 'Notifications',
  noMatch: (filter: string) => `No methods of this protocol version match “${filter}”.`,
  noSchema: "Templates and validation couldn't be loaded. You can still send messages. Reload the page to try again.",
  // Composer
  compose: 'Message',
  editor: 'Message to send',
  empty: 'Write a message, or start from a template.',
  'kind-empty': 'empty',
  'kind-not-json': 'not JSON',
  'kind-too-long': 'long text',
  'kind-request': 'request',
  'kind-notification': 'notification',
  'kind-result': 'result',
  'kind-error': 'error',
  'kind-batch': 'batch',
  'kind-invalid': 'not JSON-RPC',
  /** What the button will do. */
  'will-empty': 'Nothing to send yet.',
  'will-not-json': 'Not valid JSON. Send it anyway to see how the server reacts.',
  'will-too-long': 'Too long to check. It is sent unchanged.',
  'will-request': 'Sends a request. The response appears next to it.',
  'will-notification': "Sends a notification. Notifications don't get a response.",
  'will-result': 'Sends a response to a server request.',
  'will-error': 'Sends a response to a server request.',
  'will-batch': (count: string) => `Sends a batch of ${count} ${count === '1' ? 'message' : 'messages'}.`,
  'will-invalid': 'Valid JSON, but not a JSON-RPC message. It is sent unchanged.',
  joined: 'Line breaks are sent as spaces: in stdio, each line is a message.',
  split: 'Each line is sent as a separate message: in stdio, each line is a message.',
  at: (line: number, column: number) => `line ${line}, column ${column}`,
  send: 'Send',
  sendAnyway: 'Send anyway',
  sending: 'Sending…',
  mustConnect: 'Connect to send.',
  masked: 'the message contains masked secrets. Enter the real values.',
  failed: (why: string) => `Not sent: ${why}`,
  refusal: (which: string, revision: string) => {
    const words: Record<string, string> = {
      answer: `Clients of ${revision} don't send responses: they repeat the original request with the input the server requested. The server may reject your response or not reply.`,
      batch: `An array isn't a message in ${revision}. Only 2025-03-26 has batches. Most servers return an error or don't respond.`,
      'initialize-in-batch':
        "initialize can't be part of a batch. Send other messages only after the server responds to initialize.",
      'mixed-batch': 'A batch contains either requests and notifications, or responses, but not both.',
    }
    return words[which] ?? which
  },
  insist: 'Press “Send anyway” to send the message unchanged.',
  // Validation
  verdict: 'Validation',
  fits: (revision: string) => `valid in ${revision}`,
  breaks: (count: number, revision: string) =>
    count === 1 ? `1 violation of ${revision}` : `${count} violations of ${revision}`,
  breakLine: (expected: string, found: string) => `expected ${expected}; found ${found}`,
  span: (since: string | undefined, until: string | undefined) =>
    since !== undefined && until !== undefined
      ? since === until
        ? `only in ${since}`
        : `from ${since} to ${until}`
      : since !== undefined
        ? `from ${since} on`
        : until !== undefined
          ? `up to ${until}`
          : '',
  noteTag: 'note',
  more: (count: number) => `${count} more`,
  // Headers
  headers: 'Headers',
  headersDerived: 'generated',
  headersEdited: 'edited',
  headersHint:
    'These headers are sent in addition to the usual ones. They repeat values from the body; servers reject a mismatch.',
  headerName: 'Name',
  headerValue: 'Value',
  headerNameOf: (position: number) => `Name of header ${position}`,
  headerValueOf: (position: number) => `Value of header ${position}`,
  headerRemove: (name: string) => `Remove ${name === '' ? 'header' : name}`,
  headerAdd: 'Add header',
  headerReset: 'Regenerate from message',
  headerBad: "Browsers can't send a header with this name or value.",
  // Sent messages
  sentLabel: 'Sent manually',
  count: (count: string) => count,
  noneSent: 'Messages you send appear here with their responses.',
  byHand: 'manual',
  stateSent: 'sent',
  stateFailed: 'failed',
  answer: 'Response',
  answerLabel: (position: number) => `Response ${position}`,
  again: 'Send again',
  edit: 'Edit',
  released: 'The text was released to save memory.',
  noAnswerYet: 'No response yet.',
  noAnswerDue: "Notifications don't get a response.",
  noAnswerKnown: 'No response received.',
  http: (status: number, text: string) => `HTTP ${status} ${text}`.trim(),
  httpFailed: (error: string) => `HTTP request failed: ${error}`,
  moreAnswers: (count: number) =>
    count === 1 ? '1 more message is in the trace.' : `${count} more messages are in the trace.`,
  resize: 'Template list width',
  resizeSent: 'Message editor size',
  resizeAnswer: 'List height',
  news: (title: string, state: string) => `${title}: ${state}.`,
}
