import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  listLabel: '此服务器的提示词',
  filter: '筛选提示词',
  idle: '尚未列出提示词。',
  notOffered: '服务器没有声明提示词（prompts）能力。有些服务器仍会响应。',
  noPrompts: '此服务器没有提供提示词。',
  noMatch: (filter) => `没有与“${filter}”匹配的提示词。`,
  argumentCount: (count) => `${count} 个参数`,
  resize: '提示词列表宽度',
  resizeResult: '消息区大小',
  pick: '选择一个提示词',
  pickHint: '按 ↑ ↓ 移动，按 / 筛选。',
  gone: (name) => `服务器没有提示词“${name}”`,
  goneHint: '它可能在列表变化时被移除。之前的响应仍保留在跟踪中。',
  back: '返回列表',
  previous: '上一个提示词',
  next: '下一个提示词',
  noArguments: '此提示词不需要参数。',
  required: '必填',
  notSent: '不发送',
  emptyText: '空字符串',
  sendEmpty: '发送空字符串',
  sendEmptyWhy: '发送空字符串，而不是省略此参数',
  leaveOut: '省略',
  leaveOutWhy: '请求中不包含此参数',
  missing: '必填',
  missingCount: (count) => `缺少 ${count} 个必填参数。`,
  missingHint: '“仍要获取”会原样发送请求。服务器应以 -32602 拒绝。',
  preview: '请求预览',
  get: '获取提示词',
  getAnyway: '仍要获取',
  cannotGet: '此提示词缺少名称，无法获取。',
  mustConnect: '连接后才能获取此提示词。',
  result: '消息',
  noResult: '获取提示词即可查看其消息。',
  stays: '收到下一个响应之前，这里保留上一个响应。',
  earlier: '之前的响应',
  copy: '复制为',
  copyText: '文本',
  copyMarkdown: 'Markdown',
  copyJson: 'JSON',
  useIn: '用于…',
  useText: '文本',
  useAll: '全部消息',
  useArgument: '参数',
  useChoose: '选择参数',
  useFill: '填入',
  messages: (count) => `${count} 条消息`,
  noMessages: '响应中没有消息。',
  more: (count) => `再显示 ${count} 条`,
  errorMeans: '服务器返回了 JSON-RPC 错误，没有消息。',
  code: (code, stateless) => {
    const words: Record<number, string> = {
      [-32600]: '无效请求：服务器不接受此请求。',
      [-32601]: '找不到方法：服务器不支持 prompts/get。',
      [-32602]: '无效参数：提示词未知，或缺少必填参数。',
      [-32603]: '内部错误：服务器处理请求时出错。',
      [-32700]: '解析错误：服务器无法将请求解析为 JSON。',
    }
    const here: Record<number, string> = stateless
      ? {
          [-32020]: '标头不一致：标头与消息不符。两者都可在跟踪中查看。',
          [-32021]: '缺少客户端能力：服务器需要“requiredCapabilities”中的能力，但 Periscope 没有声明。',
          [-32022]: '不支持的协议版本：“supported”列出了服务器支持的版本。请在连接设置中指定其中之一。',
        }
      : { [-32042]: '需要 URL 征询：请先打开一个 URL，再重新获取提示词。' }
    const text = words[code] ?? here[code]
    if (text) return text
    if (stateless && code <= -32020 && code >= -32099) return '规范保留的错误码，尚未定义。'
    if (code <= -32000 && code >= -32099) return '服务器错误码，具体含义取决于服务器。'
    if (code <= -32100 && code >= -32768) return 'JSON-RPC 保留的错误码，没有定义含义。'
    return '服务器自定义的错误码。'
  },
  cancelledMeans: '你取消了请求。',
  timeoutMeans: '请求已超时。',
  askedMeans: '服务器需要输入。你响应之后，调用会继续。',
  askedEnded: '服务器需要输入，但调用在你响应之前已结束。',
  noResultObject: '响应中没有 result 对象。',
  announceOk: (name, count) => `${name}：${count} 条消息。`,
  promptFinding: (code, found, pointer) =>
    ({
      'no-object': `提示词必须是对象；实际为 ${found}。`,
      'no-name': `提示词的名称必须是非空字符串；实际为 ${found}。`,
      'repeated-name': `多个提示词都名为 ${found}。请求只能到达其中一个。`,
      'arguments-no-array': `arguments 必须是数组；实际为 ${found}。`,
      'argument-no-object': `${pointer} 必须是对象；实际为 ${found}。`,
      'argument-no-name': `${pointer} 必须是非空字符串；实际为 ${found}。`,
      'argument-repeated': `${pointer}：参数名称 ${found} 重复，只能发送一个值。`,
      'required-no-boolean': `${pointer} 必须为 true 或 false；实际为 ${found}。`,
      'too-many-arguments': `共有 ${found} 个参数，只显示前 200 个。`,
    })[code],
  messageFinding: (code) =>
    ({
      'no-messages': '缺少 messages，或它不是数组。',
      'no-object': '消息必须是带有 role 和一个内容块的对象。',
      'bad-role': 'role 必须是“user”或“assistant”。',
      'content-array': 'content 必须是单个内容块，而不是数组。许多客户端无法显示数组。',
      'content-no-object': 'content 必须是单个内容块，而不是普通值。',
      'no-content': '缺少 content。',
    })[code],
} satisfies Translation<typeof en>
