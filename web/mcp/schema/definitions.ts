/** The definitions that parts of messages are held against, by name. */
export { contentBlock, promptMessage, resourceContents } from './content.ts'
export { logMessageParams, progressParams, subscriptionFilter } from './notifications.ts'
export { prompt, resource, resourceTemplate, tool } from './offers.ts'
export { createMessageParams, elicitParams, elicitResult, inputRequests, root } from './questions.ts'
export {
  callToolResult,
  completeResult,
  createTaskResult,
  discoverResult,
  getPromptResult,
  initializeResult,
  inputRequiredResult,
  listPromptsResult,
  listResourcesResult,
  listResourceTemplatesResult,
  listToolsResult,
  readResourceResult,
  taskHandle,
} from './requests.ts'
export { task } from './tasks.ts'
