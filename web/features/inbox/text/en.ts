export default {
  list: 'Requests from all servers',
  counts: (open: string, over: string) => `${open} waiting for you · ${over} ended`,
  none: 'No server requests yet',
  noneHint:
    'Sampling, elicitation and roots requests from servers appear here and next to the call that caused them. Nothing is sent until you respond or set up an automatic response.',
  pick: 'Select a request',
  pickHint: 'Use ↑ ↓ to move.',
  gone: 'This request is no longer available',
  back: 'Back to list',
  resize: 'Request list width',
  rules: 'Automatic responses',
  rulesOn: 'on',
  rulesOf: (server: string) => `Automatic responses to ${server}`,
  call: (method: string, subject: string) => `${subject} (${method})`,
}
