/** Which URLs may be requested. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { httpUrl, isLoopback, safeUrl } from './safe-url.ts'

const REMOTE = 'https://mcp.example/mcp'
const LOCAL = 'http://127.0.0.1:8080/mcp'

describe('AU-ASM-07, AU-FLOW-12: an address that somebody else wrote', () => {
  test.each<[url: unknown, remote: boolean, local: boolean]>([
    ['https://auth.example', true, true],
    ['https://auth.example:8443/x?y=1', true, true],
    ['http://auth.example', false, false],
    ['http://127.0.0.1:1/x', false, true],
    ['http://localhost/x', false, true],
    ['http://LOCALHOST/x', false, true],
    ['http://[::1]:1/x', false, true],
    ['http://app.localhost/x', false, true],
    // An IP address can be written in many ways.
    ['http://2130706433/x', false, true],
    ['http://0x7f.1/x', false, true],
    // Looks like this machine, but isn't.
    ['http://localhost.example.com/x', false, false],
    ['http://127.0.0.1.example.com/x', false, false],
    ['http://127.0.0.1@evil.example/x', false, false],
    ['https://user:password@auth.example', false, false],
    ['http://0.0.0.0/x', false, false],
    ['http://192.168.1.1/x', false, false],
    // Private network addresses are allowed for servers in private networks.
    ['https://10.0.0.1/x', false, true],
    ['https://172.31.255.255/x', false, true],
    ['https://172.32.0.1/x', true, true],
    ['https://192.168.1.1/x', false, true],
    ['https://169.254.169.254/x', false, true],
    ['https://100.64.0.1/x', false, true],
    ['https://100.63.0.1/x', true, true],
    ['https://0.0.0.0/x', false, true],
    ['https://[::]/x', false, true],
    ['https://[::ffff:10.0.0.1]/x', false, true],
    ['https://[::ffff:1.1.1.1]/x', true, true],
    ['https://[64:ff9b::7f00:1]/x', false, true],
    ['https://[fe80::1]/x', false, true],
    ['https://[fd00::1]/x', false, true],
    ['https://[2606:4700::1111]/x', true, true],
    ['https://localhost./x', false, true],
    ['https://api.localhost./x', false, true],
    ['https://127.0.0.1./x', false, true],
    ['https://10.example.com/x', true, true],
    // An https URL on this machine is allowed for servers on this machine.
    ['https://localhost/x', false, true],
    ['javascript:alert(1)', false, false],
    ['JavaScript:alert(1)', false, false],
    [' javascript:alert(1)', false, false],
    ['data:text/html,x', false, false],
    ['vbscript:x', false, false],
    ['file:///etc/passwd', false, false],
    ['blob:https://auth.example/1', false, false],
    ['ws://127.0.0.1/', false, false],
    ['/auth', false, false],
    ['//auth.example', false, false],
    ['', false, false],
    [`https://auth.example/${'x'.repeat(5000)}`, false, false],
    [null, false, false],
    [7, false, false],
    [['https://auth.example'], false, false],
  ])('%j is safe beside a remote server: %s, beside a local one: %s', (url, remote, local) => {
    expect([safeUrl(url, REMOTE) !== undefined, safeUrl(url, LOCAL) !== undefined]).toEqual([remote, local])
  })

  test('is https, or on this machine, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.webUrl().map((url) => url.replace(/^https/, 'http')),
        ),
        (text) => {
          for (const server of [REMOTE, LOCAL]) {
            const url = safeUrl(text, server)
            if (!url) continue
            expect(url.protocol === 'https:' || isLoopback(url)).toBe(true)
            expect([url.username, url.password]).toEqual(['', ''])
            expect(httpUrl(text)?.href).toBe(url.href)
          }
        },
      ),
    )
  })
})
