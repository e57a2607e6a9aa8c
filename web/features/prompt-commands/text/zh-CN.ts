import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  prompts: '提示词',
  count: (count) => `${count} 个提示词`,
  argumentsOf: (name) => `${name} 的参数`,
  required: '必填',
  getAndInsert: '获取并插入',
  getting: '正在获取提示词…',
  left: (count) => `${count} 个没有文本的部分未插入。`,
  hint: '输入 / 可使用提示词',
} satisfies Translation<typeof en>
