/** The ways from the page to a server that sends no CORS headers. */
export const VIAS = ['relay', 'test-relay'] as const

export type Via = (typeof VIAS)[number]

/** Path of the test relay on the page's own origin; `to` names the server's URL. */
export const TEST_RELAY = '/test-relay'

/** Parameter of the test relay: a page may not read redirects, so it is told in the body where one leads. */
export const LOCATION = 'location'
