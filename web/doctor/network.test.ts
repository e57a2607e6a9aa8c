import { expect, test } from 'vitest'
import type { NetworkStep } from '../../proxy/wire.ts'
import { greetingProtocol, networkStepsIn, networkVerdict } from './network.ts'

const proxy: NetworkStep = { step: 'proxy', ms: 0, text: 'proxy.example:8080 (HTTPS_PROXY)' }
const dns: NetworkStep = { step: 'dns', ms: 1, addresses: ['192.0.2.1'] }
const tcp: NetworkStep = { step: 'tcp', ms: 1, remote: '192.0.2.1' }

test.each<[string, readonly NetworkStep[], ReturnType<typeof networkVerdict>]>([
  ['its variable', [{ ...proxy, error: 'PROXY_VARIABLE' }], 'no-proxy'],
  ['its name', [proxy, { step: 'dns', ms: 1, error: 'ENOTFOUND' }], 'no-proxy'],
  ['its port', [proxy, dns, { step: 'tcp', ms: 1, error: 'ECONNREFUSED' }], 'no-proxy'],
  ['its consent', [proxy, dns, tcp, { step: 'tunnel', ms: 1, error: 'PROXY_407' }], 'no-proxy'],
  ['nothing, over http', [proxy, dns, tcp], 'through-proxy'],
  ['the TLS of the server', [proxy, dns, tcp, { step: 'tunnel', ms: 1 }, { step: 'tls', ms: 1, error: 'EPROTO' }], 'no-tls'], // prettier-ignore
  ['nothing', [proxy, dns, tcp, { step: 'tunnel', ms: 1 }, { step: 'tls', ms: 1, protocol: 'TLSv1.3' }], 'reachable'],
  ['the port of a server without a proxy', [dns, { step: 'tcp', ms: 1, error: 'ECONNREFUSED' }], 'refused'],
])('through a proxy, what fails is %s', (_, steps, verdict) => {
  expect(networkVerdict(steps)).toBe(verdict)
  expect(networkStepsIn(JSON.stringify({ steps }))).toEqual(steps)
})

test.each([
  ['SSH-2.0-OpenSSH_9.6p1 Ubuntu-3ubuntu13.5\r\n', 'SSH'],
  ['220 mail.corp.example ESMTP Postfix (Debian/GNU)\r\n', 'SMTP'],
  ['220 (vsFTPd 3.0.5)\r\n', 'FTP'],
  ['* OK [CAPABILITY IMAP4rev1] Dovecot ready.\r\n', 'IMAP'],
  ['+OK Dovecot ready.\r\n', 'POP3'],
  ['RFB 003.008\n', 'VNC'],
  ['J\0\0\0\n8.0.36\0\u001F\0\0\0', 'MySQL'],
  ['-ERR max number of clients reached\r\n', 'Redis'],
  ['HTTP/1.1 408 Request Timeout\r\n', undefined],
  ['hello', undefined],
])('a server that speaks first is known by its greeting: %j', (text, protocol) => {
  expect(greetingProtocol([dns, tcp, { step: 'greeting', ms: 150, text }])).toBe(protocol)
  expect(greetingProtocol([dns, tcp])).toBeUndefined()
})
