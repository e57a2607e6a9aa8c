/**
 * Opens a page that a server named, in a tab of its own that knows nothing of this one and that this one cannot see into
 * (CF-URL-03). Call it in the click that agrees to it (CF-URL-01), with an address that `readAddress` lets through.
 */
export const openPage = (href: string): void => void window.open(href, '_blank', 'noopener,noreferrer')
