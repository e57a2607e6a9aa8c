/** Requests of sign-in steps with their responses, and what the lint finds in them. */
import type { AuthStep, HeaderList, Json, JsonObject, Revision, Seq } from '../../mcp/index.ts'
import { cites, Talk } from '../talk.case.ts'

export const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const satisfies readonly Revision[]
export const TOKEN: HeaderList = [['authorization', 'Bearer •••• (40 characters)']]

export interface Response {
  readonly url?: string
  readonly status?: number
  readonly type?: string
  readonly headers?: HeaderList
  /** The headers of the request. */
  readonly sent?: HeaderList
  /** The body of the request. */
  readonly asked?: string
}

/** @returns the frame that ends the step */
export const exchange = (
  talk: Talk,
  step: AuthStep,
  body: Json | string,
  response: Response = {},
  learned: JsonObject = {},
): Seq => {
  const { url = 'https://as/x', status = 200, type = 'application/json', headers = [], sent = [], asked } = response
  const begun = talk.auth({ event: 'step', step })
  const request = talk.http('POST', 'authorization', {
    url,
    step: begun,
    headers: sent,
    ...(asked === undefined ? {} : { body: asked }),
  })
  talk.head(request, status, type, headers)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  talk.add({ kind: 'http', phase: 'end', request, size: text.length, body: text })
  return talk.done(begun, step, learned)
}

/** What is found in one response of a step. */
export const said = (revision: Revision, step: AuthStep, body: Json | string, response?: Response): string[] => {
  const talk = new Talk()
  talk.flow(revision)
  exchange(talk, step, body, response)
  return cites(talk)
}
