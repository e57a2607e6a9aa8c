/** Why a connection failed, the evidence, and how to fix it. English is the source of all translations. */
export default {
  howWeKnow: 'Evidence',
  whatToDo: 'How to fix it',
  whoFixes: (who: string, other?: string) => `Usually fixed by ${other === undefined ? who : `${who} or ${other}`}`,
  'fixer-server': "the server's author",
  'fixer-you': 'you',
  'fixer-network': "your network's administrator",
  'fixer-periscope': "Periscope's authors",
  'what-unreachable': (host: string) => `No response from ${host}`,
  'what-cors': (host: string) => `${host} responds, but the browser hides the response from this page (CORS)`,
  'what-preflight': (host: string) => `${host} responds, but not to OPTIONS (CORS preflight)`,
  'what-post-lost': (host: string) => `${host} responds to GET, but this page gets no response to its POST`,
  'what-other-protocol': (host: string, protocol: string) => `${host} speaks ${protocol}, not HTTP`,
  'what-graphql': 'This URL is a GraphQL API, not an MCP server',
  'what-blocked-port': (port: string) => `Browsers block port ${port}`,
  'what-plain-http': (host: string) => `No response from ${host} over HTTPS, but it responds to plain HTTP`,
  'relay-dns': (host: string) => `The host name ${host} can't be resolved`,
  'relay-refused': (host: string) => `Nothing is listening at ${host}`,
  'relay-no-route': (host: string) => `No route to ${host} from this machine`,
  'relay-timeout': (host: string) => `Timed out connecting to ${host}`,
  'relay-not-tls': (host: string) => `${host} doesn't speak TLS on this port`,
  'relay-tls': (host: string) => `The TLS handshake with ${host} failed`,
  'relay-tls-closed': (host: string) => `${host} closed the connection during the TLS handshake`,
  'relay-self-signed': (host: string) => `The certificate of ${host} is self-signed`,
  'relay-certificate': (host: string) => `The certificate of ${host} isn't trusted`,
  'what-certificate-expired': (host: string) => `The certificate of ${host} has expired`,
  'what-certificate-not-yet-valid': (host: string) => `The certificate of ${host} isn't valid yet`,
  'what-certificate-other-name': (host: string) => `The certificate of ${host} is for another host name`,
  'what-certificate-unknown-issuer': (host: string) =>
    `This machine doesn't trust the issuer of the certificate of ${host}`,
  'relay-certificate-changed': (host: string) => `The certificate of ${host} changed`,
  'relay-reset': (host: string) => `${host} closed the connection without responding`,
  'relay-not-http': (host: string) => `${host} didn't respond with HTTP`,
  'relay-too-large': (host: string) => `The response headers from ${host} exceed the relay's limit`,
  'relay-client-certificate': (host: string) => `${host} requires a client certificate`,
  'relay-handshake-failure': (host: string) => `${host} rejected the TLS handshake`,
  'relay-unrecognized-name': (host: string) => `${host} has no certificate for this host name`,
  'relay-tls-version': (host: string) => `${host} supports only outdated TLS versions`,
  'relay-http2': (host: string) => `${host} supports only HTTP/2`,
  'relay-forward-proxy': (host: string) => `Couldn't connect to ${host} through the network's proxy`,
  'relay-other': (host: string) => `The relay got no response from ${host}`,
  'what-probe-used-up': (status: number) =>
    `The server responded to the first request, but failed on the next one (${status})`,
  'what-foreign-endpoint': (origin: string) => `The endpoint event names a URL on another origin: ${origin}`,
  'what-no-relay': "This page isn't connected to a local proxy, so it can't relay requests",
  'what-proxy-refused': 'The local proxy rejected this request',
  'what-invalid-result': "The server returned a result that its protocol version doesn't allow",
  'what-not-sendable': "The request contains something that can't be sent",
  'what-unanswered': "The server requested something that Periscope can't provide",
  'what-status': (status: number) => `The server responded with ${status}`,
  'what-forbidden': 'The server rejects the request (403)',
  'what-not-found': (status: number) => `No MCP endpoint at this URL (${status})`,
  'what-server-error': (status: number) => `The server reported an internal error (${status})`,
  'what-gateway': (status: number) => `A gateway responded instead of the server (${status})`,
  'what-rate': (status: number) => `The server is rate limiting requests (${status})`,
  'what-firewall': (status: number) => `A firewall or bot check in front of the server rejects the request (${status})`,
  'what-host-check': (status: number) => `The server rejects the host name in this URL (${status})`,
  'what-origin-check': (status: number) => `The server rejects requests from this page's origin (${status})`,
  'what-unauthorized': 'The server requires sign-in (401)',
  'what-sign-in-metadata': (status: number) => `The server requires sign-in, but its metadata is wrong (${status})`,
  'what-sign-in-unread': (status: number) =>
    `The server requires sign-in, but this page can't read its metadata (${status})`,
  'what-body-lost': (status: number) => `The body of the response can't be read (${status})`,
  'what-wrong-encoding': "The body of the response isn't encoded as Content-Encoding says",
  'what-not-mcp': 'This URL responds, but not with MCP',
  'what-timeout': (step: string, limit: string) => `“${step}” took longer than ${limit}`,
  'what-inactive': (step: string, limit: string, total: string) =>
    `“${step}” timed out after ${total}: no activity in the last ${limit}`,
  'what-web-socket': (url: string) => `The WebSocket handshake with ${url} failed`,
  'what-not-opened': (url: string) => `${url} couldn't be opened`,
  'what-speaks-http': 'The socket responds with HTTP instead of MCP messages',
  'what-connection-closed': 'The server closed the connection before it responded',
  'what-stream-lost': 'The connection broke before the response arrived',
  'what-redirect': (status: number) => `The server redirects to another URL${status === 0 ? '' : ` (${status})`}`,
  'what-login-page': 'The server redirects to a sign-in page for browsers',
  'what-stream-ended': 'The event stream ended without the response',
  'what-compressed': 'The response is compressed more times than Content-Encoding declares',
  'what-hidden-session': "The server requires a session ID that this page didn't get",
  'what-unknown-session': (status: number) => `The server doesn't recognize the session it created (${status})`,
  'what-https-port': (status: number) => `This port expects HTTPS (${status})`,
  'what-no-route': (status: number) => `The gateway has no route for this URL and method (${status})`,
  'what-platform': (status: number) => `The platform that hosts the server rejects the request (${status})`,
  'what-upgrade': (status: number, to: string) =>
    to === ''
      ? `The server expects another protocol, usually WebSocket (${status})`
      : `The server expects another protocol: ${to} (${status})`,
  'what-credentials': (status: number) => `The server requires a valid token or key (${status})`,
  'what-tunnel-page': "ngrok sent its warning page instead of the server's response",
  'what-one-transport': (status: number) => `The server uses one transport for several requests (${status})`,
  'what-session-never-sent': 'The server requires a session ID, but sent none',
  'what-short-length': 'The response is cut off because Content-Length is too small',
  'what-cut-json': 'The response is cut off: it ends in the middle of the JSON',
  'what-echo': 'The server returns every message it gets (echo)',
  'what-new-token': 'The local proxy was restarted and has a new token',
  'what-version-header': (status: number) => `The server rejects the MCP-Protocol-Version header (${status})`,
  'what-parse-error': "The server couldn't parse the request (-32700)",
  'what-internal-error': 'The server reported an internal error (-32603)',
  'what-session-first': 'The server requires a session ID before it creates one',
  'what-wants-credentials': 'The server requires credentials, but responds with a JSON-RPC error instead of 401',
  'what-json-string': 'The response is a JSON string that contains the JSON-RPC message',
  'what-endpoint-refused': (status: number) => `The URL in the endpoint event rejects messages (${status})`,
  'what-redirect-loop': 'The URL redirects to itself',
  'what-unfinished-event': 'The last event of the stream has no empty line at its end',
  'what-stray-lines': "The event stream contains lines that aren't events",
  'what-empty-response': (status: number) => `The server responded with ${status} and an empty body`,
  'what-invalid-json': "The response isn't valid JSON",
  'what-other-id': (found: string, asked: string) => `The response has the id ${found} instead of ${asked}`,
  'what-not-json-rpc': "The URL returns JSON, but it isn't JSON-RPC",
  'what-no-response': 'The server sent a message, but not the response',
  'what-process-exited': (how: string) => `The process exited before it responded (${how})`,
  'what-exited-after-response': (how: string) => `The process exited after its first response (${how})`,
  exitCode: (code: number) => `exit code ${code}`,
  exitSignal: (signal: string) => `signal ${signal}`,
  'what-spawn-failed': (command: string) => `“${command}” couldn't be started`,
  'what-no-proxy': "This page isn't connected to a local proxy",
  'what-proxy-lost': 'Lost connection to the local proxy',
  'what-refused': 'The server rejected the handshake',
  'what-invalid-handshake': "The server's response to the handshake is invalid",
  'what-unsupported-revision': (revision: string) => `No common protocol version: the server supports ${revision}`,
  'what-stopped': 'Stopped',
  'what-internal': 'Internal error in Periscope',
  copyReport: 'Copy report',
  reportFrames: (count: string) => `Trace of the attempt, ${count} ${count === '1' ? 'frame' : 'frames'}`,
  reportMore: (count: string) => (count === '1' ? '1 more frame is left out.' : `${count} more frames are left out.`),
  reportedWith: (version: string) => `Reported with Periscope ${version}. Secrets were removed.`,
  searched: (count: number) => `Searched ${count} ${count === 1 ? 'directory' : 'directories'}`,
  redirectedTo: (url: string) => `redirected to ${url}`,
  responseBody: 'Response body',
  stderrLines: 'Last lines of stderr',
  browserHides: "Browsers report only that the request failed, not why, so this page can't distinguish the causes.",
  notCors: "A request that needs no CORS permission got no response either, so CORS isn't the cause.",
  'remedy-is-it-running': 'Check that the server is running and listening on this exact host and port:',
  'remedy-read-curl':
    'Browsers hide the reason, but curl reports it. If it says “Empty reply” or “reset”, the server closes the connection: check the server log. If it says “HTTP/0.9”, another program listens on this port.',
  'remedy-check-host':
    'Check the spelling of the host name, and whether this machine is on the network (VPN) that resolves it.',
  'remedy-allow-page': (origin: string) =>
    `Let web pages use the server. It must respond to OPTIONS and allow the origin ${origin} with these headers:`,
  'remedy-allow-origin': (origin: string) =>
    `The response to GET lacks Access-Control-Allow-Origin, names another origin in it, or contains the header twice (from the server and a gateway). Or the server rejects the Origin header. Allow ${origin}, respond to OPTIONS with 204, and send each of these headers once:`,
  'remedy-allow-headers': (names: string) =>
    names.includes(', ')
      ? `The server doesn't allow the request headers ${names}. Add them to the response to OPTIONS:`
      : `The server doesn't allow the request header ${names}. Add it to the response to OPTIONS:`,
  'remedy-allow-options': (origin: string) =>
    `The CORS preflight request fails: OPTIONS returns an error, or its response lacks headers. Before checking authentication, respond to OPTIONS with 204 and these headers, which allow the origin ${origin}:`,
  'remedy-allow-response': (origin: string) =>
    `Or the response lacks Access-Control-Allow-Origin. Errors often bypass the CORS settings. Allow the origin ${origin} in every response, including errors:`,
  'remedy-allow-messages': (url: string) =>
    `Or the CORS settings cover only the event stream. Also respond to OPTIONS with 204 at ${url}, and send these headers there:`,
  'remedy-answer-options':
    "Respond to OPTIONS with 204 immediately: before authentication, and without waiting for other services. Don't let a gateway queue the request.",
  'remedy-post-log':
    'The server may have closed the connection while it handled the request. Check its log at the time of this attempt.',
  'remedy-use-http': 'If the server has no TLS on this port, change the URL to http://, or enable TLS.',
  'remedy-other-program': 'Another program listens on this port. Enter the port of the MCP server.',
  'remedy-not-graphql':
    'The API accepts queries, but no MCP messages. Enter the URL of an MCP server, which may be a separate program in front of this API.',
  'remedy-other-port':
    'Browsers block ports that are reserved for other protocols, such as SMTP. Make the server listen on another port.',
  'remedy-exempt-from-login':
    'The sign-in page is for people. Exempt the MCP endpoint from it, or add the header or token that programs must send.',
  'remedy-fix-handshake':
    'Respond to initialize with a result that contains protocolVersion, capabilities and serverInfo, and without an error beside it.',
  'remedy-keep-stream':
    'The server closed the stream properly, but too early. Keep the request handler running until the response is written.',
  'remedy-fix-compressed':
    'Compress the response in the server or in the gateway, not in both. Content-Encoding must list every encoding applied.',
  'remedy-check-certificate':
    'If the server is running, open the URL in a tab. The browser shows there whether it trusts the certificate, or why TLS fails.',
  'silence-queued': (open: number) =>
    `Waiting for a free connection: this page has ${open} open requests to the server, and browsers allow six HTTP/1.1 connections per host. Disconnect another connection to the server, or close another tab.`,
  'silence-headers': (host: string) =>
    `${host} hasn't sent any response headers yet. The server may be slow or stuck, or a firewall may drop the connection.`,
  'silence-reachable': (host: string) =>
    `${host} accepts connections, but hasn't sent any response headers yet. The server may be slow or stuck, or another program is listening there. Check the server log.`,
  'silence-preflight': (host: string) =>
    `${host} responds, but not to OPTIONS. Browsers send OPTIONS first (CORS preflight) and wait for the response before they send the request.`,
  'silence-unknown-host': (host: string) =>
    `The host name ${host} can't be resolved. Check the spelling, and whether this machine is on the network (VPN) that resolves the name.`,
  'silence-no-tcp': (host: string) =>
    `No TCP response from ${host}. Check the host and port, and whether a firewall drops the connection.`,
  'silence-refused': (host: string) => `Nothing is listening at ${host}. Start the server, or check the host and port.`,
  'silence-no-tls': (host: string) =>
    `${host} accepts connections, but the TLS handshake failed. If the server uses plain HTTP on this port, change the URL to http://.`,
  'silence-no-proxy': (host: string) =>
    `The connection to ${host} goes through the network's proxy, which fails. Check the variable below, or list the server in NO_PROXY.`,
  'silence-through-proxy': (host: string) =>
    `The connection to ${host} goes through the network's proxy below. That proxy accepts connections, but no response headers have arrived yet. Check the server log, and whether the proxy can reach the server.`,
  'silence-other-protocol': (host: string) =>
    `${host} isn't an HTTP server: it sent the bytes below before any request. Check the port.`,
  'silence-event': (status: number) =>
    `The server responded with ${status} and opened an event stream, but hasn't sent an event yet. The server may be slow or stuck, or a gateway may buffer the stream. Turn off buffering in the gateway (X-Accel-Buffering: no).`,
  'silence-body': (status: number) =>
    `The server responded with ${status}, but the body doesn't end. The server keeps the response open without writing the rest.`,
  'silence-proxy': (command: string) =>
    `The local proxy hasn't responded yet. It may be busy or stuck. Check its terminal, or restart it (${command}) and open the URL it prints.`,
  'silence-process':
    "The process is running, but hasn't written a complete line to stdout. It may still be starting or waiting for input. Or it logs only to stderr, doesn't flush its output, doesn't end the line with \\n, or reads stdin to its end before it responds.",
  'silence-downloads':
    "The process is running, but hasn't written a complete line to stdout. The command may be downloading a package, so Periscope waits as long as the process is active. Click Stop to cancel.",
  'silence-overdue': (limit: string) => `The usual limit of ${limit} has passed. If no download is in progress:`,
  'silence-noise':
    'So far, the process has written lines to stdout, but none of them is a JSON-RPC message. A banner does no harm while the server starts, but each message must be one line of JSON.',
  network: 'Network',
  probing: 'Checking why the request failed…',
  'remedy-run-proxy': 'Or run Periscope on your machine: its local proxy reaches servers that send no CORS headers.',
  'remedy-press-enter-cors':
    'Or press Enter in the terminal that runs Periscope, then open the URL it prints: the local proxy reaches servers that send no CORS headers.',
  'remedy-follow-redirect':
    'Connect to that URL instead. The headers you entered are sent there as well. If this is your server, serve MCP at the URL clients use, because redirects often break requests from browsers and SDKs.',
  'remedy-masked-redirect': (url: string) =>
    `Connect to this URL instead, with the secret in place of the mask: ${url}. If this is your server, serve MCP at the URL clients use, because redirects often break requests from browsers and SDKs.`,
  'remedy-maybe-origin': (origin: string) =>
    `If the server checks the Origin header, allow the origin ${origin}. Or connect through the relay of the local proxy, which sends no Origin.`,
  'remedy-keep-session':
    'If the server has several instances, send all requests of a session to the same one (sticky sessions), or store sessions where every instance can find them. If a gateway drops the Mcp-Session-Id header, let it through.',
  'remedy-fix-json-string':
    'Return an object instead of a string, because the framework serializes the string again. Or send the string as the raw body.',
  'remedy-status-https-port': 'Change the URL to https://.',
  'remedy-status-platform':
    "Allow unauthenticated calls to this service (Cloud Run: roles/run.invoker for allUsers; AWS function URLs: AuthType NONE). Or, for Cloud Run, add an Authorization header with an identity token. AWS requires signed requests instead, which Periscope doesn't support.",
  'remedy-status-scope': (scope: string) =>
    `The token lacks a scope${scope === '' ? '' : `. The server requires: ${scope}`}. Sign in again, or use a token that has this scope.`,
  'remedy-status-upgrade': (to: string) =>
    /websocket/i.test(to)
      ? 'Change the URL to ws:// or wss://.'
      : /TLS\//i.test(to)
        ? 'Change the URL to https://.'
        : /^h2|HTTP\/2/i.test(to)
          ? 'The server requires HTTP/2. Browsers and the relay use it only over https. Enable HTTP/1.1 or TLS in the server.'
          : to === ''
            ? 'If the server speaks WebSocket, change the URL to ws:// or wss://. Envoy and Istio also return this status for HTTP/1.0 requests. If nginx is in front of them, set proxy_http_version 1.1 there.'
            : 'Check whether the URL is an MCP endpoint. Periscope speaks HTTP/1.1, HTTP/2 over https, and WebSocket.',
  'remedy-status-credentials':
    'Check the token or key in the URL and the headers. It may be missing, wrong or expired, or belong to another account.',
  'remedy-tunnel-page':
    'ngrok shows browsers a warning first. It leaves the warning out for requests with the header ngrok-skip-browser-warning.',
  'remedy-one-transport':
    'Create a transport and a server for each request, as the examples of the SDKs do. A transport without sessions serves one request only.',
  'remedy-short-length':
    'Content-Length counts bytes, not characters: é has 2 bytes in UTF-8, and most emoji have 4. Measure the encoded body, or leave the header to the framework.',
  'remedy-fix-cut-json':
    'The server or a gateway ended the body too early. Check Content-Length, the limits of the gateway, and the server log.',
  'remedy-fix-echo':
    'This is an echo service instead of an MCP server, or a terminal in between repeats its input. Enter the command or URL of the server itself.',
  'remedy-version-header':
    'Make the server, and every gateway in front of it, accept the version negotiated in initialize. Or pin a version that the response lists.',
  'remedy-status-no-route':
    "Check the path, including the stage or prefix of the deployment (such as /prod/mcp), and that the route accepts POST. AWS sends the same response to a request that must be signed but isn't.",
  'remedy-fix-endpoint': (url: string) =>
    `The event stream works, but ${url} doesn't. If a gateway adds a path prefix, set the public path in the server (root_path, base path). If there are several instances, route messages to the one that holds the stream. The endpoint event must contain only the URL.`,
  'remedy-fix-redirect-loop':
    "Correct the redirect rule. Often a server redirects to HTTPS because its gateway doesn't forward the original scheme (X-Forwarded-Proto).",
  'remedy-fix-unfinished-event':
    'End each event with an empty line (\\n\\n). Without it, clients discard the event. If the event itself is cut off, a gateway or the server ended the stream too early.',
  'remedy-fix-stray-lines':
    'Write “data: ” before each line of a message, or send the message with Content-Type: application/json.',
  'remedy-expose-session':
    'If the server sends Mcp-Session-Id with its response to initialize, the browser hides it from this page (CORS). Add this header to every response:',
  'remedy-send-session':
    "If the server doesn't send Mcp-Session-Id with its response to initialize, add the header, or don't require it in requests.",
  'remedy-give-session': "Send Mcp-Session-Id with the response to initialize, or don't require it.",
  'remedy-session-first':
    'Accept initialize without Mcp-Session-Id, and send the new session ID with its response. A server that lost its sessions in a restart returns the same error.',
  'remedy-check-request-body':
    'Check that the body reaches the server unchanged. A gateway may drop the body. If a body parser reads it before the SDK does, pass request.body to the SDK.',
  'remedy-add-credentials':
    'Add the key or token that the error names, usually as an Authorization header. If this is your server, respond with 401 and WWW-Authenticate, so that clients can sign in.',
  'remedy-fix-empty-response':
    'Return a JSON-RPC response to each request. HTTP 202 is only for a POST that contains a notification or a response. AWS WAF also returns 202 with an empty body when it challenges a client.',
  'remedy-fix-invalid-json':
    'Write only JSON into the body. Check for log lines, a truncated response or a wrong encoding. The frame shows the text.',
  'remedy-fix-other-id': 'Repeat the id of the request exactly, with the same type: 1 and "1" are different ids.',
  'remedy-fix-not-json-rpc':
    'This looks like another API. Check that this is the URL of the MCP endpoint. The frame shows what was returned.',
  'remedy-fix-no-response': 'Send the response with the id of the request on the same stream, before it ends.',
  'remedy-ws-running':
    'Check the path, and that the server is running at this host and port. Periscope tried the subprotocol mcp, then no subprotocol.',
  'remedy-keep-reading':
    "A stdio server reads messages until its stdin closes. Check that it doesn't end, or crash, after the first one.",
  'remedy-serve-lines':
    'Over a socket, each JSON-RPC message is one line, as over stdio. Make the server use this format, or let it listen on a TCP port and enter its http: URL.',
  'remedy-ws-certificate':
    "If the server is running, open the same URL with https: in a tab. The browser shows a warning there if it doesn't trust the certificate.",
  'remedy-ws-plain': 'The TLS handshake failed. If the server has no TLS on this port, change the URL to ws://.',
  'remedy-ws-http': 'If the server uses Streamable HTTP, change the URL to http:// or https://.',
  'remedy-ws-origin': (origin: string) => `If the server checks the Origin header, allow the origin ${origin}.`,
  'remedy-ws-headers':
    "Web pages can't add headers such as Authorization to a WebSocket handshake, so servers that require them reject the connection. If the server accepts a token in the URL, add it there.",
  unknownCloseCode: (code: number) =>
    `The server or its framework defines the close code ${code}. Check their documentation and the server log.`,
  'remedy-check-body-headers':
    'Check Content-Length, Content-Encoding and Transfer-Encoding. A browser drops a body that is shorter than these headers declare, or that is compressed or chunked differently. A gateway in between may also have truncated the body.',
  'remedy-web-page':
    'The response is a web page: the site itself, a gateway or a tunnel responded instead of the MCP endpoint.',
  'remedy-try-path': 'Check the path. Many servers have their endpoint at /mcp.',
  'remedy-old-transport': 'HTTP+SSE servers (2024-11-05) use another path, often /sse.',
  'remedy-read-body': 'Read the response. It usually names the cause.',
  'remedy-server-log': 'Check the server log at the time of this attempt.',
  'remedy-metadata-missing': (url: string, status: number) =>
    `WWW-Authenticate names ${url} as the protected resource metadata, but that URL returns ${status}. Serve the metadata there (RFC 9728), or correct the URL.`,
  'remedy-metadata-not-json': (url: string, type: string) =>
    `WWW-Authenticate names ${url} as the protected resource metadata, but that URL doesn't return a JSON object${type === '' ? '' : ` (${type})`}. Serve the metadata there (RFC 9728), before a route that returns the web app for every path.`,
  'remedy-metadata-other-resource': (found: string, expected: string) =>
    `The protected resource metadata describes the resource ${found}, but this URL is ${expected}. Clients must reject such metadata. Set “resource” to the URL that clients connect to.`,
  'remedy-metadata-unread': (url: string, origin: string) =>
    `WWW-Authenticate names ${url} as the protected resource metadata, but the browser gives this page no response from there. Check that the URL is right and its server is running. Then send Access-Control-Allow-Origin: ${origin} (or *) with the metadata.`,
  'remedy-sign-in-relay': 'Sign in: Periscope asks before it reads the metadata through the relay.',
  'remedy-metadata-unreachable': (url: string) =>
    `WWW-Authenticate names ${url} as the protected resource metadata, but there is no response from there, even through the local proxy. Check the URL, and that its server is running.`,
  'remedy-metadata-no-servers':
    'The protected resource metadata lists no authorization server. Add authorization_servers with the URL of its issuer.',
  'remedy-hidden-error': (origin: string) =>
    `The browser also hid the response to the direct request, so this error probably lacks Access-Control-Allow-Origin. Allow the origin ${origin} in every response, including errors:`,
  'remedy-hidden-too':
    'The browser also blocked the direct request (CORS). Once the server responds correctly, the Overview shows which headers it lacks.',
  'remedy-fix-encoding':
    'Compress the body as Content-Encoding says, or remove that header. If a gateway decompresses bodies, it must remove the header as well.',
  'remedy-sign-in':
    'Sign in first. Until then the server reveals nothing, not even its protocol version. If sign-in fails, try it step by step, or add an Authorization header yourself.',
  'remedy-maybe-sign-in': 'If the server requires sign-in, sign in, or add an Authorization header yourself.',
  'remedy-origin-absent': (origin: string) =>
    `The relay of the local proxy sends no Origin header, and this server requires one. Add ${origin} to the server's allowed origins, then connect directly.`,
  'remedy-start-relay': 'Start the local proxy and open the URL it prints, or connect directly.',
  'remedy-press-enter-relay':
    'Press Enter in the terminal that runs Periscope, then open the URL it prints. Or connect directly.',
  'remedy-another-revision': 'Pin a version the server supports, or use automatic detection.',
  'remedy-foreign-endpoint':
    'Periscope sent nothing to that origin, because your headers would be included. If both URLs belong to the same server, allow that URL.',
  'remedy-status-rate': (after: string) =>
    after === '' ? 'Wait, then try again.' : `Wait, then try again. The server sent Retry-After: ${after}`,
  'remedy-status-gateway': (after: string) =>
    `Check that the server behind the gateway or tunnel is running, and that the gateway points to it and waits long enough.${after === '' ? '' : ` Then try again. The gateway sent Retry-After: ${after}`}`,
  'remedy-status-basic':
    'The server asks for a user name and a password. Add an Authorization header with “Basic ” and USER:PASSWORD in Base64.',
  'remedy-status-api-key': (header: string) =>
    `The server asks for an API key. Add the header ${header} with ${header === 'Authorization' ? '“Bearer ” and ' : ''}your key.`,
  'remedy-status-host-check': (host: string) =>
    `To prevent DNS rebinding, the server accepts only host names that it knows. Add ${host} to its allowed hosts (allowedHosts in the SDKs), or use the name that it expects, such as localhost.`,
  'remedy-status-origin-check': (origin: string) =>
    `Add ${origin} to the server's allowed origins (allowedOrigins in the SDKs). Or connect through the relay of the local proxy, which sends no Origin.`,
  'remedy-status-firewall':
    "A firewall or bot check blocked this request. Some checks let only people in a browser through, so API clients can't pass. If you operate the server, exempt its MCP endpoint in the rules of the gateway (for example Cloudflare's WAF), or allow your IP.",
  'remedy-status-accept':
    'Periscope accepts application/json and text/event-stream, as the specification requires. Check what the endpoint returns, and what a gateway does with the Accept header.',
  'remedy-status-content-type':
    'Periscope sends application/json, as the specification requires. Check whether the URL is an MCP endpoint.',
  'remedy-restart-server':
    'The detection request (server/discover) may have used up the only request the server accepts: some servers share one transport for all clients. Restart the server, then pin 2025-11-25 to skip detection.',
  'remedy-without-probe': 'Some old servers hang or fail on unknown methods. Pin 2025-11-25 to skip detection.',
  'remedy-check-values': "Check the headers and values. HTTP headers can't carry the value named above.",
  'relay-remedy-dns': 'Check the spelling, and whether this machine is on the network (VPN) that resolves the name.',
  'relay-remedy-refused': 'Start the server, or check the host and port.',
  'relay-remedy-no-route': 'Check the URL and the network. A VPN or firewall may block the connection.',
  'relay-remedy-not-tls': 'If the server uses plain HTTP on this port, change the URL to http://.',
  'relay-remedy-tls':
    'Check the log of the server or the gateway in front of it, and whether it has a certificate for this host name.',
  'relay-remedy-tls-closed':
    'If the server uses plain HTTP on this port, change the URL to http://. Otherwise check the log of the server or the gateway in front of it, and whether it has a certificate for this host name.',
  'relay-remedy-self-signed':
    'If this is the certificate of your server, trust it for this connection, or restart Periscope with NODE_EXTRA_CA_CERTS pointing to the CA file.',
  'remedy-certificate-expired':
    'Renew the certificate, then restart the server or its gateway so that it loads the new one.',
  'remedy-certificate-not-yet-valid': 'Check the clocks of this machine and of the server.',
  'remedy-certificate-other-name': 'Use a host name that the certificate lists, or issue a certificate for this one.',
  'remedy-certificate-unknown-issuer':
    "If the issuer is your company's own CA, restart Periscope with NODE_EXTRA_CA_CERTS pointing to its file. Otherwise, make the server send its intermediate certificates as well.",
  'remedy-trust-certificate': 'Or, if this is your server, trust its certificate for this connection.',
  'relay-remedy-certificate-changed':
    "Check whether the server's operator replaced the certificate. If not, someone may be intercepting the connection. Periscope sent nothing.",
  'relay-remedy-reset': 'Check the server log. If the server uses https, change the URL to https://.',
  'relay-remedy-not-http':
    'Check the port: another program may be listening there. If the server uses https, change the URL to https://.',
  'relay-remedy-too-large': 'Make the server send fewer or shorter headers.',
  'do-relay': 'Connect through the relay',
  doRelayHint: 'The relay runs in the local proxy on this machine. If a request fails, the relay reports why.',
  'do-direct': 'Connect directly',
  'do-trust': 'Trust this certificate',
  'do-trust-new': 'Trust the new certificate',
  doTrustHint:
    'For this server only. The relay then accepts no other certificate from this host. You can remove this one in the connection settings.',
  'do-http-sse': 'Use HTTP+SSE',
  'do-any-transport': 'Detect the transport automatically',
  'do-foreign-endpoint': 'Allow that URL',
  'do-unpin': 'Detect the version automatically',
  'do-pin': (revision: string) => `Pin ${revision}`,
  'do-pin-probeless': (revision: string) => `Pin ${revision}, skip detection`,
  'do-redirect': (url: string) => `Connect to ${url}`,
  findEndpoint: 'Look for the endpoint',
  findingEndpoint: 'Looking for the endpoint…',
  foundEndpoints: 'Possible MCP endpoints:',
  foundNoEndpoint: 'No MCP endpoint found at the usual paths.',
  'do-add-header': (name: string) => `Add ${name}, then connect`,
  'do-add-variable': (name: string) => `Add ${name}`,
  'do-authorize': 'Add Authorization header',
  'do-sign-in': 'Sign in',
  'do-sign-in-by-steps': 'Sign in step by step',
  'remedy-free-connections':
    'At least six requests from this page to the server were open. Over HTTP/1.1, browsers open six connections per host and queue further requests. Disconnect other connections to the server, close other tabs, or connect through the relay of the local proxy.',
  'remedy-be-patient':
    'The first start of a server may download packages and take minutes. Try again when that has finished.',
  'remedy-read-stderr': 'Read the stderr lines. They usually name the cause.',
  'remedy-run-by-hand': 'Run the command in a terminal and check its output:',
  'remedy-stdout-noise': "The process also writes lines to stdout that aren't messages. Send its logs to stderr.",
  'remedy-check-command': 'Check the spelling, or enter the full path of the program.',
  'remedy-check-environment':
    'Check the arguments, variables and working directory. The process gets only the default safe variables and those you add.',
  'remedy-restart-proxy': 'Restart the proxy and open the URL it prints:',
  'remedy-start-proxy': 'Start the proxy and open the URL it prints:',
  'remedy-press-enter': 'Press Enter in the terminal that runs Periscope, then open the URL it prints.',
  'remedy-older-revision': 'Update the server or Periscope.',
  'remedy-local-network':
    "The browser may be blocking this site's access to your local network. Check this site's permissions in the browser.",
  'remedy-report': 'Please report this error with the text above.',
  'silence-probed': 'Older servers ignore server/discover, so Periscope sends initialize next.',
  'silence-other-id': (found: string, asked: string) =>
    `The process sent a response with the id ${found} instead of ${asked}. Responses must repeat the id of their request exactly.`,
  'silence-other-message': (method: string) =>
    `The process sent ${method}, but hasn't responded. It may be starting, or waiting for something.`,
}
