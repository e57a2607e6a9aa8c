/** The prompts of a server as they are listed, and the messages that they give. */
export {
  asMarkdown,
  asText,
  fenced,
  type MessageFinding,
  messagesOf,
  type PromptMessage,
  type PromptText,
  textOf,
} from './messages.ts'
export {
  missingIn,
  paramsOf,
  type PromptArgument,
  type PromptFinding,
  type PromptItem,
  PROMPTS,
  promptsFold,
} from './prompts-fold.ts'
export { type CommandFault, commandsFor, commandText, isCommand, type SlashCommand } from './slash-command.ts'
