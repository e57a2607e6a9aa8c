import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  list: '所有服务器的请求',
  counts: (open, over) => `${open} 个等待你操作 · ${over} 个已结束`,
  none: '还没有服务器请求',
  noneHint:
    '服务器的采样、征询和根目录请求会显示在这里，也会显示在触发它们的调用旁。在你响应或设置自动响应之前，不会发送任何内容。',
  pick: '选择一个请求',
  pickHint: '按 ↑ ↓ 移动。',
  gone: '此请求已不可用',
  back: '返回列表',
  resize: '请求列表宽度',
  rules: '自动响应',
  rulesOn: '已开启',
  rulesOf: (server) => `对 ${server} 的自动响应`,
  call: (method, subject) => `${subject}（${method}）`,
} satisfies Translation<typeof en>
