import type { PathProblem, RootFinding } from '../root-uri.ts'

export default {
  heading: 'Roots for this server',
  lead: "Directories the server may use. They are advisory and don't restrict access. Each server has its own list.",
  deprecated: 'Roots are deprecated as of 2026-07-28. Servers should take directories as arguments or settings.',
  listLabel: 'Root list',
  none: 'No roots. The server receives an empty list.',
  uriOf: (at: number) => `URI of root ${at}`,
  nameOf: (at: number) => `Name of root ${at}`,
  noName: 'unnamed',
  remove: (at: number) => `Remove root ${at}`,
  convert: (uri: string) => `Change to ${uri}`,
  wrong: (count: number) =>
    count === 1 ? '1 root is invalid. It is sent unchanged.' : `${count} roots are invalid. They are sent unchanged.`,
  tooMany: 'Too many roots. The limit is 60 roots and 12,000 characters in total.',
  // Adding
  addLabel: 'Add root',
  addHint: 'A path or a file:// URI',
  add: 'Add',
  becomes: (uri: string) => `becomes ${uri}`,
  addAsIs: 'Add unchanged',
  pathProblem: (problem: PathProblem) =>
    ({
      empty: '',
      home: "Periscope can't resolve ~. Enter the full path.",
      relative: 'Enter the full path, starting with / or a drive letter.',
      'not-file': 'Roots must be file:// URIs.',
      nul: "Paths can't contain the NUL character.",
    })[problem],
  suggested: 'Suggested',
  whyDirectory: "the server's working directory",
  whyArgument: 'an argument of the server',
  // Responding
  whenAsked: 'On request',
  answerList: 'Send list',
  answerAsk: 'Ask me',
  answerListMeans: 'The server receives exactly this list, even if the list is empty.',
  answerAskMeans: 'The request waits in the Inbox and next to the call until you respond.',
  whenChanged: 'On change',
  tellItself: 'Notify automatically',
  tellByHand: 'Notify manually',
  tellItselfMeans: 'Sends notifications/roots/list_changed when you leave a field, or add or remove a root.',
  tellByHandMeans:
    'Nothing is sent until you press “Notify now”. The specification requires a notification of every change.',
  tellNow: 'Notify now',
  noTell:
    "This protocol version doesn't support change notifications. The server requests roots during a call, whenever it needs them.",
  noTellWithheld:
    "“Roots” or “Root list changes” is off in the connection settings, so Periscope can't notify the server of changes.",
  tellFailed: (why: string) => `Notification failed: ${why}`,
  stale: 'The server has an older list',
  mustConnect: 'Not connected. The list is stored for the next connection.',
  // History
  history: 'roots/list requests',
  never: "The server hasn't requested roots.",
  asked: 'requested roots',
  got: (count: string) =>
    count === '0' ? 'received an empty list' : count === '1' ? 'received 1 root' : `received ${count} roots`,
  gotOther: 'received a response without roots',
  released: 'received a response (released to save memory)',
  refused: (code: number) => `received error ${code}`,
  open: 'waiting for you',
  withdrawn: 'cancelled',
  lost: 'lost',
  told: 'was notified of a change',
  earlier: (count: string) =>
    count === '1' ? '1 earlier entry is in the trace.' : `${count} earlier entries are in the trace.`,
  inCall: 'in a call',
  inTask: 'in a task',
  // Request
  asks: (server: string) => `${server} requests your roots`,
  sendList: (count: string) => (count === '1' ? 'Send 1 root' : `Send ${count} roots`),
  sendEmpty: 'Send empty list',
  edit: 'Edit list',
  refuseUnsupported: 'Reject: -32601',
  refuseUnsupportedMeans: "Acts like a client that doesn't support roots",
  refuseInternal: 'Reject: -32603',
  refuseInternalMeans: 'Acts like a client that failed',
  always: 'Send the list automatically from now on',
  answeredWith: 'Response',
  // Problems
  fault: (code: RootFinding['code'], found: string) =>
    ({
      empty: 'The URI is empty.',
      path: 'This is a path, not a URI.',
      'no-uri': 'Not a URI. Roots start with file://',
      scheme: `Roots must be file:// URIs, not ${found}:`,
      slashes: 'Write two slashes after file: and start the path with a third, as in file:///home',
      host: `“${found}” is read as a host name. Local paths start with file:///`,
      drive: `The drive “${found}” belongs in the path, with a colon: file:///C:/`,
      backslash: 'Use forward slashes (/) in URIs, not \\',
      characters: `“${found}” must be percent-encoded.`,
      percent:
        found === 'UTF-8'
          ? "The percent-encoded bytes aren't valid UTF-8."
          : `“${found}” isn't valid percent-encoding. Write a percent sign as %25.`,
      'hidden-separator': `Don't encode separators or NUL as ${found}. Different servers may decode it to different paths.`,
      traversal: '“..” leaves the directory. Enter the resolved path.',
      dot: '“.” is the same directory. Remove it.',
      query: `${found} ends the path. In a name, write ${found === '#' ? '%23' : '%3F'}.`,
      'whole-disk': 'This is an entire disk.',
      twice: 'This root is listed twice.',
      'too-long': `The URI has ${found} characters. The limit is 2,000.`,
    })[code],
}
