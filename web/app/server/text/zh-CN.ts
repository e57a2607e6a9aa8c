import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

const chinese: Translation<typeof en> = {
  restartsPaused: (name, file, restarts) =>
    `已暂停 ${name} 的自动重启：最近 ${restarts} 次启动后，${file} 每次都立即发生更改，可能由服务器自己写入。请从 --watch 中排除该文件，或手动重启服务器以继续。`,
  title: '代码',
  call: '调用',
  listTools: '连接并列出工具',
  language: '语言',
  program: '程序',
  save: '保存',
  variables: (names) => `请先设置这些环境变量：${names}`,
  'note-version': (sdk) => `${sdk} 不支持协议版本 2026-07-28。服务器还必须支持更早的版本。`,
  'note-numbers': (sdk) => `${sdk} 无法精确发送其中某些数字。`,
  'note-strings': (sdk) => `${sdk} 无法发送含有半个代理对的字符串。`,
  'note-tasks': (sdk) => `${sdk} 不支持任务。`,
  'note-method': (sdk, method) => `${sdk} 没有适用于 ${method} 及这些参数的函数。`,
  'note-transport': (sdk) => `${sdk} 不支持此传输方式。请选择其他语言。`,
  comparison: (date) => `SDK 对比（${date}）`,
  feature: '功能',
  package: '版本',
  versions: '协议版本',
  yes: '支持',
  partly: '部分',
  no: '不支持',
  'feature-stdio': 'stdio',
  'feature-streamable-http': 'Streamable HTTP',
  'feature-http-sse': 'HTTP+SSE',
  'feature-stateless': '2026-07-28（无状态）',
  'feature-sign-in': '登录（OAuth）',
  'feature-sampling': '采样（sampling）',
  'feature-elicitation': '征询（elicitation），表单模式',
  'feature-elicitation-url': '征询（elicitation），URL 模式',
  'feature-tasks': '任务',
  'feature-exact-numbers': '超过 2⁵³ 的数字',
}

export default chinese
