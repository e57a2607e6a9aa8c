/** What a browser refuses, and what the server lacks. English is the source of all translations. */
export default {
  detoured: 'Connected through the local proxy, because the browser blocked a direct connection',
  'detoured-silent': "Connected through the local proxy, because the server didn't respond to OPTIONS in time",
  'fault-status': (status: string) => `The server responds to OPTIONS with ${status}. Browsers require a 2xx status.`,
  'fault-redirect': (status: string, to: string) =>
    `The server redirects OPTIONS (${status}) to ${to}. Browsers don't follow this redirect.`,
  'fault-no-origin': 'The response to OPTIONS has no Access-Control-Allow-Origin.',
  'fault-other-origin': (found: string, origin: string) =>
    `Access-Control-Allow-Origin allows only ${found}, not this page (${origin}).`,
  'fault-several-origins': (found: string) =>
    `Access-Control-Allow-Origin contains several values (${found}). Browsers accept exactly one.`,
  'fault-method': (method: string) => `Access-Control-Allow-Methods lacks ${method}.`,
  'fault-headers': (missing: string) => `Access-Control-Allow-Headers lacks ${missing}.`,
  'fault-response':
    'OPTIONS allows the request, but the response to the request itself has no Access-Control-Allow-Origin. Add it to every response, including errors.',
  'fault-blocked-port': (port: string) =>
    `Browsers block port ${port}, so only the local proxy can reach the server. Make the server listen on another port.`,
  'step-dns': 'DNS',
  'step-proxy': 'Proxy',
  'step-tcp': 'TCP',
  'step-tunnel': 'Tunnel',
  'step-tls': 'TLS',
  'step-greeting': 'First bytes',
  untrusted: 'Not trusted',
  'untrusted-self-signed': 'self-signed',
  'untrusted-issuer': 'unknown issuer',
  'untrusted-expired': 'expired',
  'untrusted-early': 'not valid yet',
  'untrusted-host': 'issued for another host',
  certificate: 'Certificate',
  issuer: 'Issuer',
  validity: 'Valid',
  validBetween: (from: string, to: string) => `${from} to ${to}`,
  fingerprint: 'SHA-256',
  'advice-listen-refused': (status: string) =>
    `The server responds to GET (the event stream for server messages) with ${status}. Return an event stream, or 405 if the server offers none.`,
  'advice-listen-hidden':
    "The browser gave this page no response to GET (the server's event stream), although POST works. Accept GET and its preflight in the server's CORS settings, and send Access-Control-Allow-Origin with every GET response.",
  'advice-resume-hidden':
    'Periscope tried to resume a stream, but the browser gave this page no response. If the server is running, allow the header Last-Event-ID in Access-Control-Allow-Headers.',
  'advice-delete-hidden':
    'Periscope tried to end the session (DELETE), but the browser gave this page no response. Allow DELETE in Access-Control-Allow-Methods, so that sessions end when pages disconnect.',
  'advice-listen-queued': (time: string, open: string) =>
    `GET (the event stream for server messages) has had no response headers for ${time}. When it was sent, this page had ${open} other requests to the server open, and browsers allow six HTTP/1.1 connections per host, so the browser may still hold it back. Disconnect another connection to the server, or close another tab.`,
  'advice-listen-silent': (time: string) =>
    `GET (the event stream for server messages) has had no response headers for ${time}, although POST works. A gateway may buffer the stream, or the server sends nothing before the first event. Send the headers immediately, turn off buffering (X-Accel-Buffering: no), or return 405 if the server offers no stream.`,
  'advice-session-hidden':
    'The server requires a session ID for GET, but this page got none with the response to initialize. If the server sends Mcp-Session-Id, list it in Access-Control-Expose-Headers.',
  'advice-session-hidden-seen':
    "The response to initialize has an Mcp-Session-Id that pages can't read. List it in Access-Control-Expose-Headers.",
  'advice-challenge-hidden':
    'A response with 401 has no WWW-Authenticate header that this page can read. Send the header, and list it in Access-Control-Expose-Headers, so that clients find out how to sign in.',
  'advice-challenge-hidden-seen':
    "A response with 401 has a WWW-Authenticate header that pages can't read. List it in Access-Control-Expose-Headers, so that clients find out how to sign in.",
  'advice-slow-preflight':
    'While connecting, Periscope waited more than 2 s for the response to OPTIONS (CORS preflight), although the server responded to a request without a preflight. Browsers send the actual request only after the response to OPTIONS. Respond to OPTIONS immediately, and send Access-Control-Max-Age so that browsers send it less often.',
  'advice-scope': (scope: string) =>
    scope === ''
      ? 'The server rejected a request because a scope is missing (403, insufficient_scope). Sign in with an account or token that has it.'
      : `The server rejected a request because the scope ${scope} is missing (403, insufficient_scope). Sign in and request this scope.`,
  'advice-slow': (ms: string) =>
    `Most responses begin after more than 2 s, the slowest after ${ms}. A gateway may be buffering them, or the server may finish its work before it sends headers.`,
  'advice-cut': (count: string) =>
    count === '1'
      ? '1 response was cut off. A gateway or a timeout may be the cause.'
      : `${count} responses were cut off. A gateway or a timeout may be the cause.`,
  throughProxy: (proxy: string) => `The connection goes through the proxy ${proxy}.`,
  asking: "Checking the server's CORS headers…",
  unanswered: (error: string) => `The server didn't respond to OPTIONS: ${error}`,
  toAllow:
    'To let this page connect directly, send these headers in the response to OPTIONS (status 204) and in every other response:',
  toAdd: (additions: string) =>
    `To let this page connect directly, add this to the server's CORS settings: ${additions}. The complete new values:`,
  keepOrigins: 'If the server allows other origins already, keep them.',
  oneOrigin: (others: string) =>
    `A response can allow only one origin, and the lines below allow this page. To keep ${others} allowed, check the Origin header of each request: if you allow that origin, send it back, together with Vary: Origin.`,
  framework: 'Framework',
  headerLines: 'Header lines',
  copy: 'Copy',
  refusedFrame: (seq: string) => `blocked request #${seq}`,
  optionsFrame: (seq: string) => `OPTIONS #${seq}`,
}
