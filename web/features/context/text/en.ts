import type { ContextItem } from '../context-block.ts'

export default {
  open: (count: string) =>
    count === '0' ? 'Copy as context…' : count === '1' ? 'Copy 1 item as context…' : `Copy ${count} items as context…`,
  title: 'Copy as context',
  close: 'Close',
  none: 'Nothing selected.',
  items: 'Contents',
  kind: (kind: ContextItem['kind']) => ({ resource: 'Resource', prompt: 'Prompt' })[kind],
  remove: (subject: string) => `Remove ${subject}`,
  unread: 'not read',
  released: 'released to save memory; request it again',
  more: (count: string) => `${count} more`,
  left: (count: string) =>
    count === '1' ? '1 item has no result and is left out.' : `${count} items have no result and are left out.`,
  binary: (size: string, mime: string) => `${size} of ${mime === '' ? 'binary data' : mime}`,
  binaries: (count: string, size: string) => `${count} binary items, ${size}`,
  asBase64: 'Include as Base64',
  length: (characters: string) => `${characters} characters`,
  tokens: (count: string) => `about ${count} tokens`,
  tokensWhy: 'Estimate: one token per 4 ASCII or 1.5 other characters. Models differ.',
  checking: 'Looking for secrets…',
  secrets: (count: string) => (count === '1' ? 'Remove 1 secret' : `Remove ${count} secrets`),
  secretsFailed: "Couldn't look for secrets. The text may contain some.",
  preview: 'Preview',
  previewCut: (shown: string) => `The preview shows the first ${shown} characters.`,
  copy: 'Copy',
  save: 'Save as file',
  add: 'Add to context',
  drop: 'Remove from context',
}
