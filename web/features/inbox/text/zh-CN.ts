import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  list: '所有服务器的提问',
  counts: (open, over) => `${open} 个待回答 · ${over} 个已结束`,
  none: '还没有服务器提问。',
  noneHint:
    '服务器的提问会出现在这里，以及引起它的调用中：由你的模型生成回复（采样）、表单和网址（信息征询）、你的根目录。在你回答或允许之前，不会作出任何回答。',
  pick: '选择一个提问',
  pickHint: '用上下键在列表中移动。',
  gone: '这里已不再有这个提问。',
  back: '返回列表',
  resize: '提问列表的宽度',
  rules: '无需询问的回答',
  rulesOn: '已开启',
  rulesOf: (server) => `对 ${server} 无需询问你即可作出的回答`,
  call: (method, subject) => `${subject}（${method}）`,
} satisfies Translation<typeof en>
