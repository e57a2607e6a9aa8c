/** The origin of a page, and the relay for its requests. */
export interface Origin {
  /** Such as `http://localhost:40001`. */
  readonly address: string
  /** The token our own proxy requires with each request. */
  readonly token?: string
  close(): Promise<void>
}
