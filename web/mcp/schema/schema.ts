/**
 * The entry point of this folder. Not part of the kernel's `index.ts`, because it is loaded only when a message is to
 * be judged.
 */
import type { clientCapabilities, serverCapabilities } from './capabilities.ts'
import type { icon } from './implementation.ts'
import type * as content from './content.ts'
import { contentBlock, prompt, promptMessage, resource, resourceContents, resourceTemplate, tool } from './content.ts'
import type * as requests from './params-and-results.ts'
import { callToolResult, createTaskResult, inputRequiredResult, task, taskHandle } from './params-and-results.ts'
import type * as serverRequests from './server-requests.ts'
import { createMessageParams, elicitParams, inputRequests, root } from './server-requests.ts'
import type { Shape } from './shape.ts'

/** The definitions for parts of messages, by name: `fits(definitions.tool, value, revision)`. */
export const definitions = {
  contentBlock,
  promptMessage,
  resourceContents,
  tool,
  resource,
  resourceTemplate,
  prompt,
  createMessageParams,
  elicitParams,
  inputRequests,
  root,
  callToolResult,
  inputRequiredResult,
  createTaskResult,
  taskHandle,
  task,
}

export { errorMeaning, type ErrorMeaning } from './error-codes.ts'
export { fits, type Breach } from './interpret.ts'
export { methodIn, type MethodRow, METHODS, rowsOf, templates } from './methods.ts'
export { isValid, verdict, type Context } from './verdict.ts'

export type ClientCapabilities = Shape<typeof clientCapabilities>
export type ServerCapabilities = Shape<typeof serverCapabilities>
export type Icon = Shape<typeof icon>
export type Tool = Shape<typeof content.tool>
export type Resource = Shape<typeof content.resource>
export type ResourceTemplate = Shape<typeof content.resourceTemplate>
export type Prompt = Shape<typeof content.prompt>
export type ContentBlock = Shape<typeof content.contentBlock>
export type PromptMessage = Shape<typeof content.promptMessage>
export type CallToolResult = Shape<typeof requests.callToolResult>
export type InputRequiredResult = Shape<typeof requests.inputRequiredResult>
export type InputRequests = Shape<typeof serverRequests.inputRequests>
export type InputResponses = Shape<typeof serverRequests.inputResponses>
export type ElicitResult = Shape<typeof serverRequests.elicitResult>
export type CreateMessageRequestParams = Shape<typeof serverRequests.createMessageParams>
export type CreateMessageResult = Shape<typeof serverRequests.createMessageResult>
export type Root = Shape<typeof serverRequests.root>
export type Task = Shape<typeof requests.task>
