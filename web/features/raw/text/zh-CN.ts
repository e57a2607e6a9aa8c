import type { Translation } from '../../../ui/index.svelte.ts'
import type en from './en.ts'

export default {
  templates: '模板',
  templatesLabel: '消息模板',
  filter: '筛选模板',
  filterHint: '筛选模板   /',
  requests: '请求',
  notifications: '通知',
  noMatch: (filter) => `此协议版本中没有方法匹配“${filter}”。`,
  noSchema: '无法加载模板和校验。请重新加载页面重试。仍可发送消息。',
  compose: '消息',
  editor: '要发送的消息',
  empty: '编写消息，或从模板开始。',
  kind: (kind) =>
    ({
      empty: '空',
      'not-json': '不是 JSON',
      'too-long': '长文本',
      request: '请求',
      notification: '通知',
      result: '结果',
      error: '错误',
      batch: '批量',
      invalid: '不是 JSON-RPC',
    })[kind],
  will: (kind, count) =>
    ({
      empty: '还没有可发送的内容。',
      'not-json': '不是有效的 JSON。仍可发送，以查看服务器的反应。',
      'too-long': '过长，无法检查。将原样发送。',
      request: '发送一个请求；响应会显示在旁边。',
      notification: '发送一个通知。通知没有响应。',
      result: '发送对服务器请求的响应。',
      error: '发送对服务器请求的响应。',
      batch: `发送含 ${count} 条消息的批量。`,
      invalid: '是有效的 JSON，但不是 JSON-RPC 消息。将原样发送。',
    })[kind],
  joined: '换行会作为空格发送：在 stdio 上，一行就是一条消息。',
  split: '每一行都会作为单独的消息发送：在 stdio 上，一行就是一条消息。',
  at: (line, column) => `第 ${line} 行，第 ${column} 列`,
  send: '发送',
  sendAnyway: '仍然发送',
  sending: '正在发送…',
  mustConnect: '连接后才能发送。',
  failed: (why) => `未发送：${why}`,
  refusal: (which, revision) => {
    const words: Record<string, string> = {
      answer: `${revision} 的客户端不发送响应，而是带着所请求的输入重新发送请求。服务器可能拒绝，或无限期等待。`,
      batch: `在 ${revision} 中数组不是消息。只有 2025-03-26 支持批量。多数服务器会返回错误或不响应。`,
      'initialize-in-batch': 'initialize 不能放在批量中。在它得到响应之前，不得发送其他内容。',
      'mixed-batch': '一个批量只含请求和通知，或只含响应，不能混合。',
    }
    return words[which] ?? which
  },
  insist: '点击“仍然发送”即可发送。',
  verdict: '校验',
  fits: (revision) => `符合 ${revision}`,
  breaks: (count, revision) => `${count} 处违反 ${revision}`,
  breakLine: (expected, found) => `应为 ${expected}；实际是 ${found}`,
  span: (since, until) =>
    since !== undefined && until !== undefined
      ? since === until
        ? `仅 ${since}`
        : `${since} 至 ${until}`
      : since !== undefined
        ? `自 ${since} 起`
        : until !== undefined
          ? `至 ${until} 止`
          : '',
  noteTag: '提示',
  more: (count) => `另有 ${count} 处`,
  headers: '标头',
  headersDerived: '自动生成',
  headersEdited: '已编辑',
  headersHint: '附加在常用标头之外。在此协议版本中，它们重复正文的部分内容。不一致时服务器会拒绝。',
  headerName: '名称',
  headerValue: '值',
  headerNameOf: (position) => `标头 ${position} 的名称`,
  headerValueOf: (position) => `标头 ${position} 的值`,
  headerRemove: (name) => `移除 ${name === '' ? '此标头' : name}`,
  headerAdd: '添加标头',
  headerReset: '由消息重新生成',
  headerBad: '浏览器无法发送此名称或值的标头。',
  sentLabel: '手动发送',
  count: (count) => count,
  noneSent: '你发送的消息及其响应会显示在这里。',
  byHand: '手动',
  stateSent: '已发送',
  stateFailed: '失败',
  answer: '响应',
  answerLabel: (position) => `响应 ${position}`,
  again: '再次发送',
  edit: '编辑',
  released: '为节省内存，文本已释放。',
  noAnswerYet: '尚无响应。',
  noAnswerDue: '通知没有响应。',
  noAnswerKnown: '没有收到响应。',
  http: (status, text) => `HTTP ${status} ${text}`.trim(),
  httpFailed: (error) => `HTTP 请求失败：${error}`,
  moreAnswers: (count) => `另有 ${count} 条消息在跟踪中。`,
  resize: '模板列表宽度',
  resizeSent: '已发送消息区的大小',
  resizeAnswer: '列表高度',
  news: (title, state) => `${title}：${state}。`,
} satisfies Translation<typeof en>
