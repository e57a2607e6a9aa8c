/**
 * What each requirement that a rule can report says, in Chinese. `requirements.json` has the English. Code in backticks
 * is shown as code, and is the same in both languages.
 */
import type titles from './en.ts'

/** Titles whose rule is a section of an RFC have no statement. */
type Stated = Exclude<keyof typeof titles, `${'RFC' | 'OpenID'} ${string}`>

export default {
  'BP-01': '每条消息都必须带有 `jsonrpc: "2.0"`，并且是请求、通知或响应之一。',
  'BP-02': '请求的 id 必须是字符串或整数。',
  'BP-03': '请求的 id 不得为 `null`（比 JSON-RPC 本身更严格）。',
  'BP-04': '在一个会话中，同一发送方不得重复使用 id。',
  'BP-05': '只有尚未得到响应的请求，其 id 必须互不相同；响应到达后，该 id 可以再次使用。',
  'BP-06': '响应必须使用其请求的 id，类型也相同。',
  'BP-07':
    '响应必须恰好含有 `result` 和 `error` 之一。官方发布的 JSON Schema 查不出两者同时出现的情况（开放的联合类型），因此需要另写检查。',
  'BP-08':
    '没有 id 的错误正文：自 2025-03-26 起，HTTP 传输规范的文字允许它；schema 自 2025-11-25 起才允许，且仅限于无法读取 id 的情况。',
  'BP-09': '错误码必须是整数；`code` 和 `message` 必须同时存在。',
  'BP-10': '通知不得带有 id，也不得对它发送响应。',
  'BP-11': '无状态客户端不得发送 JSON-RPC 响应：它提供给服务器的一切内容，都通过请求（MRTR 重试）或通知发送。',
  'BP-12': '无论使用哪种传输方式，无状态服务器都不得主动发出 JSON-RPC 请求。',
  'BP-14': '无论使用哪种传输方式，消息都使用 UTF-8 编码（自 2025-03-26 起明文规定）。',
  'BP-20':
    '使用 2025-03-26 的客户端必须能接收 JSON-RPC 批量消息（数组），无论它位于 HTTP 正文、SSE 事件还是 stdio 的一行中。',
  'BP-22': '`initialize` 不得放在批量消息中。',
  'BP-23': '以 POST 发送的批量消息，要么只含请求和通知，要么只含响应；两类不得混合。',
  'BP-24':
    '响应批量消息的 SSE 流应为其中的每个请求发送一个响应，这些响应也可以合为批量消息；客户端应持续读取，直到全部到达。',
  'BP-25':
    '在其他任何协议版本中，数组都不是有效的消息（2024-11-05 未作说明，但其 schema 中没有数组；2025-06-18 移除了批量消息）。',
  'BP-30': '标准错误码保持其 JSON-RPC 含义：-32700、-32600、-32601、-32602、-32603。',
  'BP-32': '-32020 至 -32099 属于规范；只能发送规范在此范围内定义的错误码。',
  'BP-33':
    '-32020 HeaderMismatch、-32021 MissingRequiredClientCapability（`data.requiredCapabilities`）、-32022 UnsupportedProtocolVersion（`data.supported`、`data.requested`）；三者的 HTTP 状态码都必须是 400。',
  'BP-34':
    '-32042 URLElicitationRequired 必须带有 `data.elicitations`（仅限 URL 模式），且只存在于 2025-11-25；在无状态协议中，双方都不得发送它。',
  'BP-35': '资源不存在：2025-11-25 及更早的协议版本应返回 -32002；自 2026-07-28 起必须返回 -32602。',
  'BP-38': '新的应用错误码应在 -32768 至 -32000 的范围之外。',
  'BP-40': '在无状态协议中，每个结果都必须带有 `resultType`；核心协议的值是 `complete` 和 `input_required`。',
  'BP-42': '如果核心协议和客户端声明的扩展都没有定义某个 `resultType`，则带有它的响应必须视为无效。',
  'BP-43': '只能接受核心协议的值，以及实际声明过的扩展的值（例如，只有该请求声明了任务扩展，才接受 `task`）。',
  'META-01': '`_meta` 可以在参数和结果中携带额外的元数据；未知的键原样保留。',
  'META-02':
    '键 = 可选的前缀 + 名称；前缀由点分隔的若干段组成，以 `/` 结尾；每段必须以字母开头，以字母或数字结尾，连字符只能在中间。',
  'META-03':
    '2025-06-18 的保留规则：如果前缀含有 `modelcontextprotocol` 或 `mcp`，且其后还有一段，则为保留前缀（`mcp.dev/`、`api.modelcontextprotocol.org/`）。',
  'META-04':
    '自 2025-11-25 起：如果前缀的第二段是 `modelcontextprotocol` 或 `mcp`，则为保留前缀（`io.modelcontextprotocol/`、`com.mcp.tools/`）；`com.example.mcp/` 则可以使用。',
  'META-05': '非空的名称必须以字母或数字开头和结尾；中间可以有 `-`、`_`、`.`。',
  'META-07': '自己的键应使用反向域名（reverse-DNS）前缀。',
  'META-10':
    '在无状态协议中，每个请求的 `_meta` 都必须带有 `io.modelcontextprotocol/protocolVersion` 和 `io.modelcontextprotocol/clientCapabilities`（后者可以是 `{}`）；缺少它们的请求会得到 -32602（HTTP 400）。',
  'META-13': '结果应在 `_meta` 中带有 `io.modelcontextprotocol/serverInfo`（2026-07-28 把它移出了结果正文）。',
  'META-15': '`traceparent`、`tracestate`、`baggage` 是允许的无前缀键；如果出现，必须符合 W3C 格式。',
  'META-17': '订阅流上的每个通知都必须带有 `io.modelcontextprotocol/subscriptionId`。',
  'JS-09':
    '`inputSchema` 除 `type: "object"` 外，可以使用 2020-12 的任何关键字；`outputSchema` 可以是任何 schema，根类型不必是 object。',
  'JS-04': 'schema 必须在其方言中有效；`inputSchema` 必须是对象，不得为 `null`。',
  'ICON-02':
    '必须拒绝使用不安全 scheme 的图标 URI（`javascript:`、`file:`、`ftp:`、`ws:`、应用的 scheme）；只有 `https:` 和 `data:` 视为安全，尽管 `src` 的说明也提到 http。',
  'ICON-05': '图标应来自服务器自己的源，或受信任的源。',
  'ICON-06': '`sizes` 和 `theme` 可以作为选择图标的依据；没有 `theme` 的图标适用于两种主题。',
  'LC-01': '首次交互必须是 `initialize`，带有 `protocolVersion`、`capabilities` 和 `clientInfo`。',
  'LC-05': '在收到 `initialized` 之前，服务器只应发送 ping 和日志。',
  'LC-07': '如果支持客户端提出的协议版本，服务器必须原样返回它；否则必须返回自己支持的另一个协议版本。',
  'LC-09': '只使用协商过的能力，并遵守协商的协议版本（2025-03-26 及更早为“应”，自 2025-06-18 起为“必须”）。',
  'LC-10':
    '客户端能力：所有协议版本都有 `roots{listChanged}`、`sampling`、`experimental`；自 2025-06-18 起有 `elicitation`；自 2025-11-25 起有 `elicitation{form,url}`、`sampling{context,tools}`、`tasks{…}`。协商的协议版本较旧时，不要声明更新的能力。',
  'LC-11': '结果中的 `instructions` 可以用来引导模型。',
  'LC-12': '能力对象是开放的：未知的成员予以保留。官方的 zod schema 会不加提示地丢弃它们。',
  'LC-14':
    'Implementation 中可以有 `title`（自 2025-06-18 起）、`icons`、`websiteUrl`、`description`（自 2025-11-25 起）；显示名称是 `title`，没有时是 `name`。',
  'VN-01': '没有握手，也没有会话状态：后面的请求不得默认沿用前面请求的任何内容。',
  'VN-02': '每个请求都必须在 `_meta` 中指明协议版本（在 HTTP 上还要在标头中指明，值相同）。',
  'VN-04':
    '服务器必须实现 `server/discover`，并返回 `supportedVersions`、`capabilities`、可选的 `instructions` 以及缓存提示。',
  'VN-06': '扩展的 id 必须遵循 `_meta` 键的规则，且必须带前缀；扩展的设置必须是对象。',
  'VN-07': '如果只有一方支持某个扩展，必须改用核心协议的行为，或明确报错。',
  'VN-09':
    '`tools/list`、`resources/list`、`prompts/list` 不得因连接不同而不同，也不得因其他调用的副作用而变化；可以因凭据不同而不同。',
  'VN-25':
    '对未知的 RPC，无状态 HTTP 服务器必须返回 404，且正文为 -32601。因此，仅有 404 不能说明服务器是无状态的，带有该正文的 404 则能说明。',
  'VN-29': '只支持无状态协议的服务器，应在对 `initialize` 的错误中指明其协议版本。',
  'TR-STDIO-02': '每行一条消息；消息中不得含有换行符（以紧凑格式序列化）。',
  'TR-STDIO-05': 'stdout 上不得出现有效 MCP 消息以外的任何内容；多余的输出不得使客户端终止。',
  'TR-STDIO-15': 'stdio 没有标头层：Mcp-* 和 x-mcp-header 不适用（可以忽略这些注解）。',
  'TR-HTTP-04':
    '接受通知时（在使用握手的协议版本中，接受响应时也一样），必须返回 202 且正文为空；拒绝时必须返回 4xx，正文可以是没有 id 的错误。',
  'TR-HTTP-05':
    '对请求可以用 `application/json` 或 `text/event-stream` 响应；对每个请求，客户端都必须能处理这两种响应。',
  'TR-HTTP-07': '在无状态协议的流上，最终响应之前只能有与该请求相关的通知；不得有服务器请求。',
  'TR-HTTP-08': '流应在响应之后结束；客户端不应把仍未结束的流视为失败。',
  'TR-HTTP-13': '服务器应发送 `X-Accel-Buffering: no`；如果前面有代理而缺少此标头，事件就可能延迟到达。',
  'TR-HTTP-14':
    'SSE 的解析必须遵循 WHATWG 规则：以 CR、LF 或 CRLF 换行，`data` 可有多行，默认事件是 `message`，UTF-8 字符可能分在两个数据块中，可能有 BOM。',
  'TR-HTTP-16': '对 GET 必须返回事件流或 405；405 是正常的，不是错误。',
  'TR-HTTP-17': 'GET 流上不得有响应，除非它是在恢复某个 POST 的流。',
  'TR-HTTP-18': '可以同时打开多个流；每条消息只在其中一个流上发送。',
  'TR-HTTP-20': '必须为每个流分别保存最后一个事件 ID：事件 ID 虽在整个会话中唯一，但只是其所属流的游标。',
  'TR-HTTP-21':
    '初始事件（priming event）：流应以带有 id 且 `data` 为空的事件开始；客户端应保存该 id，且不得把空数据当作 JSON 解析。',
  'TR-HTTP-24': '没有任何事件 ID 的流无法恢复：必须将请求报告为已丢失。',
  'TR-HTTP-25': '如果 `initialize` 的响应带有 `Mcp-Session-Id`，之后的每个请求都必须发送它：POST、GET、DELETE。',
  'TR-HTTP-26': '带有会话 ID 的请求得到 404 时，客户端必须重新开始：发送不带该 ID 的 `initialize`。',
  'TR-HTTP-28': '需要会话 ID 而请求没有带时，应返回 400。',
  'TR-HTTP-29': '会话 ID 必须只使用可见的 ASCII 字符（0x21–0x7E）。',
  'TR-HTTP-31': '无状态协议没有会话 ID：不得发送；服务器会忽略收到的会话 ID。',
  'TR-HTTP-32': '只支持无状态协议的服务器应对 GET 和 DELETE 返回 405，并忽略 Last-Event-ID。',
  'TR-HDR-02':
    '每个 POST 都必须带有 MCP-Protocol-Version 标头，且等于 `_meta` 中的 protocolVersion；不一致时返回 400 / -32020。',
  'TR-HDR-03': '版本标头的值不受支持时，必须返回 400（在无状态协议中：带有 -32022）。',
  'TR-HDR-06': '每个请求都必须带有 `Mcp-Method`，其值与 `method` 相同。',
  'TR-HDR-07':
    '`Mcp-Name` 必须用于 `tools/call`、`prompts/get`（params.name）和 `resources/read`（params.uri）；使用任务扩展时，还必须用于 `tasks/get|update|cancel`（params.taskId）。',
  'TR-HDR-08': '值如果不全是可打印的 ASCII 字符，或首尾有空白，则必须以 `=?base64?…?=` 发送（UTF-8，标记用小写）。',
  'TR-HDR-10': '比较标头名称时必须不区分大小写，比较值时必须区分大小写。',
  'TR-XH-03':
    '类型：字符串原样发送，整数写成十进制，布尔值写成 `true`/`false`；不允许 `number`；整数必须在 ±(2^53−1) 之内。',
  'TR-XH-04': '名称：必须非空，是 RFC 9110 的 token，不含控制字符，且在 schema 中唯一（不区分大小写）。',
  'TR-XH-05':
    '带 x-mcp-header 的属性必须只通过 `properties` 到达：不得经过 `items`、`oneOf/anyOf/allOf/not`、`if/then/else`、`$ref`。',
  'TR-XH-09': '含机密的参数不应带有 x-mcp-header：中间节点能看到标头。',
  'TR-SSE-01': '向 SSE URL 发送 GET；第一个事件必须是 `endpoint`，含有用于 POST 的 URI。',
  'TR-SSE-02': '客户端的所有消息都必须以 POST 发送到该 URI；响应作为 `message` 事件在流上返回，而不在 POST 的响应中。',
  'TR-SSE-03': 'endpoint 的 URI 可以是相对的：以 SSE URL 为基准解析；拒绝其他源（为了安全，规范没有明说）。',
  'AU-GEN-02':
    '发往服务器的每个 HTTP 请求都必须带有 `Authorization: Bearer`：POST、GET、DELETE、轮询，无论会话是否相同。',
  'AU-GEN-03': '令牌不得放在查询字符串中。',
  'AU-GEN-04': '只能向服务器发送由它自己的授权服务器签发的令牌；不得发送来自别处的令牌。',
  'AU-GEN-05': '令牌缺失、无效或过期时必须返回 401；scope 不足时必须返回 403；授权请求格式有误时必须返回 400。',
  'AU-0326-01': '授权基础 URL = 去掉路径的 MCP URL；元数据必须位于该源的 `/.well-known/oauth-authorization-server`。',
  'AU-0326-02': '必须先尝试元数据；只有没有元数据时，才使用源的根路径下的 `/authorize`、`/token`、`/register`。',
  'AU-0326-03': '请求元数据时应发送 `MCP-Protocol-Version`。',
  'AU-0326-04': '每个客户端都必须使用 PKCE；其余遵循 OAuth 2.1。',
  'AU-0326-05': '应支持动态客户端注册（DCR）；否则使用内置的客户端 ID，或提供表单让用户输入。',
  'AU-PRM-01': '必须用受保护资源元数据（PRM）找到授权服务器。',
  'AU-PRM-02':
    '必须解析 `WWW-Authenticate`（多个质询、带引号的字符串、参数顺序），并优先使用其中的 `resource_metadata` URL。',
  'AU-PRM-03':
    '质询中没有元数据 URL 时，必须依次尝试插入了端点路径的 well-known URI 和根路径的 well-known URI（端点在根路径时只有后者）。2025-06-18 只规定了标头。',
  'AU-PRM-05': '文档中的 `resource` 必须与得出文档位置所用的 URL 一致（RFC 9728 §3.3）；否则必须拒绝该文档。',
  'AU-PRM-06': '`authorization_servers` 必须至少有一项；有多项时由客户端选择。',
  'AU-ASM-01': '端点必须取自 RFC 8414 元数据（不得猜测，AU-0326-02 除外）。',
  'AU-ASM-02': '还必须支持 OpenID Connect Discovery。',
  'AU-ASM-03':
    'issuer 带路径时，依次尝试：插入路径的 OAuth well-known URL、插入路径的 OIDC well-known URL、追加路径的 OIDC well-known URL。',
  'AU-ASM-04': 'issuer 不带路径时，依次尝试 OAuth well-known URL 和 OIDC well-known URL。',
  'AU-ASM-05': '2025-06-18 只使用 RFC 8414（并按其规则插入路径）。',
  'AU-ASM-06': '文档中的 `issuer` 必须与构造其 URL 所用的 issuer 完全相同；否则不得使用该文档。',
  'AU-ASM-07': '授权服务器的端点必须使用 HTTPS（开发时允许回环地址）。',
  'AU-REG-02': '应支持客户端 ID 元数据文档（Client ID Metadata Documents）。',
  'AU-REG-03':
    '`client_id` URL 必须是带路径的 https URL；文档中的 `client_id` 必须与该 URL 完全相同；必须有 `client_name` 和 `redirect_uris`。',
  'AU-REG-06':
    '动态客户端注册（DCR）：2025-03-26 和 2025-06-18 为“应”，2025-11-25 为“可以”，2026-07-28 为“可以”且已弃用。',
  'AU-REG-07':
    '动态客户端注册（DCR）必须发送 `application_type`：桌面应用、命令行程序和 localhost 上的 Web 应用应为 `native`，远程托管的应用应为 `web`。',
  'AU-REG-08': '必须考虑到注册可能因重定向 URI 而失败；应清楚地显示失败；可以调整类型或 URI 后重试。',
  'AU-REG-09': '需要刷新令牌时，应在 `grant_types` 中加入 `refresh_token`。',
  'AU-REG-10': '重定向 URI 必须在授权服务器注册。',
  'AU-REG-11': '重定向 URI 必须使用 HTTPS，或者是 localhost。',
  'AU-REG-12': '存储的客户端凭据必须按 issuer 区分；不得用于另一个 issuer；issuer 变化后必须重新注册。',
  'AU-FLOW-01': '必须始终使用 PKCE。',
  'AU-FLOW-03': '如果元数据（OAuth 或 OIDC）中没有 `code_challenge_methods_supported`，必须拒绝继续。',
  'AU-FLOW-04': '授权请求和令牌请求（包括刷新）都必须带有 `resource`，即使服务器忽略它。',
  'AU-FLOW-06': '应发送并核对 `state`；如果缺失或不同，则丢弃响应。',
  'AU-FLOW-08':
    'RFC 9207 对 iss 的规定：已声明支持且存在时，必须比较；已声明支持但缺失时，必须拒绝；未声明但存在时，也必须比较；未声明也不存在时，继续。',
  'AU-FLOW-09': '表单解码之后，必须按字符串是否完全相等来比较：不得统一大小写、默认端口、斜杠或百分号编码。',
  'AU-FLOW-12':
    '授权 URL：只允许 http(s)，且 http 仅限回环地址；必须拒绝 `javascript:`、`data:`、`file:`、`vbscript:`；不得通过 shell 打开。',
  'AU-FLOW-13':
    '在令牌端点，客户端的身份验证必须使用所注册或所声明的方法（`none`、`client_secret_basic`、`client_secret_post`、`private_key_jwt`）。',
  'AU-SCOPE-01':
    '初始 scope：应使用 401 质询中的 `scope`；没有时，使用 PRM 中 `scopes_supported` 的全部 scope；也没有时，省略该参数。',
  'AU-SCOPE-02': '当前操作必须以质询中的 scope 为准；不得假定它们与 `scopes_supported` 有任何包含关系。',
  'AU-SCOPE-03':
    '得到 403 `insufficient_scope` 时（或首次授权时）请求更多 scope（step-up）：面向用户的客户端应这样做，使用客户端凭据的客户端可以这样做。',
  'AU-SCOPE-07': '服务器不应在质询和 PRM 的 scope 中列出 `offline_access`。',
  'AU-SCOPE-08': '授予的 scope 可能少于所请求的：必须读取令牌响应中的 `scope`。',
  'AU-TOK-01': '必须安全地存储令牌。',
  'AU-TOK-02': '刷新令牌在传输和存储时都必须保密。',
  'AU-TOK-04': '授权服务器会轮换公共客户端的刷新令牌，因此客户端要以原子方式替换旧的（多个标签页之间也一样）。',
  'AU-TOK-05': '带有令牌却得到 401 时：刷新一次，然后重新授权；不得循环。',
  'SF-TOOL-01': '必须声明 `tools` 能力；`listChanged` 可选。',
  'SF-TOOL-02': '`tools/list` 是分页的；必须一直获取，直到没有 `nextCursor`。',
  'SF-TOOL-03': '显示名称应依次取：`title` → `annotations.title`（自 2025-03-26 起）→ `name`。',
  'SF-TOOL-04': '名称：应为 1–128 个字符，只含 A–Z a–z 0–9 `_` `-` `.`，区分大小写，在服务器中唯一。',
  'SF-TOOL-06':
    '默认值：readOnly 为 false，destructive 为 true，idempotent 为 false，openWorld 为 true；只有不是只读时，destructive 和 idempotent 才有意义。',
  'SF-TOOL-08': '`arguments` 必须是符合 `inputSchema` 的对象；没有参数时可以省略它。',
  'SF-TOOL-09':
    '在每个协议版本中，结果都必须有 `content`，即使还有 structuredContent 或错误。官方的 zod schema 会补上它，因而掩盖了这个问题。',
  'SF-TOOL-10':
    '各协议版本的内容类型：text、image、resource（全部）；audio（自 2025-03-26 起）；resource_link（自 2025-06-18 起）。',
  'SF-TOOL-11': '图像和音频的数据必须是 base64，并带有 MIME 类型：解码时要防范无效的数据。',
  'SF-TOOL-14': '有 `outputSchema` 时，服务器必须提供符合它的结构化内容（实践中，错误除外）。',
  'SF-TOOL-15': '`structuredContent` 必须是对象，`outputSchema` 的根类型必须是 object（2025-06-18、2025-11-25）。',
  'SF-TOOL-17': '结构化结果应以序列化的 JSON 在文本块中重复一次。',
  'SF-TOOL-18': '`isError: true` 是结果，不是协议错误；必须区分两者。',
  'SF-TOOL-19': '自 2025-11-25 起，输入校验失败应作为带 `isError` 的结果返回；更早的规范把无效参数列为协议错误。',
  'SF-TOOL-20': '工具未知时必须返回 -32602。',
  'SF-TOOL-21':
    '声明了 listChanged 时，应发送 `notifications/tools/list_changed`；在无状态协议中，只在请求了它的订阅流上发送。',
  'SF-TOOL-22': '工具的顺序应是确定的。',
  'SF-TOOL-23': '`execution.taskSupport` 的规则（见 TASK-03）。',
  'SF-RES-01': '必须声明 `resources` 能力；`subscribe` 和 `listChanged` 互相独立。',
  'SF-RES-02': '`resources/list` 和 `resources/templates/list` 都是分页的。',
  'SF-RES-03': '`resources/read` 必须返回 `contents[]`，其中可能有多项，其 URI 也可能与请求的不同。',
  'SF-RES-04': '每一项都必须有 `text`，或 base64 编码的 `blob`。',
  'SF-RES-05': '不得用空的 `contents` 表示“未找到”。',
  'SF-RES-06': '模板必须是 RFC 6570 的 URI 模板；由客户端展开，并正确地使用百分号编码。',
  'SF-RES-07':
    '用 `resources/subscribe` 订阅，用 `resources/unsubscribe` 取消订阅；只有声明了 `subscribe` 才可以使用。',
  'SF-RES-08': '`notifications/resources/updated` 可以指明所订阅 URI 的子资源；不得只比较 URI 是否相等。',
  'SF-RES-09': '在无状态协议中，只能通过 `subscriptions/listen` 的 `resourceSubscriptions` 订阅资源。',
  'SF-RES-10':
    '`annotations`：`audience` 和取值 0–1 的 `priority`（所有协议版本），ISO 8601 格式的 `lastModified`（自 2025-06-18 起）；每个 schema 都有以字节为单位的 `size`。',
  'SF-RES-12': '自定义的 URI scheme 必须视为不透明（RFC 3986）；不得在本地解析 `file://`。',
  'SF-RES-13': '声明了 listChanged 时，应发送 `notifications/resources/list_changed`。',
  'SF-PROMPT-01': '必须声明 `prompts` 能力；`listChanged` 可选。',
  'SF-PROMPT-02': '参数必须是从字符串到字符串的映射，无论表单是什么样子。',
  'SF-PROMPT-03': '消息必须有 role（user 或 assistant），且只有一个内容块（不是数组）。',
  'SF-PROMPT-04': '内容类型：text、image、resource；自 2025-03-26 起有 audio；自 2025-06-18 起有 resource_link。',
  'SF-PROMPT-05': '名称未知或缺少参数时，应返回 -32602。',
  'SF-PROMPT-07': '声明了 listChanged 时，应发送 `notifications/prompts/list_changed`。',
  'SF-COMP-01': '自 2025-03-26 起必须声明 `completions` 能力；2024-11-05 有此方法，但没有这项能力。',
  'SF-COMP-02': '`ref` 必须是 `ref/prompt`（名称）或 `ref/resource`（URI 或模板）；`argument` = 名称 + 当前值。',
  'SF-COMP-04':
    '最多 100 个值；`total` 可以更大；`hasMore` 表示是否还有（只有 2026-07-28 的 schema 强制 100 个的上限）。',
  'SF-LOG-01': '如果发送日志通知，必须声明 `logging` 能力。',
  'SF-LOG-02': '`logging/setLevel` 设置会话的最低级别；没有设置时由服务器决定。',
  'SF-LOG-03':
    '在无状态协议中，日志必须由每个请求各自用 `io.modelcontextprotocol/logLevel` 启用；没有这个键，就没有日志。',
  'SF-LOG-04': '日志通知只能在要求日志的那个请求的流上发送，不得在订阅流上发送。',
  'SF-LOG-05': '级别必须是 syslog 的八个级别之一；`data` 可以是任何 JSON；`logger` 可选。',
  'SF-LOG-07': '级别无效时，应返回 -32602。',
  'SF-PAGE-02': '没有 `nextCursor` 应表示列表结束。',
  'SF-PAGE-03': '空字符串游标也是游标，不得视为结束（要检查它是否存在，而不是真假值）。',
  'SF-PAGE-06': '游标无效时，应返回 -32602。',
  'SF-PAGE-07': '分页的列表：工具、提示词、资源、模板；在 2025-11-25 中还有 `tasks/list`。必须防范没有尽头的游标。',
  'UT-PROG-01': '进度令牌必须是字符串或整数，且在发送方的未完成请求中唯一。',
  'UT-PROG-02': '`progress` 必须随每个通知增大；可以有 `total` 和小数。',
  'UT-PROG-03': '自 2025-03-26 起，可以有文本 `message`。',
  'UT-PROG-04': '进度通知只能用于未完成请求的令牌；请求完成后必须停止。',
  'UT-PROG-07': '应跟踪进度令牌，并限制频率。',
  'UT-PROG-08': '任务扩展：订阅流上不得有进度和日志通知，任务也不得有。',
  'UT-CANC-01': '`notifications/cancelled` 必须指明同一方向上、发送方认为尚未完成的请求；双方都可以发送它。',
  'UT-CANC-02': '在 2026-07-28（stdio）中，只能由客户端取消；服务器只在自己终止订阅流时发送取消通知。',
  'UT-CANC-03': '应忽略取消之后到达的响应，但仍要显示它们。',
  'UT-CANC-04': '双方都必须能应对竞态；应静默忽略无效的取消。',
  'UT-CANC-06': '必须用 `tasks/cancel` 取消任务，而不是用取消通知。',
  'UT-PING-01': '任何时候都必须及时以 `{}` 响应 ping，在 `initialize` 完成之前也一样。',
  'UT-PING-04': '2026-07-28 中已没有 `ping`（404/-32601）；请用 `server/discover` 检查服务器是否可用。',
  'CF-ROOT-01':
    '客户端必须声明 `roots`，才会收到请求（使用握手时：在 `initialize` 中声明，可带 `listChanged`；在无状态协议中：在每个请求中声明，只能是 `{}`）。',
  'CF-ROOT-02': '根目录的 URI 必须以 `file://` 开头。',
  'CF-SAMP-01': '客户端必须声明 `sampling`，才会收到请求。',
  'CF-SAMP-03': '必须遵守 `maxTokens`。',
  'CF-SAMP-04': '系统提示词、includeContext、temperature、stopSequences、metadata 可以被更改或忽略；模型由客户端选择。',
  'CF-SAMP-05': 'hints 应按顺序作为子字符串匹配，先于 0–1 的各个优先级。',
  'CF-SAMP-06': '结果：role、content、model，以及可选的、取值不限的 stopReason。',
  'CF-SAMP-07':
    '内容：text/image；自 2025-03-26 起有 audio；自 2025-11-25 起有数组和 tool_use/tool_result。只有一个内容块时，可以直接是对象。',
  'CF-SAMP-08':
    '未声明 `sampling.tools` 却收到 `tools`/`toolChoice` 时，客户端必须返回错误（2026 年的 schema 保留了这句话，但在 MRTR 中不能以错误响应：请放弃该调用）。',
  'CF-SAMP-09': '含 tool_result 的用户消息必须只含 tool_result；在任何其他消息之前，每个 tool_use 都必须有对应的结果。',
  'CF-SAMP-10': 'toolChoice 的模式：auto（默认）/ required / none。',
  'CF-SAMP-11': '应限制工具循环的轮次。',
  'CF-SAMP-14':
    '只有声明了 `sampling.context`，才应使用 `thisServer`/`allServers`；2025-11-25 已不建议使用，2026-07-28 已弃用。',
  'CF-SAMP-15': '应限制频率，并经过批准；自 2026-07-28 起采样已弃用。',
  'CF-ELIC-01': '客户端必须声明 `elicitation`；`{}` = 只有表单模式；自 2025-11-25 起为 `form` 和/或 `url`，至少一项。',
  'CF-ELIC-02': '没有 `mode` 的请求是表单模式。',
  'CF-ELIC-04': '操作为 accept / decline / cancel；关闭对话框 = cancel，明确拒绝 = decline。',
  'CF-ELIC-05': '模式未声明时，必须返回 -32602。',
  'CF-FORM-01':
    '`requestedSchema` 必须是只含基本类型的平铺对象：string、number/integer、boolean、enum（自 2025-11-25 起还有多选数组）。',
  'CF-FORM-02':
    '字符串的格式：email、uri、date、date-time；min/maxLength；`pattern` 只出现在 2025-11-25 的文字中，任何 schema 都没有它。',
  'CF-FORM-03': '2025-06-18 的选项：`enum` + `enumNames`；只有布尔值可以有默认值。',
  'CF-FORM-04':
    '选项：无标题用 `enum`，有标题用 `oneOf[{const,title}]`，无标题的多选用 `items.enum`，有标题的多选用 `items.anyOf[{const,title}]`，旧的 `enumNames` 仍在 schema 中。',
  'CF-FORM-05': '应为每个基本类型和多选字段预先填入默认值。',
  'CF-FORM-06': '多选字段用 `minItems`/`maxItems` 限制选项数量。',
  'CF-FORM-08':
    '回答的值：字符串、数字、布尔值；自 2025-11-25 起还有字符串数组。官方发布的 JSON Schema 写的是 integer，TypeScript 写的是 number。',
  'CF-FORM-09': '表单不得索取机密。',
  'CF-FORM-10': '表单模式的任何字段都不应含有可点击的 URL。',
  'CF-URL-02': '必须先显示完整的 URL 和目标主机；应突出显示域名，并在遇到 Punycode 或可疑的 URL 时警告。',
  'CF-URL-05': '`elicitationId` 用来对应 `notifications/elicitation/complete`；必须忽略未知或已完成的 id。',
  'CF-URL-08': '2026-07-28 中不得有 elicitationId、完成通知或 -32042；结果要通过重试请求得知。',
  'MRTR-01':
    '对 tools/call、prompts/get、resources/read 返回 `resultType: "input_required"` 表示：提供输入并重试。对其他任何方法返回它，都是服务器的错误。',
  'MRTR-04': '有 `requestState` 时，必须逐字节原样返回；没有时，不得发送。',
  'MRTR-08': '`inputRequests` 和 `requestState` 必须至少有一个。',
  'MRTR-09':
    '只能有该请求本身声明过的种类（和征询模式）；值必须是 elicitation/create、sampling/createMessage 或 roots/list 的对象，不带 jsonrpc/id。',
  'MRTR-10':
    '`inputResponses` 中的各项必须直接是结果（没有 JSON-RPC 外层，没有 resultType）。不能以错误响应：要拒绝，就用 decline/cancel（征询），或放弃该调用。',
  'SUB-01':
    '`params.notifications` 是筛选条件，必须列出所需的通知（tools/prompts/resources 列表的标志、`resourceSubscriptions` 的 URI；任务扩展增加 `taskIds`）。',
  'SUB-02': '带有此订阅 ID 的第一条消息必须是 `notifications/subscriptions/acknowledged`。',
  'SUB-03': '应比较已确认的部分与请求的内容，并处理其余部分。',
  'SUB-04': '不得发送未请求的通知类型。',
  'SUB-05': 'subscriptionId 必须等于 listen 请求的 JSON-RPC id，类型也相同。',
  'SUB-07': '必须以关闭流（HTTP）或 `notifications/cancelled`（stdio）来结束订阅。',
  'SUB-08':
    '服务器正常结束订阅时，应发送含 subscriptionId 的最终结果；意外中断时没有结果。规范中关于取消的页面还要求服务器发送 `notifications/cancelled`（stdio）：两种都接受。',
  'SUB-10': '订阅流上不得出现进度和日志消息。',
  'CACHE-01': 'discover、四个列表和 resources/read 的 complete 结果必须带有 `ttlMs`（≥0 的整数）和 `cacheScope`。',
  'CACHE-09': '同一列表的所有页必须使用相同的 cacheScope。',
  'CACHE-10': '`input_required` 结果不得带有缓存提示。',
  'TASK-01':
    '能力：服务器为 `tasks{list,cancel,requests.tools.call}`；客户端为 `tasks{…requests.sampling.createMessage, elicitation.create}`；除此之外没有其他能力。',
  'TASK-02': '只应为接收方声明过的请求附加任务（`params.task{ttl?}`）。',
  'TASK-03':
    'tools/call：服务器没有声明能力时，不得用任务；有声明时，taskSupport 缺失或为 forbidden 则不得，optional 则可以，required 则必须（否则返回 -32601）。',
  'TASK-04': '首个响应必须是 CreateTaskResult（`result.task`），实际结果来自 `tasks/result`。',
  'TASK-05': '应按 `pollInterval` 轮询 `tasks/get`，直到任务终止或为 input_required；通知是可选的，不要依赖它。',
  'TASK-07':
    '相关的消息必须带有 `io.modelcontextprotocol/related-task`；tasks/get、list、cancel 中没有它；tasks/result 的响应中必须有它。',
  'TASK-08': '`tasks/result` 返回的内容，必须与请求本身会返回的完全相同：结果或 JSON-RPC 错误。',
  'TASK-09': '状态：以 `working` 开始；working ↔ input_required → completed / failed / cancelled；终止后不得再变化。',
  'TASK-10': '工具结果含 isError 时，此协议版本的任务必须为 `failed`（与任务扩展相反）。',
  'TASK-11': '`tasks/cancel` 必须返回已取消的任务；任务已终止时返回 -32602；状态必须保持 cancelled。',
  'TASK-12': '`tasks/list` 必须分页，游标不透明，且仅在声明后可用。',
  'TASK-15': '接收方可以更改 `ttl`；`null` = 无限制；到期后任务可能消失（-32602）。',
  'TEXT-01':
    '任务扩展由每个请求在 `extensions` 中声明；是否创建任务由服务器自行决定。没有 `task` 参数、taskSupport、tasks/list 和 tasks/result。',
  'TEXT-02': '任何 tools/call 都可以返回普通结果，或返回带 `resultType: "task"` 的平铺 CreateTaskResult。',
  'TEXT-03': '对不支持的方法返回 CreateTaskResult，必须视为无效的响应。',
  'TEXT-04':
    'tasks/get、update、cancel 也必须在 `_meta` 中声明任务扩展（否则返回 -32021），在 HTTP 上还必须带有等于 taskId 的 `Mcp-Name`。',
  'TEXT-05': '应遵守 `pollIntervalMs`，它可能变化；一直轮询，直到任务终止或客户端取消它。',
  'TEXT-07':
    'tasks/get 中的 `input_required` 必须带有 `inputRequests`；用 `tasks/update` 提供输入（可以只提供一部分），而不是重试调用。',
  'TEXT-08': '应对多次轮询中的键去重；每个键只响应一次；键在任务的整个生命周期中唯一。',
  'TEXT-10': '必须区分 `completed`（带有 `result`，包括 isError）和 `failed`（只用于 JSON-RPC `error`）。',
  'TEXT-12':
    'get/update/cancel 结果的 resultType 必须是 `complete`（SEP 自己的失败示例写的是 `task`：容忍它，但要报告）。',
  'TEXT-13': '推送：用 `taskIds` 订阅；`notifications/tasks` 带有完整状态；可以停止轮询。',
  'TEXT-14': '字段名称：任务扩展中是 `ttlMs`、`pollIntervalMs`；2025-11-25 中是 `ttl`、`pollInterval`。',
  'APPS-02':
    '工具的链接：`_meta.ui.resourceUri`（`ui://…`），已弃用的平铺键 `ui/resourceUri`；用 resources/read 获取；MIME 类型为 `text/html;profile=mcp-app`。',
  'APPS-06': '`visibility` 中没有 `app` 时，必须拒绝视图的 tools/call；没有 `model` 时，必须在智能体的列表中隐藏它。',
  'EXT-01': '除非用户启用，否则扩展必须关闭；双方都必须声明。',
  'SEC-04': '授权 URL 必须使用允许列表中的 scheme；不得通过 shell 打开（本地代理也一样）。',
  'SEC-09':
    'HTTP 服务器必须检查 `Origin`（自 2025-11-25 起，无效时返回 403），在本机运行时必须绑定到 localhost：这也适用于作为服务器的本地代理。',
  'SEC-13': '会话 ID 不应作为身份验证手段，也不应能被猜出（由服务器保证）；客户端不应泄露它。',
  'SEC-15': '机密不得进入日志、导出文件、URL 和崩溃报告。',
  'BR-03': 'WWW-Authenticate 也必须通过 CORS 公开；否则改用 well-known PRM URI，自 2025-11-25 起这本来就是合规的途径。',
  'ADV-01': '名称、描述、说明和 schema 可能含有给模型的指令（提示词注入）：请向用户指出。',
  'ADV-02': '名称、描述、说明和 schema 可能含有不可见的字符，或使文字反向显示的字符：请以码点显示每一个。',
} satisfies Readonly<Record<Stated, string>>
