import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  label: '跳转到任意位置',
  placeholder: '工具、资源、提示、服务器或操作',
  nothing: '没有匹配的名称。减少几个字母试试。',
  count: (count: string) => `找到 ${count} 项`,
  open: '跳转到任意位置',
  kindAction: '操作',
  kindServer: '服务器',
  kindPart: '面板',
  kindTool: '工具',
  kindResource: '资源',
  kindTemplate: '模板',
  kindPrompt: '提示',
  newConnection: '新建连接',
  toggleTrace: '显示或隐藏跟踪记录',
  nextTheme: '下一个主题：跟随系统、浅色、深色',
  otherLanguage: 'Switch to English',
  showKeys: '显示快捷键',
  reconnectAll: '重新连接全部…',
  reconnect: (name: string) => `重新连接 ${name}`,
  disconnect: (name: string) => `断开 ${name}`,
} satisfies Translation<typeof en>
