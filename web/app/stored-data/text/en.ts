/** All data stored in this browser. English is the source of all translations. */
export default {
  title: 'Stored data',
  hint: 'Everything that Periscope stores in this browser. Nothing is uploaded.',
  'kind-servers': 'Servers',
  'kind-environments': 'Environments',
  'kind-credentials': 'Credentials',
  'kind-recordings': 'Recordings',
  'kind-tests': 'Tests',
  'kind-history': 'Server feature history',
  'kind-pins': 'Pinned calls',
  'kind-tools': 'Tool policies and approvals',
  'kind-filters': 'Saved filters',
  'kind-settings': 'Settings and layout',
  'kind-tab': 'This tab',
  'kind-other': 'Other data',
  'about-servers': 'URLs and commands (without secrets), groups, colors, settings and trusted certificates.',
  'about-environments': 'Names and values of variables, without secrets.',
  'about-credentials': 'Sign-ins and remembered values, encrypted.',
  'about-recordings': 'Sessions with their notes.',
  'about-tests': 'Saved calls with their responses.',
  'about-history': 'Earlier tools, prompts, resources and capabilities of each server, to show what changed.',
  'about-pins': 'Tools, prompts and resources with their arguments, without secrets.',
  'about-tools': 'When Periscope asks before a call, and the tools you approved.',
  'about-filters': 'Filters you saved for the trace.',
  'about-settings': 'Language, theme, panels, columns and limits.',
  'about-tab':
    'Servers, the connection form and the access token of the local proxy. Clearing keeps open servers and the token. All of it is deleted when the tab closes.',
  'about-other': 'Stored by another version of Periscope.',
  kind: 'Kind',
  count: 'Entries',
  size: 'Size',
  clear: 'Clear',
  clearName: (name: string) => `Clear ${name}`,
  clearSure: 'Clear permanently?',
  clearAll: 'Clear everything',
  cleared: (name: string) => `${name} cleared`,
  clearedAll: 'All stored data cleared',
  export: 'Export',
  exportHint: 'Servers, environments, pinned calls, policies, filters and settings, in one JSON file.',
  exportSecrets: (count: string) =>
    count === '1'
      ? 'Include the remembered values of 1 server or environment, unencrypted'
      : `Include the remembered values of ${count} servers or environments, unencrypted`,
  exportWithout: (count: string) =>
    count === '1'
      ? 'The remembered values of 1 server or environment are left out. Sign-ins are never exported.'
      : `The remembered values of ${count} servers or environments are left out. Sign-ins are never exported.`,
  exportTests: (count: string, size: string) =>
    `Include ${count === '1' ? '1 collection' : `${count} collections`} of tests (${size}), with arguments and responses`,
  exportRecordings: (count: string, size: string) =>
    `Include ${count === '1' ? '1 recording' : `${count} recordings`} (${size}), redacted as in files that you share`,
  exportLarge: (count: string) =>
    count === '1'
      ? '1 recording is left out: a file can contain at most 100 MB of recordings. Save it separately in “Sessions on this device”.'
      : `${count} recordings are left out: a file can contain at most 100 MB of recordings. Save them separately in “Sessions on this device”.`,
  exportedWithout: (count: string) =>
    count === '1'
      ? "Exported without 1 recording that can't be read. Try again, or delete it in “Sessions on this device”."
      : `Exported without ${count} recordings that can't be read. Try again, or delete them in “Sessions on this device”.`,
  exporting: (number: string, count: string) => `Reading recording ${number} of ${count}…`,
  import: 'Import…',
  importTitle: (name: string) => `Import ${name}`,
  importChange: (added: string, replaced: string) => `${added} new, ${replaced} replaced`,
  importSame: 'The file contains only what is already stored.',
  importNow: 'Import',
  importing: 'Importing…',
  importCancel: 'Cancel',
  imported: 'Imported. Reload the page to apply settings.',
  notUnreadable: (count: string) =>
    count === '1'
      ? "1 recording isn't valid and wasn't imported."
      : `${count} recordings aren't valid and weren't imported.`,
  notLeft: (count: string) =>
    count === '1'
      ? "1 recording exceeds the storage limit and wasn't imported. Raise the limit in “Sessions on this device”."
      : `${count} recordings exceed the storage limit and weren't imported. Raise the limit in “Sessions on this device”.`,
  'notTests-full': 'Not all tests were imported: the limit is 200 collections. Delete some and import again.',
  'notTests-too-large': 'Not all tests were imported: a collection exceeds 16 MB.',
  'notTests-refused': 'Not all tests were imported: browser storage is full or blocked. Free space and import again.',
  'fault-too-large': 'The file is too large. Choose a file of at most 200 MB.',
  'fault-not-data': "This isn't a Periscope data file. Choose a file exported from this dialog.",
  'fault-newer': 'A newer version of Periscope wrote this file. Update Periscope to import it.',
  'fault-empty': 'The file contains no data that Periscope can import. Choose another file.',
  failed: (why: string) => `Stored data couldn't be read or written: ${why}. Reload the page.`,
}
