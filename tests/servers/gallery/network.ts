/** Hosts and ports that don't respond, or not with HTTP, and certificates that aren't trusted. */
import { createServer as createHttp2Server } from 'node:http2'
import type { Server } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { makeCertificate, type Certificate, type CertificateOptions } from '../../../proxy/fixtures/certificate.ts'
import { listen } from '../listening.ts'
import { errorPage, mcp, nowhere, rawSite, secureSite, site, sse } from './site.ts'
import { folderOf, targetsOf, type Target } from './target.ts'
import { webSocketSite } from './web-socket.ts'

const network = targetsOf('network')
const NOTHING_LISTENS = /refus|nothing[^.]{0,20}listen|not[^.]{0,30}(running|listen)|unreachable|No response from/i
/** All that a page learns of a host that doesn't respond. */
const NO_RESPONSE = { names: /No response from|is running/i, misleads: /Access-Control|must respond to OPTIONS|hides the response/i } // prettier-ignore

export const networkTargets: readonly Target[] = [
  network('refused', 'Nothing listens on that port.', async () => nowhere(), {
    names: NOTHING_LISTENS,
    misleads: /\bCORS\b(?! isn't|isn't)|Access-Control|certificate/i,
    by: 'user',
    remedy: 'Start the server, or correct the port.',
    bare: NO_RESPONSE,
  }),
  network(
    'ipv6-only',
    'The server listens on ::1 only, but the URL has 127.0.0.1, where nothing listens.',
    async () => {
      const { line, close } = await site(mcp(), { host: '::1' })
      return { line: line.replace('[::1]', '127.0.0.1'), close }
    },
    {
      names: /nothing[^.]{0,20}listen|refus|IPv6|\[?::1|localhost/i,
      misleads: /Access-Control|certificate/i,
      by: 'user',
      remedy: 'Use localhost or [::1], or let the server listen on 127.0.0.1.',
      bare: NO_RESPONSE,
    },
  ),
  network(
    'unknown-host',
    "The host name mcp-server.invalid doesn't exist.",
    async () => ({ line: 'http://mcp-server.invalid:8931/mcp', close: async () => {} }),
    {
      names: /DNS|resolv|ENOTFOUND/i,
      misleads: /Access-Control|certificate|refused the connection/i,
      by: 'user',
      remedy: 'Correct the host name.',
      bare: { names: /host/i, misleads: /Access-Control|certificate|hides the response/i },
    },
  ),
  network(
    'reset',
    'The port resets each connection when a request arrives.',
    async () => rawSite((socket) => socket.once('data', () => socket.resetAndDestroy())),
    {
      names: /reset|closed|hang ?up|ECONNRESET|aborted|broke/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening/i,
      by: 'server',
      remedy: 'Look into the log of the server, or of the firewall in front of it.',
      bare: NO_RESPONSE,
    },
  ),
  network(
    'reset-post',
    'The server responds to GET, but crashes at each POST and resets the connection.',
    async () => site(mcp({ stateless: true, message: (_, request) => Boolean(request.socket.resetAndDestroy()) })),
    {
      names: /reset|closed|hang ?up|ECONNRESET|aborted|broke/i,
      misleads: /nothing (is )?listening|certificate/i,
      by: 'server',
      remedy: 'Look into the log of the server.',
      // A page sees that GET works and POST doesn't. Whether CORS or a crash is to blame remains open.
      bare: {
        names: /clos(es|ed)[^.]{0,80}(connection|request)|crash|server log|log of the server/i,
        misleads: /browser hides the response from this page \(CORS\)/i,
      },
    },
  ),
  network(
    'hangs',
    'The port accepts the request and never sends a byte: the process hangs.',
    async () => rawSite((socket) => socket.resume()),
    {
      names: /(no|never|not|n't|nothing|without)[^.]{0,60}(respon|byte|header)|silen|hang/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|certificate|pin 20/i,
      by: 'server',
      remedy: 'Restart the server, and find out where it hangs.',
    },
  ),
  network(
    'ssh',
    'An SSH server listens on that port.',
    async () =>
      rawSite((socket) => {
        socket.write('SSH-2.0-OpenSSH_9.6p1 Ubuntu-3ubuntu13.5\r\n')
        socket.once('data', () => socket.end('Invalid SSH identification string.\r\n'))
      }),
    {
      names: /SSH/,
      heading: /SSH/,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening/i,
      by: 'user',
      remedy: 'Use the port of the MCP server.',
      bare: { names: /port/i, misleads: /Access-Control|hides the response/i },
    },
  ),
  network(
    'mail-port',
    'A mail server listens on that port.',
    async () =>
      rawSite((socket) => {
        socket.write('220 mail.corp.example ESMTP Postfix (Debian/GNU)\r\n')
        socket.once('data', () => socket.end('221 2.7.0 Error: I can break rules, too. Goodbye.\r\n'))
      }),
    {
      names: /SMTP/,
      heading: /SMTP/,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening|https:/i,
      by: 'user',
      remedy: 'Use the port of the MCP server.',
      bare: { names: /port/i, misleads: /Access-Control|hides the response/i },
    },
  ),
  network(
    'database-port',
    'A database listens on that port: it closes the connection at the first bytes of HTTP.',
    async () => rawSite((socket) => socket.once('data', () => socket.end(Buffer.from([0x4e, 0, 0, 0, 0xff, 0x6a, 4])))),
    {
      names: /(not|no|isn.t|didn't)[^.]{0,30}HTTP|(other|another|different) (protocol|program)/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening/i,
      by: 'user',
      remedy: 'Use the port of the MCP server.',
      bare: { names: /port/i, misleads: /Access-Control|hides the response/i },
    },
  ),
  network(
    'http2-only',
    'The port speaks HTTP/2 without TLS only, as gRPC does.',
    async () => {
      const { url, close } = await listen(createHttp2Server((_, response) => response.end()) as unknown as Server)
      return { line: `${url}/mcp`, close }
    },
    {
      names:
        /HTTP\/2|h2c|gRPC|(not|no|isn.t|didn't)[^.]{0,30}HTTP|(other|another|different) (protocol|program)|reset|closed/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listening/i,
      by: 'server',
      remedy: 'Use the port for HTTP/1.1.',
      bare: NO_RESPONSE,
    },
  ),
  network('websocket-refused', 'Nothing listens on the port of the WebSocket.', async () => nowhere('ws'), {
    names: /refus|nothing[^.]{0,20}listen|is running|1006/i,
    misleads: /Access-Control|certificate/i,
    by: 'user',
    remedy: 'Start the server, or correct the port.',
  }),
  network(
    'websocket-of-http',
    "The URL is that of a Streamable HTTP server, which doesn't upgrade to WebSocket.",
    async () => {
      const { line, close } = await site(mcp())
      return { line: line.replace('http', 'ws'), close }
    },
    {
      names: /upgrade|http:|(no|not|n.t)[^.]{0,40}WebSocket|40\d|handshake[^.]{0,60}failed/i,
      misleads: /nothing (is )?listening|certificate/i,
      by: 'user',
      remedy: 'Use http:// instead of ws://.',
    },
  ),
  network(
    'websocket-policy',
    'The server closes the WebSocket with 1008 “Missing token query parameter”.',
    async () => webSocketSite((socket) => socket.close(1008, 'Missing token query parameter')),
    {
      names: /1008|policy|token/i,
      misleads: /nothing (is )?listening|certificate|Access-Control/i,
      by: 'client',
      remedy: 'Add ?token=… to the URL.',
    },
  ),
  network(
    'websocket-crash',
    'The server crashes at the first message of the WebSocket, so the connection ends without a closing frame.',
    async () => webSocketSite((socket) => socket.terminate()),
    {
      names: /closed[^.]{0,60}(connection|before)|1006/i,
      misleads: /nothing (is )?listening|certificate|Access-Control/i,
      by: 'server',
      remedy: 'Look into the log of the server.',
    },
  ),
  network(
    'sse-refused-later',
    'The stream /sse works, but its endpoint event names a port where nothing listens.',
    async () => {
      const { line, close } = await site(sse({ endpoint: 'http://127.0.0.1:4/messages/' }))
      return { line: line.replace('/mcp', '/sse'), close }
    },
    {
      names: /endpoint|another origin|127\.0\.0\.1:4\b/i,
      misleads: /certificate|sign in/i,
      by: 'server',
      remedy: 'Let the endpoint event name the URL that clients can reach.',
      noButton:
        'Until the user allows it, nothing is sent to another origin, so a page can’t know that nothing listens there.',
    },
  ),
  network(
    'sse-elsewhere',
    'The stream /sse works, but its endpoint event names another origin, where a gateway passes messages on.',
    async () => {
      let origin = ''
      const inner = sse({ at: () => origin })
      const stream = await site(inner)
      const messages = await site(inner)
      origin = new URL(messages.line).origin
      const close = async () => void (await Promise.all([stream.close(), messages.close()]))
      return { line: stream.line.replace('/mcp', '/sse'), close }
    },
    {
      names: /endpoint|another origin/i,
      misleads: /certificate|sign in|nothing (is )?listening/i,
      by: 'server',
      remedy: 'Let the endpoint event name the origin of the stream, or allow that URL.',
    },
  ),
  network(
    'websocket-echo',
    'The WebSocket returns each message that it gets: it is an echo service.',
    async () => webSocketSite((socket, text) => socket.send(text)),
    {
      names: /echo|returns (every|each)|repeats/i,
      heading: /echo|returns (every|each)|repeats/i,
      misleads: /nothing (is )?listening|certificate|Access-Control|-32601/i,
      by: 'user',
      remedy: 'Use the URL of an MCP server.',
    },
  ),
]

/** Issues the certificates that are trusted: see `caFile`. */
const root = makeCertificate({ host: 'Gallery Root', authority: true, days: 365 })
const company = makeCertificate({ host: 'Acme Internal Root', authority: true, days: 365 })
const tlsOf = (options: CertificateOptions, ...chain: readonly Certificate[]): ServerOptions => {
  const { key, cert } = makeCertificate(options)
  return { key, cert: [cert, ...chain.map((each) => each.cert)].join('') }
}

/** The root in a file, for NODE_EXTRA_CA_CERTS of the proxy: then each target has one fault only. */
export const caFile = () => {
  const { folder, close } = folderOf({ 'ca.pem': root.cert })
  return { file: join(folder, 'ca.pem'), close }
}

const tls = targetsOf('tls')
/** A page learns nothing of TLS: a server that isn't running looks the same. */
const BARE = {
  names: /certificate|TLS|trust/i,
  misleads: /Access-Control|must respond to OPTIONS|hides the response|expired|self-signed/i,
}
const NOT_CORS = /\bCORS\b|Access-Control|nothing (is )?listening/i

export const tlsTargets: readonly Target[] = [
  tls('self-signed', 'The certificate is self-signed.', async () => secureSite(mcp(), tlsOf({})), {
    names: /self-?signed|isn't trusted|not trusted/i,
    misleads: /\bCORS\b|Access-Control|expired|nothing (is )?listening/i,
    by: 'server',
    remedy: 'Trust the certificate, or use plain HTTP on loopback.',
    bare: BARE,
  }),
  tls('expired', 'The certificate expired.', async () => secureSite(mcp(), tlsOf({ days: -5, issuer: root })), {
    names: /expired/i,
    misleads: /\bCORS\b|Access-Control|nothing (is )?listening|not (yet valid|valid yet)/i,
    by: 'server',
    remedy: 'Renew the certificate.',
    bare: BARE,
  }),
  tls(
    'other-host',
    'The certificate is for mcp.example.com, not for localhost.',
    async () => secureSite(mcp(), tlsOf({ host: 'mcp.example.com', issuer: root })),
    {
      names: /mcp\.example\.com|(another|other|different|wrong)[^.]{0,20}(host|name)/i,
      misleads: /\bCORS\b|Access-Control|expired|nothing (is )?listening/i,
      by: 'server',
      remedy: 'Use the name in the certificate, or issue one for this name.',
      bare: BARE,
    },
  ),
  tls(
    'company-root',
    "The certificate is signed by the root of a company, which this machine doesn't trust.",
    async () => secureSite(mcp(), tlsOf({ issuer: company }, company)),
    {
      names: /Acme|issuer|isn't trusted|not trusted/i,
      misleads: /\bCORS\b|Access-Control|expired|nothing (is )?listening/i,
      by: 'user',
      remedy: 'Install that root, or set NODE_EXTRA_CA_CERTS for the proxy.',
      bare: BARE,
    },
  ),
  tls(
    'no-intermediate',
    'The server sends its certificate without the one of its issuer.',
    async () => {
      const issuer = makeCertificate({ host: 'Gallery Intermediate', authority: true, issuer: root })
      return await secureSite(mcp(), tlsOf({ issuer }))
    },
    {
      names: /intermediate|chain|issuer|isn't trusted|not trusted/i,
      misleads: /\bCORS\b|Access-Control|expired|nothing (is )?listening/i,
      by: 'server',
      remedy: 'Configure the whole chain.',
      bare: BARE,
    },
  ),
  tls(
    'https-on-http',
    'The URL has https, but the port speaks plain HTTP.',
    async () => {
      const { line, close } = await site(mcp())
      return { line: line.replace('http:', 'https:'), close }
    },
    {
      names: /plain(-| )?(text )?HTTP|http:\/\//i,
      misleads: /\bCORS\b|Access-Control|expired|self-?signed|nothing (is )?listening/i,
      by: 'user',
      remedy: 'Use http://.',
      bare: { names: /http:\/\/|https|certificate/i, misleads: /Access-Control|hides the response/i },
    },
  ),
  tls(
    'http-on-https',
    'The URL has http, but the port expects HTTPS: its gateway responds with 400 “The plain HTTP request was sent to HTTPS port”.',
    async () => {
      const inner = createTlsServer(tlsOf({ issuer: root }), mcp())
      inner.on('tlsClientError', () => {})
      const behind = await listen(inner)
      const front = await rawSite((socket) =>
        socket.once('data', (data) => {
          // As nginx does: the first byte of TLS is that of a handshake.
          if (data[0] === 0x16) {
            const up = connect(Number(new URL(behind.url).port), '127.0.0.1')
            up.on('error', () => socket.destroy()).write(data)
            socket
              .on('close', () => up.destroy())
              .pipe(up)
              .pipe(socket)
            return
          }
          const page = errorPage('400 The plain HTTP request was sent to HTTPS port')
          socket.end(
            `HTTP/1.1 400 Bad Request\r\nServer: nginx/1.26.2\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`,
          )
        }),
      )
      const close = async () => void (await Promise.all([front.close(), behind.close()]))
      // The certificate is for localhost.
      return { line: front.line.replace('127.0.0.1', 'localhost'), close }
    },
    {
      names: /HTTPS port|https:\/\/|(expects?|use|requires?|speaks?)[^.]{0,30}(HTTPS|TLS)/i,
      misleads: /nothing (is )?listening|expired|self-?signed|session/i,
      by: 'user',
      remedy: 'Use https://.',
      // The response of the gateway has no CORS headers, so the page can't read it.
      bare: { names: /HTTPS|Access-Control/i, misleads: /is running|expired|self-?signed/i },
    },
  ),
  tls(
    'old-protocol',
    'The server supports TLS 1.1 at most.',
    async () =>
      secureSite(mcp(), { ...tlsOf({ issuer: root }), minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }), // prettier-ignore
    {
      names: /TLS ?v?1(\.[0123])?|TLS handshake|(TLS|protocol)[^.]{0,40}(version|old)|unsupported protocol/i,
      misleads: /\bCORS\b|Access-Control|expired|self-?signed|nothing (is )?listening/i,
      by: 'server',
      remedy: 'Enable TLS 1.2 and 1.3.',
      bare: BARE,
    },
  ),
  tls(
    'client-certificate',
    'The server requires a certificate of the client.',
    async () =>
      secureSite(mcp(), { ...tlsOf({ issuer: root }), ca: company.cert, requestCert: true, rejectUnauthorized: true }),
    {
      names: /client(-| )certificate|mutual|mTLS|certificate required|certificate of the client|bad certificate/i,
      misleads: NOT_CORS,
      by: 'client',
      remedy: 'Use an endpoint without mutual TLS, or a gateway that has the certificate.',
      bare: BARE,
    },
  ),
]
