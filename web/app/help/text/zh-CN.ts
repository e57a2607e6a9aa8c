import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  keyPalette: '打开命令面板',
  keyNewline: '在连接框中换行',
  keyRun: '运行工具',
  keyCancel: '取消调用',
  keyRecall: '重用之前调用的参数',
  keyMove: '上移或下移焦点所在的服务器或分组',
  keyFilter: '转到筛选框',
  keyRow: '转到列表的下一项或上一项',
  keyPane: '转到下一个或上一个窗格，在文本框中也可用',
  keyCopyLink: '在“分享”对话框中复制链接',
  keyTrouble: '在跟踪中转到下一个或上一个错误',
  keyGo: (what) => `转到${what}`,
  keyGoServer: '转到第一个、第二个…服务器',
  keyHelp: '显示此帮助',
  keyTabs: '在标签页之间移动',
  keyClose: '关闭打开的对话框或面板',
  version: (version) => `Periscope ${version}`,
  privacy:
    'Periscope 只向你连接或登录的服务器，以及你设置的模型端点发送数据。此浏览器会保存最近连接的服务器和录制的会话；只有在你选择“记住”时，才会保存令牌，以及请求头和环境变量的值。',
} satisfies Translation<typeof en>
