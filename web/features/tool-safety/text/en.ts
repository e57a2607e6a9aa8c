import type { CallOrigin } from '../../../mcp/index.ts'
import type { AskReason, ToolPolicy } from '../policy.ts'

const POLICY: Readonly<Record<ToolPolicy, string>> = {
  always: 'Ask before every call',
  'unless-read-only': 'Ask unless read-only',
  destructive: 'Ask only if destructive',
  never: 'Never ask (trusted)',
}
const POLICY_HINT: Readonly<Record<ToolPolicy, string>> = {
  always: 'Periscope asks even if you approved the tool.',
  'unless-read-only': 'Tools that declare readOnlyHint: true run without asking.',
  destructive: 'Tools that declare readOnlyHint: true or destructiveHint: false run without asking.',
  never: 'Periscope asks only if the definition of an approved tool changed.',
}
const WHY: Readonly<Record<AskReason, string>> = {
  changed: 'The server changed this tool after you last allowed it.',
  'every-call': 'The policy for this server is to ask before every call.',
  destructive: 'The server declares this tool destructive: it may delete or change data.',
  contradictory: 'The server declares this tool both read-only and destructive.',
  undeclared: "The server doesn't declare this tool read-only, so it may delete or change data.",
  harmless: "The server declares this tool non-destructive but doesn't declare it read-only.",
  unlisted: "The server doesn't list this tool, so nothing is known about it.",
}
const NOTE: Readonly<Record<AskReason, string>> = {
  changed: 'Needs approval: changed after you last allowed it',
  'every-call': 'Needs approval: every call',
  destructive: 'Needs approval: declared destructive',
  contradictory: 'Needs approval: contradictory annotations',
  undeclared: 'Needs approval: not declared read-only',
  harmless: 'Needs approval: not declared read-only',
  unlisted: 'Needs approval: not listed',
}
const ORIGIN: Readonly<Record<CallOrigin, string>> = {
  form: 'Tool form',
  test: 'Test run',
  console: 'Console',
  page: 'Periscope',
}

export default {
  // The question before a call
  askTitle: (tool: string) => `Run ${tool}?`,
  askTitleUnknown: 'Send this message?',
  askServer: 'Server',
  askTool: 'Tool',
  askOrigin: 'Started by',
  askArguments: 'Arguments',
  askUnclear: 'Servers may read this message in different ways, so it could call any tool.',
  askCure:
    "For the tool's author: if the tool only reads data, declare readOnlyHint: true. Periscope then runs it without asking.",
  askSpecification: 'Specification',
  askWaiting: (count: string) => (count === '1' ? '1 more call is waiting' : `${count} more calls are waiting`),
  askRun: 'Run',
  askApprove: "Run and don't ask again for this tool",
  askCancel: 'Cancel',
  askTrust: (server: string) => `Run and trust ${server}: never ask again`,
  askReach:
    'Trust and approvals apply to every connection to this URL or command, even with other headers, environment variables or secrets.',
  why: (reason: AskReason) => WHY[reason],
  origin: (origin: string) => (Object.hasOwn(ORIGIN, origin) ? ORIGIN[origin as CallOrigin] : origin),
  // What changed
  changes: 'Changes',
  changeBefore: 'Before',
  changeNow: 'Now',
  changeNone: 'none',
  // Beside the Run button
  note: (reason: AskReason) => NOTE[reason],
  noteOff: 'Switched off for this session',
  // The policy
  policy: (policy: string) => (Object.hasOwn(POLICY, policy) ? POLICY[policy as ToolPolicy] : policy),
  policyHint: (policy: ToolPolicy) => POLICY_HINT[policy],
}
