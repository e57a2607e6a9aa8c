import type { Translation } from '../../i18n/language.svelte.ts'
import type en from './en.ts'

export default {
  ok: '成功',
  toolError: '工具错误',
  error: '错误',
  errorCode: (code) => `错误 ${code}`,
  pending: '等待中',
  waitingForYou: '等待你操作',
  cancelled: '已取消',
  timedOut: '超时',
  lost: '丢失',
  probe: '检测',
  unexpected: '意外',
  okViolations: (count) => `成功 · ${count} 处违规`,
  violations: (count) => `${count} 处违规`,
} satisfies Translation<typeof en>
