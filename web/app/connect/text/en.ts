/** The first visit. English is the source of all translations. */
export default {
  connect: 'Connect',
  connectText: 'Transport and protocol version are detected, and you see how.',
  run: 'Run a tool',
  runText: 'Arguments and result side by side, checked against the schema.',
  trace: 'Read the trace',
  traceText: 'Every message, HTTP exchange and stderr line, with what breaks the specification.',
  share: 'Share it',
  shareText: 'One link opens the same screen for a colleague. Secrets are removed first.',
}
