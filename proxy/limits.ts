/** Every bound of the proxy in one place (rule 17). Tests set smaller ones. */

export interface Limits {
  /** Bytes of one line of stdout or stderr. A longer one is dropped and reported as `lost`. */
  readonly line: number
  /** Bytes of one POST to a child's stdin. */
  readonly stdin: number
  /** ms that such a POST waits for a child that does not read. */
  readonly stdinAnswer: number
  /** Bytes of any other request body. */
  readonly body: number
  /** Bytes waiting for a slow or absent page before its children are no longer read. */
  readonly queue: number
  /** Bytes of frames that stay for a page that resumes: more than any connection has on its way. */
  readonly replay: number
  /** Bytes of unfinished lines and events that are held for all pages; see `memory-budget.ts`. */
  readonly held: number
  /** ms that an unfinished line may stop growing while memory is short, before it is dropped and reported as `lost`. */
  readonly stall: number
  readonly childrenPerPage: number
  readonly children: number
  readonly pages: number
  /** After closing stdin, ms to wait before SIGTERM. */
  readonly stdinGrace: number
  /** After SIGTERM, ms to wait before SIGKILL. */
  readonly termGrace: number
  /** After the leader of a group has gone by itself, ms that the rest of the group has to follow. */
  readonly followGrace: number
  /** Once the group is gone, ms of silence after which pipes that something else still holds are let go. */
  readonly drain: number
  /** An unfinished line of stderr (a prompt) is shown after this many ms. */
  readonly stderrPart: number
  /** ms that a page may be without its event stream before its children are ended (rule 4). */
  readonly lease: number
  /** ms that the events of a page without stream and without children stay for its return. */
  readonly memory: number
  /** ms between two heartbeats on a quiet event stream. */
  readonly heartbeat: number
  /** Relayed requests at once. Many: a listening stream lives as long as its server. */
  readonly relays: number
  /** Bytes of the line that says what to relay. */
  readonly relayHead: number
  /** Bytes of the body of one relayed request. */
  readonly relayBody: number
  /** Bytes of the status line and headers that a server may answer a relayed request with. */
  readonly relayAnswerHead: number
  /** ms to reach the server of a relayed request, TLS included. What comes after takes as long as the page waits. */
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
  lease: 60_000,
  memory: 600_000,
  heartbeat: 15_000,
  relays: 512,
  relayHead: 256 * 1024,
  relayBody: 65 * MB,
  relayAnswerHead: 256 * 1024,
  connect: 15_000,
}
