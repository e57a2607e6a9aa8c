/**
 * Requests that find out what a browser refuses. They have no effect on the server, go only to the URL the user entered,
 * are few, and each is recorded.
 */
import { HttpRecorder, messageOf, Tap, type Link, type Trace } from '../mcp/index.ts'
import { maskHeaders, maskUrl } from '../secrets/index.ts'
import { preflightHeaders, type RefusedRequest } from './cors.ts'

/** ms per request. */
const PATIENCE = 5_000

interface Examined {
  readonly trace: Trace
  readonly link: Link
  /** The URL of the connection, with its secrets. */
  readonly url: string
}

/**
 * Sends the OPTIONS request that the browser would send, through the local proxy, which shows the whole response.
 * Never throws: the frames contain the outcome.
 * @param fetch through the local proxy
 */
export const askPermission = async (
  { trace, link, url }: Examined,
  refused: RefusedRequest,
  fetchRelayed: typeof fetch,
): Promise<void> => {
  const recorder = new HttpRecorder(new Tap(trace, link), { url: maskUrl, headers: maskHeaders })
  const headers = preflightHeaders(refused)
  const seq = recorder.request({
    method: 'OPTIONS',
    url: maskUrl(url),
    headers: maskHeaders(headers),
    size: 0,
    purpose: 'diagnosis',
    relayed: true,
  })
  try {
    const signal = AbortSignal.timeout(PATIENCE)
    const response = await fetchRelayed(url, { method: 'OPTIONS', headers, signal })
    recorder.response(seq, response)
    await response.body?.cancel()
    recorder.end(seq, 0)
  } catch (error) {
    recorder.failed(seq, 'headers', messageOf(error))
  }
}
