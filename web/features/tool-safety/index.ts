/** The safety of calling tools: the policy of a connection. */
export { type AskReason, POLICIES, type ToolPolicy } from './policy.ts'
