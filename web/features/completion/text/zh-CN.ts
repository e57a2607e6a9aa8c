import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  suggestions: (label) => `“${label}”的补全建议`,
  show: '显示建议（↓）',
  asking: '正在请求建议…',
  none: '此处没有建议',
  count: (shown) => `${shown} 条建议`,
  countOf: (shown, total) => `${total} 条中的 ${shown} 条`,
  countMore: (shown, total) => `${total} 条中的 ${shown} 条，还有更多`,
  moreExist: (shown) => `${shown} 条，还有更多`,
  cached: '先前已问',
  cachedWhy: '本会话中已经问过，没有再发送请求',
  showInTrace: '在跟踪记录中显示',
  failed: (message) => `没有建议：${message}`,
  failedCode: (message, code) => `没有建议：${message}（${code}）`,
  refused: '服务器不认识 completion/complete，本会话中不再询问。',
  empty: '空文本',
  noteNoValues: '应答中没有 values 数组',
  noteNoString: (count) => `${count} 个值不是字符串，已略去`,
  noteTooMany: (count) => `收到 ${count} 个值，最多应为 100 个`,
  noteBadTotal: 'total 不是非负数',
  noteBadHasMore: 'hasMore 应为 true 或 false',
  noteTotalTooSmall: (count) => `total 为 ${count}，实际收到的更多`,
  noteNotKept: (count) => `另有 ${count} 个只在帧中，这里不显示`,
} satisfies Translation<typeof en>
