import type { Translation } from '../../../ui/index.svelte.ts'
import type { CallOrigin } from '../../../mcp/index.ts'
import type { AskReason, ToolPolicy } from '../policy.ts'
import type en from './en.ts'

const POLICY: Readonly<Record<ToolPolicy, string>> = {
  always: '每次调用前询问',
  'unless-read-only': '除只读工具外都询问',
  destructive: '仅对破坏性工具询问',
  never: '从不询问（信任）',
}
const POLICY_HINT: Readonly<Record<ToolPolicy, string>> = {
  always: '对已批准的工具，Periscope 也会询问。',
  'unless-read-only': '声明了 readOnlyHint: true 的工具直接运行。',
  destructive: '声明了 readOnlyHint: true 或 destructiveHint: false 的工具直接运行。',
  never: '仅当已批准的工具的定义发生变更时，Periscope 才会询问。',
}
const WHY: Readonly<Record<AskReason, string>> = {
  changed: '你上次允许调用之后，服务器更改了此工具。',
  'every-call': '对此服务器采用的策略是每次调用前询问。',
  destructive: '服务器声明此工具有破坏性：可能会删除或更改数据。',
  contradictory: '服务器声明此工具既只读又有破坏性。',
  undeclared: '服务器没有声明此工具只读，因此它可能会删除或更改数据。',
  harmless: '服务器没有声明此工具只读，但声明它没有破坏性。',
  unlisted: '服务器没有列出此工具，因此它的作用未知。',
}
const NOTE: Readonly<Record<AskReason, string>> = {
  changed: '需要批准：上次允许后已变更',
  'every-call': '需要批准：每次调用',
  destructive: '需要批准：声明有破坏性',
  contradictory: '需要批准：注解自相矛盾',
  undeclared: '需要批准：未声明只读',
  harmless: '需要批准：未声明只读',
  unlisted: '需要批准：服务器未列出此工具',
}
const ORIGIN: Readonly<Record<CallOrigin, string>> = {
  form: '工具表单',
  test: '测试运行',
  console: '控制台',
  page: 'Periscope',
}

export default {
  askTitle: (tool) => `运行 ${tool}？`,
  askTitleUnknown: '发送此消息？',
  askServer: '服务器',
  askTool: '工具',
  askOrigin: '发起者',
  askArguments: '参数',
  askUnclear: '不同服务器对此消息的解读可能不同，因此此消息可能调用任何工具。',
  askCure: '给工具作者：如果此工具只读取数据，请声明 readOnlyHint: true。之后 Periscope 会直接运行它，不再询问。',
  askSpecification: '规范',
  askWaiting: (count) => `另有 ${count} 个调用在等待`,
  askRun: '运行',
  askApprove: '运行，以后运行此工具不再询问',
  askCancel: '取消',
  askTrust: (server) => `运行并信任 ${server}：以后不再询问`,
  askReach: '信任和批准适用于此 URL 或命令的所有连接，即使请求头、环境变量或机密不同。',
  why: (reason) => WHY[reason],
  origin: (origin) => (Object.hasOwn(ORIGIN, origin) ? ORIGIN[origin as CallOrigin] : origin),
  changes: '变更',
  changeBefore: '之前',
  changeNow: '现在',
  changeNone: '无',
  note: (reason) => NOTE[reason],
  noteOff: '在本会话中已关闭',
  policy: (policy) => (Object.hasOwn(POLICY, policy) ? POLICY[policy as ToolPolicy] : policy),
  policyHint: (policy) => POLICY_HINT[policy],
} satisfies Translation<typeof en>
