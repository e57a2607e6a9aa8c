/** The ways from the page to a server that sends no CORS headers. */
export const VIAS = ['test-relay'] as const

export type Via = (typeof VIAS)[number]

/** Path of the test relay on the page's own origin; `to` names the server's URL. */
export const TEST_RELAY = '/test-relay'

/** A `fetch` through the test relay, which has no rules: it shows what the kernel does where nothing is in its way. */
export const testRelay =
  (origin: string): typeof fetch =>
  (input, init) => {
    const to = input instanceof Request ? input.url : String(input)
    return fetch(`${origin}${TEST_RELAY}?to=${encodeURIComponent(to)}`, init)
  }
