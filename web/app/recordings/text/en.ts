/** The texts of opened recordings. English is the source of all translations. */
export default {
  // The offer of a shared session.
  offerTitle: 'Someone shared a session with you',
  offerHint: 'Opening it only shows the recording. Nothing is connected, started or called.',
  offerOpen: 'Open session',
  offerDecline: 'Not now',
  offerName: 'Name',
  offerWhen: 'Recorded',
  offerBy: 'Recorded with',
  offerServers: 'Servers',
  offerCalls: 'Calls',
  offerFrames: 'Frames',
  offerNotes: 'Notes',
  offerRemoved: 'Removed',
  removedNone: 'nothing',
  removed: (count: string) =>
    count === '1' ? '1 value was removed before sharing' : `${count} values were removed before sharing`,
  partExchange: 'one exchange and the frames it triggered',
  partSteps: 'requests only, no responses',

  // The recording bar.
  recordingOf: (when: string) => `Recording of ${when}`,
  closeRecording: 'Close recording',
  connectInstead: 'Connect to this server',
  connectInsteadHint: 'Fills in the connect form with the URL or command from the recording',
  closeTitle: 'Close this recording?',
  closeHint:
    "It came from a link and isn't stored on this device. To open it again later, store it or keep the link. Stored recordings are listed under “Sessions on this device” on the first screen.",
  closeCancel: 'Cancel',
  closeOnly: 'Close',
  closeKeep: 'Store and close',
  notStored: (why: string) => `Recording not stored: ${why}`,
  damaged: 'Partly recovered:',
  /** Between the damages, and between what a format lacks. */
  separator: '; ',
  damageTruncated: (line: string) => `the file is cut off after line ${line}`,
  damageUnclosed: "the page wasn't closed properly, so the last moments may be missing",
  damageLine: (line: string, why: string) => `line ${line} is damaged (${why})`,
  damageHoles: (missing: string) => (missing === '1' ? '1 frame is missing' : `${missing} frames are missing`),
  damageHolesSome: 'frames are missing',
  damageChecksum: 'the link was changed or truncated in transit, so its content may be wrong',
  damageNewer: (version: string) => `saved by a later version (${version}), so parts of it may be unreadable`,
  damageTooMany: (limit: string) => `only the first ${limit} frames were read`,
  damageTooLarge: 'the file is too large or too damaged to read completely',
  imported: (format: string) => `Converted from ${format}, which doesn't contain a complete session:`,
  'from-har': 'a HAR file',
  'from-mcporter': 'an mcporter recording',
  'from-mcp-recorder': 'an mcp-recorder cassette',
  'from-inspector-protocol': 'MCP Inspector messages',
  'from-inspector-network': 'MCP Inspector requests',
  'from-json-rpc': 'a JSON-RPC log',
  'loss-session': 'the start and end of connections are inferred from the messages',
  'loss-not-mcp': (count: string) =>
    count === '1' ? '1 non-MCP entry is left out' : `${count} non-MCP entries are left out`,
  'loss-no-body': (count: string) => (count === '1' ? '1 body is missing' : `${count} bodies are missing`),
  'loss-headers': (count: string) =>
    count === '1' ? '1 exchange has no headers' : `${count} exchanges have no headers`,
  'loss-times': (count: string) =>
    count === '1' ? '1 message has no timestamp' : `${count} messages have no timestamps`,
  'loss-order': (count: string) => `the position of ${count} ${count === '1' ? 'message' : 'messages'} is a guess`,
  'loss-direction': (count: string) => `the direction of ${count} ${count === '1' ? 'message' : 'messages'} is a guess`,
  'loss-first-event': (count: string) =>
    count === '1' ? '1 response contains only the first event' : `${count} responses contain only the first event`,
  'loss-unreadable': (count: string) =>
    count === '1' ? '1 line contains no message' : `${count} lines contain no message`,
  'loss-entries': (count: string) =>
    count === '1'
      ? "1 entry is over the limit and wasn't read"
      : `${count} entries are over the limit and weren't read`,
  damageMore: (count: string) => `and ${count} more`,
  removedBar: (count: string) => (count === '1' ? '1 value was removed' : `${count} values were removed`),
  partBar: (part: string) => `Partial: ${part}`,
  noConnection: 'Not connected yet at this point. Move forward to see more.',
  neverConnected: "This recording doesn't contain a connection to this server.",
  notTaken: "This recording contains no server that Periscope can connect to. Enter the server's URL or command.",

  // The moment shown.
  asOf: 'As of frame',
  asOfSlider: 'Position in the session',
  asOfValue: (seq: string, last: string, time: string) => `frame ${seq} of ${last}, ${time}`,
  asOfOf: (last: string) => `of ${last}`,
  asOfPlay: 'Play',
  asOfPause: 'Pause',
  asOfSpeed: 'Speed',
  asOfHere: 'Move to selected frame',
  asOfSettling: 'updating…',

  // Bookmarks.
  bookmarks: 'Bookmarks',
  bookmarkHint: 'Bookmark the selected frame',
  bookmarkPick: 'Select a frame in the trace, then press b',
  bookmarkNone: 'No bookmarks yet. Select a frame in the trace and press b.',
  bookmarkGo: (seq: string) => `Go to frame ${seq}`,
  bookmarkText: (seq: string) => `Note on frame ${seq}`,
  bookmarkPlaceholder: 'What should the reader look at?',
  bookmarkRemove: (seq: string) => `Remove bookmark on frame ${seq}`,
  bookmarkSet: (seq: string) => `Frame ${seq} bookmarked`,
  bookmarkGone: (seq: string) => `Bookmark on frame ${seq} removed`,
  bookmarkLost: "Bookmarks exist only in this window. Periscope doesn't add them to the opened file or link.",
}
