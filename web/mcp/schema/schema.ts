/**
 * The entry point of this folder. Not part of the kernel's `index.ts`, because it is loaded only when a message is to
 * be judged.
 */
import type { clientCapabilities, icon, implementation, serverCapabilities } from './capabilities.ts'
import type { contentBlock, promptMessage, resourceContents, samplingContent } from './content.ts'
import type { cancelledParams, logMessageParams, progressParams, subscriptionFilter } from './notifications.ts'
import type { prompt, resource, resourceTemplate, tool } from './offers.ts'
import type * as questions from './questions.ts'
import type * as requests from './requests.ts'
import type { Shape } from './shape.ts'
import type { task } from './tasks.ts'

export { definitions } from './definitions.ts'
export { errorMeaning, type ErrorMeaning } from './error-codes.ts'
export { fits, type Breach } from './interpret.ts'
export { METHODS, methodIn, type MethodRow } from './methods.ts'
export { templates } from './message-drafts.ts'
export { isValid, verdict, type Context } from './verdict.ts'

export type ClientCapabilities = Shape<typeof clientCapabilities>
export type ServerCapabilities = Shape<typeof serverCapabilities>
export type Implementation = Shape<typeof implementation>
export type Icon = Shape<typeof icon>
export type Tool = Shape<typeof tool>
export type Resource = Shape<typeof resource>
export type ResourceTemplate = Shape<typeof resourceTemplate>
export type Prompt = Shape<typeof prompt>
export type ContentBlock = Shape<typeof contentBlock>
export type ResourceContents = Shape<typeof resourceContents>
export type PromptMessage = Shape<typeof promptMessage>
export type SamplingContent = Shape<typeof samplingContent>
export type InitializeResult = Shape<typeof requests.initializeResult>
export type DiscoverResult = Shape<typeof requests.discoverResult>
export type ListToolsResult = Shape<typeof requests.listToolsResult>
export type CallToolResult = Shape<typeof requests.callToolResult>
export type ListResourcesResult = Shape<typeof requests.listResourcesResult>
export type ListResourceTemplatesResult = Shape<typeof requests.listResourceTemplatesResult>
export type ReadResourceResult = Shape<typeof requests.readResourceResult>
export type ListPromptsResult = Shape<typeof requests.listPromptsResult>
export type GetPromptResult = Shape<typeof requests.getPromptResult>
export type CompleteResult = Shape<typeof requests.completeResult>
export type InputRequiredResult = Shape<typeof requests.inputRequiredResult>
export type InputRequests = Shape<typeof questions.inputRequests>
export type InputResponses = Shape<typeof questions.inputResponses>
export type ElicitRequestParams = Shape<typeof questions.elicitParams>
export type ElicitResult = Shape<typeof questions.elicitResult>
export type FormField = Shape<typeof questions.formField>
export type CreateMessageRequestParams = Shape<typeof questions.createMessageParams>
export type CreateMessageResult = Shape<typeof questions.createMessageResult>
export type Root = Shape<typeof questions.root>
export type Task = Shape<typeof task>
/** `resultType: "task"` of the tasks extension. */
export type TaskHandle = Shape<typeof requests.taskHandle>
export type SubscriptionFilter = Shape<typeof subscriptionFilter>
export type CancelledParams = Shape<typeof cancelledParams>
export type ProgressParams = Shape<typeof progressParams>
export type LogMessageParams = Shape<typeof logMessageParams>
