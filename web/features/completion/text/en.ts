import type { CompletionNote } from '../suggestions.ts'

export default {
  suggestions: (label: string) => `Suggestions for ${label}`,
  show: 'Show suggestions (↓)',
  asking: 'Loading suggestions…',
  none: 'No suggestions',
  count: (shown: string) => (shown === '1' ? '1 suggestion' : `${shown} suggestions`),
  countOf: (shown: string, total: string) => `${shown} of ${total}`,
  countMore: (shown: string, total: string) => `${shown} of ${total}, more available`,
  moreExist: (shown: string) => `${shown}, more available`,
  cached: 'cached',
  cachedWhy: 'Requested earlier in this session. Nothing was sent',
  failed: (message: string) => `No suggestions: ${message}`,
  failedCode: (message: string, code: number) => `No suggestions: ${message} (${code})`,
  refused: "The server doesn't support completion/complete. Periscope won't request it again in this session.",
  empty: 'empty string',
  note: (code: CompletionNote['code'], count: string) =>
    ({
      'no-values': 'The response lacks an array of values',
      'no-string':
        count === '1'
          ? "1 value was left out because it isn't a string"
          : `${count} values were left out because they aren't strings`,
      'too-many': `Received ${count} values; the limit is 100`,
      'bad-total': 'total must be a non-negative number',
      'bad-has-more': 'hasMore must be true or false',
      'total-too-small': `total is ${count}, but more values were received`,
      'not-kept':
        count === '1' ? '1 more value is shown only in the trace' : `${count} more values are shown only in the trace`,
    })[code],
}
