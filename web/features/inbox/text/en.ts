export default {
  list: 'Questions of all servers',
  counts: (open: string, over: string) => `${open} open · ${over} earlier`,
  none: 'No server has asked anything yet.',
  noneHint:
    'What a server asks arrives here and in the call that caused it: completions of your model (sampling), forms and addresses (elicitation), your roots. Nothing is answered before you do, or allow it.',
  pick: 'Pick a question',
  pickHint: 'Up and down move through the list.',
  gone: 'This question is not known here any more.',
  back: 'Back to the list',
  resize: 'Width of the list of questions',
  rules: 'Answers without asking',
  rulesOn: 'on',
  rulesOf: (server: string) => `What ${server} is answered without asking you`,
  call: (method: string, subject: string) => `${subject} (${method})`,
}
