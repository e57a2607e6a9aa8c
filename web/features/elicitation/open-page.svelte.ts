/**
 * Opens a page named by a server in a new tab, without access between the two pages (CF-URL-03). Call it in the click
 * that consents (CF-URL-01), with a URL accepted by `readAddress`.
 */
export const openPage = (href: string): void => void window.open(href, '_blank', 'noopener,noreferrer')
