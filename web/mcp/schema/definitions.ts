/** The definitions for parts of messages, by name: `fits(definitions.tool, value, revision)`. */
import { contentBlock, promptMessage, resourceContents } from './content.ts'
import { prompt, resource, resourceTemplate, tool } from './offers.ts'
import { createMessageParams, elicitParams, inputRequests, root } from './questions.ts'
import { callToolResult, createTaskResult, inputRequiredResult, taskHandle } from './requests.ts'
import { task } from './tasks.ts'

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
