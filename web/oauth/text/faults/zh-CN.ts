import type { AuthStep } from '../../../mcp/index.ts'
import { pick, type FaultTexts, type Values } from '../words.ts'

const SERVER: ReadonlySet<AuthStep> = new Set(['challenge', 'resource-metadata', 'authorization-server', 'use'])
const who = (step: AuthStep): string =>
  SERVER.has(step) ? 'MCP 服务器' : step === 'assertion' ? '身份提供方' : '授权服务器'

const AFTER_UNREAD: Readonly<Partial<Record<AuthStep, string>>> = {
  challenge: '登录仍可能成功，因为元数据位于其他 URL。',
  registration: '服务器可能已注册此客户端，请查看其日志。',
  token: '如果此请求含有授权码，该授权码可能已用掉。如果再次尝试失败，请重新登录。',
  refresh: '此请求可能已用掉刷新令牌。如果是，请重新登录。',
  revocation: '令牌仍可能已被吊销，请查看服务器日志。',
}

const REFUSED = {
  invalid_grant:
    '授权码、刷新令牌或断言已过期、已用过，或签发给了另一个客户端。使用授权码时，也可能是重定向 URI 或 code verifier 有误。请重新登录；如果授权方式使用断言，请先输入新的断言。',
  invalid_client: '它不认识此客户端，或不接受其身份验证方式。请输入它认识的客户端。',
  invalid_target: '它不为此资源签发令牌。请省略 resource 参数，或输入它认识的资源。',
  invalid_scope: '它不认识所请求的某个 scope，或不将其授予此客户端。请改为请求其他 scope。',
  unauthorized_client: '此客户端不能使用这种授权方式。请输入其他客户端，或在授权服务器上允许此客户端使用这种方式。',
  unsupported_grant_type: '它不支持这种授权方式。请在登录选项中选择另一种。',
  invalid_request: '请求缺少参数，或含有服务器不接受的参数。请对照该服务器的文档检查请求。',
  access_denied: '服务器的策略拒绝此用户或客户端访问。请向服务器管理员申请权限，或换一个账户登录。',
} as const
const refused = (v: Values): string =>
  pick(REFUSED, v.code('error')) ?? (v.raw('status') === 401 ? REFUSED.invalid_client : '原因可能在其响应或日志中。')

const bytes = (limit: unknown): string => (typeof limit === 'number' ? `${Math.round(limit / 1024)} KiB` : '上限')
const seconds = (limit: unknown): string => (typeof limit === 'number' ? `${limit / 1000} 秒` : '时限')

const faults: FaultTexts = {
  unreadable: () => '浏览器无法读取响应。',
  'unreadable:why': (v, step) =>
    `要么 ${v('url')} 没有发送 CORS 标头，要么服务器无法访问：页面无法区分。${AFTER_UNREAD[step] ?? '之前的步骤不受影响。'}`,
  'unreadable:server': () => '请响应预检请求（OPTIONS），并在此 URL 的每个响应（包括错误）中发送这些标头：',

  unreachable: () => '没有收到完整的响应。',
  'unreachable:why': (v) =>
    `对 ${v('url')} 的请求失败，但与 CORS 无关：${v('error')}。请检查 URL，以及服务器是否在运行。`,

  timeout: (v) => `${seconds(v.raw('limit'))}内没有收到完整的响应。`,
  'timeout:why': (v, step) =>
    v.raw('url') === undefined
      ? '另一个标签页一直在刷新这些令牌，等待时间过长。请关闭那个标签页，然后重试。'
      : `${who(step)}响应太慢，或响应没有结束。请重试，并在服务器日志中查找对 ${v('url')} 的请求。`,
  'timeout:server': () => '请在几秒内发送完整的响应。',

  'too-large': (v) => `响应超过 ${bytes(v.raw('limit'))}，未读完。`,
  'too-large:why': (v, step) => `${who(step)}在 ${v('url')} 应返回一份小文档。请检查该 URL 返回的内容。`,
  'too-large:server': () => '将登录过程的文档和响应控制在几 KB 以内。',

  'not-json': (v) =>
    v.raw('what') === 'empty'
      ? '响应为空。'
      : v.raw('what') === 'HTML or XML'
        ? '响应是 HTML 或 XML，不是 JSON。'
        : '响应不是 JSON。',
  'not-json:why': (v, step) =>
    `${who(step)}在 ${v('url')} 应返回 JSON。请查看响应：原因通常是登录页、网关或错误的路径。`,
  'not-json:server': () => '请返回 JSON 对象，并使用此 Content-Type：',

  'not-an-object': () => '响应是 JSON，但不是对象。',
  'not-an-object:why': (v, step) => `${who(step)}在 ${v('url')} 应返回 JSON 对象。请检查该 URL 返回的内容。`,
  'not-an-object:server': () => '请返回一个 JSON 对象：{ … }。',

  'http-status': (v) => `响应的 HTTP 状态码是 ${v('status')}。`,
  'http-status:why': (_, step) => `${who(step)}未能完成请求。请查看响应和服务器日志。`,

  redirected: () => '响应是重定向。',
  'redirected:why': (v, step) =>
    v.raw('location') === undefined
      ? `${who(step)}将此请求重定向。页面看不到目标，Periscope 也不会向那里发送机密。`
      : `${who(step)}重定向到 ${v('location')}。Periscope 不会向那里发送机密。`,
  'redirected:server': () => '请在此 URL 直接响应。重定向的常见原因是末尾的斜杠，或用了 http 而不是 https。',

  'unsafe-url': (v) => (v.raw('name') === undefined ? '有一个 URL 不安全。' : `${v('name')} 不安全。`),
  'unsafe-url:why': (v) =>
    v.raw('private') === true
      ? `互联网上的服务器提供了 ${v('url')}，但这个 URL 不在公网上，因此 Periscope 没有向那里发送任何内容。如果这是你自己的授权服务器，请点击“选择授权服务器”并输入其 issuer。`
      : `没有向 ${v(v.raw('url') === undefined ? 'urls' : 'url')} 发送任何内容。Periscope 只使用 https URL；仅当 MCP 服务器也在本机运行时，才使用本机的 http URL；仅当 MCP 服务器也在私有网络中时，才使用私有网络中的 URL。`,
  'unsafe-url:server': () => '请在元数据中使用绝对的 https URL。环回 URL 只用于同一台机器上的开发。',

  'not-challenged': () => '服务器不需要登录。',
  'not-challenged:why': () => '它响应了不带令牌的请求。部分方法可能仍需登录，请连接后确认。',
  'not-challenged:server': () => '请对每个需要登录的请求返回 401 和 WWW-Authenticate。',

  'no-resource-metadata': () => '服务器没有声明在哪里登录。',
  'no-resource-metadata:why': (_, step) =>
    step === 'registration'
      ? '未找到受保护资源元数据（RFC 9728），MCP 服务器自身的源也不提供客户端注册。请选择授权服务器，或粘贴令牌。'
      : '未找到受保护资源元数据（RFC 9728）。请粘贴元数据，或选择授权服务器。“仍要继续”会按协议版本 2025-03-26 的做法，将此服务器的源用作 issuer。',
  'no-resource-metadata:server': () => '请在以下 URL 提供此文档，并在每个 401 的 WWW-Authenticate 中给出该 URL：',

  'resource-mismatch': () => '元数据描述的是另一个资源。',
  'resource-mismatch:why': () =>
    '如果继续，Periscope 会为那个资源请求令牌。恶意服务器可借此获得你用于其他服务器的令牌。只有知道两者为何不同时，才应继续。',
  'resource-mismatch:server': () => '请将 resource 设为与客户端所连接的 URL 完全相同的值：',

  'no-authorization-servers': () => '元数据没有列出授权服务器。',
  'no-authorization-servers:why': () =>
    '请选择授权服务器，或粘贴列有授权服务器的元数据。“仍要继续”会将此服务器的源用作 issuer。',
  'no-authorization-servers:server': () => '请添加授权服务器的 issuer，与该服务器元数据中的值完全相同：',

  'no-server-metadata': () => '授权服务器没有元数据。',
  'no-server-metadata:why': (v) =>
    `未找到 ${v('issuer')} 的元数据。请粘贴元数据，或选择另一个授权服务器。“仍要继续”会假定端点是 /authorize、/token 和 /register。`,
  'no-server-metadata:server': () => '请在以下 URL 之一提供 RFC 8414 或 OpenID Connect 的元数据：',

  'issuer-mismatch': () => '元数据中的 issuer 与请求时使用的不同。',
  'issuer-mismatch:why': () =>
    '请求元数据时使用的 issuer 与元数据中的 issuer 必须完全相同，否则一个服务器可以冒充另一个并获得其授权码。请按元数据中的写法输入 issuer；如果知道两者为何不同，也可以继续。',
  'issuer-mismatch:server': () => '请在此文档的 issuer 和 MCP 服务器元数据的 authorization_servers 中使用相同的值。',

  'missing-endpoint': (v) => `元数据中没有 ${v('name')}。`,
  'missing-endpoint:why': (v) =>
    v.raw('name') === 'revocation_endpoint'
      ? '此服务器无法吊销令牌，令牌在到期前一直有效。你仍可在此清除它们。'
      : '登录需要此端点，而 Periscope 不会猜测 URL。请粘贴含有它的元数据、选择另一个授权服务器，或粘贴令牌。',
  'missing-endpoint:server': () => '请在元数据中添加：',

  'unsupported-grant': () => '授权服务器不支持此次登录所需的方式。',
  'unsupported-grant:why': (v) =>
    v.raw('needed') === undefined
      ? '它只接受推送的授权请求（RFC 9126），Periscope 不支持。“仍要继续”会发送普通请求。'
      : `其元数据的 ${v('name')} 列出 ${v('listed')}，没有 ${v('needed')}。下次登录请选择另一种授权方式；如果知道服务器支持 ${v('needed')}，也可以继续。`,
  'unsupported-grant:server': (v) =>
    v.raw('needed') === undefined
      ? '请接受未推送的授权请求，并移除 require_pushed_authorization_requests。'
      : `请支持 ${v('needed')}，并在 ${v('name')} 中列出。`,

  'no-registration': () => '授权服务器不支持自动注册。',
  'no-registration:why': (v) =>
    `请在 ${v('issuer')} 手动注册此客户端，然后点击“输入客户端 ID”。表单会显示要注册的重定向 URI。`,
  'no-registration:server': () => '请以下列两种方式之一接受未知的客户端：',

  'registration-refused': (v) => (v.raw('method') === undefined ? '注册被拒绝。' : '已注册的客户端无法进行身份验证。'),
  'registration-refused:why': (v) =>
    v.raw('method') !== undefined
      ? `该注册要求 ${v('method')}，但此页面不支持，或没有相应的机密。请手动注册客户端，然后输入其 ID。`
      : '原因可能在授权服务器的响应中。请手动注册客户端，然后输入其 ID。要编辑请求，请逐步登录。',
  'registration-refused:server': () =>
    '请接受公共客户端（token_endpoint_auth_method 为 none），其重定向 URI 为环回地址或使用 https。',

  'redirect-uri-refused': () => '授权服务器拒绝了重定向 URI。',
  'redirect-uri-refused:why': () =>
    '有的服务器只允许“native”客户端使用 http://localhost，有的只允许“web”客户端使用 https。请试另一种类型，或使用服务器接受的重定向 URI 手动注册。',
  'redirect-uri-refused:server': () => '请接受此重定向 URI（RFC 8252 第 7.3 节：环回地址的任意端口）：',

  'no-client-id': () => '注册的响应中没有客户端 ID。',
  'no-client-id:why': () => '授权服务器报告成功，却没有返回 client_id。请手动注册，然后输入客户端 ID。',
  'no-client-id:server': () => '请返回 client_id（RFC 7591 第 3.2.1 节）：',

  'issuer-changed': () => '此客户端属于另一个授权服务器。',
  'issuer-changed:why': (v) =>
    `该客户端是你为 ${v('bound')} 输入的，但此次登录使用 ${v('issuer')}。客户端 ID 及其机密只属于一个 issuer。请输入属于此 issuer 的客户端。`,

  'bad-client-document': (v) => (v('url') === '' ? '缺少客户端 ID 元数据文档的 URL。' : '此 URL 不能作为客户端 ID。'),
  'bad-client-document:why': () =>
    '客户端 ID 元数据文档需要带路径的 https URL。请输入另一个客户端，或让 Periscope 注册一个。',

  'pkce-not-advertised': () => '授权服务器没有声明支持 PKCE。',
  'pkce-not-advertised:why': () =>
    '没有 PKCE 时，任何截获授权码的人都能使用它，因此客户端必须在此停止。许多服务器支持 PKCE 却未声明。“仍要继续”仍会使用 PKCE。',
  'pkce-not-advertised:server': () => '请支持 PKCE（S256），并在元数据中声明：',

  'bad-private-key': () => '私钥无效。',
  'bad-private-key:why': () => '请在登录选项中以 PKCS #8（PEM）或 JWK 格式输入私钥，并选择对应的算法。',

  'insecure-context': () => '此页面无法使用 WebCrypto。',
  'insecure-context:why': (v) =>
    `${v('what')} 需要 WebCrypto，而浏览器只在 https 或 localhost 上提供它。此页面是从另一台机器通过明文 HTTP 打开的。请转发端口（ssh -L），再在 localhost 上打开 Periscope。`,

  'popup-blocked': () => '浏览器拦截了窗口。',
  'popup-blocked:why': () => '请允许此页面打开弹出窗口，或在此标签页登录。',

  'no-answer': () => '没有收到响应。',
  'no-answer:why': () =>
    '窗口可能已关闭，或登录超过了十分钟。请点击“重新打开窗口”。如果登录后回调页面无法打开，请点击“我有回调 URL”，然后粘贴浏览器显示的完整 URL。',

  'taken-elsewhere': () => '另一个标签页收到了响应。',
  'taken-elsewhere:why': () =>
    '另一个标签页是此标签页的副本，也在等待同一次登录，而授权码只能用一次。请在那个标签页继续，或在此重新登录。',

  'state-mismatch': () => '响应属于另一次登录。',
  'state-mismatch:why': (v) =>
    `${v.raw('found') === null ? '响应没有 state' : '响应的 state 不同'}，因此 Periscope 忽略该响应。它可能来自旧窗口，也可能来自想让你使用其账户的攻击者。`,

  'iss-missing': () => '响应没有指明其 issuer。',
  'iss-missing:why': () =>
    '元数据声明每个响应都带有 iss（RFC 9207）。没有 iss，Periscope 就无法排除响应来自其他服务器的可能，因此忽略该响应。',
  'iss-missing:server': () => '请不要声明支持 iss，或在每次重定向（包括错误）中添加 iss：',

  'iss-mismatch': () => '响应来自另一个 issuer。',
  'iss-mismatch:why': () =>
    '其 iss 指明的是另一个服务器，因此 Periscope 既不显示也不使用该响应。可能有其他服务器企图获得授权码（mix-up 攻击），也可能只是 iss 有误。',
  'iss-mismatch:server': () => '请发送与元数据完全相同的 issuer：',

  denied: () => '登录被拒绝。',
  'denied:why': () => '你或服务器的策略拒绝了访问。要更改决定，请重新登录。',

  'authorization-error': () => '授权服务器拒绝了登录。',
  'authorization-error:why': () => '原因见其消息。请求的参数列在上一步中。',
  'authorization-error:server': () =>
    '请在 error_description 中指明被拒绝的参数；即使不使用，也请接受 resource（RFC 8707）。',

  'no-code': () => '浏览器返回时没有授权码。',
  'no-code:why': () => '响应中既没有授权码也没有错误。如果 URL 是你粘贴的，请检查是否完整。',
  'no-code:server': () => '重定向时请将 code 放在查询参数中，不要放在片段中：',

  'repeated-parameter': (v) => `授权响应中 ${v('names')} 出现多次。`,
  'repeated-parameter:why': () => 'Periscope 无法判断哪个值有效，因此忽略该响应。',
  'repeated-parameter:server': () => '每个参数只发送一次（RFC 6749 第 3.1 节）。',

  'token-refused': (v) =>
    v.raw('error') === undefined
      ? v.raw('status') === undefined
        ? 'Periscope 无法刷新令牌。'
        : `请求被拒绝：HTTP ${v('status')}`
      : `请求被拒绝：${v('error')}`,
  'token-refused:why': (v, step) =>
    v.raw('error') === undefined && v.raw('status') === undefined
      ? '缺少刷新令牌，或缺少令牌端点的 URL，因此没有发送请求。请重新登录。'
      : `${who(step)}没有签发令牌。${refused(v)}`,

  'no-access-token': () => '响应中没有令牌。',
  'no-access-token:why': (_, step) =>
    step === 'assertion'
      ? '身份提供方报告成功，却没有返回 access_token，其中应包含 ID-JAG。请重新登录。'
      : `${who(step)}报告成功，却没有返回 access_token。此请求可能已用掉授权码或刷新令牌。请重新登录。`,
  'no-access-token:server': (_, step) =>
    `请这样响应（${step === 'assertion' ? 'RFC 8693 第 2.2.1 节' : 'RFC 6749 第 5.1 节'}）：`,

  'token-type': (v, step) =>
    step === 'assertion'
      ? '身份提供方签发的是其他类型的授权。'
      : v.raw('found') === null
        ? '令牌没有类型。'
        : `令牌类型是 ${v('found')}。`,
  'token-type:why': (_, step) =>
    step === 'assertion'
      ? 'Periscope 请求的是 ID-JAG。“仍要继续”会改用此授权。'
      : 'Periscope 只使用 Bearer 令牌；如果请求过 DPoP 令牌，也使用 DPoP 令牌。“仍要继续”会将此令牌作为 Bearer 令牌使用。',
  'token-type:server': (_, step) =>
    step === 'assertion' ? '请这样响应（RFC 8693 第 2.2.1 节）：' : '请设置令牌类型：',

  'bad-token-response': () => '令牌响应的格式有误。',
  'bad-token-response:why': () => '其中有令牌，但令牌或其他字段无效。只有令牌本身可用时才能继续。',
  'bad-token-response:server': () => '请遵循 RFC 6749 第 5.1 节：',

  'assertion-missing': () => '缺少令牌请求所需的断言。',
  'assertion-missing:why': () => '这种授权方式需要断言。请在登录选项中输入工作负载的 JWT，或身份提供方及其 ID 令牌。',

  'token-not-accepted': () => 'MCP 服务器拒绝了令牌。',
  'token-not-accepted:why': () =>
    '授权服务器签发了令牌，但 MCP 服务器拒绝它。常见原因是受众（audience）不同，或缺少 scope。可在“令牌”视图中查看这两项。',
  'token-not-accepted:server': () =>
    '如果令牌的受众（audience）与元数据中的 resource 一致，请接受它。拒绝令牌时，请在 WWW-Authenticate 中说明原因。',

  'too-many-attempts': () => '尝试次数过多。',
  'too-many-attempts:why': () => '为避免无限循环，Periscope 在此停止。请开始新的登录。',

  internal: () => 'Periscope 内部错误。',
  'internal:why': () => '详情见下面的消息。请报告此错误。你可以保存此次登录的帧，其中不含机密。',
}

export default faults
