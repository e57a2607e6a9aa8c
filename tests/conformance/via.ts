/** How the page reaches a server that sends no CORS headers. */
export const VIAS = ['relay', 'test-relay'] as const

export type Via = (typeof VIAS)[number]

/** Path of the test relay on the page's own origin; `to` names the server's URL. */
export const TEST_RELAY = '/test-relay'

/** Query parameter of the test relay: a page can't read redirects, so the body contains the target. */
export const LOCATION = 'location'
