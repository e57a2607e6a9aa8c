/** The limits of the proxy that tests make smaller (rule 17). Those of single values are next to their parsers. */

export interface Limits {
  /** Bytes of one line of stdout or stderr. A longer one is dropped and reported as `lost`. */
  readonly line: number
  /** Bytes of one POST to a child's stdin. */
  readonly stdin: number
  /** ms that such a POST waits for a child that doesn't read. */
  readonly stdinAnswer: number
  /** Bytes of any other request body. */
  readonly body: number
  /** Bytes waiting for a slow or absent page before its children are paused. */
  readonly queue: number
  /** Bytes of frames retained for a page that resumes: more than any connection has in transit. */
  readonly replay: number
  /** Bytes of unfinished lines and events held for all pages; see `memory-budget.ts`. */
  readonly held: number
  /** While memory is short, ms after which an unfinished line that doesn't grow is dropped and reported as `lost`. */
  readonly stall: number
  readonly childrenPerPage: number
  readonly children: number
  readonly pages: number
  /** ms between closing stdin and SIGTERM. */
  readonly stdinGrace: number
  /** ms between SIGTERM and SIGKILL. */
  readonly termGrace: number
  /** ms that the rest of a group may outlive a leader that exited on its own. */
  readonly followGrace: number
  /** After the group is gone, ms of silence before closing pipes that another process still holds. */
  readonly drain: number
  /** ms before an unfinished line of stderr, such as a prompt, is shown. */
  readonly stderrPart: number
  /** ms before an unfinished line of stdout that doesn't grow is reported. */
  readonly stdoutPart: number
  /** ms that a page may leave its event stream unread before its children end (rule 4). */
  readonly lease: number
  /** ms that the events of a page stay after its lease has expired. */
  readonly memory: number
  /** ms between heartbeats on a quiet event stream. */
  readonly heartbeat: number
  /** Concurrent relayed requests. Listening streams last as long as their server. */
  readonly relays: number
  /** Bytes of a relay request's header line. */
  readonly relayHead: number
  /** Bytes of a relayed request's body. */
  readonly relayBody: number
  /** Bytes of the status line and headers of a relayed response. */
  readonly relayAnswerHead: number
  /** ms to connect to the server of a relayed request, including TLS. After that, the page decides how long to wait. */
  readonly connect: number
}

const MB = 1024 * 1024

export const LIMITS: Limits = {
  line: 64 * MB,
  stdin: 65 * MB,
  stdinAnswer: 1_000,
  body: MB,
  queue: 16 * MB,
  replay: 16 * MB,
  held: 80 * MB,
  stall: 5_000,
  childrenPerPage: 32,
  children: 128,
  pages: 64,
  stdinGrace: 2_000,
  termGrace: 2_000,
  followGrace: 250,
  drain: 500,
  stderrPart: 100,
  stdoutPart: 1_500,
  lease: 60_000,
  memory: 600_000,
  heartbeat: 15_000,
  relays: 512,
  relayHead: 256 * 1024,
  relayBody: 65 * MB,
  relayAnswerHead: 256 * 1024,
  connect: 15_000,
}

/**
 * ms that clients may leave a connection idle. With Node's 5 s, the server closes a connection just when a client reuses
 * it, and a client that isn't a browser loses that request: a POST isn't repeated.
 */
export const IDLE_CONNECTION = 120_000
