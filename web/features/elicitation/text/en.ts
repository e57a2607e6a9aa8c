import type { AddressFinding } from '../address.ts'
import type { RequiredVisit, Visits } from '../folds.ts'
import type { SchemaFinding } from '../form-schema.ts'
import type { ModeFinding } from '../modes.ts'

export default {
  // Requester
  asks: (server: string) => `${server} requests information`,
  asksUrl: (server: string) => `${server} sent a URL for you to open`,
  calledItself: (name: string) => `identifies as ${name}`,
  modeForm: 'form mode',
  modeImplied: 'form mode (implied)',
  modeUrl: 'URL mode',
  noMessage: 'The server gave no reason.',
  showMore: 'Show all',
  showLess: 'Show less',
  // The form
  formOf: (server: string) => `Form from ${server}`,
  views: 'Form or JSON',
  dropText: 'Discard input',
  reset: 'Restore defaults',
  withDefaults: (count: number) =>
    count === 1
      ? '1 field contains a default from the server. It is sent unless you change it.'
      : `${count} fields contain defaults from the server. They are sent unless you change them.`,
  invalid: (count: number) => (count === 1 ? '1 value violates the schema.' : `${count} values violate the schema.`),
  invalidHint: 'Click “Send anyway” to see how the server reacts.',
  sentMisfit: 'Sent despite schema violations.',
  rounded: "A number exceeds JavaScript's precision. It is sent rounded, as shown below.",
  preview: 'Response preview',
  schema: 'Received schema',
  // Actions
  actions: 'Your response',
  accept: 'Send',
  acceptAnyway: 'Send anyway',
  decline: 'Decline',
  cancel: 'Cancel',
  declineMeans: 'Declines the request',
  cancelMeans: 'Dismisses the request without a decision',
  acceptMeansForm: "Sends the form's values to the server",
  acceptMeansUrl: 'Agrees to open the page. No content is sent',
  refuse: 'Reject with -32602',
  refuseMeans: 'Sends the “Invalid params” error for undeclared modes',
  endedWhy: (why: string) => `Ended without a response: ${why}`,
  notTaken: (code: number, message: string) => `The server rejected the last response (${code}): ${message}`,
  withdrawn: 'The server cancelled the request, or the call ended.',
  answeredAccept: 'Accepted',
  answeredDecline: 'Declined',
  answeredCancel: 'Cancelled',
  answeredOther: (action: string) => `Responded with the action ${action}`,
  refused: (code: number, message: string) => `Rejected with ${code}: ${message}`,
  // URL
  address: 'URL',
  asSent: 'As received',
  doubts: 'Check before opening',
  readsAs: 'The host reads as',
  open: 'Open page and accept',
  openOnly: 'Open page',
  openAgain: 'Open again',
  acceptOnly: 'Accept without opening',
  acceptOnlyMeans: 'Use this if you open the URL elsewhere',
  copy: 'Copy URL',
  openNote:
    "The page opens in a new tab that Periscope can't see into. Periscope hasn't fetched anything from this URL. Opening it doesn't change your sign-in to this server.",
  cannotOpen: "Periscope can't open this URL. Decline, or check the URL and open it yourself.",
  acceptedUrl: 'You agreed to open the URL. Only the server knows the outcome.',
  waiting: "The server hasn't reported completion yet. It doesn't have to.",
  complete: 'The server reported completion.',
  retryTells: 'This protocol version has no completion notification. Retry the call to see the outcome.',
  noReport: "elicitationId is missing, so the server can't report completion.",
  id: 'ID',
  ignored: (count: number) =>
    `${count === 1 ? '1 unexpected completion notification' : `${count} unexpected completion notifications`} ignored`,
  ignoredWhy: (why: Visits['ignored'][number]['why']) =>
    ({
      unknown: 'unknown ID',
      again: 'already complete',
      'no-id': 'ID missing',
    })[why],
  // -32042
  required: 'The server requires you to open a page before this call.',
  requiredNone: "The server didn't name a page: data.elicitations is empty or missing. Check the frame.",
  requiredMore: (count: string) =>
    `${count === '1' ? '1 more page is' : `${count} more pages are`} listed in the frame.`,
  requiredLate: (revision: string) => `Protocol version ${revision} doesn't define -32042. Only 2025-11-25 does.`,
  visitOf: (at: number, all: number) => (all === 1 ? 'Page' : `Page ${at} of ${all}`),
  callAgain: 'Retry call',
  callAgainBySelf: 'Retry automatically when all pages are complete',
  calledAgain: 'Call retried.',
  visitFault: (fault: RequiredVisit['faults'][number]) =>
    ({
      'not-object': "This entry isn't an elicitation.",
      'not-url': 'The mode must be "url" here.',
      'no-id': "elicitationId is missing, so the server can't report completion.",
    })[fault],
  // Secrets
  secret: 'Possible request for a secret',
  secretWhy:
    'Forms must not ask for passwords, keys, tokens or card numbers. What you enter is sent to the server unchanged and appears in the trace. In 2025-11-25 and later, servers must use URL mode instead.',
  secretSign: (key: string | undefined, word: string) =>
    key === undefined
      ? `The message says “${word}”`
      : word === 'format'
        ? `${key} is marked as a password`
        : `${key} (“${word}”)`,
  // Problems of the mode
  modeFinding: (code: ModeFinding['code'], found: string) =>
    ({
      'mode-unknown': `Unknown mode “${found}”. Periscope didn't declare it.`,
      'mode-undeclared': `Periscope didn't declare the mode “${found}”. This protocol version supports only forms.`,
      'not-in-revision': `Protocol version ${found} doesn't support elicitation, and Periscope didn't declare it.`,
      'no-message': 'message is missing or empty.',
      'no-id': 'elicitationId is missing. This protocol version requires it.',
      'stale-id': "elicitationId isn't part of this protocol version.",
    })[code],
  // Problems of the schema
  schemaFindings: (count: number) =>
    `${count === 1 ? '1 schema violation' : `${count} schema violations`}. You can still view the form and respond.`,
  schemaFinding: (code: SchemaFinding['code'], found: string) =>
    ({
      'no-schema': "requestedSchema is missing or isn't an object. Respond with any JSON object.",
      'root-type': 'The root type must be “object”.',
      'root-keyword': `“${found}” isn't allowed at the root.`,
      'no-properties': "properties is missing or isn't an object.",
      'not-a-schema': "This isn't a valid schema.",
      nested: "Nested objects aren't allowed. Use flat fields only.",
      combined: `“${found}” isn't allowed.`,
      'odd-type': found === '' ? 'A field lacks a type.' : `The type ${found} isn't allowed for a field.`,
      'array-early': 'Multiple choice was added in 2025-11-25.',
      'array-items': 'An array must be multiple choice: items.enum, or items.anyOf with const and title.',
      'array-limit': `minItems and maxItems must be whole numbers of 0 or more; found ${found}.`,
      'array-range': `minItems is ${found}, more than the number of choices.`,
      'string-limit': `minLength and maxLength must be whole numbers of 0 or more; found ${found}.`,
      range: `The lower limit exceeds the upper one: ${found}.`,
      'titled-early': 'Titles in oneOf were added in 2025-11-25.',
      'enum-values': 'Choices must be strings. Titled choices need const and title.',
      'enum-names': 'enumNames must contain one string per enum value.',
      format: `Unsupported format “${found}”. Use email, uri, date or date-time.`,
      pattern: "The protocol's schema doesn't define pattern for forms.",
      'default-early': 'In 2025-06-18, only booleans can have a default.',
      'default-unfit': `The default ${found} doesn't fit its field.`,
      keyword: `“${found}” isn't allowed for this type of field.`,
      'required-unknown': `${found} is required but isn't listed in properties.`,
      link: "Forms shouldn't contain clickable URLs. This one is shown as text.",
    })[code],
  // Problems of the URL
  addressFinding: (code: AddressFinding['code'], found: string) =>
    ({
      none: "The URL is missing or isn't a string.",
      invalid: "This isn't a valid URL.",
      scheme: `Only http and https URLs can be opened, not ${found}`,
      'too-long': `The URL has ${found} characters and is too long to open.`,
      'plain-http': "The connection isn't encrypted (http). Anyone on the network path can read and change the page.",
      userinfo: `“${found}” before the @ is a user name, not the host. The page is on the host highlighted above.`,
      punycode: `The host contains non-ASCII letters and reads as ${found}. Check for look-alike letters.`,
      'mixed-script': 'The host mixes several alphabets in one word, a common phishing technique.',
      rewritten: `The browser visits a different host than the one written: ${found}`,
      'number-host': 'The host is an IP address, not a name.',
      'private-host': `${found} is on your machine or local network.`,
      'hidden-characters': 'The URL contains invisible characters. They are shown as escapes.',
      credential: `The parameter “${found}” may grant access to anyone who has this URL.`,
      port: `The URL uses an unusual port, ${found}.`,
    })[code],
}
