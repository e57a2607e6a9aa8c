import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

/** 内存中和此设备上的凭据的文字。 */
export default {
  credentialsHint:
    '这里按 issuer 列出令牌和客户端注册，并列出记住的请求头和变量的值。内存中的条目在页面关闭或重新加载后丢失；已存储的条目 90 天未使用即被删除。在此清除令牌不会吊销它。',
  credentialsNone: '内存中和此设备上都没有凭据。',
  credentialsUnread: '此设备上存有此版本 Periscope 无法读取的凭据。“全部清除”会将其删除。',
  credentialsForgetAll: '全部清除',
  credentialsForgetIssuer: '清除这些',
  credentialsForgetIssuerName: (issuer) => `清除 ${issuer} 的全部凭据`,
  credentialsForgotten: '已清除。',
  credentialForget: '清除',
  credentialRemember: '记住',
  credentialRememberName: (server) => `在此设备上记住：${server}`,
  credentialEnvironment: (name) => `环境 ${name}`,
  credentialValues: '请求头和变量',
  credentialPasted: '粘贴的令牌',
  credentialWaiting: '尚无凭据',
  credentialMemory: '在内存中',
  credentialDevice: '在此设备上',
  credentialClientOnly: '没有令牌的客户端',
  credentialNoTokens: '尚无令牌。下次登录的令牌会被存储。',
  credentialClient: '客户端',
  'client-by-hand': '手动填写的客户端',
  'client-metadata-document': '客户端 ID 元数据文档',
  'client-dynamic': '动态注册的客户端',
  credentialScopes: 'scope',
  credentialEnds: (time) => `${time} 过期`,
  credentialEnded: (time) => `已于 ${time} 过期`,
  credentialRenewed: '自动刷新',
  credentialSince: (time) => `自 ${time} 起`,
  'unkept-bound': '令牌绑定到不能离开此页面的密钥，因此“记住”不会存储该令牌。',
  'unkept-address': '此服务器的 URL 含有机密信息，因此它的令牌不会存储在此设备上。',
  'unkept-insecure': '此页面不在安全上下文（https 或 localhost）中，浏览器无法加密令牌。令牌只留在内存中。',
  'unkept-refused': '浏览器存储已满或被阻止，凭据只留在内存中。',
} satisfies Translation<typeof en>
