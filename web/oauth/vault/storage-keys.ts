/** Names in the browser's storage that more than one part of the page must know. */

/**
 * All credentials that are kept on the device stand under names with this beginning, so that a page can tell whether
 * there are any, without loading what reads them.
 */
export const CREDENTIALS = 'periscope.credentials.'
