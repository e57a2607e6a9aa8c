import { marked, moment, pick, type Values } from '../words.ts'
import type { SayTexts } from './en.ts'

const AT = {
  header: '标头给出的 URL 处',
  path: '带服务器路径的 well-known URL 处',
  root: '根路径的 well-known URL 处',
} as const
const placeOf = (at: string): string => pick(AT, at) ?? ''

const difference = (v: Values): string => marked(String(Math.abs(Number(v.raw('seconds') ?? 0))))

const SAFE =
  'Periscope 只使用 https URL；仅当 MCP 服务器也在本机运行时，才使用本机的 http URL；仅当 MCP 服务器也在私有网络中时，才使用私有网络中的 URL。'

const SCOPE_FROM: Readonly<Record<string, string>> = {
  given: '你的选择',
  challenge: '来自质询',
  'resource-metadata': '资源元数据列出的全部',
  union: '之前请求的 scope，加上缺少的',
  none: '由授权服务器决定',
}

const RELAYED = {
  server: '它是 MCP 服务器的源',
  issuer: '你曾在那里登录',
  typed: '它由你输入',
  agreed: '你已允许',
} as const

const says: SayTexts = {
  relayed: (v) =>
    `浏览器无法读取 ${v('origin')} 的响应（没有 CORS 标头），因此改由本地代理发送该请求。允许代理访问此源，是因为${pick(RELAYED, v.code('reason')) ?? ''}。`,

  'challenge-hidden': () => '页面看不到 WWW-Authenticate，因为服务器没有公开它。Periscope 改用 well-known URL。',
  'challenge-missing': (v) => `HTTP ${v('status')} 必须带有 WWW-Authenticate 标头，但响应中没有。`,
  'challenge-malformed': (v) => `WWW-Authenticate 格式有误：${v('malformed')}`,
  'challenge-read': () => 'WWW-Authenticate 格式正确，要求 Bearer 令牌。',
  'challenge-not-bearer': () => 'WWW-Authenticate 没有要求 Bearer 令牌。',
  'not-challenged': (v) => `服务器返回 HTTP ${v('status')} 而不是 401，因此没有要求登录。`,

  'resource-metadata-url-unsafe': (v) => `标头给出 ${v('url')}。此 URL 不安全，因此 Periscope 不会请求它。`,
  'resource-metadata-found': (v) => `在${placeOf(v.code('at'))}找到：${v('url')}`,
  'resource-metadata-not-there': (v) => `${placeOf(v.code('at'))}没有可用的元数据：${v('url')}（${v('failed')}）`,
  'resource-matches': () => '元数据描述的是此服务器。',
  'resource-covers': () => '元数据描述的是等价的 URL，或同一源下的上级路径。Periscope 接受这两种情况。',
  'resource-differs': () => '元数据描述的是另一个资源。',
  'servers-offered': (v) => `元数据列出了 ${v('count')} 个授权服务器。`,
  'origin-is-issuer': (v) => `未找到元数据。按协议版本 2025-03-26 的做法，以 ${v('issuer')} 作为 issuer。`,

  'issuer-unsafe': (v) => `已跳过 ${v('issuer')}。${SAFE}`,
  'issuer-by-hand': (v) => `你输入了 ${v('issuer')}。`,
  'issuer-chosen': (v) => `使用 ${v('issuer')}（共有 ${v('count')} 个可用的 issuer）。`,

  'metadata-found': (v) =>
    `${v.raw('of') === 1 ? '已找到' : `已找到（第 ${v('place')} 个 URL，共 ${v('of')} 个）`}：${v('url')}`,
  'metadata-not-there': (v) =>
    `${v.raw('of') === 1 ? '未找到' : `未找到（第 ${v('place')} 个 URL，共 ${v('of')} 个）`}：${v('url')}（${v('failed')}）`,
  'issuer-matches': () => '元数据中的 issuer 一致。',
  'grant-not-offered': (v) => `${v('name')} 列出 ${v('listed')}，没有此次登录需要的 ${v('needed')}。`,
  'issuer-differs': () => '元数据中的 issuer 与请求的 issuer 不同。',
  'endpoint-missing': (v) => `元数据中没有 ${v('name')}。`,
  'endpoint-unsafe': (v) => `${v('name')} 是 ${v('url')}。${SAFE}`,
  'default-endpoints': (v) => `未找到元数据。按协议版本 2025-03-26 的规定，使用 ${v('origin')} 上的默认端点。`,

  'client-by-hand': (v) => `你输入了客户端 ${v('clientId')}。`,
  'client-of-another': (v) =>
    `你为 issuer ${v('bound')} 输入了客户端 ${v('clientId')}，但此次登录使用 issuer ${v('issuer')}。`,
  'registered-before': (v) => `重用之前在此 issuer 注册的 ${v('clientId')}。`,
  'no-client-document': () => '服务器支持客户端 ID 元数据文档，但当前的 Periscope 没有这样的文档。',
  'client-documents-not-taken': () => '服务器不支持客户端 ID 元数据文档。',
  'client-document': (v) => `客户端 ID 是其元数据文档的 URL：${v('url')}`,
  'client-document-address': (v) =>
    v('url') === ''
      ? '缺少客户端 ID 元数据文档的 URL。'
      : `${v('url')} 不能作为客户端 ID。客户端 ID 必须是带路径的 https URL。`,
  'application-type': (v) =>
    `注册为 ${v('applicationType')}：${
      v.raw('reason') === 'by-hand'
        ? '你的选择'
        : v.raw('reason') === 'loopback'
          ? '此页面运行在本机上'
          : '此页面由远程主机提供'
    }。`,
  'redirect-uri-differs': (v) => `${v('used')} 不是已注册的重定向 URI。已注册：${v('registered')}`,
  'redirect-uri-registered': () => '重定向 URI 已注册。',
  'registered-with-status': (v) => `注册返回 HTTP ${v('status')}，而不是 201。`,
  'registration-deprecated': () => '动态注册自 2026-07-28 起已弃用。服务器应同时支持客户端 ID 元数据文档。',

  'scope-chosen': (v) =>
    `${v.raw('scope') === null ? '不请求 scope' : `请求 scope ${v('scope')}`}（${
      pick(SCOPE_FROM, v.code('source')) ?? v('source')
    }）。`,
  'resource-chosen': (v) => `为 ${v('resource')} 请求令牌（resource 参数）。`,
  'resource-left-out': () => '已省略 resource 参数。',
  'pkce-advertised': () => '元数据声明支持 PKCE（S256）。',
  'pkce-not-advertised': (v) =>
    v.raw('methods') === null ? '元数据没有声明 PKCE。' : `元数据中的 PKCE 方法是 ${v('methods')}，没有 S256。`,

  'pushed-only': () => '服务器要求使用推送授权请求（PAR），但 Periscope 不支持。',
  'fragment-dropped': (v) => `已移除授权端点的片段：${v('url')}`,
  'authorization-url-unsafe': (v) => `Periscope 不会打开 ${v('url')}：此 URL 不安全。`,

  'parameter-repeated': (v) => `${v('names')} 出现多次。`,
  'state-matches': () => 'state 一致：响应属于此次登录。',
  'state-differs': (v) => (v.raw('found') === null ? '响应没有 state。' : '响应中的 state 与发送的不同。'),
  'iss-neither': () => '服务器既没有声明也没有发送 iss。',
  'iss-missing': () => '服务器声明其响应带有 iss，但此响应没有。',
  'iss-matches': () => '响应中的 issuer（iss）完全一致。',
  'iss-differs': () => '响应指明了另一个 issuer（iss）。其余部分既不显示也不使用。',
  'code-received': () => '已收到授权码。',
  'code-again': () => '之前的登录收到过同一个授权码。每个授权码只能使用一次。',
  'parameter-characters': (v) => `${v('name')} 含有可打印 ASCII 以外的字符。`,
  'response-in-fragment': () => '响应位于 URL 的片段中，而不是查询参数中。',

  'grant-received': () => '身份提供方签发了针对此服务器的授权（ID-JAG）。',
  'grant-of-another-type': () => '身份提供方签发的不是 ID-JAG，而是其他类型的授权。',

  'token-received': () => '响应中有访问令牌。',
  'id-token-ignored': () => '响应中还有 id_token，它不会被使用或检查。',
  'token-with-status': (v) => `令牌响应的 HTTP 状态码是 ${v('status')}，而不是 200。`,
  'member-ignored': (v) => `已忽略响应中的 ${v('name')}：值无效。`,
  'token-syntax': () => 'access_token 含有 Bearer 令牌不允许的字符。服务器可能拒绝带有该令牌的 Authorization 请求头。',
  'token-in-cookie': () => '响应把访问令牌存入了不经 TLS 也会发送的 Cookie。',
  'not-bound': () => '令牌未与 DPoP 密钥绑定：服务器签发的是 Bearer 令牌。',

  'scope-granted': (v) =>
    v.raw('granted') === null ? 'scope 由服务器选择，但服务器没有指明是哪些。' : `已授予的 scope：${v('granted')}`,
  'scope-narrower': (v) => `授予的 scope 比请求的少。缺少：${v('missing')}`,

  'token-decoded': (v) =>
    `令牌是 JWT${v('algorithm') === '' ? '' : `（${v('algorithm')}）`}。其签名由服务器验证，Periscope 不验证。`,
  'token-opaque': () => '令牌不透明，只有服务器能读取。',
  'token-encrypted': () => '令牌是加密的 JWT，只有服务器能读取。',
  'token-malformed': (v) => `令牌像是 JWT，但格式有误：${v('problems')}`,
  'token-unsigned': () => '令牌没有签名（alg 为 none），任何人都能伪造。',
  'token-for-client': (v) => `令牌含有 ${v('claims')}，像是 ID 令牌。ID 令牌只供客户端使用，不应发送给服务器。`,
  'token-expired': (v) => `令牌已于 ${moment(v.raw('at'))} 过期。`,
  'token-without-end': () => '令牌的到期时间未知。',
  'token-ends-differ': (v) =>
    `到期时间相差 ${difference(v)} 秒：响应中为 ${moment(v.raw('response'))}，令牌中为 ${moment(v.raw('claim'))}。`,
  'token-not-yet-valid': (v) => `令牌从 ${moment(v.raw('at'))} 起有效，即 ${v('seconds')} 秒之后。`,
  'token-time-odd': (v) => `令牌的声明（claim）${v('claim')} 不是有效的时间：${v('value')}`,
  'token-issuer-matches': (v) => `令牌中的 issuer（iss）与授权服务器一致：${v('claim')}`,
  'token-issuer-differs': () => '令牌中的 issuer（iss）不是提供此令牌的授权服务器。',
  'token-audience-matches': (v) => `令牌用于此服务器：${v('audience')}`,
  'token-audience-differs': () => '令牌用于另一个受众，此服务器应拒绝它。',
  'token-audience-absent': () => '令牌没有指明受众（aud）。',
  'token-scope-extra': (v) => `未请求却授予的 scope：${v('extra')}`,
  'token-without-refresh': (v) =>
    `没有刷新令牌。令牌到期${v.raw('at') === undefined ? '' : `（${moment(v.raw('at'))}）`}后，只有重新登录才能更换令牌。`,
  'token-bound': () => '令牌与此页面的密钥绑定，其他人无法使用（DPoP）。',
  'token-bound-as-bearer': () => '令牌与密钥绑定，却作为 Bearer 令牌签发。',
  'token-not-bound': () => '令牌签发为 DPoP 绑定令牌，但其中没有将它与密钥绑定的声明（claim）。',
  'token-bound-to-certificate': () => '令牌与 TLS 证书绑定，而页面无法出示证书。',

  'refresh-rotated': () => '已收到新的刷新令牌，它取代旧的刷新令牌。',
  'refresh-not-rotated': (v) =>
    v.raw('public') === true
      ? '刷新令牌没有变化。服务器必须在公共客户端每次使用刷新令牌后轮换它。'
      : '刷新令牌没有变化。',
  revoked: (v) => `已吊销：${v('hint')}`,
  'not-revocable': (v) => `服务器无法吊销此类令牌：${v('hint')}。该令牌在到期前一直有效。刷新令牌已吊销。`,
  'not-revoked': (v) => `未吊销：${v('hint')}（HTTP ${v('status')}）`,
}

export default says
