import type { Fault, Forgiven } from '../reader.ts'

const faults: Readonly<Record<Fault, string>> = {
  unexpected: 'This character cannot stand here',
  'ends-early': 'The text ends too early; close what is open',
  'more-after': 'There is more text after the value',
  'open-string': 'The string is not closed',
  'open-comment': 'The comment is not closed',
  'bad-escape': 'JSON has no such escape',
  'bare-control': 'A control character in a string must be escaped',
  'bad-number': 'This is no number in JSON',
  'bad-word': 'A string needs quotes',
  'too-deep': 'Nested too deeply',
  'too-large': 'The text is too long',
}
const forgiven: Readonly<Record<Forgiven, string>> = {
  comment: 'comments',
  comma: 'trailing commas',
  quote: 'single quotes',
  name: 'names without quotes',
  space: 'odd white space',
}

export default {
  copyValue: 'Copy value',
  copyPath: 'Copy path',
  copied: 'Copied',
  notCopied: 'The browser refused; select and copy by hand',
  openAll: 'Open all',
  closeAll: 'Close all',
  stop: 'Stop',
  showAll: 'show all',
  characters: (count: string) => `${count} characters`,
  whole: (path: string) => `The whole text of ${path}`,
  close: 'Close',
  showRest: (count: string) => `Show ${count} more characters`,
  items: (count: string) => (count === '1' ? '1 item' : `${count} items`),
  actions: 'Actions',
  fault: (fault: Fault) => faults[fault],
  forgiven: (what: readonly Forgiven[]) =>
    `Sent as strict JSON, without ${what.map((each) => forgiven[each]).join(', ')}`,
  repeated: (name: string) => `${name} stands twice in one object; the last one counts`,
  escapeHint: 'Esc, then Tab leaves the editor',
}
