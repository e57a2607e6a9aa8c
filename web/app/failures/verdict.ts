/** The diagnoses of a failed attempt and their remedies; their texts are in the catalogue. */
import type { ProcessFinding } from '../../doctor/index.ts'
import type { ResponseFault } from '../../mcp/index.ts'
import type { MetadataFault } from './sign-in-metadata.ts'
import type { StatusAdvice } from './status-advice.ts'

/** Why a certificate is rejected. `unknown-issuer`: also if the server leaves out an intermediate certificate. */
export type CertificateFault = 'expired' | 'not-yet-valid' | 'other-name' | 'unknown-issuer'

/** What happened, for the heading. */
export type What =
  | 'unreachable'
  /** It is there, but the browser keeps its responses from the page. */
  | 'cors'
  /** It responds, but not to OPTIONS. */
  | 'preflight'
  /** It responds to GET, but this page gets no response to its POST: CORS, or the server broke off. */
  | 'post-lost'
  /** Browsers block this port. */
  | 'blocked-port'
  /** The port responds without TLS. */
  | 'plain-http'
  | 'relay'
  /** The server speaks first, as no HTTP server does. */
  | 'other-protocol'
  /** Another kind of API. */
  | 'graphql'
  | `certificate-${CertificateFault}`
  | 'status'
  | 'forbidden'
  | 'not-found'
  | 'server-error'
  | 'gateway'
  | 'rate'
  | 'host-check'
  | 'origin-check'
  | 'firewall'
  | 'probe-used-up'
  | 'unauthorized'
  /** A sign-in is required, but the metadata for it is wrong. */
  | 'sign-in-metadata'
  /** A sign-in is required, but the metadata for it can't be read. */
  | 'sign-in-unread'
  /** The body of the response can't be read to its end. */
  | 'body-lost'
  /** The body isn't what Content-Encoding says. */
  | 'wrong-encoding'
  | 'not-mcp'
  | 'foreign-endpoint'
  | 'timeout'
  | 'redirect'
  /** To a page to sign in on. */
  | 'login-page'
  | 'hidden-session'
  /** The server gave a session ID, and doesn't know it any more. */
  | 'unknown-session'
  | 'no-route'
  | 'platform'
  | 'upgrade'
  /** The token or key for it is wrong or missing. */
  | 'credentials'
  /** A tunnel shows browsers a page of its own. */
  | 'tunnel-page'
  /** Its one transport serves only one request. */
  | 'one-transport'
  /** It requires a session ID, but has sent none. */
  | 'session-never-sent'
  /** The body has more bytes than Content-Length says. */
  | 'short-length'
  /** It returns what it gets. */
  | 'echo'
  | 'version-header'
  /** It can't parse the request that Periscope sent. */
  | 'parse-error'
  | 'internal-error'
  /** It refuses `initialize` without the session ID that `initialize` creates. */
  | 'session-first'
  /** A JSON-RPC error says so, with the status of a success. */
  | 'wants-credentials'
  | 'https-port'
  | 'json-string'
  /** The URL that an HTTP+SSE server named for messages rejects them. */
  | 'endpoint-refused'
  | 'redirect-loop'
  | 'stream-lost'
  /** A stream that the server ended properly. */
  | 'stream-ended'
  /** The body is compressed once more than its header says. */
  | 'compressed'
  | ResponseFault
  | 'web-socket'
  | 'connection-closed'
  | 'speaks-http'
  /** A socket, or a module's transport. */
  | 'not-opened'
  | 'process-exited'
  /** It had responded to `initialize`. */
  | 'exited-after-response'
  /** What the process printed says why. */
  | 'process'
  | 'spawn-failed'
  | 'no-proxy'
  /** It was started again since the page was opened. */
  | 'new-token'
  | 'no-relay'
  | 'proxy-lost'
  | 'proxy-refused'
  | 'refused'
  /** Neither a JSON-RPC error, nor a result that `initialize` may have. */
  | 'invalid-handshake'
  | 'invalid-result'
  | 'not-sendable'
  | 'unanswered'
  | 'unsupported-revision'
  | 'stopped'
  | 'internal'

/** What to do, by most probable cause. */
export type Remedy =
  | 'other-program'
  | 'not-graphql'
  | 'is-it-running'
  | 'read-curl'
  | 'check-host'
  | 'allow-page'
  | 'maybe-origin'
  | 'keep-session'
  | 'send-session'
  | 'give-session'
  | 'session-first'
  | 'check-request-body'
  | 'add-credentials'
  | 'version-header'
  | 'fix-json-string'
  | 'fix-endpoint'
  | 'fix-handshake'
  | 'fix-redirect-loop'
  | 'allow-origin'
  | 'allow-headers'
  | 'allow-options'
  | 'allow-response'
  | 'answer-options'
  | `metadata-${MetadataFault['is']}`
  | 'hidden-error'
  | 'hidden-too'
  | 'fix-encoding'
  | 'allow-messages'
  | 'post-log'
  | 'check-certificate'
  | 'use-http'
  | 'other-port'
  | 'exempt-from-login'
  | 'keep-stream'
  | 'fix-compressed'
  | 'expose-session'
  | 'follow-redirect'
  | 'masked-redirect'
  | 'run-proxy'
  | 'press-enter'
  | 'press-enter-cors'
  | 'press-enter-relay'
  | `fix-${ResponseFault}`
  | 'ws-running'
  | 'ws-origin'
  | 'ws-headers'
  | 'ws-certificate'
  | 'ws-plain'
  | 'ws-http'
  | 'close-code'
  | 'serve-lines'
  | 'try-path'
  | 'web-page'
  | 'tunnel-page'
  | 'one-transport'
  | 'short-length'
  | 'fix-echo'
  | 'old-transport'
  | 'read-body'
  | 'server-log'
  | 'sign-in'
  /** The page can't read the metadata, but the relay may be able to. */
  | 'sign-in-relay'
  | 'maybe-sign-in'
  | 'origin-absent'
  | 'be-patient'
  | 'check-body-headers'
  | 'free-connections'
  | 'read-stderr'
  | `fix-process-${ProcessFinding['is']}`
  | 'run-by-hand'
  | 'keep-reading'
  | 'stdout-noise'
  | 'check-command'
  | 'check-environment'
  | 'restart-proxy'
  | 'start-proxy'
  | 'start-relay'
  | 'older-revision'
  | 'another-revision'
  | 'local-network'
  | 'foreign-endpoint'
  | 'restart-server'
  | `status-${StatusAdvice['is']}`
  | 'without-probe'
  | 'check-values'
  | 'relay'
  | `certificate-${CertificateFault}`
  | 'trust-certificate'
  | 'from-proxy'
  | 'report'

export interface Verdict {
  readonly what: What
  readonly remedies: readonly Remedy[]
}
