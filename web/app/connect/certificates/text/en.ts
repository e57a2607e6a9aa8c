/** Certificates that the user trusts. English is the source of all translations. */
export default {
  title: 'Trusted certificates',
  hint: 'On this connection, the relay accepts only the listed certificate from each of these hosts.',
  remove: 'Remove',
  removeName: (host: string) => `Remove the certificate of ${host}`,
}
