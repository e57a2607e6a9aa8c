/**
 * What `Breach` says was expected and found, in Chinese. Values, names and numbers stay as they are. A phrase without a
 * translation stays English.
 */
const PHRASES: Readonly<Record<string, string>> = {
  nothing: '无',
  both: '两者都有',
  neither: '两者都没有',
  'none of them': '三者都没有',
  'a value': '任意值',
  'a string': '字符串',
  'a boolean': '布尔值',
  'a number': '数字',
  'an integer': '整数',
  'an array': '数组',
  'an empty array': '空数组',
  'an object': '对象',
  'a message': '消息',
  'a message: an object': '消息（对象）',
  'one message': '单个消息',
  'a response': '响应',
  'a request or a response': '请求或响应',
  'result or error': 'result 或 error',
  'method, result or error': 'method、result 或 error',
  'inputRequests or requestState': 'inputRequests 或 requestState',
  'no id on a notification': '不带 id 的通知',
  'no initialize in a batch': '不含 initialize 的批量消息',
  'no responses from a client': '客户端不发送响应',
  'no requests from a server': '服务器不发送请求',
  'no such key in this protocol version': '此协议版本没有这个键',
  'no such method in this protocol version': '此协议版本没有这个方法',
  'a message small enough to check': '大小可供检查的消息',
  'requests and notifications': '请求和通知',
  responses: '响应',
  'the client': '客户端',
  'the server': '服务器',
}

const PATTERNS: readonly (readonly [RegExp, (...values: string[]) => string])[] = [
  [/^an array of at most (\d+)$/, (count) => `最多 ${count} 项的数组`],
  [/^an array of (\d+)$/, (count) => `${count} 项的数组`],
  [/^(an? \w+), at least (\S+)$/, (kind, least) => `不小于 ${least} 的${expectedPhrase(kind)}`],
  [/^(an? \w+) from (\S+) to (\S+)$/, (kind, least, most) => `${least} 到 ${most} 之间的${expectedPhrase(kind)}`],
  [/^only (.+)$/s, (kinds) => `仅有${expectedPhrase(kinds)}`],
  [/^(.+) as well$/s, (kinds) => `还有${expectedPhrase(kinds)}`],
  [
    /^from (the client|the server) only, in this protocol version$/,
    (who) => `在此协议版本中只来自${expectedPhrase(who)}`,
  ],
  [/^no (.+) in this protocol version$/s, (name) => `此协议版本没有 ${name}`],
  [/^that (\S+) was declared$/, (extension) => `已声明 ${extension}`],
  [/^no task: (\S+) wasn't declared$/, (extension) => `不是任务：未声明 ${extension}`],
  [/^"complete": only (.+) may require input$/, (methods) => `"complete"：只有 ${methods} 可以请求输入`],
  [/^"complete": only (\S+) may become a task$/, (method) => `"complete"：只有 ${method} 可以成为任务`],
  [/^(\d+) violations: the rest was not checked$/, (count) => `${count} 处违规：其余未检查`],
  [/^more than (\d+) values: the rest was not checked$/, (count) => `超过 ${count} 个值：其余未检查`],
  [
    /^(\d+) keys of other protocol versions: the rest is not listed$/,
    (count) => `${count} 个其他协议版本的键：其余未列出`,
  ],
  [
    /^((?:an? \w+|one of "[^"]*"(?:, "[^"]*")*|"[^"]*").*?) or (.+)$/s,
    (one, other) => either(expectedPhrase(one), expectedPhrase(other)),
  ],
  [/^one of (.+)$/s, (values) => `${values} 之一`],
]

/** With a space between Chinese and other characters. */
const either = (one: string, other: string): string =>
  `${one}${/[\w"]$/.test(one) ? ' ' : ''}或${/^[\w"]/.test(other) ? ' ' : ''}${other}`

export const expectedPhrase = (text: string): string => {
  if (Object.hasOwn(PHRASES, text)) return PHRASES[text]!
  for (const [pattern, make] of PATTERNS) {
    const [, ...values] = pattern.exec(text) ?? []
    if (values.length > 0) return make(...values)
  }
  return text
}

/** Strings of the message are in quotes, and stay as they are. */
export const foundPhrase = (found: string): string => (found.startsWith('"') ? found : expectedPhrase(found))
