/** Where a test runs, Node or a page, and which of its cases run there. */
import { inject } from 'vitest'

/** CORS restricts a page, but not Node. */
export const inPage = 'document' in globalThis

/**
 * Whether to run only the cases that a browser's own streams, fetch and text decoding may change: in a page, except in
 * `test:deep`. Node always runs all of them.
 */
export const onlyWhatBrowsersChange = inPage && inject('depth') === 1
