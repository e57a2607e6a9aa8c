import { moment, pick, type SayTexts } from '../words.ts'

const AT = { header: '标头所指处', path: '服务器路径之下', root: '根路径下' } as const
const placeOf = (at: string): string => pick(AT, at) ?? ''

const SCOPE_FROM: Readonly<Record<string, string>> = {
  given: '按您的选择',
  challenge: '按质询的要求',
  'resource-metadata': '资源元数据列出的全部',
  union: '之前请求过的，加上缺少的',
  none: '没有任何依据',
}

const RELAYED = {
  server: '它是 MCP 服务器的源',
  issuer: '你曾在那里登录',
  typed: '由你输入',
  agreed: '你已同意',
} as const

const says: SayTexts = {
  relayed: (v) =>
    `浏览器无法读取 ${v('origin')} 的响应（缺少 CORS 标头），因此该请求经本地代理发送：${pick(RELAYED, v.code('reason')) ?? ''}。`,

  'challenge-hidden': () => '页面看不到 WWW-Authenticate：服务器没有公开这个标头。改为询问 well-known 地址。',
  'challenge-missing': (v) => `HTTP ${v('status')} 没有附带 WWW-Authenticate，而规范要求必须有。`,
  'challenge-malformed': (v) => `WWW-Authenticate 格式有误：${v('malformed')}`,
  'challenge-read': () => 'WWW-Authenticate 要求 Bearer 令牌，格式正确。',
  'challenge-not-bearer': () => 'WWW-Authenticate 没有要求 Bearer 令牌。',
  'not-challenged': (v) => `服务器返回 HTTP ${v('status')}，而不是 401：这里不要求登录。`,

  'resource-metadata-url-unsafe': (v) => `标头指向 ${v('url')}，它不是 https，因此没有请求。`,
  'resource-metadata-found': (v) => `在${placeOf(v.code('at'))}找到：${v('url')}`,
  'resource-metadata-not-there': (v) => `${placeOf(v.code('at'))}没有：${v('url')}（${v('failed')}）`,
  'resource-matches': () => '元数据说的正是这台服务器。',
  'resource-covers': () => '元数据说的是同一来源下的上级路径：可以接受。',
  'resource-differs': () => '元数据说的是另一个资源，不是这台服务器。',
  'servers-offered': (v) => `列出了 ${v('count')} 个授权服务器。`,
  'origin-is-issuer': (v) => `都没有找到：按 2025-03-26 的做法，直接询问 ${v('issuer')}。`,

  'issuer-unsafe': (v) => `${v('issuer')} 被排除：只使用 https，或本机上的 http。`,
  'issuer-by-hand': (v) => `您指定了 ${v('issuer')}。`,
  'issuer-chosen': (v) => `使用 ${v('issuer')}（共提供 ${v('count')} 个）。`,

  'metadata-found': (v) => `在 ${v('of')} 个地址中的第 ${v('place')} 个找到：${v('url')}`,
  'metadata-not-there': (v) => `${v('of')} 个地址中的第 ${v('place')} 个没有：${v('url')}（${v('failed')}）`,
  'issuer-matches': () => '元数据中的 issuer 与所询问的逐字相同。',
  'grant-not-offered': (v) => `${v('name')} 只列出 ${v('listed')}，没有这次登录需要的 ${v('needed')}。`,
  'issuer-differs': () => '元数据中的 issuer 与所询问的不同。',
  'endpoint-missing': (v) => `元数据中没有 ${v('name')}。`,
  'endpoint-unsafe': (v) => `${v('name')} 是 ${v('url')}：只使用 https，或本机上的 http。`,
  'default-endpoints': (v) => `没有元数据：使用 2025-03-26 的默认地址，位于 ${v('origin')} 之下。`,

  'client-by-hand': (v) => `您输入了客户端 ${v('clientId')}。`,
  'client-of-another': (v) => `${v('clientId')} 是为 ${v('bound')} 输入的，而现在询问的是 ${v('issuer')}。`,
  'registered-before': (v) => `${v('clientId')} 之前已在此 issuer 注册，继续使用。`,
  'no-client-document': () => '服务器接受客户端元数据文档，但本页面没有可供读取的文档。',
  'client-documents-not-taken': () => '服务器不接受客户端元数据文档。',
  'client-document': (v) => `客户端 ID 就是其说明文档的地址：${v('url')}`,
  'client-document-address': (v) => `${v('url')} 不能作为客户端 ID：需要 https 和路径。`,
  'application-type': (v) =>
    `注册为 ${v('applicationType')}：${
      v.raw('reason') === 'by-hand'
        ? '按您的选择'
        : v.raw('reason') === 'loopback'
          ? '本页面运行在本机上'
          : '本页面来自远程主机'
    }。`,
  'redirect-uri-differs': (v) => `${v('used')} 不在已注册的重定向 URI 之中：${v('registered')}`,
  'redirect-uri-registered': () => '注册的重定向 URI 与使用的一致。',
  'registered-with-status': (v) => `注册返回 HTTP ${v('status')}，而不是 201。`,
  'registration-deprecated': () => '动态注册在 2026-07-28 中已弃用：请同时支持客户端元数据文档。',

  'scope-chosen': (v) =>
    `${v.raw('scope') === null ? '不请求 scope' : `scope 为 ${v('scope')}`}：${
      pick(SCOPE_FROM, v.code('source')) ?? v('source')
    }。`,
  'resource-chosen': (v) => `为 ${v('resource')} 请求令牌（resource 参数）。`,
  'resource-left-out': () => '省略 resource 参数。',
  'pkce-advertised': () => '服务器声明支持 PKCE S256。',
  'pkce-not-advertised': (v) =>
    v.raw('methods') === null ? '元数据没有声明支持 PKCE。' : `元数据中的 PKCE 方法是 ${v('methods')}，没有 S256。`,

  'pushed-only': () => '服务器只接受推送的授权请求（PAR），而 Periscope 不发送这种请求。',
  'fragment-dropped': (v) => `授权端点带有片段，已去掉：${v('url')}`,
  'authorization-url-unsafe': (v) => `不能让浏览器前往 ${v('url')}。`,

  'parameter-repeated': (v) => `${v('names')} 出现了不止一次。`,
  'state-matches': () => 'state 相同：应答属于这次登录。',
  'state-differs': (v) => (v.raw('found') === null ? '应答没有 state。' : '应答的 state 不同。'),
  'iss-neither': () => '服务器既没有承诺也没有发送 iss：无需比较。',
  'iss-missing': () => '服务器承诺在应答中表明身份（iss），却没有这样做。',
  'iss-matches': () => '应答来自所询问的 issuer（iss 逐字相同）。',
  'iss-differs': () => '应答中的 issuer（iss）与所询问的不同。应答的其他内容不显示也不使用。',
  'code-received': () => '收到了一次性的授权码。',

  'grant-received': () => '身份提供方给出了针对此服务器的授权（ID-JAG）。',
  'grant-of-another-type': () => '身份提供方给出的授权类型不对。',

  'token-received': () => '应答中有访问令牌。',
  'id-token-ignored': () => '还收到了 id_token：不使用，也不评判。',
  'token-with-status': (v) => `令牌随 HTTP ${v('status')} 返回，而不是 200。`,
  'member-ignored': (v) => `应答中的 ${v('name')} 类型不对，已忽略。`,
  'not-bound': () => '令牌没有与密钥绑定：服务器仍然给了 Bearer 令牌。',

  'scope-granted': (v) => (v.raw('granted') === null ? 'scope 由服务器决定，且没有说明。' : `已授予：${v('granted')}`),
  'scope-narrower': (v) => `授予的少于请求的：缺少 ${v('missing')}。`,

  'token-decoded': (v) => `令牌是 JWT（${v('algorithm')}）；签名由服务器检查。`,
  'token-opaque': () => '令牌不透明：只有服务器能读懂。',
  'token-encrypted': () => '令牌是加密的 JWT：只有服务器能读懂。',
  'token-malformed': (v) => `令牌像是 JWT，但格式有误：${v('problems')}`,
  'token-unsigned': () => '令牌没有签名（alg 为 none）：任何人都可能伪造。',
  'token-for-client': (v) => `它像是 ID 令牌（${v('claims')}）：那是给客户端的，不是给服务器的。`,
  'token-expired': (v) => `令牌已于 ${moment(v.raw('at'))} 过期。`,
  'token-without-end': () => '没有说明令牌何时到期。',
  'token-ends-differ': (v) =>
    `应答说 ${moment(v.raw('response'))} 到期，令牌说 ${moment(v.raw('claim'))}：相差 ${v('seconds')} 秒。`,
  'token-not-yet-valid': (v) => `令牌从 ${moment(v.raw('at'))} 起才有效，还有 ${v('seconds')} 秒。`,
  'token-time-odd': (v) => `声明 ${v('claim')} 不是时间：${v('value')}`,
  'token-issuer-matches': (v) => `令牌指明的 issuer 一致：${v('claim')}`,
  'token-issuer-differs': () => '令牌指明的 issuer 与发放者不同。',
  'token-audience-matches': (v) => `令牌是给这台服务器的：${v('audience')}`,
  'token-audience-differs': () => '令牌是给别人的：这台服务器应当拒绝。',
  'token-audience-absent': () => '令牌没有说明给谁用（aud）。',
  'token-scope-extra': (v) => `没有请求却授予了：${v('extra')}`,
  'token-without-refresh': (v) =>
    `没有刷新令牌：到期${v.raw('at') === undefined ? '' : `（${moment(v.raw('at'))}）`}后需要重新登录。`,
  'token-bound': () => '令牌与我们的密钥绑定：别人无法使用（DPoP）。',
  'token-bound-as-bearer': () => '令牌与密钥绑定，却作为任何人都可使用的令牌发放。',
  'token-not-bound': () => '令牌声称与我们的密钥绑定，但没有任何声明证明。',
  'token-bound-to-certificate': () => '令牌与 TLS 证书绑定，而页面无法出示证书。',

  'refresh-rotated': () => '收到了新的刷新令牌，旧的已作废。',
  'refresh-not-rotated': (v) =>
    v.raw('public') === true ? '刷新令牌没有更换：对于没有密钥的客户端，每次使用后必须更换。' : '刷新令牌没有更换。',
  revoked: (v) => `已撤销：${v('hint')}`,
  'not-revocable': (v) => `这种令牌不能撤销：${v('hint')}。它会自行到期；刷新令牌已撤销。`,
  'not-revoked': (v) => `未能撤销：${v('hint')}（HTTP ${v('status')}）`,
}

export default says
