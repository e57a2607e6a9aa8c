/**
 * The safety of calling tools: the policy of a connection, approved tools, and the gate that every call passes. See the
 * README of this room for what asks, and why.
 */
export { pageApprovals, pageQuestions } from './page.ts'
export { POLICIES, type ToolPolicy } from './policy.ts'
export { ToolSafety } from './tool-safety.ts'
