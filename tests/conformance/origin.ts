/** Where a page comes from, and what carries its requests on. */
export interface Origin {
  /** Such as `http://localhost:40001`. */
  readonly address: string
  /** What our own proxy wants to see with each request. */
  readonly token?: string
  close(): Promise<void>
}
