/** A `fetch` with a limit of a browser's: six connections to a host over HTTP/1.1; the seventh request waits. */

/** @param cut ends each response under this path after so many bytes, as a network that breaks does */
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
              // Some of it is on its way and lost.
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
