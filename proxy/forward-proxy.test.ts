import { describe, expect, test } from 'vitest'
import { forwardProxyFor, type Environment } from './forward-proxy.ts'

const placeFor = (url: string, env: Environment) => forwardProxyFor(new URL(url), env)?.place

describe('the variable of a proxy', () => {
  test.each<[string, Environment, string, string | undefined]>([
    ['https_proxy is for https', { https_proxy: 'p:1', http_proxy: 'q:1' }, 'https://s.example/', 'https_proxy'],
    ['http_proxy is for http', { https_proxy: 'p:1', http_proxy: 'q:1' }, 'http://s.example/', 'http_proxy'],
    ['upper case counts as well', { HTTPS_PROXY: 'p:1' }, 'https://s.example/', 'HTTPS_PROXY'],
    ['lower case comes first', { HTTPS_PROXY: 'p:1', https_proxy: 'q:1' }, 'https://s.example/', 'https_proxy'],
    ['all_proxy is for both', { ALL_PROXY: 'p:1' }, 'http://s.example/', 'ALL_PROXY'],
    ['the one of the protocol comes before all_proxy', { all_proxy: 'p:1', HTTPS_PROXY: 'q:1' }, 'https://s.example/', 'HTTPS_PROXY'], // prettier-ignore
    ['https_proxy is not for http', { https_proxy: 'p:1' }, 'http://s.example/', undefined],
    ['an empty one is none', { https_proxy: ' ', HTTPS_PROXY: '' }, 'https://s.example/', undefined],
    ['HTTP_PROXY counts', { HTTP_PROXY: 'p:1' }, 'http://s.example/', 'HTTP_PROXY'],
    ['HTTP_PROXY of a CGI program is a header of its client', { HTTP_PROXY: 'p:1', REQUEST_METHOD: 'GET' }, 'http://s.example/', undefined], // prettier-ignore
    ['http_proxy of a CGI program is no header', { http_proxy: 'p:1', REQUEST_METHOD: 'GET' }, 'http://s.example/', 'http_proxy'], // prettier-ignore
  ])('%s', (_, env, url, variable) => {
    expect(forwardProxyFor(new URL(url), env)?.variable).toBe(variable)
  })

  test('names a host, a port and credentials, and may lack the scheme', () => {
    expect(placeFor('https://s.example/', { https_proxy: 'proxy.example:3128' })).toBe('proxy.example:3128')
    expect(placeFor('https://s.example/', { https_proxy: 'http://proxy.example' })).toBe('proxy.example:80')
    expect(placeFor('https://s.example/', { https_proxy: 'https://[2001:db8::1]' })).toBe('[2001:db8::1]:443')
    const { place, authorization } = forwardProxyFor(new URL('https://s.example/'), { https_proxy: 'http://me%40x:p%ss@h:1' })! // prettier-ignore
    expect(place).toBe('h:1')
    expect(authorization).toBe(`Basic ${Buffer.from('me@x:p%ss').toString('base64')}`)
  })

  test.each([
    ['socks5://me:secret@h:1', 'socks'],
    ['socks5h://h', 'socks'],
    ['ftp://me:secret@h', 'no-url'],
    ['http://me:secret@h:port', 'no-url'],
    ['http://secret:12#4@h:8080', 'no-url'],
    ['http://secret:12/4@h:8080', 'no-url'],
  ])('%s is refused by the name of the variable, without its value', (value, is) => {
    try {
      forwardProxyFor(new URL('https://s.example/'), { ALL_PROXY: value })
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ variable: 'ALL_PROXY', fault: { is } })
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('secret')
    }
  })
})

describe('no_proxy', () => {
  const direct = (url: string, no_proxy: string) => placeFor(url, { all_proxy: 'p:1', no_proxy }) === undefined

  test.each<[string, string, boolean]>([
    ['example.com', 'https://example.com/', true],
    ['example.com', 'https://api.Example.com./', true],
    ['example.com', 'https://notexample.com/', false],
    ['.example.com', 'https://api.example.com/', true],
    ['.example.com', 'https://example.com/', true],
    ['*.example.com', 'https://api.example.com/', true],
    ['a.example, ,b.example c.example', 'https://c.example/', true],
    ['example.com:8443', 'https://example.com:8443/', true],
    ['example.com:8443', 'https://example.com/', false],
    ['example.com:443', 'https://example.com/', true],
    ['10.0.0.0/8', 'http://10.20.30.40/', true],
    ['10.0.0.0/8', 'http://11.0.0.1/', false],
    ['10.0.0.0/8', 'http://10.example/', false],
    ['10.0.0.0/33', 'http://10.0.0.1/', false],
    ['192.0.2.7', 'http://192.0.2.7/', true],
    ['192.0.2.7:81', 'http://192.0.2.7/', false],
    ['2001:db8::/32', 'http://[2001:db8::5]/', true],
    ['2001:db8::5', 'http://[2001:db8:0::5]/', true],
    ['[2001:db8::5]:8080', 'http://[2001:db8::5]/', false],
    ['*', 'https://s.example/', true],
    ['', 'https://s.example/', false],
    ['/8', 'https://s.example/', false],
  ])('%s, for %s: %s', (list, url, expected) => {
    expect(direct(url, list)).toBe(expected)
  })

  test('upper case counts if lower case is empty', () => {
    expect(placeFor('https://a.example/', { all_proxy: 'p:1', no_proxy: '', NO_PROXY: 'a.example' })).toBeUndefined()
  })

  test.each(['localhost:3000', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]'])(
    '%s is this machine, which no proxy leads to',
    (host) => {
      expect(placeFor(`http://${host}/`, { all_proxy: 'p:1', http_proxy: 'p:1' })).toBeUndefined()
    },
  )
})
