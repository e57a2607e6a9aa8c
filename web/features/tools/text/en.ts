export default {
  title: 'Tools',
  // The list
  listLabel: 'Tools of this server',
  filter: 'Filter tools',
  filterHint: 'Filter tools   /',
  count: (shown: string, all: string) => (shown === all ? all : `${shown} of ${all}`),
  refresh: 'Refresh',
  idle: 'Not asked for tools yet.',
  notOffered: 'The server does not say that it offers tools. Some that do not say so answer all the same.',
  noTools: 'The server has no tools.',
  noMatch: (filter: string) => `No tool matches “${filter}”.`,
  clearFilter: 'Clear the filter',
  groupOther: 'other',
  groupApart: 'not to be used over HTTP',
  apartWhy: (pointer: string) => `May not be used over HTTP: its annotation at ${pointer} breaks a rule.`,
  tagRead: 'read',
  tagDestructive: 'destructive',
  tagSchema: 'schema',
  tagTask: 'task',
  tagNew: 'new',
  tagOpen: 'open',
  tagOpenWhy: 'The server claims that this tool reaches out into an open world, such as the web',
  tagReadWhy: 'The server claims that this tool only reads',
  tagDestructiveWhy: 'The server claims that this tool destroys',
  tagSchemaWhy: 'Has an outputSchema',
  tagTaskWhy: 'May run as a task',
  findings: (count: number) => (count === 1 ? '1 finding' : `${count} findings`),
  unnamed: (position: number) => `item ${position}`,
  resize: 'Width of the list of tools',
  resizeResult: 'Size of the result',
  // One tool
  pick: 'Pick a tool',
  pickHint: 'Up and down move through the list, / filters it.',
  gone: (name: string) => `The server has no tool “${name}”.`,
  goneHint: 'It may have been there before the list changed. What was called stays in the trace.',
  back: 'Back to the list',
  form: 'Form',
  json: 'JSON',
  schema: 'Schema',
  views: 'How to show the arguments',
  showMore: 'Show more',
  showLess: 'Show less',
  argumentsOf: (name: string) => `Arguments of ${name}`,
  argumentsJson: 'Arguments as JSON',
  noSchema: 'No usable inputSchema: write the arguments as JSON.',
  inputSchema: 'inputSchema',
  outputSchema: 'outputSchema',
  declaration: 'The whole declaration',
  noOutputSchema: 'none',
  run: 'Run',
  runAnyway: 'Run anyway',
  cancel: 'Cancel',
  reset: 'Reset',
  notObject: 'arguments must be an object; nothing was sent.',
  backToJson: 'Back to the JSON',
  dropText: 'Drop that text, use the form',
  invalid: (count: number) =>
    count === 1 ? '1 value does not fit the inputSchema.' : `${count} values do not fit the inputSchema.`,
  invalidHint: '“Run anyway” sends the arguments as they are; the server may refuse them.',
  sentInvalid: 'sent against the inputSchema',
  cannotCall: 'It has no name, so it cannot be called.',
  mustConnect: 'Connect to run it.',
  confirmTitle: 'Run a destructive tool?',
  confirmText: (name: string, server: string) =>
    `${name} runs on ${server}. The server says that it can permanently delete or change data.`,
  confirmRun: 'Run it',
  confirmCancel: 'Keep things as they are',
  confirmNever: 'Do not ask again for this server until the page is closed',
  // Annotations
  claims: 'Claims of the server, not facts',
  claim: (hint: string, value: boolean) => {
    const words: Record<string, [string, string]> = {
      readOnlyHint: ['read-only', 'not read-only'],
      destructiveHint: ['destructive', 'not destructive'],
      idempotentHint: ['idempotent', 'not idempotent'],
      openWorldHint: ['open world', 'closed world'],
    }
    return words[hint]?.[value ? 0 : 1] ?? hint
  },
  claimed: 'claims',
  byDefault: 'default',
  task: (support: string) => `task: ${support}`,
  annotations: 'Annotations',
  hint: 'Hint',
  holds: 'Value',
  from: 'From',
  meaning: 'If true',
  hintMeaning: (hint: string) => {
    const words: Record<string, string> = {
      readOnlyHint: 'Does not change anything.',
      destructiveHint: 'May change or delete what is there, not only add to it.',
      idempotentHint: 'Calling it again with the same arguments changes nothing more.',
      openWorldHint: 'Deals with things outside the server, such as the web.',
    }
    return words[hint] ?? ''
  },
  hintMoot: 'means nothing for a read-only tool',
  // The result
  result: 'Result',
  noResult: 'No call yet. The answer of the tool appears here.',
  waiting: 'Waiting for the first answer…',
  resultViews: 'How to show the result',
  table: 'Table',
  structured: 'Structured',
  content: 'Content',
  raw: 'Raw',
  showInTrace: 'show in trace',
  frame: (seq: string) => `frame ${seq}`,
  stays: 'The call before this one stays until the next answer.',
  taskCancelledMeans: 'The task was cancelled.',
  asksFor: (methods: string) => `The server asked for ${methods} before it goes on, and got no answer: the call ended.`,
  asksAgain: 'The server asks to be called again, and was not: the call ended.',
  asksGoing: 'The server asks before it goes on: the call waits for the answer.',
  rounds: (count: string) => `${count} rounds`,
  // Tasks
  runAsTask: 'Run as task',
  ttlLabel: 'Time to live, ms',
  ttlHint: 'the server decides',
  ttlBad: 'The time to live is a whole number of milliseconds; it is not sent.',
  gateMay: 'The call returns at once, and the result is fetched when the task is over.',
  gateMust: 'The tool runs only as a task.',
  gateMustNot: 'The tool runs only as a task: a plain call is refused with -32601 (TASK-03).',
  gateForbidden: 'This tool does not run as a task (TASK-03).',
  gateNoCapability: 'The server does not declare tasks for tools/call, so no call may ask for one (TASK-02, TASK-03).',
  gateServer: 'Whether a call becomes a task is for the server to decide (TEXT-01).',
  taskIs: 'The call became a task',
  taskState: (state: string) => {
    const words: Record<string, string> = {
      working: 'working',
      input_required: 'asks',
      completed: 'completed',
      failed: 'failed',
      cancelled: 'cancelled',
    }
    return words[state] ?? 'unknown'
  },
  taskCancel: 'Cancel task',
  taskCancelling: 'Cancellation requested',
  taskOpen: 'Open in Tasks',
  taskPending: 'The result takes this place when the task is over.',
  judging: 'checking against outputSchema…',
  showInTree: 'Show in the tree',
  verdictSlow: 'Checking against outputSchema took too long and was given up. The result stands as it came.',
  verdictLarge: 'The result is too large to be checked against outputSchema while the page is in use.',
  matches: 'matches outputSchema',
  mismatches: (count: string) => `${count} against outputSchema`,
  unchecked: 'outputSchema could not be checked',
  isErrorMeans: 'The tool ran and reports a failure (isError). A model would read this text.',
  errorMeans: 'The server refused the call with a JSON-RPC error. There is no result.',
  /** BP-31: codes without a meaning in the era get none. */
  code: (code: number, stateless: boolean) => {
    const both: Record<number, string> = {
      [-32700]: 'Parse error: the server could not read the request as JSON.',
      [-32600]: 'Invalid request: not a request the server accepts here.',
      [-32601]: 'Method not found: the server does not offer tools/call, or not this way.',
      [-32602]: 'Invalid params: an unknown tool, or arguments it does not take.',
      [-32603]: 'Internal error: something failed inside the server.',
    }
    const here: Record<number, string> = stateless
      ? {
          [-32020]: 'Header mismatch: a header and the message disagree; both are in the trace.',
          [-32021]:
            'Missing client capability: the server needs what “requiredCapabilities” names, and Periscope did not declare it.',
          [-32022]:
            'Unsupported revision: “supported” names those the server speaks. Pin one of them in the connection settings.',
        }
      : {
          [-32042]: 'URL elicitation required: the user has to visit an address first.',
          [-32000]: 'Server error: a code servers use for failures of their own.',
          [-32001]: 'Server error: often a timeout on the server’s side.',
        }
    const text = both[code] ?? here[code]
    if (text) return text
    if (stateless && code <= -32020 && code >= -32099)
      return 'A code the specification keeps for itself and has not defined.'
    if (code <= -32000 && code >= -32099) return 'A code from the range for server errors; only the server knows more.'
    if (code <= -32100 && code >= -32768) return 'A code JSON-RPC keeps for itself, without a meaning so far.'
    return 'A code of the server’s own.'
  },
  errorData: 'Data of the error',
  cancelledMeans: 'You cancelled the call.',
  timeoutMeans: 'The time limit was reached.',
  lostMeans: 'The connection was lost before the answer came.',
  lateAnswer: 'A response arrived later.',
  released: 'The body of this answer was released to keep the trace within its memory budget.',
  rawLabel: 'The whole answer',
  structuredLabel: 'structuredContent',
  withoutContent: 'The result has no array of content blocks.',
  earlier: 'Earlier calls',
  announceOk: (name: string) => `${name} answered.`,
  announceIsError: (name: string) => `${name} reports a failure.`,
  announceError: (name: string, message: string) => `${name} was refused: ${message}`,
  announceEnded: (name: string, state: string) => `${name}: ${state}.`,
  // Findings on a tool
  findingNoObject: (found: string) => `A tool is an object; found ${found}.`,
  findingNoName: (found: string) => `A tool has a name that is a string and not empty; found ${found}.`,
  findingOddName: (found: string) => `A name has 1 to 128 of A–Z, a–z, 0–9, "_", "-" and "."; found ${found}.`,
  findingRepeatedName: (found: string) =>
    `Another tool before it is called ${found}, too; a call reaches only one of them.`,
  findingNoInputSchema: 'inputSchema is missing.',
  findingInputSchemaNoObject: (found: string) => `inputSchema is an object; found ${found}.`,
  findingInputSchemaType: (found: string) => `The type of inputSchema is "object"; found ${found}.`,
  findingOutputSchemaNoObject: (found: string) => `outputSchema is an object; found ${found}.`,
  findingOutputSchemaType: (found: string) => `The type of outputSchema is "object" in this revision; found ${found}.`,
  findingAnnotationsNoObject: (found: string) => `annotations is an object; found ${found}.`,
  findingHintNoBoolean: (pointer: string, found: string) => `${pointer} is true or false; found ${found}.`,
  // Findings on a result
  findingContentMissing:
    'content is missing. It is required beside structured content and errors, too; official libraries fill it in and hide this.',
  findingStructuredMissing: 'The tool has an outputSchema, so structuredContent is due.',
  findingStructuredNoObject: 'structuredContent is an object in this revision.',
  findingStructuredNotRepeated:
    'No text block repeats the structured content, so clients before 2025-06-18 see nothing of it.',
  findingStructuredUnknown: 'structuredContent came with revision 2025-06-18; this session speaks an older one.',
  findingIsErrorNoBoolean: 'isError is true or false.',
}
