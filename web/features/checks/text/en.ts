/** A change, as far as it is put into words. */
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
  label: 'Checks',
  modes: 'What is checked',
  modeRun: 'Run again',
  modeCompare: 'Compare',
  loading: 'Loading …',
  // Where the steps come from
  source: 'Steps of',
  sourceSession: 'this session',
  sourceCollections: 'Saved calls',
  sourceFile: (name: string) => `file ${name}`,
  refresh: 'Update',
  refreshHint: 'Take the calls made since, too',
  open: 'Open …',
  openHint: 'A session file, or shared calls',
  openFailed: (why: string) =>
    `The file was not opened: ${why}. Choose a session file or shared calls (.periscope.jsonl).`,
  openDamaged: (count: string) => `Opened as far as it is good: ${count} parts of the file could not be read.`,
  keepAs: 'Save …',
  keepHint: 'Keep these steps on this device, as a collection',
  keepName: 'Name of the collection',
  keep: 'Save',
  cancel: 'Cancel',
  share: 'Export',
  exportHint: 'A file of steps, rules and recorded answers; values of variables are not in it',
  rename: 'Rename …',
  remove: 'Delete …',
  removeSure: (name: string) => `Delete “${name}” from this device?`,
  removeYes: 'Delete',
  notLasting:
    'This browser keeps nothing for this page: saved calls last until the page is closed. Export them to keep them.',
  notKept: (code: string, why: string) =>
    ({
      full: 'Not saved: 200 collections are kept already. Delete one first.',
      'too-large': 'Not saved: a collection may have 16 MB. Delete steps, or export to a file instead.',
    })[code] ?? `Not saved: ${why}. Export it to a file instead.`,
  // Running
  target: 'Send to',
  targetFor: (name: string) => `Send the steps of ${name} to`,
  noTarget: 'Connect to a server to send these steps.',
  runAll: 'Run all',
  runFrom: 'Run from here',
  runOne: 'Run this step',
  stop: 'Stop',
  rules: 'Rules',
  onlyFailed: 'Failed only',
  passed: (count: string) => `${count} passed`,
  failed: (count: string) => `${count} failed`,
  skipped: (count: string) => `${count} skipped`,
  notSent: (count: string) => `${count} not sent`,
  slowerWord: 'slower',
  slower: (count: string) => `${count} slower`,
  notRun: (count: string) => (count === '1' ? '1 step, not run yet' : `${count} steps, not run yet`),
  announce: (passed: string, failed: string) => `Done: ${passed} passed, ${failed} failed or not sent`,
  fault: (why: string) => `The run ended early: ${why}`,
  confirmTitle: 'Some of these calls claim to destroy something',
  confirmText: (tools: string, server: string) => `${tools} on ${server} may change or delete what they are given.`,
  confirmRun: 'Run them',
  confirmSkip: 'Run the others',
  confirmCancel: 'Do not run',
  variables: 'Variables',
  variablesHint: 'Numbers, true, false and JSON are sent as such, all else as text. Nothing of it is kept.',
  variable: (name: string) => `Value of ${name}`,
  // The list
  steps: 'Steps',
  noSteps: 'No calls yet.',
  noStepsHint: 'What you call in the other tabs can be run again here. Or open a file, or save a call from its result.',
  gone: 'This collection is not kept any more.',
  noneFailed: 'No step failed.',
  pick: 'Pick a step',
  back: 'Back to the steps',
  resize: 'Width of the list of steps',
  step: (number: string) => `Step ${number}`,
  mark: (mark: string) =>
    ({ none: 'not run', passed: 'passed', failed: 'failed', skipped: 'skipped', 'not-sent': 'not sent' })[mark] ?? mark,
  sending: 'under way',
  verdict: (verdict: string) =>
    ({
      same: 'same',
      different: 'different',
      missing: 'answer missing',
      extra: 'new answer',
      skipped: 'skipped',
      'not-sent': 'not sent',
    })[verdict] ?? verdict,
  repeated: (count: string) => `${count} times`,
  // One step
  tabs: 'Parts of the step',
  tabAnswer: 'Answer',
  tabRequest: 'Request',
  tabExpect: 'Expected',
  up: 'Move up',
  down: 'Move down',
  double: 'Repeat below',
  skip: 'Skip',
  deleteStep: 'Delete step',
  neverRun: 'Not run yet.',
  nothingRecorded: 'Nothing was recorded to compare with.',
  recordedAnswer: 'Recorded answer',
  runOf: (run: string) => `Run ${run}`,
  tookBefore: (now: string, before: string) => `${now}, recorded ${before}`,
  slowerBy: (times: string) => `${times} × slower`,
  frame: (seq: string) => `#${seq}`,
  showInTrace: 'Show in the trace',
  ending: (ended: string) =>
    ({
      cancelled: 'The call was cancelled: there is no answer.',
      timeout: 'No answer came in time.',
      lost: 'The connection was lost before the answer.',
    })[ended] ?? ended,
  problem: (code: string, what: string) =>
    ({
      'no-session': 'Not sent: no server is chosen for it, or it is not connected.',
      'unknown-variables': `Not sent: no value for ${what}. Give one above, or run the step that it is taken from.`,
      refused: `Not sent: ${what}`,
    })[code] ?? what,
  differences: (count: string) => (count === '1' ? '1 difference' : `${count} differences`),
  noDifferences: 'The answer is the same.',
  acceptedOnly: 'Nothing differs that counts.',
  moreDifferences: 'There are more; the first 1,000 are listed.',
  showMore: (count: string) => `Show more (${count} left)`,
  changeKind: (kind: string) => ({ changed: 'changed', added: 'added', removed: 'removed' })[kind] ?? kind,
  whole: 'whole answer',
  acceptedBy: (rule: string) => `accepted by ${rule}`,
  ignoreHere: 'Ignore here',
  takeAsRecorded: 'Take as recorded',
  takeHint: 'From now on this answer is what the next is compared with',
  asked: (method: string) => `${method} was asked, and the recording holds no answer to it. It was refused.`,
  unasked: (method: string) => `${method} was asked when it was recorded, and not this time.`,
  sideBySide: 'Side by side',
  mergeLeft: 'Recorded answer',
  mergeRight: 'Answer now',
  mergeTooLarge: 'Too large to be shown side by side.',
  list: 'Differences',
  views: 'How the answer is shown',
  answerNow: 'Answer',
  // Request
  name: 'Name',
  group: 'Group',
  repeat: 'Times',
  params: 'Parameters',
  paramsViews: 'How the parameters are edited',
  form: 'Form',
  json: 'JSON',
  argumentsOf: (name: string) => `Arguments of ${name}`,
  rawText: 'Text that is sent as it is',
  notJson: (why: string) => `No JSON object yet, so the step stays as it was: ${why}`,
  noObject: 'parameters are an object',
  templated: 'Fill in {{variables}}',
  takes: 'Take from the answer',
  takesHint: 'A value that later steps use as {{name}}',
  takeName: 'Name of the variable',
  takePointer: 'JSON pointer into the result',
  addTake: 'Take a value',
  removeTake: (name: string) => `Do not take ${name}`,
  answers: (count: string) =>
    count === '1'
      ? '1 recorded answer to the server’s questions'
      : `${count} recorded answers to the server’s questions`,
  // Expectations
  expectNone: 'Nothing is expected beyond the recorded answer.',
  expectCame: 'Expect what came',
  expectAdd: 'Add',
  expectKind: 'What is expected',
  kind: (kind: string) =>
    ({
      status: 'status',
      equals: 'equals',
      matches: 'matches a schema',
      contains: 'contains',
      under: 'takes less than',
      'no-must': 'breaks no MUST',
    })[kind] ?? kind,
  kindNoMust: 'No finding of level MUST in what the step causes.',
  status: 'Status',
  statusWord: (status: string) =>
    ({ ok: 'answers', 'tool-error': 'tool error (isError)', error: 'protocol error' })[status] ?? status,
  code: 'Error code',
  anyCode: 'any code',
  pointer: 'JSON pointer',
  value: 'Value as JSON',
  schema: 'JSON Schema',
  text: 'Text',
  limit: 'Milliseconds',
  notValue: 'No JSON yet: the old value still holds.',
  removeExpectation: (kind: string) => `Expect no more: ${kind}`,
  met: 'met',
  notMet: (found: string) => `not met: ${found}`,
  // Rules
  rulesTitle: 'Differences that do not count',
  rulesHint:
    'A difference that a rule accepts is shown with its name and counts for nothing. They are kept with the collection.',
  rulesReset: 'Back to the default rules',
  ruleOn: (id: string) => `Rule ${id} holds`,
  ruleRemove: (id: string) => `Delete rule ${id}`,
  ruleAdd: 'Add a rule',
  ruleWhere: 'Where: a pointer with * and **',
  ruleEverywhere: 'everywhere',
  ruleAccept: 'What is accepted',
  accept: (accept: string) =>
    ({
      any: 'anything',
      'same-type': 'same type',
      time: 'times',
      id: 'ids',
      duration: 'durations',
      address: 'addresses',
    })[accept] ?? accept,
  close: 'Close',
  // Compare
  compareBefore: 'Before',
  compareAfter: 'After',
  compareTurn: 'Swap the two',
  compareGroup: (group: string, server: string) =>
    ({ open: 'Open servers', recorded: 'Recordings', remembered: `${server}, as it was` })[group] ?? group,
  compareDay: (at: Date) => at.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
  compareForget: 'Forget how it was',
  compareForgetHint: 'The lists of this server that are kept on this device, five at most',
  compareParts: 'What is compared',
  compareOffer: 'What is offered',
  compareAnswers: 'Answers',
  compareOne: 'Nothing to compare with yet.',
  compareOneHint:
    'Connect to another server, or open a recording. What this server offers now is remembered, too: when it offers something else the next time, the two are compared here.',
  compareNothing: (name: string) => `Nothing is known of what ${name} offers. Connect to it, or choose another.`,
  compareSame: 'Both offer the same.',
  compareSameHint: 'Tools, resources, templates, prompts, capabilities, instructions and revision do not differ.',
  compareNoAnswers: 'No request has an answer from both.',
  compareNoAnswersHint:
    'Call the same tool with the same arguments on both; “Run again” can send the calls of one to the other.',
  compareChanges: 'Changes',
  compareOnly: 'Which changes are shown',
  compareAll: (count: string) => `All ${count}`,
  compareMany: (judgement: string, count: string) => `${count} ${judgement}`,
  compareBack: 'Back to the changes',
  compareBackAnswers: 'Back to the answers',
  compareResize: 'Width of the list of changes',
  compareDetail: 'The change',
  judgement: (judgement: string) =>
    ({ breaking: 'breaking', notable: 'notable', compatible: 'compatible' })[judgement] ?? judgement,
  what: (what: string) =>
    ({
      tool: 'tool',
      resource: 'resource',
      template: 'template',
      prompt: 'prompt',
      capability: 'capability',
      instructions: 'instructions',
      revision: 'revision',
      server: 'server',
    })[what] ?? what,
  says: ({ code, about = '', renamedTo, direction, kind }: Said) =>
    ({
      added: 'is new',
      removed: renamedTo === undefined ? 'is gone' : `is gone; ${renamedTo} is just like it`,
      words: about ? `${about} says something else` : 'say something else',
      claim: `${about} claims something else`,
      destructive: `${about}: it no longer claims to be harmless`,
      'schema-added': 'promises a form of its output',
      'schema-removed': 'no longer promises a form of its output',
      'task-required': 'must be called as a task',
      'task-refused': 'can no longer be called as a task',
      task: 'calls as a task: other rules hold',
      'argument-added': `takes ${about}, too`,
      'argument-required': `requires ${about}`,
      'argument-optional': `no longer requires ${about}`,
      'argument-removed': `no longer takes ${about}`,
      'media-type': 'has another media type',
      value: `${about || 'its value'} is another`,
      'not-listed': kind === 'added' ? 'were not listed before' : 'are not listed now',
      'required-added': `requires ${about}`,
      'required-removed': `no longer requires ${about}`,
      'property-added': `${about} is new`,
      'property-added-required': `${about} is new, and required`,
      'property-removed': `${about} is gone`,
      'property-renamed': `${about} seems to be called ${renamedTo ?? ''} now`,
      open: direction === 'narrowed' ? 'allows fewer other properties' : 'allows more other properties',
      'cannot-tell': `${about || 'the schema'} is another`,
      default: 'has another default',
      annotation: `${about} is another`,
    })[code] ??
    `${about} allows ${{ narrowed: 'less', widened: 'more', other: 'something else' }[direction ?? 'other'] ?? ''}`,
  why: ({ code, judgement, side, what }: Said) => {
    if (code === 'not-listed')
      return 'One of the two never listed these, so nobody can say what came or went. Open their tab to fetch them.'
    if (code === 'cannot-tell')
      return 'What this changes cannot be told by rule, so it counts as breaking. Look at it side by side.'
    if (judgement === 'notable') {
      return what === 'revision' || what === 'server'
        ? 'No call breaks by this alone; other rules may hold for all of them.'
        : 'No call breaks by this, but a model or a person may decide otherwise.'
    }
    if (judgement === 'compatible') return 'What worked before goes on working.'
    if (side === 'input') return 'Calls that are made as before may be refused.'
    if (side === 'output') return 'Answers may hold what a client of before does not expect, or lack what it needs.'
    return 'Clients that use it as before will fail.'
  },
}
