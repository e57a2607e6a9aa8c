/**
 * The safety of calling tools: the policy of a connection, approved tools, and the gate that every call passes. See the
 * README of this room for what asks, and why.
 */
export { type ApprovedTool, Approvals } from './approvals.ts'
export type { Definition } from './definition.ts'
export { pageApprovals, pageQuestions } from './page.ts'
export { type AskReason, POLICIES, type ToolPolicy } from './policy.ts'
export { type CallQuestion, CallQuestions, type Decision } from './questions.ts'
export { ToolSafety, type ToolVerdict } from './tool-safety.ts'
