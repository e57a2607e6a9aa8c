/** A change in the form that texts describe. */
interface Said {
  readonly code: string
  readonly judgement: string
  readonly what: string
  readonly kind: string
  readonly about?: string
  readonly side?: string
  readonly renamedTo?: string
  readonly direction?: string
}

export default {
  label: 'Tests',
  modes: 'Test mode',
  modeRun: 'Run again',
  modeCompare: 'Compare',
  // Sources of tests
  listLabel: 'Collections',
  runLabel: 'Run and results',
  sourceSession: 'This session',
  sourceOpen: 'open',
  sourceFile: (name: string) => `File ${name}`,
  refresh: 'Update',
  refreshHint: 'Lists all calls of this session again, and discards edits and results',
  open: 'Open…',
  openHint: 'Open a session file or exported calls',
  openFailed: (why: string) =>
    `Can't open the file: ${why}. Choose a session file or exported calls (.periscope.jsonl).`,
  openDamaged: (count: string) =>
    `Partly opened: ${count === '1' ? '1 part of the file is' : `${count} parts of the file are`} unreadable.`,
  keepAs: 'Save…',
  keepHint: 'Save these calls on this device as a collection',
  keepName: 'Collection name',
  share: 'Export',
  exportHint: 'Exports tests, rules and recorded responses, but not the values of variables',
  rename: 'Rename…',
  remove: 'Delete…',
  removeSure: (name: string) => `Delete “${name}” from this device?`,
  removeYes: 'Delete',
  notLasting: "This browser can't store data for this page. Export your collections before you close the page.",
  notKept: (code: string, why: string) =>
    ({
      full: 'Collection not saved: the limit is 200 collections. Delete one first.',
      'too-large': 'Collection not saved: it exceeds 16 MB. Delete tests or export it to a file.',
    })[code] ?? `Collection not saved: ${why}. Export it to a file.`,
  // Running
  target: 'Send to',
  targetFor: (name: string) => `Send the tests from ${name} to`,
  noTarget: 'Connect to a server to run these tests.',
  runAll: 'Run all',
  runFrom: 'Run from here',
  runOne: 'Run this test',
  stop: 'Stop',
  rules: 'Rules',
  onlyFailed: 'Failed only',
  passed: (count: string) => `${count} passed`,
  failed: (count: string) => `${count} failed`,
  skipped: (count: string) => `${count} skipped`,
  notSent: (count: string) => `${count} not sent`,
  slowerWord: 'slower',
  slower: (count: string) => `${count} slower`,
  notRun: (count: string) => (count === '1' ? '1 test, not run yet' : `${count} tests, not run yet`),
  callsNotRun: (count: string) => (count === '1' ? '1 call of this session' : `${count} calls of this session`),
  announce: (passed: string, failed: string) => `Finished: ${passed} passed, ${failed} failed or not sent`,
  fault: (why: string) => `The run stopped early: ${why}`,
  confirmTitle: 'Run tools that need confirmation?',
  confirmText: (tools: string, server: string) =>
    `This run calls tools that need your approval: ${tools} on ${server}. They may change or delete data.`,
  confirmSkip: 'Run only the other tests',
  confirmCancel: "Don't run",
  variables: 'Variables',
  variablesHint:
    "Numbers, true, false and JSON keep their type; everything else is sent as a string. Values aren't saved.",
  variable: (name: string) => `Value of ${name}`,
  // The list
  steps: 'Tests',
  noTests: 'No saved tests yet',
  noTestsHint:
    'A test repeats a call and checks the response. Run a tool, then choose “Save as test” beside its result. Or open a file with tests or a recording.',
  saveLast: 'Save last call as test',
  openFile: 'Open a file…',
  noSteps: 'No tests in this collection',
  noStepsHint: 'Run a tool, then choose “Save as test” beside its result.',
  gone: 'This collection was deleted',
  noneFailed: 'No failed tests.',
  pick: 'Select a test',
  back: 'Back to tests',
  resize: 'Test list width',
  step: (number: string) => `Test ${number}`,
  mark: (mark: string) => ({ none: 'not run', 'not-sent': 'not sent' })[mark] ?? mark,
  sending: 'pending',
  verdict: (verdict: string) =>
    ({ missing: 'response missing', extra: 'new response', 'not-sent': 'not sent' })[verdict] ?? verdict,
  repeated: (count: string) => `${count} times`,
  // One step
  tabs: 'Test tabs',
  tabAnswer: 'Response',
  tabRequest: 'Request',
  tabExpect: 'Expected',
  up: 'Move up',
  down: 'Move down',
  double: 'Duplicate',
  skip: 'Skip',
  deleteStep: 'Delete test',
  neverRun: 'Not run yet.',
  nothingRecorded: 'No recorded response to compare with.',
  recordedAnswer: 'Recorded response',
  runOf: (run: string) => `Run ${run}`,
  chooseRun: 'Run',
  tookBefore: (now: string, before: string) => `${now}, recorded ${before}`,
  slowerBy: (times: string) => `${times}× as long`,
  frame: (seq: string) => `#${seq}`,
  ending: (ended: string) =>
    ({
      cancelled: 'The call was cancelled before a response arrived.',
      timeout: 'The call timed out.',
      lost: 'The connection was lost before a response arrived.',
    })[ended] ?? ended,
  problem: (code: string, what: string) =>
    ({
      'no-session': 'Not sent: no connected server selected. Choose one under “Send to”.',
      'unknown-variables': `Not sent: no value for ${what}. Enter it above, or run the test that provides it.`,
      redacted: 'Skipped: a value in the request was redacted. Enter it on the Request tab.',
      refused: `Not sent: ${what}`,
    })[code] ?? what,
  differences: (count: string) => (count === '1' ? '1 difference' : `${count} differences`),
  noDifferences: 'The responses are identical.',
  acceptedOnly: 'All differences are ignored.',
  moreDifferences: 'Only the first 1,000 differences are listed.',
  showMore: (count: string) => `Show more (${count} left)`,
  changeKind: (kind: string) => kind,
  whole: 'entire response',
  acceptedBy: (rule: string) => `ignored by ${rule}`,
  ignoreHere: 'Ignore here',
  takeAsRecorded: 'Use as recorded response',
  takeHint: 'Compares future responses with this one',
  asked: (method: string) =>
    `The server sent ${method}, which Periscope rejected because the test has no recorded response to it.`,
  unasked: (method: string) => `The server sent ${method} in the recording, but not this time.`,
  sideBySide: 'Side by side',
  mergeRight: 'Current response',
  list: 'Differences',
  answerNow: 'Response',
  // Request
  name: 'Name',
  group: 'Group',
  repeat: 'Number of runs',
  params: 'Parameters',
  paramsViews: 'Parameter view',
  rawText: 'Text sent unchanged',
  notJson: (why: string) => `Not a JSON object, so the test is unchanged: ${why}`,
  noObject: 'parameters must be an object',
  templated: 'Fill in {{variables}}',
  takes: 'Extract from response',
  takesHint: 'Values that later tests can use as {{name}}',
  takeName: 'Variable name',
  takePointer: 'JSON Pointer into the result',
  addTake: 'Extract value',
  removeTake: (name: string) => `Don't extract ${name}`,
  answers: (count: string) =>
    count === '1' ? '1 recorded response to server requests' : `${count} recorded responses to server requests`,
  // Expectations
  expectNone: 'Nothing is expected beyond the recorded response.',
  expectCame: 'Expect this response',
  expectAdd: 'Add',
  expectKind: 'Expectation',
  kind: (kind: string) =>
    ({
      status: 'status',
      equals: 'equals',
      matches: 'matches schema',
      contains: 'contains',
      under: 'takes less than',
      'no-must': 'no MUST violations',
    })[kind] ?? kind,
  kindNoMust: 'The test must not cause MUST violations.',
  status: 'Status',
  statusWord: (status: string) => ({ 'tool-error': 'tool error (isError)' })[status] ?? status,
  code: 'Error code',
  anyCode: 'any code',
  pointer: 'JSON Pointer',
  value: 'Value as JSON',
  schema: 'JSON Schema',
  text: 'Text',
  limit: 'Milliseconds',
  notValue: 'Invalid value. The previous value still applies.',
  removeExpectation: (kind: string) => `Remove expectation: ${kind}`,
  met: 'met',
  notMet: (found: string) => `not met: ${found}`,
  // Rules
  rulesTitle: 'Ignored differences',
  rulesHint:
    'Differences that match a rule are labeled with its name and ignored. Rules are saved with the collection.',
  rulesReset: 'Restore default rules',
  ruleOn: (id: string) => `Apply rule ${id}`,
  ruleRemove: (id: string) => `Delete rule ${id}`,
  ruleAdd: 'Add rule',
  ruleWhere: 'JSON Pointer (* matches any key, ** any depth)',
  ruleEverywhere: 'everywhere',
  ruleAccept: 'Ignored values',
  accept: (accept: string) =>
    ({
      any: 'anything',
      'same-type': 'same type',
      time: 'times',
      id: 'IDs',
      duration: 'durations',
      address: 'local ports and temp paths',
    })[accept] ?? accept,
  // Compare
  compareBefore: 'Before',
  compareAfter: 'After',
  compareTurn: 'Swap sides',
  compareGroup: (group: string, server: string) =>
    ({ open: 'Open servers', recorded: 'Recordings', remembered: `Earlier lists of ${server}` })[group] ?? group,
  compareDay: (at: Date) => at.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
  compareForget: 'Clear earlier lists',
  compareForgetHint: "Deletes this server's earlier lists (at most five) from this device",
  compareParts: 'Compare',
  compareOffer: 'Capabilities and lists',
  compareAnswers: 'Responses',
  compareOne: 'Nothing to compare with yet',
  compareOneHint:
    'Connect to another server, or open a recording. Periscope also stores what this server offers and shows any change here.',
  compareNothing: (name: string) =>
    `No lists are stored for ${name}. Connect to it, or choose another server or recording.`,
  compareSame: 'No differences',
  compareSameHint:
    'Tools, resources, templates, prompts, capabilities, instructions and protocol version are identical.',
  compareNoAnswers: 'No responses to compare',
  compareNoAnswersHint:
    'Call the same tool with the same arguments on both sides. “Run again” can repeat the calls of one server on the other.',
  compareChanges: 'Changes',
  compareOnly: 'Filter changes',
  compareAll: (count: string) => `All ${count}`,
  compareMany: (judgement: string, count: string) => `${count} ${judgement}`,
  compareBack: 'Back to changes',
  compareBackAnswers: 'Back to responses',
  compareResize: 'Change list width',
  compareDetail: 'Change',
  judgement: (judgement: string) => judgement,
  what: (what: string) => (what === 'revision' ? 'protocol version' : what),
  says: ({ code, about = '', renamedTo, direction, kind }: Said) =>
    ({
      added: 'was added',
      removed: renamedTo === undefined ? 'was removed' : `was removed; ${renamedTo} is identical`,
      words: about ? `${about} changed` : 'text changed',
      claim: `${about} changed`,
      destructive: `${about} is now ${about === 'readOnlyHint' ? 'false' : 'true'}`,
      'schema-added': 'now declares an output schema',
      'schema-removed': 'no longer declares an output schema',
      'task-required': 'must be called as a task',
      'task-refused': 'can no longer be called as a task',
      task: 'task support changed',
      'argument-added': `also takes ${about}`,
      'argument-required': `now requires ${about}`,
      'argument-optional': `no longer requires ${about}`,
      'argument-removed': `no longer takes ${about}`,
      'media-type': 'media type changed',
      value: `${about || 'value'} changed`,
      'not-listed': kind === 'added' ? 'list not loaded before' : 'list not loaded now',
      'required-added': `now requires ${about}`,
      'required-removed': `no longer requires ${about}`,
      'property-added': `${about} was added`,
      'property-added-required': `${about} was added and is required`,
      'property-removed': `${about} was removed`,
      'property-renamed': `${about} may have been renamed to ${renamedTo ?? ''}`,
      open: direction === 'narrowed' ? 'allows fewer additional properties' : 'allows more additional properties',
      'cannot-tell': `${about || 'schema'} changed`,
      default: 'default changed',
      annotation: `${about} changed`,
    })[code] ??
    `${about} allows ${{ narrowed: 'fewer values', widened: 'more values', other: 'different values' }[direction ?? 'other'] ?? ''}`,
  why: ({ code, judgement, side, what }: Said) => {
    if (code === 'not-listed')
      return "This list was never loaded on one side, so changes are unknown. Open the list's tab to load it."
    if (code === 'cannot-tell')
      return "The effect can't be determined automatically, so it counts as breaking. Compare the two sides."
    if (judgement === 'notable') {
      return what === 'revision' || what === 'server'
        ? "This alone doesn't break calls, but other rules may now apply to every call."
        : "This doesn't break calls, but models or people may act differently."
    }
    if (judgement === 'compatible') return 'Existing clients keep working.'
    if (side === 'input') return 'Existing calls may be rejected.'
    if (side === 'output')
      return "Responses may contain values that existing clients don't expect, or lack values they need."
    return 'Existing clients will fail.'
  },
}
