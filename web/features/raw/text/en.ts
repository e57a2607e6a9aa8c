export default {
  // Templates
  templates: 'Templates',
  templatesLabel: 'Messages to begin with',
  filter: 'Filter the templates',
  filterHint: 'Filter templates   /',
  requests: 'Requests',
  notifications: 'Notifications',
  noMatch: (filter: string) => `No method of this revision matches “${filter}”.`,
  loading: 'Loading…',
  noSchema: 'The templates and verdicts could not be loaded. Reload the page to try again; sending works without them.',
  // The text
  compose: 'Message',
  editor: 'Text to send',
  empty: 'Write any text, or begin with a template.',
  kindEmpty: 'empty',
  kindNotJson: 'not JSON',
  kindTooLong: 'long text',
  kindRequest: 'request',
  kindNotification: 'notification',
  kindResult: 'result',
  kindError: 'error',
  kindBatch: 'batch',
  kindInvalid: 'no message',
  willNothing: 'There is nothing to send yet.',
  willNotJson: 'This is no JSON. It goes out as it stands, to see what the server does with it.',
  willTooLong: 'Too long to be looked at here. It goes out as it stands.',
  willRequest: 'Sends a request; the answer appears beside.',
  willNotification: 'Sends a notification; no answer is due.',
  willAnswer: 'Sends an answer to a request of the server.',
  willBatch: (count: string) => `Sends a batch of ${count}.`,
  willInvalid: 'JSON, but no message of JSON-RPC. It goes out as it stands.',
  joined: 'Line breaks go out as spaces: on stdio a line is a message.',
  split: 'Each line goes out as a message of its own: on stdio a line is a message.',
  at: (line: number, column: number) => `line ${line}, column ${column}`,
  send: 'Send',
  sendAnyway: 'Send anyway',
  sending: 'Sending…',
  mustConnect: 'Connect to send it.',
  failed: (why: string) => `It could not be handed over: ${why}`,
  refusal: (which: string, revision: string) => {
    const words: Record<string, string> = {
      answer: `A client of ${revision} never writes responses: what a server asks is answered by sending the request again. A server may reject this, or wait for ever.`,
      batch: `An array is no message in ${revision}; batches exist in 2025-03-26 alone. Most servers answer with an error, or not at all.`,
      'initialize-in-batch': 'initialize never travels in a batch: until it is answered, nothing else may be sent.',
      'mixed-batch': 'A batch holds requests and notifications, or responses, never both.',
    }
    return words[which] ?? which
  },
  insist: 'Press “Send anyway” to send it all the same.',
  // The verdict
  verdict: 'Verdict',
  fits: (revision: string) => `fits ${revision}`,
  breaks: (count: number, revision: string) =>
    count === 1 ? `breaks ${revision}` : `breaks ${revision} ${count} times`,
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
  headersDerived: 'made from the text',
  headersEdited: 'edited',
  headersHint:
    'Beside the usual ones. In this revision they repeat what the body says; a server refuses what disagrees.',
  headerName: 'Name',
  headerValue: 'Value',
  headerNameOf: (position: number) => `Name of header ${position}`,
  headerValueOf: (position: number) => `Value of header ${position}`,
  headerRemove: (name: string) => `Remove ${name === '' ? 'the header' : name}`,
  headerAdd: 'Add a header',
  headerReset: 'Make them from the text again',
  headerBad: 'A browser cannot send a header with this name or value.',
  // What was sent
  sentLabel: 'Sent by hand',
  count: (count: string) => count,
  noneSent: 'What you send appears here, with what came of it.',
  byHand: 'by hand',
  stateSent: 'sent',
  stateFailed: 'failed',
  answer: 'Answer',
  answerLabel: (position: number) => `Answer ${position}`,
  again: 'Send again',
  edit: 'Edit',
  released: 'Its text was released to keep the trace within its memory budget.',
  frame: (seq: string) => `frame ${seq}`,
  noAnswerYet: 'No answer so far.',
  noAnswerDue: 'No answer is due to a notification.',
  noAnswerKnown: 'No message came in answer.',
  http: (status: number, text: string) => `HTTP ${status} ${text}`.trim(),
  httpFailed: (error: string) => `The HTTP exchange failed: ${error}`,
  moreAnswers: (count: number) => `${count} more messages are in the trace.`,
  resize: 'Width of the templates',
  resizeSent: 'Size of what was sent',
  resizeAnswer: 'Height of the list',
  news: (title: string, state: string) => `${title}: ${state}.`,
}
