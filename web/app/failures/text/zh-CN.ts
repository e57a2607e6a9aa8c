import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

/** 连接为何失败、依据是什么、该怎么办。 */
export default {
  howWeKnow: '依据',
  whatToDo: '解决方法',
  whoFixes: (who, other) => `通常由${other === undefined ? who : `${who}或${other}`}解决`,
  'fixer-server': '服务器作者',
  'fixer-you': '你',
  'fixer-network': '网络管理员',
  'fixer-periscope': ' Periscope 作者',
  'what-unreachable': (host) => `${host} 没有响应`,
  'what-preflight': (host) => `${host} 有响应，但不响应 OPTIONS（CORS 预检）`,
  'what-cors': (host) => `${host} 有响应，但浏览器不让此页面读取（CORS）`,
  'what-post-lost': (host) => `${host} 响应 GET，但此页面的 POST 没有得到响应`,
  'what-other-protocol': (host, protocol) => `${host} 使用的是 ${protocol}，而不是 HTTP`,
  'what-graphql': '此 URL 是 GraphQL API，不是 MCP 服务器',
  'what-blocked-port': (port) => `浏览器禁止访问端口 ${port}`,
  'what-plain-http': (host) => `${host} 通过 HTTPS 没有响应，但通过普通 HTTP 有响应`,
  'relay-dns': (host) => `无法解析主机名 ${host}`,
  'relay-refused': (host) => `${host} 上没有程序在监听`,
  'relay-no-route': (host) => `本机没有到 ${host} 的路由`,
  'relay-timeout': (host) => `连接 ${host} 超时`,
  'relay-not-tls': (host) => `${host} 在此端口不使用 TLS`,
  'relay-tls': (host) => `与 ${host} 的 TLS 握手失败`,
  'relay-tls-closed': (host) => `${host} 在 TLS 握手期间关闭了连接`,
  'relay-self-signed': (host) => `${host} 的证书是自签名的`,
  'relay-certificate': (host) => `${host} 的证书不受信任`,
  'what-certificate-expired': (host) => `${host} 的证书已过期`,
  'what-certificate-not-yet-valid': (host) => `${host} 的证书尚未生效`,
  'what-certificate-other-name': (host) => `${host} 的证书属于另一个主机名`,
  'what-certificate-unknown-issuer': (host) => `本机不信任 ${host} 证书的颁发者`,
  'relay-certificate-changed': (host) => `${host} 的证书已更改`,
  'relay-reset': (host) => `${host} 未响应就关闭了连接`,
  'relay-not-http': (host) => `${host} 的响应不是 HTTP`,
  'relay-too-large': (host) => `${host} 的响应头超出中继的上限`,
  'relay-client-certificate': (host) => `${host} 要求客户端证书`,
  'relay-handshake-failure': (host) => `${host} 拒绝了 TLS 握手`,
  'relay-unrecognized-name': (host) => `${host} 没有此主机名的证书`,
  'relay-tls-version': (host) => `${host} 只支持旧版 TLS`,
  'relay-http2': (host) => `${host} 只支持 HTTP/2`,
  'relay-forward-proxy': (host) => `无法通过网络代理连接到 ${host}`,
  'relay-other': (host) => `中继未收到 ${host} 的响应`,
  'what-probe-used-up': (status) => `服务器响应了第一个请求，但下一个请求失败（${status}）`,
  'what-foreign-endpoint': (origin) => `服务器要求把消息发到另一个源 ${origin}`,
  'what-no-relay': '此页面未连接到本地代理，无法中继请求',
  'what-proxy-refused': '本地代理拒绝了此请求',
  'what-invalid-result': '服务器返回的结果不符合其协议版本',
  'what-not-sendable': '请求中含有无法发送的内容',
  'what-unanswered': '服务器请求了 Periscope 无法提供的内容',
  'what-status': (status) => `服务器返回了 ${status}`,
  'what-forbidden': '服务器拒绝了请求（403）',
  'what-not-found': (status) => `此 URL 没有 MCP 端点（${status}）`,
  'what-server-error': (status) => `服务器报告内部错误（${status}）`,
  'what-gateway': (status) => `响应来自网关，而不是服务器（${status}）`,
  'what-rate': (status) => `服务器限制了请求速率（${status}）`,
  'what-firewall': (status) => `服务器前面的防火墙或机器人检测拒绝了请求（${status}）`,
  'what-host-check': (status) => `服务器拒绝此 URL 中的主机名（${status}）`,
  'what-origin-check': (status) => `服务器拒绝来自此页面所在源的请求（${status}）`,
  'what-unauthorized': '服务器要求登录（401）',
  'what-sign-in-metadata': (status) => `服务器要求登录，但其元数据有误（${status}）`,
  'what-sign-in-unread': (status) => `服务器要求登录，但此页面无法读取其元数据（${status}）`,
  'what-body-lost': (status) => `无法读取响应的正文（${status}）`,
  'what-wrong-encoding': '响应正文的编码与 Content-Encoding 不符',
  'what-not-mcp': '此 URL 有响应，但不是 MCP 协议',
  'what-timeout': (step, limit) => `“${step}”用时超过 ${limit}`,
  'what-inactive': (step, limit, total) => `“${step}”在 ${total} 后超时：最后 ${limit} 没有活动`,
  'what-web-socket': (url) => `与 ${url} 的 WebSocket 握手失败`,
  'what-not-opened': (url) => `无法打开 ${url}`,
  'what-speaks-http': '套接字返回的是 HTTP，而不是 MCP 消息',
  'what-connection-closed': '服务器在响应前关闭了连接',
  'what-stream-lost': '连接在响应到达前断开',
  'what-redirect': (status) => `服务器重定向到另一个 URL${status === 0 ? '' : `（${status}）`}`,
  'what-login-page': '服务器重定向到供浏览器使用的登录页',
  'what-stream-ended': '事件流已结束，但没有收到响应',
  'what-compressed': '响应的压缩次数多于 Content-Encoding 声明的次数',
  'what-hidden-session': '服务器要求提供会话 ID，但此页面未能获取',
  'what-unknown-session': (status) => `服务器不认识自己创建的会话（${status}）`,
  'what-https-port': (status) => `此端口要求 HTTPS（${status}）`,
  'what-no-route': (status) => `网关没有对应此 URL 和方法的路由（${status}）`,
  'what-platform': (status) => `托管服务器的平台拒绝了请求（${status}）`,
  'what-upgrade': (status, to) =>
    to === '' ? `服务器要求另一种协议，通常是 WebSocket（${status}）` : `服务器要求另一种协议：${to}（${status}）`,
  'what-credentials': (status) => `服务器要求有效的令牌或密钥（${status}）`,
  'what-tunnel-page': '返回的是 ngrok 的警告页面，而不是服务器的响应',
  'what-one-transport': (status) => `服务器用同一个传输处理多个请求（${status}）`,
  'what-session-never-sent': '服务器要求会话 ID，但从未发送过',
  'what-short-length': '响应被截断，因为 Content-Length 过小',
  'what-cut-json': '响应被截断：它在 JSON 中间结束',
  'what-echo': '服务器原样返回收到的每条消息（回显）',
  'what-new-token': '本地代理已重新启动，令牌已更换',
  'what-version-header': (status) => `服务器拒绝 MCP-Protocol-Version 标头（${status}）`,
  'what-parse-error': '服务器无法解析请求（-32700）',
  'what-internal-error': '服务器报告内部错误（-32603）',
  'what-session-first': '服务器在创建会话之前就要求会话 ID',
  'what-wants-credentials': '服务器要求凭据，但返回的是 JSON-RPC 错误，而不是 401',
  'what-json-string': '响应是一个 JSON 字符串，其中包含 JSON-RPC 消息',
  'what-endpoint-refused': (status) => `endpoint 事件中的 URL 拒绝消息（${status}）`,
  'what-redirect-loop': '此 URL 重定向到自身',
  'what-unfinished-event': '事件流的最后一个事件末尾缺少空行',
  'what-stray-lines': '事件流包含不属于事件的行',
  'what-empty-response': (status) => `服务器返回 ${status}，响应正文为空`,
  'what-invalid-json': '响应不是有效的 JSON',
  'what-other-id': (found, asked) => `响应的 id 是 ${found}，而不是 ${asked}`,
  'what-not-json-rpc': '此 URL 返回了 JSON，但不是 JSON-RPC',
  'what-no-response': '服务器发送了消息，但没有发送响应',
  'what-process-exited': (how) => `进程在响应前退出（${how}）`,
  'what-exited-after-response': (how) => `进程在第一个响应之后退出（${how}）`,
  exitCode: (code) => `退出码 ${code}`,
  exitSignal: (signal) => `信号 ${signal}`,
  'what-spawn-failed': (command) => `无法启动“${command}”`,
  'what-no-proxy': '此页面未连接到本地代理',
  'what-proxy-lost': '与本地代理的连接已断开',
  'what-refused': '服务器拒绝了握手',
  'what-invalid-handshake': '服务器对握手的响应无效',
  'what-unsupported-revision': (revision) => `双方没有共同的协议版本：服务器支持 ${revision}`,
  'what-stopped': '已停止',
  'what-internal': 'Periscope 内部错误',
  copyReport: '复制报告',
  reportFrames: (count) => `此次尝试的跟踪，共 ${count} 帧`,
  reportMore: (count) => `其余 ${count} 帧已省略。`,
  reportedWith: (version) => `由 Periscope ${version} 生成。机密已移除。`,
  searched: (count) => `查找了 ${count} 个目录`,
  redirectedTo: (url) => `重定向到 ${url}`,
  responseBody: '响应正文',
  stderrLines: 'stderr 的最后几行',
  browserHides: '浏览器只报告请求失败，不说明原因，因此此页面无法区分各种原因。',
  notCors: '不需要 CORS 许可的请求同样没有得到响应，因此原因不是 CORS。',
  'remedy-is-it-running': '确认服务器正在运行，并监听这个主机和端口：',
  'remedy-read-curl':
    '浏览器不说明原因，但 curl 会说明。如果 curl 报告“Empty reply”或“reset”，则是服务器关闭了连接，请查看服务器日志。如果报告“HTTP/0.9”，则是另一个程序在监听此端口。',
  'remedy-check-host': '请检查主机名的拼写，以及本机是否位于能解析该名称的网络（VPN）中。',
  'remedy-answer-options':
    '请立即以 204 响应 OPTIONS：不要等到身份验证之后，不要等待其他服务，也不要让网关把请求放入队列。',
  'remedy-allow-page': (origin) => `允许网页使用此服务器。它必须响应 OPTIONS，并用以下标头允许源 ${origin}：`,
  'remedy-allow-origin': (origin) =>
    `在 GET 的响应中，Access-Control-Allow-Origin 缺失、指定了另一个源，或出现两次（来自服务器和网关）。也可能是服务器拒绝 Origin 请求头。请允许源 ${origin}，以 204 响应 OPTIONS，并将以下标头各发送一次：`,
  'remedy-allow-headers': (names) => `服务器不允许请求头 ${names}。请将其加入 OPTIONS 的响应：`,
  'remedy-allow-options': (origin) =>
    `CORS 预检请求失败：OPTIONS 返回了错误，或其响应缺少标头。请在验证身份之前以 204 响应 OPTIONS，并发送以下标头来允许源 ${origin}：`,
  'remedy-allow-response': (origin) =>
    `也可能是响应缺少 Access-Control-Allow-Origin：错误响应常常绕过 CORS 设置。请在每个响应（包括错误响应）中允许源 ${origin}：`,
  'remedy-allow-messages': (url) =>
    `也可能是 CORS 设置只涵盖事件流。请在 ${url} 也以 204 响应 OPTIONS，并发送以下标头：`,
  'remedy-post-log': '服务器可能在处理请求时关闭了连接。请查看此次尝试期间的服务器日志。',
  'remedy-use-http': '如果服务器在此端口没有 TLS，请将 URL 改为 http://，或启用 TLS。',
  'remedy-other-program': '此端口上监听的是另一个程序。请输入 MCP 服务器的端口。',
  'remedy-not-graphql': '该 API 接受查询，不接受 MCP 消息。请输入 MCP 服务器的 URL，它可能是此 API 前面的独立程序。',
  'remedy-other-port': '网页不能访问其他协议（例如邮件）的端口。请让服务器监听另一个端口。',
  'remedy-exempt-from-login': '登录页供人使用。请让 MCP 端点不经过登录页，或添加程序应发送的请求头或令牌。',
  'remedy-fix-handshake':
    '请在 initialize 的响应中返回含 protocolVersion、capabilities 和 serverInfo 的 result，且不要同时返回 error。',
  'remedy-keep-stream': '服务器正常关闭了流，但关闭得太早。请让请求处理函数一直运行，直到写完响应。',
  'remedy-fix-compressed':
    '请只让服务器或网关之一压缩响应，不要两者都压缩。Content-Encoding 必须列出实际使用的每种编码。',
  'remedy-check-certificate':
    '若服务器在运行，请在标签页中打开该 URL：浏览器会在那里显示证书是否受信任，或 TLS 为何失败。',
  'silence-queued': (open) =>
    `正在等待空闲连接：此页面到该服务器已有 ${open} 个未完成的请求，而浏览器在 HTTP/1.1 下对每个主机最多建立六个连接。请断开到该服务器的其他连接，或关闭其他标签页。`,
  'silence-headers': (host) => `${host} 尚未发送任何响应头。服务器可能较慢或已挂起，也可能是防火墙丢弃了连接。`,
  'silence-preflight': (host) =>
    `${host} 有响应，但不响应 OPTIONS。浏览器会先发送 OPTIONS（CORS 预检），收到响应后才发送实际请求。`,
  'silence-reachable': (host) =>
    `${host} 接受连接，但尚未发送任何响应头。可能是服务器较慢或已挂起，也可能是其他程序在监听该端口。请查看服务器日志。`,
  'silence-unknown-host': (host) => `无法解析主机名 ${host}。请检查拼写，以及本机是否位于能解析该名称的网络（VPN）中。`,
  'silence-no-tcp': (host) => `${host} 没有 TCP 响应。请检查主机和端口，以及防火墙是否拦截了连接。`,
  'silence-refused': (host) => `${host} 上没有程序在监听。请启动服务器，或检查主机和端口。`,
  'silence-no-tls': (host) =>
    `${host} 接受连接，但 TLS 握手失败。如果服务器在此端口使用普通 HTTP，请将 URL 改为 http://。`,
  'silence-no-proxy': (host) =>
    `到 ${host} 的连接要经过网络代理，而网络代理出现故障。请检查下面的变量，或把该服务器列入 NO_PROXY。`,
  'silence-through-proxy': (host) =>
    `到 ${host} 的连接要经过下面的网络代理。该代理接受连接，但尚未收到响应头。请查看服务器日志，并检查该代理能否访问服务器。`,
  'silence-other-protocol': (host) => `${host} 不是 HTTP 服务器：它在收到请求之前就发送了下面的字节。请检查端口。`,
  'silence-event': (status) =>
    `服务器返回 ${status} 并打开了事件流，但尚未发送事件。可能是服务器较慢或已挂起，也可能是网关缓冲了该流：请在网关关闭缓冲（X-Accel-Buffering: no）。`,
  'silence-body': (status) => `服务器返回 ${status}，但响应正文没有结束。服务器没有关闭响应，也没有写入其余内容。`,
  'silence-proxy': (command) =>
    `本地代理尚未响应，可能正忙或已挂起。请查看其终端，或重新启动它（${command}）并打开它打印的 URL。`,
  'silence-process':
    '进程正在运行，但尚未向 stdout 写入完整的一行。它可能正在启动或等待输入；也可能只向 stderr 写日志、没有刷新输出、没有以 \\n 结束行，或在响应之前一直读取 stdin 直到结束。',
  'silence-downloads':
    '进程正在运行，但尚未向 stdout 写入完整的一行。该命令可能正在下载软件包，因此只要进程有活动，Periscope 就会一直等待。点击“停止”可将其结束。',
  'silence-overdue': (limit) => `已超过通常的时限（${limit}）。如果没有在下载：`,
  'silence-noise':
    '到目前为止，进程写入 stdout 的行都不是 JSON-RPC 消息。启动时的横幅没有影响，但每条消息必须是一行 JSON。',
  network: '网络',
  probing: '正在检查请求失败的原因…',
  'remedy-run-proxy': '或者在本机运行 Periscope：其本地代理可以访问不发送 CORS 标头的服务器。',
  'remedy-press-enter-cors':
    '或者在运行 Periscope 的终端按 Enter，再打开它打印的 URL：本地代理可以访问不发送 CORS 标头的服务器。',
  'remedy-follow-redirect':
    '改为连接该 URL。你填写的请求头也会发送到那里。如果服务器由你开发，请直接在客户端使用的 URL 上提供 MCP：浏览器和 SDK 常在重定向中丢失请求。',
  'remedy-masked-redirect': (url) =>
    `改为连接以下 URL，并将遮盖处换成实际的机密：${url}。如果服务器由你开发，请直接在客户端使用的 URL 上提供 MCP：浏览器和 SDK 常在重定向中丢失请求。`,
  'remedy-maybe-origin': (origin) =>
    `如果服务器检查 Origin 请求头，请允许源 ${origin}。也可以通过本地代理的中继连接，中继不发送 Origin。`,
  'remedy-keep-session':
    '如果服务器有多个实例，请把同一会话的所有请求发送到同一实例（粘性会话），或把会话存放在所有实例都能找到的地方。如果网关丢弃了 Mcp-Session-Id 标头，请让它通过。',
  'remedy-fix-json-string': '请返回对象而不是字符串，因为框架会再次序列化字符串。或将该字符串作为原始正文发送。',
  'remedy-status-https-port': '将 URL 改为 https://。',
  'remedy-status-platform':
    '允许对此服务的未认证调用（Cloud Run：为 allUsers 授予 roles/run.invoker；AWS 函数 URL：AuthType NONE）。对于 Cloud Run，也可以添加带有身份令牌的 Authorization 请求头。AWS 则要求签名的请求，Periscope 不支持。',
  'remedy-status-scope': (scope) =>
    `令牌缺少所需的 scope${scope === '' ? '' : `。服务器要求：${scope}`}。请重新登录，或使用具有该 scope 的令牌。`,
  'remedy-status-upgrade': (to) =>
    /websocket/i.test(to)
      ? '请将 URL 改为 ws:// 或 wss://。'
      : /TLS\//i.test(to)
        ? '请将 URL 改为 https://。'
        : /^h2|HTTP\/2/i.test(to)
          ? '服务器要求 HTTP/2。浏览器和中继只在 https 上使用 HTTP/2。请在服务器上启用 HTTP/1.1 或 TLS。'
          : to === ''
            ? '如果服务器使用 WebSocket，请将 URL 改为 ws:// 或 wss://。Envoy 和 Istio 对 HTTP/1.0 请求也返回此状态码。如果它们前面是 nginx，请在 nginx 中设置 proxy_http_version 1.1。'
            : '请确认该 URL 是 MCP 端点。Periscope 支持 HTTP/1.1、https 上的 HTTP/2 和 WebSocket。',
  'remedy-status-credentials': '请检查 URL 和请求头中的令牌或密钥：它可能缺失、有误、已过期，或属于另一个账户。',
  'remedy-give-session': '请在 initialize 的响应中发送 Mcp-Session-Id，或允许请求不带此标头。',
  'remedy-tunnel-page': 'ngrok 会先向浏览器显示警告。对于带有 ngrok-skip-browser-warning 标头的请求，它不显示警告。',
  'remedy-one-transport': '请像 SDK 的示例那样，为每个请求创建传输和服务器。没有会话的传输只能处理一个请求。',
  'remedy-short-length':
    'Content-Length 按字节而不是字符计算：在 UTF-8 中，一个汉字占 3 个字节，大多数表情符号占 4 个字节。请按编码后的正文计算长度，或由框架设置此标头。',
  'remedy-fix-cut-json': '服务器或网关过早结束了正文。请检查 Content-Length、网关的限制和服务器日志。',
  'remedy-fix-echo': '这不是 MCP 服务器，而是回显服务，或者中间的终端重复了输入的内容。请输入服务器本身的命令或 URL。',
  'remedy-version-header':
    '让服务器及其前面的所有网关接受在 initialize 中协商的协议版本。或者指定响应中列出的某个协议版本。',
  'remedy-status-no-route':
    '检查路径，包括部署的阶段或前缀（例如 /prod/mcp），以及该路由是否接受 POST。请求必须签名而没有签名时，AWS 也会这样响应。',
  'remedy-fix-endpoint': (url) =>
    `事件流可用，但 ${url} 不可用。如果网关添加了路径前缀，请在服务器中设置公开路径（root_path、base path）。如果有多个实例，请把消息路由到持有该事件流的实例。endpoint 事件只能包含 URL。`,
  'remedy-fix-redirect-loop':
    '更正重定向规则。常见原因：网关没有转发原始协议（X-Forwarded-Proto），因此服务器不断重定向到 HTTPS。',
  'remedy-fix-unfinished-event':
    '每个事件必须以空行（\\n\\n）结束，否则客户端会丢弃该事件。如果事件本身不完整，则是网关或服务器过早结束了事件流。',
  'remedy-fix-stray-lines': '在消息的每一行前写上“data: ”，或以 Content-Type: application/json 发送消息。',
  'remedy-expose-session':
    '如果服务器在 initialize 的响应中发送了 Mcp-Session-Id，则浏览器不让此页面看到它（CORS）。请在每个响应中加入此标头：',
  'remedy-send-session': '如果 initialize 的响应中没有 Mcp-Session-Id，请加上此标头，或允许请求不带此标头。',
  'remedy-session-first':
    '请接受不带 Mcp-Session-Id 的 initialize，并在其响应中返回新的会话 ID。服务器重启后丢失了已有会话时，也会返回同样的错误。',
  'remedy-check-request-body':
    '检查请求正文是否原样到达服务器。网关可能丢弃了正文。如果正文解析器先于 SDK 读取了正文，请将 request.body 传给 SDK。',
  'remedy-add-credentials':
    '请添加错误中提到的密钥或令牌，通常使用 Authorization 请求头。如果这是你的服务器，请以 401 和 WWW-Authenticate 响应，以便客户端登录。',
  'remedy-fix-empty-response':
    '请为每个请求返回 JSON-RPC 响应。HTTP 202 只用于内容为通知或响应的 POST。AWS WAF 在质询客户端时也会返回正文为空的 202。',
  'remedy-fix-invalid-json': '响应正文中只能写入 JSON。请检查是否有日志行、响应被截断或编码有误。全文见跟踪中的响应。',
  'remedy-fix-other-id': '响应必须原样带上请求的 id，类型也要相同：1 和 "1" 是不同的 id。',
  'remedy-fix-not-json-rpc': '这似乎是另一个 API。请确认此 URL 指向 MCP 端点。返回的内容见跟踪中的响应。',
  'remedy-fix-no-response': '请在流结束之前，在同一个流上发送带有请求 id 的响应。',
  'remedy-ws-running':
    '请确认服务器正在此主机和端口运行，并检查路径。Periscope 先用子协议 mcp 尝试连接，然后不带子协议又试了一次。',
  'remedy-keep-reading': 'stdio 服务器应一直读取消息，直到 stdin 关闭。检查它是否在第一条消息之后就结束或崩溃。',
  'remedy-serve-lines':
    '在套接字上，每条 JSON-RPC 消息占一行，与 stdio 相同。请让服务器使用此格式，或让它监听 TCP 端口，再输入它的 http: URL。',
  'remedy-ws-certificate': '若服务器在运行，请在标签页中用 https: 打开同一 URL：如果证书不受信任，浏览器会发出警告。',
  'remedy-ws-plain': 'TLS 握手失败。如果服务器在此端口不使用 TLS，请将 URL 改为 ws://。',
  'remedy-ws-http': '如果服务器使用 Streamable HTTP，请将 URL 改为 http:// 或 https://。',
  'remedy-ws-origin': (origin) => `如果服务器检查 Origin 请求头，请允许源 ${origin}。`,
  'remedy-ws-headers':
    '网页不能在 WebSocket 握手中添加 Authorization 等请求头，因此要求这些请求头的服务器会拒绝连接。如果服务器接受 URL 中的令牌，请将令牌加到 URL 中。',
  unknownCloseCode: (code) => `关闭代码 ${code} 由服务器或其框架定义。请查看它们的文档和服务器日志。`,
  'remedy-check-body-headers':
    '检查 Content-Length、Content-Encoding 和 Transfer-Encoding：如果正文比标头所写的短，或未按标头压缩或分块，浏览器会丢弃它。中间的网关也可能截断了它。',
  'remedy-web-page': '响应是一个网页：它来自网站本身、网关或隧道，而不是 MCP 端点。',
  'remedy-try-path': '检查路径。许多服务器的端点位于 /mcp。',
  'remedy-old-transport': 'HTTP+SSE 服务器（2024-11-05）使用另一个路径，通常是 /sse。',
  'remedy-read-body': '查看响应内容，其中通常写明原因。',
  'remedy-server-log': '查看此次尝试期间的服务器日志。',
  'remedy-metadata-missing': (url, status) =>
    `WWW-Authenticate 将 ${url} 指定为受保护资源元数据，但该 URL 返回 ${status}。请在该处提供元数据（RFC 9728），或更正 URL。`,
  'remedy-metadata-not-json': (url, type) =>
    `WWW-Authenticate 将 ${url} 指定为受保护资源元数据，但该 URL 返回的不是 JSON 对象${type === '' ? '' : `（${type}）`}。请在该处提供元数据（RFC 9728），并将其路由放在为所有路径返回网页应用的路由之前。`,
  'remedy-metadata-other-resource': (found, expected) =>
    `受保护资源元数据描述的资源是 ${found}，而此 URL 是 ${expected}。客户端必须拒绝这样的元数据。请将“resource”设为客户端连接的 URL。`,
  'remedy-metadata-unread': (url, origin) =>
    `WWW-Authenticate 将 ${url} 指定为受保护资源元数据，但浏览器没有向此页面提供该处的响应。请检查该 URL 是否正确，以及其服务器是否正在运行。然后随元数据发送 Access-Control-Allow-Origin: ${origin}（或 *）。`,
  'remedy-sign-in-relay': '登录：在通过中继读取元数据之前，Periscope 会先征得你的同意。',
  'remedy-metadata-unreachable': (url) =>
    `WWW-Authenticate 将 ${url} 指定为受保护资源元数据，但即使通过本地代理，该处也没有响应。请检查该 URL，以及其服务器是否正在运行。`,
  'remedy-metadata-no-servers':
    '受保护资源元数据没有列出授权服务器。请加入 authorization_servers，列出授权服务器的 issuer URL。',
  'remedy-hidden-error': (origin) =>
    `浏览器也没有把直接请求的响应交给页面，因此该错误响应很可能缺少 Access-Control-Allow-Origin。请在每个响应（包括错误响应）中允许源 ${origin}：`,
  'remedy-hidden-too': '浏览器也阻止了直接请求（CORS）。服务器正确响应之后，概览会显示它缺少哪些标头。',
  'remedy-fix-encoding': '请按 Content-Encoding 压缩正文，或删除该标头。如果网关会解压正文，它也必须删除该标头。',
  'remedy-sign-in':
    '请先登录。登录前，服务器不会透露任何信息，连协议版本也不会。如果登录失败，请尝试逐步登录，或自行添加 Authorization 请求头。',
  'remedy-maybe-sign-in': '如果服务器要求登录，请登录，或自行添加 Authorization 请求头。',
  'remedy-origin-absent': (origin) =>
    `本地代理的中继不发送 Origin 请求头，而此服务器要求有该请求头。请将 ${origin} 加入服务器允许的源，然后直接连接。`,
  'remedy-start-relay': '启动本地代理并打开它打印的 URL，或直接连接。',
  'remedy-press-enter-relay': '请在运行 Periscope 的终端按 Enter，再打开它打印的 URL。也可以直接连接。',
  'remedy-another-revision': '指定服务器支持的协议版本，或使用自动检测。',
  'remedy-foreign-endpoint':
    'Periscope 没有向该源发送任何内容，因为消息会带上你的请求头。如果两个 URL 属于同一服务器，请允许该 URL。',
  'remedy-status-rate': (after) => (after === '' ? '请稍后再试。' : `请稍后再试。服务器发送了 Retry-After: ${after}`),
  'remedy-status-gateway': (after) =>
    `请检查网关或隧道后面的服务器是否在运行，以及网关是否指向它、等待时间是否足够。${after === '' ? '' : `然后再试。网关发送了 Retry-After: ${after}`}`,
  'remedy-status-basic':
    '服务器要求用户名和密码。请添加 Authorization 请求头，值为“Basic ”加上 Base64 编码的 USER:PASSWORD。',
  'remedy-status-api-key': (header) =>
    `服务器要求 API 密钥。请添加请求头 ${header} 并填入${header === 'Authorization' ? '“Bearer ”和' : ''}你的密钥。`,
  'remedy-status-host-check': (host) =>
    `为防止 DNS 重绑定，服务器只接受它知道的主机名。请将 ${host} 加入其允许的主机列表（SDK 中的 allowedHosts），或使用它期望的名称，例如 localhost。`,
  'remedy-status-origin-check': (origin) =>
    `请将 ${origin} 加入服务器允许的源（SDK 中的 allowedOrigins）。也可以通过本地代理的中继连接，中继不发送 Origin。`,
  'remedy-status-firewall':
    '防火墙或机器人检测拦截了此请求。有些检测只让使用浏览器的人通过，API 客户端无法通过。如果服务器由你运行，请在网关规则（例如 Cloudflare 的 WAF）中排除 MCP 端点，或允许你的 IP 地址。',
  'remedy-status-accept':
    'Periscope 按规范要求接受 application/json 和 text/event-stream。请检查端点返回的内容，以及网关如何处理 Accept 请求头。',
  'remedy-status-content-type': 'Periscope 按规范要求发送 application/json。请检查此 URL 是否为 MCP 端点。',
  'remedy-restart-server':
    '服务器可能只响应第一个请求，而那就是检测请求（server/discover）：有些服务器让所有客户端共用一个传输。请重启服务器，再指定 2025-11-25 以跳过检测。',
  'remedy-without-probe': '有些旧服务器遇到未知方法会卡住或出错。指定 2025-11-25 可跳过检测。',
  'remedy-check-values': '检查请求头和各个值。HTTP 请求头不能携带上面提到的值。',
  'relay-remedy-dns': '检查拼写，以及本机是否在能解析此名称的网络（VPN）中。',
  'relay-remedy-refused': '启动服务器，或检查主机和端口。',
  'relay-remedy-no-route': '检查 URL 和网络。VPN 或防火墙可能拦截了连接。',
  'relay-remedy-not-tls': '如果服务器在此端口使用普通 HTTP，请把 URL 改为 http://。',
  'relay-remedy-tls': '在服务器或其前面的网关上查看日志，并确认那里配置了此主机名的证书。',
  'relay-remedy-tls-closed':
    '如果服务器在此端口使用普通 HTTP，请把 URL 改为 http://。否则，请在服务器或其前面的网关上查看日志，并确认那里配置了此主机名的证书。',
  'relay-remedy-self-signed':
    '如果这是你的服务器的证书，请为此连接信任它，或将 NODE_EXTRA_CA_CERTS 指向 CA 文件后重启 Periscope。',
  'remedy-certificate-expired': '请续签证书，然后重启服务器或其网关，使其加载新证书。',
  'remedy-certificate-not-yet-valid': '检查本机和服务器的时钟。',
  'remedy-certificate-other-name': '使用证书中列出的主机名，或为此主机名签发证书。',
  'remedy-certificate-unknown-issuer':
    '如果颁发者是你公司自己的 CA，请将 NODE_EXTRA_CA_CERTS 指向其文件后重启 Periscope。否则，让服务器同时发送其中间证书。',
  'remedy-trust-certificate': '或者，如果这是你的服务器，请为此连接信任其证书。',
  'relay-remedy-certificate-changed':
    '请确认服务器的运营者是否更换了证书。如果没有，可能有人正在拦截连接。Periscope 未发送任何内容。',
  'relay-remedy-reset': '查看服务器日志。如果服务器使用 https，请把 URL 改为 https://。',
  'relay-remedy-not-http': '检查端口：可能有其他程序在监听。如果服务器使用 https，请把 URL 改为 https://。',
  'relay-remedy-too-large': '让服务器少发一些响应头，或缩短它们。',
  'do-relay': '通过中继连接',
  doRelayHint: '中继运行在本机的本地代理中，请求失败时会给出原因。',
  'do-direct': '直接连接',
  'do-trust': '信任此证书',
  'do-trust-new': '信任新证书',
  doTrustHint: '只对此服务器有效。此后中继不接受该主机的其他证书。可在连接设置中移除此证书。',
  'do-http-sse': '使用 HTTP+SSE',
  'do-any-transport': '自动检测传输方式',
  'do-foreign-endpoint': '允许该 URL',
  'do-unpin': '自动检测协议版本',
  'do-pin': (revision) => `指定 ${revision}`,
  'do-pin-probeless': (revision) => `指定 ${revision}（不检测）`,
  'do-redirect': (url) => `连接 ${url}`,
  findEndpoint: '查找端点',
  findingEndpoint: '正在查找端点…',
  foundEndpoints: '可能的 MCP 端点：',
  foundNoEndpoint: '在常用路径上没有找到 MCP 端点。',
  'do-add-header': (name) => `添加 ${name} 并连接`,
  'do-add-variable': (name) => `添加 ${name}`,
  'do-authorize': '添加 Authorization 请求头',
  'do-sign-in': '登录',
  'do-sign-in-by-steps': '逐步登录',
  'remedy-free-connections':
    '此页面对该服务器至少有六个未完成的请求。浏览器通过 HTTP/1.1 对每个主机只建立六个连接，其余请求会排队。请断开与该服务器的其他连接、关闭其他标签页，或通过本地代理的中继连接。',
  'remedy-be-patient': '首次启动可能要下载软件包，需要几分钟。完成后请重试。',
  'remedy-read-stderr': '查看 stderr 的内容，其中通常写明原因。',
  'remedy-run-by-hand': '在终端运行此命令并查看输出：',
  'remedy-stdout-noise': '进程向 stdout 写入了消息以外的内容。请将日志写到 stderr。',
  'remedy-check-command': '检查拼写，或输入程序的完整路径。',
  'remedy-check-environment': '检查参数、变量和工作目录。进程只会得到默认的安全环境变量和你添加的变量。',
  'remedy-restart-proxy': '重新启动代理，并打开它打印的 URL：',
  'remedy-start-proxy': '启动代理，并打开它打印的 URL：',
  'remedy-press-enter': '请在运行 Periscope 的终端按 Enter，再打开它打印的 URL。',
  'remedy-older-revision': '更新服务器或 Periscope。',
  'remedy-local-network': '浏览器可能阻止此网站访问你的本地网络。请检查地址栏旁的网站设置。',
  'remedy-report': '请报告此问题，并附上以上文字。',
  'silence-probed': '旧服务器会忽略 server/discover，因此 Periscope 接下来会发送 initialize。',
  'silence-other-id': (found, asked) => `进程发送的响应 id 是 ${found}，而不是 ${asked}。响应必须原样带上请求的 id。`,
  'silence-other-message': (method) => `进程发送了 ${method}，但没有发送响应。它可能正在启动，或在等待什么。`,
} satisfies Translation<typeof en>
