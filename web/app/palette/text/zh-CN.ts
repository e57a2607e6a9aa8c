import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  placeholder: '查找工具、资源、提示词、服务器或操作，输入 / 使用提示词',
  nothing: '无匹配项。减少几个字母试试。',
  count: (count: string) => `找到 ${count} 项`,
  'kind-action': '操作',
  'kind-server': '服务器',
  'kind-part': '标签页',
  'kind-tool': '工具',
  'kind-resource': '资源',
  'kind-template': '模板',
  'kind-prompt': '提示词',
  'kind-note': '备注',
  slashHint: 'Tab 补全，Enter 填入提示词：/名称 参数=值 "带空格的值"',
  slashNoServer: '连接服务器后才能使用其提示词。',
  slashGet: (name) => `获取 ${name}`,
  slashMissing: (names) => `缺少：${names}。`,
  slashFault: (code, found) =>
    ({
      'unknown-argument': `未知参数“${found}”。`,
      'repeated-argument': `“${found}”重复给出。`,
      'too-many-values': `没有参数可接收“${found}”。`,
    })[code],
  nextNote: '下一条备注',
  noEnvironment: '无环境',
  useEnvironment: (name) => `环境：${name}`,
  nextTheme: '下一个主题：跟随系统、浅色、深色',
  otherLanguage: 'Switch to English',
  nextItem: '转到列表的下一项',
  previousItem: '转到列表的上一项',
  nextPane: '转到下一个窗格',
  reconnectAll: '重新连接全部…',
  restart: (name: string) => `重启 ${name}`,
  reconnect: (name: string) => `重新连接 ${name}`,
  disconnect: (name: string) => `断开 ${name}`,
} satisfies Translation<typeof en>
