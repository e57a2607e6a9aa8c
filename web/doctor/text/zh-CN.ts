import type { Translation } from '../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  detoured: '浏览器拒绝了直连，因此已通过本地代理连接',
  'detoured-silent': '服务器未及时响应 OPTIONS，因此已通过本地代理连接',
  'fault-status': (status) => `服务器对 OPTIONS 返回 ${status}。浏览器要求 2xx 状态码。`,
  'fault-redirect': (status, to) => `服务器将 OPTIONS 重定向（${status}）到 ${to}。浏览器不会跟随此重定向。`,
  'fault-no-origin': 'OPTIONS 的响应缺少 Access-Control-Allow-Origin。',
  'fault-other-origin': (found, origin) => `Access-Control-Allow-Origin 只允许 ${found}，不允许此页面（${origin}）。`,
  'fault-several-origins': (found) => `Access-Control-Allow-Origin 含多个值（${found}）。浏览器只接受一个。`,
  'fault-method': (method) => `Access-Control-Allow-Methods 缺少 ${method}。`,
  'fault-headers': (missing) => `Access-Control-Allow-Headers 缺少 ${missing}。`,
  'fault-response':
    'OPTIONS 允许该请求，但请求本身的响应缺少 Access-Control-Allow-Origin。请在每个响应中加入它，包括错误响应。',
  'fault-blocked-port': (port) => `浏览器禁止访问端口 ${port}，只有本地代理能连接到服务器。请让服务器监听另一个端口。`,
  'step-dns': 'DNS',
  'step-proxy': '代理',
  'step-tcp': 'TCP',
  'step-tunnel': '隧道',
  'step-tls': 'TLS',
  'step-greeting': '收到的数据',
  untrusted: '不受信任',
  'untrusted-self-signed': '自签名',
  'untrusted-issuer': '颁发者未知',
  'untrusted-expired': '已过期',
  'untrusted-early': '尚未生效',
  'untrusted-host': '颁发给其他主机',
  certificate: '证书',
  issuer: '颁发者',
  validity: '有效期',
  validBetween: (from, to) => `${from} 至 ${to}`,
  fingerprint: 'SHA-256',
  'advice-listen-refused': (status) =>
    `服务器对 GET（服务器消息的事件流）返回 ${status}。请返回事件流；如果不提供事件流，请返回 405。`,
  'advice-listen-hidden':
    '浏览器没有把 GET（服务器的事件流）的响应交给此页面，而 POST 正常。请在服务器的 CORS 设置中接受 GET 及其预检，并在每个 GET 响应中发送 Access-Control-Allow-Origin。',
  'advice-resume-hidden':
    'Periscope 尝试恢复事件流，但浏览器没有把响应交给此页面。如果服务器正在运行，请在 Access-Control-Allow-Headers 中允许 Last-Event-ID。',
  'advice-delete-hidden':
    'Periscope 尝试结束会话（DELETE），但浏览器没有把响应交给此页面。请在 Access-Control-Allow-Methods 中允许 DELETE，使会话能在页面断开时结束。',
  'advice-listen-queued': (time, open) =>
    `GET（服务器消息的事件流）已有 ${time} 没有收到响应头。发送时，本页面还有 ${open} 个到该服务器的请求未完成，而浏览器对每个主机只允许六个 HTTP/1.1 连接，因此浏览器可能仍未发出该请求。请断开到该服务器的另一个连接，或关闭其他标签页。`,
  'advice-listen-silent': (time) =>
    `GET（服务器消息的事件流）已有 ${time} 没有收到响应头，而 POST 正常。可能是网关缓冲了该流，或服务器在第一个事件之前不发送任何内容。请立即发送响应头，关闭缓冲（X-Accel-Buffering: no）；如果服务器不提供事件流，请返回 405。`,
  'advice-session-hidden':
    '服务器的 GET 需要会话 ID，但本页面未从 initialize 的响应中得到。如果服务器会发送 Mcp-Session-Id，请将其列入 Access-Control-Expose-Headers。',
  'advice-session-hidden-seen':
    'initialize 的响应带有页面无法读取的 Mcp-Session-Id。请将其列入 Access-Control-Expose-Headers。',
  'advice-challenge-hidden':
    '一个 401 响应没有本页面可读取的 WWW-Authenticate 标头。请发送该标头，并将其列入 Access-Control-Expose-Headers，以便客户端得知如何登录。',
  'advice-challenge-hidden-seen':
    '一个 401 响应带有页面无法读取的 WWW-Authenticate 标头。请将其列入 Access-Control-Expose-Headers，以便客户端得知如何登录。',
  'advice-slow-preflight':
    '连接期间，服务器能响应无需 OPTIONS 的请求，但响应 OPTIONS 用了超过 2 秒。浏览器收到 OPTIONS 的响应后才发送请求。请立即响应 OPTIONS，并发送 Access-Control-Max-Age 以减少预检次数。',
  'advice-scope': (scope) =>
    scope === ''
      ? '服务器因缺少 scope 拒绝了请求（403，insufficient_scope）。请使用拥有该 scope 的账户或令牌登录。'
      : `服务器因缺少 scope ${scope} 拒绝了请求（403，insufficient_scope）。请登录并申请该 scope。`,
  'advice-slow': (ms) =>
    `大多数响应超过 2 秒才开始，最长 ${ms}。可能有网关缓冲了响应，或者服务器完成处理之后才发送响应头。`,
  'advice-cut': (count) => `${count} 个响应被截断。原因可能是网关或超时。`,
  throughProxy: (proxy) => `连接经过网络代理 ${proxy}。`,
  asking: '正在检查服务器的 CORS 标头…',
  unanswered: (error) => `服务器没有响应 OPTIONS：${error}`,
  toAllow: '若要让此页面直连，请在 OPTIONS 的响应（状态码 204）和其他每个响应中发送以下标头：',
  toAdd: (additions) => `若要让此页面直连，请在服务器的 CORS 设置中添加：${additions}。完整的新值：`,
  keepOrigins: '如果服务器已允许其他源，请保留它们。',
  oneOrigin: (others) =>
    `一个响应只能允许一个源，下面的标头允许的是此页面。若要继续允许 ${others}，请检查每个请求的 Origin 标头：如果允许该源，就原样返回它，并发送 Vary: Origin。`,
  framework: '框架',
  headerLines: '标头行',
  copy: '复制',
  refusedFrame: (seq) => `被拒绝的请求 #${seq}`,
  optionsFrame: (seq) => `OPTIONS #${seq}`,
} satisfies Translation<typeof en>
