import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  suggestions: (label) => `“${label}”的补全建议`,
  show: '显示建议（↓）',
  asking: '正在加载建议…',
  none: '没有建议',
  count: (shown) => `${shown} 条建议`,
  countOf: (shown, total) => `${total} 条中的 ${shown} 条`,
  countMore: (shown, total) => `${total} 条中的 ${shown} 条，还有更多`,
  moreExist: (shown) => `${shown} 条，还有更多`,
  cached: '已缓存',
  cachedWhy: '本会话中已请求过，因此没有再次发送请求',
  failed: (message) => `没有建议：${message}`,
  failedCode: (message, code) => `没有建议：${message}（${code}）`,
  refused: '服务器不支持 completion/complete。Periscope 在本会话中不再请求。',
  empty: '空字符串',
  note: (code, count) =>
    ({
      'no-values': '响应中没有 values 数组',
      'no-string': `已略去 ${count} 个不是字符串的值`,
      'too-many': `收到 ${count} 个值，上限为 100`,
      'bad-total': 'total 必须是非负数',
      'bad-has-more': 'hasMore 必须为 true 或 false',
      'total-too-small': `total 为 ${count}，但实际收到的更多`,
      'not-kept': `另有 ${count} 个值，只能在跟踪中查看`,
    })[code],
} satisfies Translation<typeof en>
