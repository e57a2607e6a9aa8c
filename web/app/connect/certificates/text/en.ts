/** Certificates that the user trusts. English is the source of all translations. */
export default {
  title: 'Trusted certificates',
  hint: 'The relay accepts only this certificate from each host, for this connection.',
  remove: 'Remove',
  removeName: (host: string) => `Remove the certificate of ${host}`,
}
