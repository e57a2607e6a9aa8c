import { describe, expect, test } from 'vitest'
import { childEnvironment, inheritedNames } from './environment.ts'

const own = {
  PATH: '/bin',
  HOME: '/home/me',
  LC_ALL: 'C.UTF-8',
  XDG_CONFIG_HOME: '/home/me/.config',
  AWS_SECRET_ACCESS_KEY: 'secret',
  HTTPS_PROXY: 'http://me:secret@proxy',
  NODE_OPTIONS: '--require ./x.js',
  npm_config__authToken: 'secret',
  SHELL: '() { :; }; echo shellshock',
}

describe('the environment of a child', () => {
  test('is a short list of places and locale, and nothing that carries secrets', () => {
    expect(childEnvironment({}, own, 'linux')).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      LC_ALL: 'C.UTF-8',
      XDG_CONFIG_HOME: '/home/me/.config',
    })
  })

  test('has what the user adds, and the user wins', () => {
    expect(childEnvironment({ env: { API_KEY: 'k', PATH: '/mine' } }, { PATH: '/bin' }, 'linux')).toEqual({
      API_KEY: 'k',
      PATH: '/mine',
    })
  })

  test('names what comes from the proxy, and not what the user replaces', () => {
    const options = { env: { API_KEY: 'k', PATH: '/mine' } }
    expect(inheritedNames(options, childEnvironment(options, own, 'linux'))).toEqual(['HOME', 'LC_ALL', 'XDG_CONFIG_HOME']) // prettier-ignore
  })

  test('is everything only where that is asked for', () => {
    expect(childEnvironment({ inheritEnv: true, env: { A: '1' } }, own, 'linux')).toEqual({ ...own, A: '1' })
  })

  test('has one variable for all spellings of a name on Windows', () => {
    const result = childEnvironment(
      { env: { PATH: 'C:\\mine' } },
      { Path: 'C:\\Windows', SystemRoot: 'C:\\Windows' },
      'win32',
    )
    expect(result).toEqual({ PATH: 'C:\\mine', SystemRoot: 'C:\\Windows' })
  })
})
