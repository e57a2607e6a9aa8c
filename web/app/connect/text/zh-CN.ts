import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

const chinese: Translation<typeof en> = {
  connect: '连接',
  connectText: '自动检测传输方式和协议版本，并说明依据。',
  run: '运行工具',
  runText: '参数与结果并排显示，并按 schema 校验。',
  trace: '阅读跟踪',
  traceText: '每条消息、HTTP 交互和 stderr 行，以及违反规范之处。',
  share: '分享',
  shareText: '同事用一个链接即可打开同样的画面。机密会先移除。',
}

export default chinese
