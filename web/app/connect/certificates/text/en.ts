/** Certificates that the user trusts. English is the source of all translations. */
export default {
  title: 'Trusted certificates',
  hint: 'For this connection, the relay accepts only the certificate listed for each host.',
  remove: 'Remove',
  removeName: (host: string) => `Remove the certificate of ${host}`,
}
