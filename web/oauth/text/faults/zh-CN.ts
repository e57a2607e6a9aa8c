import type { AuthStep } from '../../../mcp/index.ts'
import { pick, type FaultTexts, type Values } from '../words.ts'

const SERVER: ReadonlySet<AuthStep> = new Set(['challenge', 'resource-metadata', 'authorization-server', 'use'])
const who = (step: AuthStep): string =>
  SERVER.has(step) ? 'MCP 服务器' : step === 'assertion' ? '身份提供方' : '授权服务器'

const AFTER_UNREAD: Readonly<Partial<Record<AuthStep, string>>> = {
  challenge: '登录本身可能仍然可行：元数据在其他地址上。',
  registration: '服务器可能已经完成了注册：请查看它的日志。',
  token: '授权码可能已因此用掉：如果再试一次被拒绝，请重新登录。',
  refresh: '刷新令牌可能已因此用掉：那样的话请重新登录。',
  revocation: '令牌可能已经撤销：请查看服务器的日志。',
}

const REFUSED = {
  invalid_grant:
    '授权码已用过、已过期或属于另一个客户端，或者重定向 URI、code verifier 与之前不同：请重新登录以获得新的授权码。',
  invalid_client: '它不认识这个客户端，或不接受这种身份证明方式：请输入它认识的客户端。',
  invalid_target: '它不为这个资源发放令牌：请省略 resource 参数，或输入它认识的资源。',
  invalid_scope: '它不认识某个 scope，或不把它授予这个客户端：请请求其他 scope。',
  unauthorized_client: '这个客户端不能使用这种授权方式：请换一个客户端，或在服务器上允许它。',
  unsupported_grant_type: '它根本不提供这种授权方式。',
  invalid_request: '请求中缺少某些内容，或有它不接受的内容：请与它的文档对照。',
  access_denied: '服务器的策略不允许这个用户或这个客户端。',
} as const
const refused = (v: Values): string =>
  pick(REFUSED, v.code('error')) ??
  (v.raw('status') === 401 ? REFUSED.invalid_client : '原因见它的原话和日志；请把请求与它的要求对照。')

const bytes = (limit: unknown): string => (typeof limit === 'number' ? `${Math.round(limit / 1024)} KiB` : '上限')
const seconds = (limit: unknown): string => (typeof limit === 'number' ? `${limit / 1000} 秒` : '时限')

const faults: FaultTexts = {
  unreadable: () => '浏览器不允许页面读取应答。',
  'unreadable:why': (v, step) =>
    `要么 ${v('url')} 没有发送 CORS 标头，要么那里没有服务器：页面无法分辨。${AFTER_UNREAD[step] ?? '此步骤之前一切正常。'}`,
  'unreadable:server': () => '请应答预检请求（OPTIONS），并在此地址的每个应答（包括错误）中发送这些标头：',

  unreachable: () => '没有任何应答。',
  'unreachable:why': (v) => `无法连接 ${v('url')}，且与 CORS 无关：${v('error')}。地址正确吗？服务器在运行吗？`,
  'unreachable:server': () => '',

  timeout: (v) => `${seconds(v.raw('limit'))}内没有收到完整的应答。`,
  'timeout:why': (v, step) => `${who(step)}太慢，或应答没有结束。请重试，并在它的日志中查看 ${v('url')}。`,
  'timeout:server': () => '请在几秒内应答，并结束正文。',

  'too-large': (v) => `应答超过 ${bytes(v.raw('limit'))}，没有读完。`,
  'too-large:why': (v, step) => `${v('url')} 处本应是一份小文档，而${who(step)}发送了别的内容。`,
  'too-large:server': () => '登录过程中的文档和应答只有几 KB。',

  'not-json': (v) =>
    v.raw('what') === 'empty'
      ? '应答是空的。'
      : v.raw('what') === 'HTML or XML'
        ? '应答是网页，不是 JSON。'
        : '应答不是 JSON。',
  'not-json:why': (v, step) =>
    `${who(step)}在 ${v('url')} 应返回 JSON。登录页、网关或错误的路径常常这样应答：请看应答内容。`,
  'not-json:server': () => '请返回 JSON 对象，并注明类型：',

  'not-an-object': () => '应答是 JSON，但不是对象。',
  'not-an-object:why': (v, step) => `${who(step)}在 ${v('url')} 发送了别的内容。`,
  'not-an-object:server': () => '请返回一个 JSON 对象：{ … }。',

  'http-status': (v) => `应答是 HTTP ${v('status')}。`,
  'http-status:why': (_, step) => `${who(step)}没有照做。原因见它的应答和日志。`,
  'http-status:server': () => '',

  redirected: () => '应答把请求引向别处。',
  'redirected:why': (v, step) =>
    v.raw('location') === undefined
      ? `${who(step)}在不允许重定向的地址上重定向：页面看不到它指向哪里，也不会把秘密随之发送。`
      : `${who(step)}重定向到 ${v('location')}：不会向那里请求或发送任何内容。`,
  'redirected:server': () => '请在此地址直接应答。常见原因是末尾的斜杠，或用了 http 而不是 https。',

  'unsafe-url': (v) => (v.raw('name') === undefined ? '有一个地址不安全。' : `${v('name')} 不安全。`),
  'unsafe-url:why': (v) =>
    v.raw('private') === true
      ? `互联网上的服务器指定了 ${v('url')}，但它不是公网地址，因此没有向那里发送任何内容。如果这是你自己的授权服务器，请手动输入其签发者（issuer）。`
      : `${v(v.raw('url') === undefined ? 'urls' : 'url')}：只使用 https，或者当服务器也在本机时使用本机的 http；私有地址只用于同样位于私有地址的服务器。没有向那里发送任何内容。`,
  'unsafe-url:server': () => '请在元数据中使用绝对的 https 地址；本机地址只用于本机开发。',

  'not-challenged': () => '服务器没有要求登录。',
  'not-challenged:why': () => '它在没有令牌的情况下也作了应答。也许只有部分方法需要登录：先连接看看。',
  'not-challenged:server': () => '对需要登录的请求返回 401 和 WWW-Authenticate。',

  'no-resource-metadata': () => '服务器没有说明在哪里登录。',
  'no-resource-metadata:why': () =>
    '询问过的地址都没有受保护资源元数据（RFC 9728）。请粘贴元数据，或指定授权服务器。“继续”则把服务器的来源当作授权服务器，这是 2025-03-26 服务器的做法。',
  'no-resource-metadata:server': () => '请在那里提供这份文档，并在每个 401 的 WWW-Authenticate 中指明：',

  'resource-mismatch': () => '元数据说的是另一个资源。',
  'resource-mismatch:why': () => '令牌会为那个资源而请求。服务器可能借此让您为别人登录：只有知道两者为何不同时才继续。',
  'resource-mismatch:server': () => '请把 resource 设为客户端连接的地址，逐字相同：',

  'no-authorization-servers': () => '元数据没有列出授权服务器。',
  'no-authorization-servers:why': () => '请自己指定一个，或粘贴列有授权服务器的元数据。“继续”则使用服务器的来源。',
  'no-authorization-servers:server': () => '请加入 issuer，与其自身元数据逐字相同：',

  'no-server-metadata': () => '授权服务器没有提供元数据。',
  'no-server-metadata:why': (v) =>
    `询问过的地址都没有 ${v('issuer')} 的元数据。请粘贴元数据，或指定另一个服务器。“继续”则猜测 /authorize、/token 和 /register。`,
  'no-server-metadata:server': () => '请在以下地址之一提供 RFC 8414 或 OpenID Connect 的元数据：',

  'issuer-mismatch': () => '元数据属于另一个 issuer。',
  'issuer-mismatch:why': () =>
    '两者必须逐字相同，否则一个服务器可以冒充另一个并取得其授权码。请按它自己的写法指定 issuer；如果知道为何不同，也可以继续。',
  'issuer-mismatch:server': () =>
    '请使两者一致：此元数据中的 issuer，以及 MCP 服务器元数据中的 authorization_servers。',

  'missing-endpoint': (v) => `元数据中没有 ${v('name')}。`,
  'missing-endpoint:why': (v) =>
    v.raw('name') === 'revocation_endpoint'
      ? '这个服务器不能作废令牌：令牌在到期前一直有效。可以在这里忘掉它。'
      : '登录不能缺少它，而地址不可猜测。请指定另一个授权服务器，或粘贴从别处得到的令牌。',
  'missing-endpoint:server': () => '请在元数据中加入：',

  'unsupported-grant': () => '授权服务器不提供这次登录所需的方式。',
  'unsupported-grant:why': (v) =>
    v.raw('needed') === undefined
      ? '它只接受推送的授权请求（RFC 9126），而 Periscope 不发送这种请求。继续则仍发送普通请求。'
      : `其元数据的 ${v('name')} 列出 ${v('listed')}，没有 ${v('needed')}。下次登录请选择另一种授权方式；如果知道它其实提供，也可以继续。`,
  'unsupported-grant:server': () =>
    '请提供这种方式，并在 response_types_supported 或 grant_types_supported 中列出；同时接受普通的授权请求。',

  'no-registration': () => '授权服务器不接受自动注册。',
  'no-registration:why': (v) => `请用旁边的重定向 URI 在 ${v('issuer')} 手动注册这个客户端，然后输入得到的客户端 ID。`,
  'no-registration:server': () => '请让尚不认识的客户端也能使用，以下两种方式任选其一：',

  'registration-refused': (v) =>
    v.raw('method') === undefined ? '注册被拒绝。' : '注册得到的客户端无法证明自己的身份。',
  'registration-refused:why': (v) =>
    v.raw('method') !== undefined
      ? `它被注册为使用 ${v('method')}，而此页面做不到，或者没有收到所需的密钥。请手动注册后输入客户端。`
      : '授权服务器不接受发送的内容，原因见它的原话。请修改请求，或手动注册后输入客户端 ID。',
  'registration-refused:server': () =>
    '请接受公共客户端（token_endpoint_auth_method 为 none），其重定向 URI 在本机或使用 https。',

  'redirect-uri-refused': () => '授权服务器不接受我们的重定向 URI。',
  'redirect-uri-refused:why': () =>
    '有的服务器只允许 native 客户端使用 http://localhost，有的只允许 web 客户端使用 https：请试另一种，或用它接受的重定向 URI 手动注册。',
  'redirect-uri-refused:server': () => '请接受这个重定向 URI（RFC 8252 第 7.3 节：本机的任意端口）：',

  'no-client-id': () => '注册没有得到客户端 ID。',
  'no-client-id:why': () => '授权服务器说一切正常，却漏掉了最重要的内容。请手动注册并输入客户端 ID。',
  'no-client-id:server': () => '应答中应有 client_id（RFC 7591 第 3.2.1 节）：',

  'issuer-changed': () => '这个客户端属于另一个授权服务器。',
  'issuer-changed:why': (v) =>
    `它是为 ${v('bound')} 输入的，而服务器现在指向 ${v('issuer')}。客户端 ID 和密钥只属于一个 issuer：请输入属于这个 issuer 的。`,
  'issuer-changed:server': () => '',

  'bad-client-document': () => '这个地址不能作为客户端 ID。',
  'bad-client-document:why': () => '客户端元数据文档需要带路径的 https 地址。请输入另一个客户端，或让页面自行注册。',
  'bad-client-document:server': () => '',

  'pkce-not-advertised': () => '授权服务器没有声明支持 PKCE。',
  'pkce-not-advertised:why': () =>
    '没有 PKCE，得到授权码的人就能使用它，因此客户端必须停下。许多服务器其实支持，只是忘了声明：继续的话仍会发送 PKCE。',
  'pkce-not-advertised:server': () => '请支持 PKCE S256，并在元数据中声明：',

  'bad-private-key': () => '私钥无法使用。',
  'bad-private-key:why': () => '请输入 PEM 格式的 PKCS #8 或 JWK，并选择与之对应的算法。',
  'bad-private-key:server': () => '',

  'insecure-context': () => '浏览器在此页面上不提供 WebCrypto。',
  'insecure-context:why': (v) =>
    `${v('what')} 需要 WebCrypto，而浏览器只在 https 或 localhost 上提供它。此页面是从另一台机器通过明文 HTTP 打开的：请转发端口（ssh -L），再在 localhost 上打开 Periscope。`,
  'insecure-context:server': () => '',

  'popup-blocked': () => '浏览器没有打开窗口。',
  'popup-blocked:why': () => '请允许本页面打开窗口，或在本标签页中登录。',
  'popup-blocked:server': () => '',

  'no-answer': () => '没有收到应答。',
  'no-answer:why': () =>
    '窗口被关闭了，或十分钟内没有人登录。如果窗口显示“您可以关闭此窗口”的页面，下次请粘贴它的地址。',
  'no-answer:server': () => '',

  'taken-elsewhere': () => '另一个标签页取走了应答。',
  'taken-elsewhere:why': () => '本标签页的副本在等待同一次登录，而授权码只能用一次。请在那边继续，或在这里重新登录。',
  'taken-elsewhere:server': () => '',

  'state-mismatch': () => '应答属于另一次登录。',
  'state-mismatch:why': (v) =>
    `${v.raw('found') === null ? '它没有 state' : '它的 state 不同'}，因此不使用其中任何内容：它可能来自旧窗口，也可能有人想让您以他的身份登录。`,
  'state-mismatch:server': () => '',

  'iss-missing': () => '应答没有说明由谁发出。',
  'iss-missing:why': () =>
    '元数据承诺每个应答都带有 iss（RFC 9207）。没有它就无法区分是不是别的服务器的应答，因此不使用其中任何内容。',
  'iss-missing:server': () => '请在每次重定向（包括错误）中加入 iss，或不要承诺：',

  'iss-mismatch': () => '应答来自另一个 issuer。',
  'iss-mismatch:why': () =>
    '它指明的服务器与所询问的不同，因此其内容不显示也不使用：可能有服务器把您引向另一个服务器，以骗取其授权码（mix-up 攻击）；也可能只是 iss 写错了。',
  'iss-mismatch:server': () => '请发送与元数据逐字相同的 issuer：',

  denied: () => '登录被拒绝。',
  'denied:why': () => '您或服务器的策略没有同意。重新登录即可再次决定。',
  'denied:server': () => '',

  'authorization-error': () => '授权服务器中止了登录。',
  'authorization-error:why': () => '它不接受授权请求，原因见它的原话。请求的参数见上一步。',
  'authorization-error:server': () => '请在 error_description 中指明参数；即使用不到，也请接受 resource（RFC 8707）。',

  'no-code': () => '浏览器返回时没有授权码。',
  'no-code:why': () => '应答中既没有授权码也没有错误。如果地址是您粘贴的：是否复制完整？',
  'no-code:server': () => '重定向时请把 code 放在查询中，而不是片段中：',

  'repeated-parameter': (v) => `${v('names')} 出现了不止一次。`,
  'repeated-parameter:why': () => '无法判断以哪个为准，因此不使用应答中的任何内容。',
  'repeated-parameter:server': () => '每个参数只发送一次（RFC 6749 第 3.1 节）。',

  'token-refused': (v) =>
    v.raw('error') === undefined ? `请求被拒绝：HTTP ${v('status')}` : `请求被拒绝：${v('error')}`,
  'token-refused:why': (v, step) => `${who(step)}没有给出令牌。${refused(v)}`,
  'token-refused:server': () => '',

  'no-access-token': () => '应答中没有令牌。',
  'no-access-token:why': (_, step) => `${who(step)}说一切正常，却漏掉了 access_token。授权码已因此用掉：请重新登录。`,
  'no-access-token:server': () => '请这样应答（RFC 6749 第 5.1 节）：',

  'token-type': (v) => (v.raw('found') === null ? '令牌没有类型。' : `令牌的类型是 ${v('found')}。`),
  'token-type:why': () => '请求的是 Bearer，其他类型如何使用没有说明；继续则当作 Bearer 使用。',
  'token-type:server': () => '请注明类型：',

  'bad-token-response': () => '令牌应答的格式有误。',
  'bad-token-response:why': () => '其中有令牌，但令牌本身或旁边的内容有误。如果可以继续，则照样使用这个令牌。',
  'bad-token-response:server': () => '请遵循 RFC 6749 第 5.1 节：',

  'assertion-missing': () => '没有可用来换取令牌的凭据。',
  'assertion-missing:why': () => '这种授权方式需要断言：请在登录选项中输入工作负载的 JWT，或身份提供方及其 ID 令牌。',
  'assertion-missing:server': () => '',

  'token-not-accepted': () => 'MCP 服务器不接受这个令牌。',
  'token-not-accepted:why': () =>
    '授权服务器给出了令牌，而 MCP 服务器拒绝它：常见原因是受众（audience）不同，或 scope 太少。上面的检查对两者都做了比较。',
  'token-not-accepted:server': () =>
    '请接受受众为元数据中 resource 的令牌，并在 WWW-Authenticate 中说明这个令牌有什么问题。',

  'too-many-attempts': () => '同一操作尝试次数过多。',
  'too-many-attempts:why': () => '为避免无休止的循环，在此停止。请重新开始登录。',
  'too-many-attempts:server': () => '',

  internal: () => 'Periscope 出了错。',
  'internal:why': () => '原因见下面的文字。欢迎报告：这次登录的帧可以在不含秘密的情况下保存。',
  'internal:server': () => '',
}

export default faults
