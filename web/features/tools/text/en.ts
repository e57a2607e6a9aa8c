import type { ResultFinding, ToolFinding } from '../findings.ts'
import type { Hint } from '../tools-fold.ts'

export default {
  // The list
  listLabel: 'Tools on this server',
  filter: 'Filter tools',
  idle: "Tools haven't been listed yet.",
  notOffered: "The server doesn't declare the tools capability. Some servers respond anyway.",
  noTools: "This server doesn't offer any tools.",
  noMatch: (filter: string) => `No tools match “${filter}”.`,
  groupOther: 'other',
  groupApart: 'not usable over HTTP',
  apartWhy: (pointer: string) => `Not usable over HTTP: the x-mcp-header at ${pointer} is invalid.`,
  tagRead: 'read',
  tagDestructive: 'destructive',
  tagSchema: 'schema',
  tagTask: 'task',
  tagOpen: 'open',
  tagOpenWhy: 'According to the server, this tool reaches external systems such as the web',
  tagReadWhy: 'According to the server, this tool is read-only',
  tagDestructiveWhy: 'According to the server, this tool may be destructive',
  tagSchemaWhy: 'Has an outputSchema',
  tagTaskWhy: 'Can run as a task',
  resize: 'Tool list width',
  resizeResult: 'Result panel size',
  // One tool
  pick: 'Select a tool',
  pickHint: 'Use ↑ ↓ to move, / to filter.',
  gone: (name: string) => `Tool “${name}” not found on this server`,
  goneHint: 'It may have been removed when the list changed. Earlier calls stay in the trace.',
  back: 'Back to list',
  previous: 'Previous tool',
  next: 'Next tool',
  schema: 'Schema',
  views: 'Argument view',
  argumentsJson: 'Arguments as JSON',
  noArguments: 'No arguments',
  fillExamples: 'Fill with examples',
  recall: 'Arguments of an earlier call',
  recalled: (at: string, count: string) => `Earlier arguments ${at} of ${count}`,
  noSchema: 'No usable inputSchema. Write the arguments as JSON.',
  inputSchema: 'inputSchema',
  outputSchema: 'outputSchema',
  noOutputSchema: 'none',
  run: 'Run',
  runAnyway: 'Run anyway',
  notObject: 'Arguments must be an object. Nothing was sent.',
  dropText: 'Discard text and use form',
  invalid: (count: number) =>
    count === 1 ? '1 value violates the inputSchema.' : `${count} values violate the inputSchema.`,
  invalidHint: '“Run anyway” sends the arguments as they are. The server may reject them.',
  sentInvalid: 'sent despite inputSchema violations',
  cannotCall: "This tool can't be called because its name is missing.",
  mustConnect: 'Connect to run this tool.',
  runAsks: 'Run…',
  switchOn: 'Switch on',
  // Annotations
  claims: 'Declared by the server, not verified',
  claim: (hint: Hint, value: boolean) =>
    ({
      readOnlyHint: value ? 'read-only' : 'not read-only',
      destructiveHint: value ? 'destructive' : 'not destructive',
      idempotentHint: value ? 'idempotent' : 'not idempotent',
      openWorldHint: value ? 'open world' : 'closed world',
    })[hint],
  claimed: 'declared',
  byDefault: 'default',
  task: (support: string) => `task: ${support}`,
  hint: 'Hint',
  holds: 'Value',
  from: 'From',
  meaning: 'If true',
  hintMeaning: (hint: Hint) =>
    ({
      readOnlyHint: "Doesn't modify anything",
      destructiveHint: 'May change or delete existing data, not only add to it',
      idempotentHint: 'Repeating a call with the same arguments has no further effect',
      openWorldHint: 'Interacts with external systems such as the web',
    })[hint],
  hintMoot: 'ignored for read-only tools',
  // The result
  result: 'Result',
  noResult: 'No result yet. Run the tool to see its response.',
  stays: 'The previous result stays here until the next response.',
  compareSame: 'The responses are identical.',
  comparePrevious: (seq: string) => `Previous response #${seq}`,
  compareThis: (seq: string) => `This response #${seq}`,
  runElsewhere: 'Run on another server…',
  twoServers: (name: string) => `${name} on two servers`,
  twoServersHint:
    "The other server gets the same arguments. Variables take their values from that server's environment.",
  otherServer: 'Other server',
  otherGone: 'No other connected server has this tool.',
  runOn: (server: string) => `Run on ${server}`,
  runOnBoth: 'Run on both',
  notRunThere: 'Not run yet.',
  missingThere: (names: string) => `Nothing was sent. These variables have no value: ${names}.`,
  masked: 'Nothing was sent: the arguments contain masked secrets. Enter the real values.',
  maskedArguments:
    "The arguments can't be sent from here because their secrets are masked in the trace. Enter the arguments in the other server's form.",
  otherLeft: 'That server is no longer connected, or no longer lists the tool. Select another server.',
  taskCancelledMeans: 'The task was cancelled.',
  asksFor: (methods: string) => `The server requested ${methods} and got no response. The call ended.`,
  asksAgain: 'The server requested that the call be repeated, but the call ended first.',
  asksGoing: 'The server requires input. The call is paused until you respond.',
  // Tasks
  runAsTask: 'Run as task',
  ttlLabel: 'Time to live (ms)',
  ttlHint: 'server default',
  ttlBad: 'Enter a whole number of milliseconds. Until then, no time to live is sent.',
  gateMay: 'When run as a task, the call returns immediately. The result is loaded when the task finishes.',
  gateMust: 'This tool runs only as a task.',
  gateMustNot: 'This tool runs only as a task. The server rejects a plain call with -32601.',
  gateForbidden: "This tool doesn't support tasks.",
  gateNoCapability: "The server doesn't declare tasks.requests.tools.call, so calls can't run as tasks.",
  gateServer: 'The server decides whether a call becomes a task.',
  taskIs: 'The call became a task',
  taskOpen: 'Open in Tasks',
  judging: 'checking against outputSchema…',
  showInTree: 'Show in tree',
  verdictSlow: 'Periscope stopped checking the result against outputSchema because it took too long.',
  verdictLarge: 'The result is too large to check against outputSchema.',
  matches: 'matches outputSchema',
  mismatches: (count: string) =>
    count === '1' ? '1 violation of outputSchema' : `${count} violations of outputSchema`,
  unchecked: 'not checked against outputSchema',
  isErrorMeans: 'The tool ran and reported a failure (isError). A model would read this text.',
  errorMeans: 'The server returned a JSON-RPC error instead of a result.',
  /** BP-31: error codes that the protocol version doesn't define have no meaning here. */
  code: (code: number, stateless: boolean) => {
    const both: Record<number, string> = {
      [-32700]: "Parse error: the server couldn't parse the request as JSON.",
      [-32600]: "Invalid request: the server doesn't accept this request.",
      [-32601]: "Method not found: the server doesn't support tools/call or this form of it.",
      [-32602]: 'Invalid params: unknown tool or invalid arguments.',
      [-32603]: 'Internal error: the server failed while handling the call.',
    }
    const here: Record<number, string> = stateless
      ? {
          [-32020]: 'Header mismatch: a header disagrees with the message. Both are in the trace.',
          [-32021]:
            "Missing client capability: the server requires the capabilities in “requiredCapabilities”, but Periscope didn't declare them.",
          [-32022]:
            'Unsupported protocol version: “supported” lists the versions the server supports. Pin one of them in the connection settings.',
        }
      : {
          [-32042]: 'URL elicitation required: open a URL before calling again.',
          [-32000]: 'Server error: a code servers use for their own failures.',
          [-32001]: 'Server error: in SDKs, often a timeout or an unknown session.',
        }
    const text = both[code] ?? here[code]
    if (text) return text
    if (stateless && code <= -32020 && code >= -32099)
      return 'A code reserved by the specification but not defined yet.'
    if (code <= -32000 && code >= -32099) return 'A server error code. Its meaning depends on the server.'
    if (code <= -32100 && code >= -32768) return 'A code reserved by JSON-RPC without a defined meaning.'
    return 'A server-specific code.'
  },
  cancelledMeans: 'You cancelled the call.',
  timeoutMeans: 'The call timed out.',
  lateAnswer: 'A response arrived later.',
  earlier: 'Earlier calls',
  announceOk: (name: string) => `${name}: ok.`,
  announceIsError: (name: string) => `${name}: tool error.`,
  // Problems
  schemaKeyword: (keyword: string, dialect: string, expected: string, found: string) =>
    `${keyword} must be ${expected} in ${dialect}; found ${found}.`,
  toolFinding: (code: ToolFinding['code'], found: string, pointer: string) =>
    ({
      'no-object': `A tool must be an object; found ${found}.`,
      'no-name': `The name of a tool must be a non-empty string; found ${found}.`,
      'odd-name': `A tool name should have 1 to 128 characters from A–Z, a–z, 0–9, "_", "-" and "."; found ${found}.`,
      'repeated-name': `Duplicate tool name ${found}. Calls reach only one of them.`,
      'no-input-schema': 'inputSchema is missing.',
      'input-schema-no-object': `inputSchema must be an object; found ${found}.`,
      'input-schema-type': `The type of inputSchema must be "object"; found ${found}.`,
      'output-schema-no-object': `outputSchema must be an object; found ${found}.`,
      'output-schema-type': `The type of outputSchema must be "object" in this protocol version; found ${found}.`,
      'annotations-no-object': `annotations must be an object; found ${found}.`,
      'hint-no-boolean': `${pointer} must be true or false; found ${found}.`,
    })[code],
  resultFinding: (code: ResultFinding['code']) =>
    ({
      'content-missing':
        'content is missing. It is required even with structuredContent or isError. Official SDKs add it silently, which hides the fault.',
      'structured-missing': 'The tool has an outputSchema, so structuredContent is required.',
      'structured-no-object': 'structuredContent must be an object in this protocol version.',
      'structured-not-repeated':
        "No text block repeats structuredContent, so clients of earlier protocol versions can't read it.",
      'structured-unknown':
        'structuredContent was added in protocol version 2025-06-18; this session uses an older one.',
      'is-error-no-boolean': 'isError must be true or false.',
    })[code],
}
