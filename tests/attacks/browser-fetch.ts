/** A `fetch` with a browser's limit of six HTTP/1.1 connections per host: the seventh request waits. */

/** @param cut ends each response under this path after this many bytes, like a network that breaks */
export const browserFetch = (cut?: { readonly path: RegExp; readonly after: () => number }): typeof fetch => {
  let open = 0
  const waiting: (() => void)[] = []
  return async (input, init) => {
    while (open >= 6) await new Promise<void>((resolve) => waiting.push(resolve))
    open++
    let held = true
    const release = () => {
      if (!held) return
      held = false
      open--
      waiting.shift()?.()
    }
    let response: Response
    try {
      response = await fetch(input, init)
    } catch (error) {
      release()
      throw error
    }
    if (!response.body || response.headers.get('content-length') === '0') {
      release()
      return response
    }
    const reader = response.body.getReader()
    let left = cut?.path.test(new URL(response.url).pathname) ? cut.after() : Infinity
    const body = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { done, value } = await reader.read()
            if (done) {
              release()
              return controller.close()
            }
            left -= value.length
            if (left < 0) {
              // Part of the response is in transit and gets lost.
              await reader.cancel()
              throw new TypeError('network error')
            }
            controller.enqueue(value)
          } catch (error) {
            release()
            throw error
          }
        },
        cancel: async (reason) => {
          release()
          await reader.cancel(reason)
        },
      },
      { highWaterMark: 0 },
    )
    const { status, headers } = response
    return new Response(body, { status, headers })
  }
}
