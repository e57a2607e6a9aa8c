/**
 * Forwards a request to the server behind a gate and returns the response as is, but without the token upstream and the
 * CORS headers downstream.
 */
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http'

/** Headers of the connection, the browser or the gate, which the server behind must not receive. */
const LEFT_OUT =
  /^(host|connection|keep-alive|transfer-encoding|content-length|authorization|dpop|cookie|origin|referer)$/

export const forward = (to: string, body: string, request: IncomingMessage, response: ServerResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !LEFT_OUT.test(name)))
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
    // A new connection each time: the server may close a kept-alive one just as it is used.
    const onward = send(to, { method: request.method, headers: { ...headers, ...length }, agent: false }, (answer) => {
      for (const [name, value] of Object.entries(answer.headers)) {
        const hop = /^(access-control-|connection$|keep-alive$|transfer-encoding$)/.test(name)
        if (!hop && value !== undefined) response.setHeader(name, value)
      }
      response.writeHead(answer.statusCode ?? 502)
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', (error) => (response.headersSent ? response.destroy() : reject(error)))
    response.once('close', () => {
      onward.destroy()
      resolve()
    })
    onward.end(body)
  })
