import type { MessageFinding, PromptFinding } from '../../prompt-commands/index.ts'

export default {
  // The list
  listLabel: 'Prompts on this server',
  filter: 'Filter prompts',
  idle: "Prompts haven't been listed yet.",
  notOffered: "The server doesn't declare the prompts capability. Some servers respond anyway.",
  noPrompts: "This server doesn't offer any prompts.",
  noMatch: (filter: string) => `No prompts match “${filter}”.`,
  argumentCount: (count: number) => (count === 1 ? '1 argument' : `${count} arguments`),
  resize: 'Prompt list width',
  resizeResult: 'Messages panel size',
  // One prompt
  pick: 'Select a prompt',
  pickHint: 'Use ↑ ↓ to move, / to filter.',
  gone: (name: string) => `Prompt “${name}” not found on this server`,
  goneHint: 'It may have been removed when the list changed. Earlier responses stay in the trace.',
  back: 'Back to list',
  previous: 'Previous prompt',
  next: 'Next prompt',
  noArguments: "This prompt doesn't take arguments.",
  required: 'required',
  notSent: 'not sent',
  emptyText: 'empty string',
  sendEmpty: 'Send empty',
  sendEmptyWhy: 'Sends an empty string instead of omitting the argument',
  leaveOut: 'Omit',
  leaveOutWhy: 'Omits this argument from the request',
  missing: 'Required',
  missingCount: (count: number) =>
    count === 1 ? '1 required argument is missing.' : `${count} required arguments are missing.`,
  missingHint: '“Get anyway” sends the request as it is. The server should reject it with -32602.',
  preview: 'Request preview',
  get: 'Get prompt',
  getAnyway: 'Get anyway',
  cannotGet: "This prompt can't be requested because its name is missing.",
  mustConnect: 'Connect to get this prompt.',
  // The messages
  result: 'Messages',
  noResult: 'Get the prompt to see its messages.',
  stays: 'The previous response stays here until the next one.',
  earlier: 'Earlier responses',
  copy: 'Copy as',
  copyText: 'Text',
  copyMarkdown: 'Markdown',
  copyJson: 'JSON',
  useIn: 'Use in…',
  useText: 'Text',
  useAll: 'All messages',
  useArgument: 'Argument',
  useChoose: 'Choose an argument',
  useFill: 'Fill in',
  messages: (count: string) => (count === '1' ? '1 message' : `${count} messages`),
  noMessages: "The response doesn't contain any messages.",
  more: (count: string) => `Show ${count} more`,
  errorMeans: 'The server returned a JSON-RPC error instead of messages.',
  /** BP-31: error codes that the protocol version doesn't define have no meaning here. */
  code: (code: number, stateless: boolean) => {
    const words: Record<number, string> = {
      [-32600]: "Invalid request: the server doesn't accept this request.",
      [-32601]: "Method not found: the server doesn't support prompts/get.",
      [-32602]: 'Invalid params: unknown prompt or missing required argument.',
      [-32603]: 'Internal error: the server failed while handling the request.',
      [-32700]: "Parse error: the server couldn't parse the request as JSON.",
    }
    const here: Record<number, string> = stateless
      ? {
          [-32020]: 'Header mismatch: a header disagrees with the message. Both are in the trace.',
          [-32021]:
            "Missing client capability: the server requires the capabilities in “requiredCapabilities”, but Periscope didn't declare them.",
          [-32022]:
            'Unsupported protocol version: “supported” lists the versions the server supports. Pin one of them in the connection settings.',
        }
      : { [-32042]: 'URL elicitation required: open a URL before requesting the prompt again.' }
    const text = words[code] ?? here[code]
    if (text) return text
    if (stateless && code <= -32020 && code >= -32099)
      return 'A code reserved by the specification but not defined yet.'
    if (code <= -32000 && code >= -32099) return 'A server error code. Its meaning depends on the server.'
    if (code <= -32100 && code >= -32768) return 'A code reserved by JSON-RPC without a defined meaning.'
    return 'A server-specific code.'
  },
  cancelledMeans: 'You cancelled the request.',
  timeoutMeans: 'The request timed out.',
  askedMeans: 'The server requires input. The call continues when you respond.',
  askedEnded: 'The server required input. The call ended before you responded.',
  noResultObject: 'The response lacks a result object.',
  announceOk: (name: string, count: string) => `${name}: ${count === '1' ? '1 message' : `${count} messages`}.`,
  // Problems
  promptFinding: (code: PromptFinding['code'], found: string, pointer: string) =>
    ({
      'no-object': `A prompt must be an object; found ${found}.`,
      'no-name': `The name of a prompt must be a non-empty string; found ${found}.`,
      'repeated-name': `Duplicate prompt name ${found}. Requests reach only one of them.`,
      'arguments-no-array': `arguments must be an array; found ${found}.`,
      'argument-no-object': `${pointer} must be an object; found ${found}.`,
      'argument-no-name': `${pointer} must be a non-empty string; found ${found}.`,
      'argument-repeated': `${pointer}: duplicate argument name ${found}. Only one value can be sent.`,
      'required-no-boolean': `${pointer} must be true or false; found ${found}.`,
      'too-many-arguments': `${found} arguments; only the first 200 are shown.`,
    })[code],
  messageFinding: (code: MessageFinding['code']) =>
    ({
      'no-messages': "messages is missing or isn't an array.",
      'no-object': 'A message must be an object with a role and one content block.',
      'bad-role': 'role must be “user” or “assistant”.',
      'content-array': "content must be a single block, not an array. Many clients can't display an array.",
      'content-no-object': 'content must be a single block, not a plain value.',
      'no-content': 'content is missing.',
    })[code],
}
