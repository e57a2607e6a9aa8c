import type { SizeGroup, TypeGroup } from '../chips.ts'
import type { ReadFinding } from '../not-found.ts'
import type { ItemFinding } from '../resources-fold.ts'
import type { ReadState } from '../several-reads.svelte.ts'
import type { SubscriptionStatus } from '../subscriptions.ts'
import type { TemplateFault } from '../uri-template.ts'

export default {
  // The list
  listLabel: 'Resources and templates on this server',
  filter: 'Filter resources',
  tree: 'Tree by URI',
  flat: 'Flat list',
  sectionResources: 'Resources',
  sectionTemplates: 'Templates',
  folderOpen: (count: string) => `folder, open, ${count} inside`,
  folderShut: (count: string) => `folder, closed, ${count} inside`,
  noMatch: (filter: string) => (filter === '' ? 'No matches.' : `No matches for “${filter}”.`),
  tagUpdated: 'updated',
  tagUpdatedWhy: "The server reported an update. The resource hasn't been read since",
  tagSubscribed: 'subscribed',
  anyUri: 'Read any URI',
  anyUriHint: 'Any URI…   scheme://…',
  // Filters
  chips: 'Filter by type, size and annotations',
  noChips: 'No filters: all resources have a similar type and size, and the same audience and priority.',
  typeGroup: (group: TypeGroup) =>
    ({
      text: 'Text',
      json: 'JSON',
      image: 'Image',
      audio: 'Audio',
      video: 'Video',
      other: 'Other types',
      none: 'No MIME type',
    })[group],
  sizeGroup: (group: SizeGroup) =>
    ({ small: 'Up to 10 kB', medium: '10 kB to 1 MB', large: 'Over 1 MB', unknown: 'Unknown size' })[group],
  forAudience: (role: string) => (role === 'user' ? 'For the user' : 'For the model'),
  priorityAtLeast: (priority: string) => `Priority ≥ ${priority}`,
  // Selecting several
  select: 'Select resources',
  selectWhy: 'Select resources (Space in the list, Shift for several)',
  selection: 'Selection',
  selected: (count: string) => `${count} selected`,
  unknownSizes: (count: string) => `${count} of unknown size`,
  selectedHidden: (count: string) => `${count} not shown`,
  selectShown: (count: string) => `Select all ${count}`,
  clearSelection: 'Clear',
  readAll: 'Read all',
  readingSeveral: (ended: string, all: string) => `Read ${ended} of ${all}…`,
  readState: (state: Exclude<ReadState, 'reading' | 'done'>) => ({ queued: 'queued', unsent: 'not sent' })[state],
  // Notes above the list
  idle: "Resources haven't been listed yet.",
  notOffered: "The server doesn't declare the resources capability. Some servers respond anyway.",
  none: "This server doesn't offer any resources or templates.",
  noTemplates: "The server doesn't support resources/templates/list, so there are no templates to show.",
  stray: (count: string) =>
    count === '1'
      ? "1 update for a resource you haven't subscribed to."
      : `${count} updates for resources you haven't subscribed to.`,
  // One resource
  pick: 'Select a resource',
  pickHint: 'Use ↑ ↓ to move, Enter to read, / to filter.',
  gone: "This item isn't in the list",
  goneHint: 'It may have been removed when the list changed.',
  back: 'Back to list',
  resize: 'Resource list width',
  resizeResult: 'Contents panel size',
  about: (name: string) => `About ${name}`,
  resource: 'Resource',
  template: 'Template',
  unlisted: 'not in the list',
  unlistedHint:
    "The server doesn't list this URI. You can read it anyway: links and templates often lead to unlisted URIs.",
  copyUri: 'Copy URI',
  nameOf: 'Name',
  mime: 'MIME type',
  size: 'Size',
  noUri: "This item can't be read because its URI is missing.",
  openUrl: (host: string) => `Open ${host} in a new tab`,
  // Reading
  read: 'Read',
  readAgain: 'Read again',
  masked: 'Nothing was sent: the URI contains a masked secret. Enter the secret in the template.',
  mustConnect: 'Connect to read this resource.',
  // Subscribing
  subscribe: 'Subscribe',
  unsubscribe: 'Unsubscribe',
  cannotSubscribe: "The server doesn't declare resources.subscribe.",
  subscriptionStatus: (status: SubscriptionStatus) =>
    ({
      asked: 'subscribing',
      on: 'subscribed',
      leaving: 'unsubscribing',
      off: 'not subscribed',
      refused: 'rejected',
      unclear: 'no response',
      cut: 'interrupted, resubscribing',
      lost: 'lost',
    })[status],
  refusedWhy: 'The server rejected the subscription.',
  lostHint: 'Periscope subscribes again when you reconnect.',
  gap: 'The stream was interrupted and reopened. Updates in between may have been lost. Read the resource again.',
  heard: (count: string) => (count === '1' ? '1 update' : `${count} updates`),
  lastUpdate: (time: string) => `last ${time}`,
  ofPart: (uri: string) => `for ${uri}`,
  changedSince: 'Changed since the last read.',
  auto: 'Reload automatically',
  autoHint: 'At most once a second, one read at a time.',
  // Templates
  variables: 'Variables',
  variablesHint: 'Empty variables are left out of the URI.',
  noVariables: 'This template is a plain URI without variables.',
  isList: 'list, comma-separated',
  asList: 'commas separate items',
  prefix: (count: number) => (count === 1 ? 'only the first character' : `only the first ${count} characters`),
  expanded: 'Expanded URI',
  incomplete: (names: string) => `Still empty: ${names}.`,
  asResource: 'Show as resource',
  clear: 'Clear',
  badTemplate: (why: string) => `Periscope can't expand this template: ${why}`,
  ownUri: 'Enter the URI instead',
  templateFault: (code: TemplateFault['code'], found: string) =>
    ({
      'too-long': `it has ${found} characters; Periscope's limit is 8,000.`,
      'too-many': `it has ${found} variables; Periscope's limit is 100.`,
      braces: `unmatched brace in “${found}”.`,
      empty: `“${found}” lacks a variable name.`,
      name: `“${found}” isn't a valid variable name.`,
      operator: `“${found}” starts with a reserved operator.`,
    })[code],
  // Contents
  contents: 'Contents',
  earlier: 'Earlier reads',
  stays: 'The previous contents stay here until the new ones arrive.',
  noResult: 'Not read yet.',
  noResultHint: 'Click Read to send resources/read.',
  notFound: (how: 'sure' | 'legacy' | 'maybe') =>
    ({
      sure: "The server doesn't have this resource.",
      legacy:
        "The server doesn't have this resource. It returned the error code used before 2026-07-28; this protocol version requires -32602.",
      maybe: "Invalid params. The resource probably doesn't exist, but this protocol version uses -32002 for that.",
    })[how],
  refused: 'The server returned a JSON-RPC error instead of contents.',
  cancelledMeans: 'You cancelled the read.',
  timeoutMeans: 'The read timed out.',
  askedMeans: 'The server requires input before it responds.',
  announceOk: 'Contents loaded.',
  announceEnded: (state: string) => `Read: ${state}.`,
  // Problems
  itemFinding: (code: ItemFinding['code'], found: string, pointer: string) =>
    ({
      'no-object': `An item must be an object; found ${found}.`,
      'no-uri': `${pointer} must be a non-empty string; found ${found}.`,
      'bad-template': `A URI template must follow RFC 6570; found ${found}.`,
      'not-a-uri': `A URI must start with a scheme and a colon; found ${found}.`,
      'repeated-uri': `Duplicate URI ${found}. Reads reach only one of these items.`,
      'no-name': `name must be a non-empty string; found ${found}.`,
      'not-a-string': `${pointer} must be a string; found ${found}.`,
      'bad-size': `size must be a whole number of bytes; found ${found}.`,
      'annotations-no-object': `annotations must be an object; found ${found}.`,
      'bad-priority': `priority must be a number from 0 to 1; found ${found}.`,
      'bad-audience': `audience must be an array of “user” and “assistant”; found ${found}.`,
      'bad-last-modified': `lastModified should be an ISO 8601 date; found ${found}.`,
    })[code],
  readFinding: (code: ReadFinding['code']) =>
    ({
      'no-contents': 'The result lacks the array “contents”.',
      'empty-contents': "contents is empty. If the resource doesn't exist, the server must return an error instead.",
    })[code],
}
