import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCommand } from './command-line.ts'
import { commandLine } from './target.ts'

test('a command line is read as a POSIX shell would split it', () => {
  expect(readCommand('npx -y @modelcontextprotocol/server-everything')).toEqual({
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-everything'],
    env: {},
  })
  expect(readCommand(`node "my server.js" 'a "b"' c\\ d "" --x="y z"`)).toMatchObject({
    args: ['my server.js', 'a "b"', 'c d', '', '--x=y z'],
  })
  expect(readCommand('npx -y \\\n  some-server')).toMatchObject({ args: ['-y', 'some-server'] })
  expect(readCommand('npx -y \\\r\n  some-server')).toMatchObject({ args: ['-y', 'some-server'] })
  expect(readCommand('$ npx -y some-server')).toMatchObject({ command: 'npx' })
})

test('leading assignments become environment variables, later ones and quoted ones stay arguments', () => {
  expect(readCommand(`A=1 B_2='x y' node s.js C=3`)).toEqual({
    command: 'node',
    args: ['s.js', 'C=3'],
    env: { A: '1', B_2: 'x y' },
  })
  expect(readCommand(`'A=1' x`)).toMatchObject({ command: 'A=1', env: {} })
  expect(readCommand('A=1 B=2')).toMatchObject({ cause: 'no-command' })
})

test('a leading cd becomes the working directory', () => {
  expect(readCommand('cd "/srv/my app" && node s.js')).toEqual({
    command: 'node',
    args: ['s.js'],
    env: {},
    cwd: '/srv/my app',
  })
})

test('Windows paths keep their backslashes', () => {
  expect(readCommand('C:\\Users\\me\\node.exe .\\dist\\server.js \\\\host\\share\\x')).toMatchObject({
    command: 'C:\\Users\\me\\node.exe',
    args: ['.\\dist\\server.js', '\\\\host\\share\\x'],
  })
  expect(readCommand('"C:\\Program Files\\nodejs\\node.exe" s.js')).toMatchObject({
    command: 'C:\\Program Files\\nodejs\\node.exe',
  })
})

test('what only a shell can do is refused with its place, never guessed', () => {
  expect(readCommand('node s.js | tee log')).toEqual({ cause: 'shell-operator', thing: '|', column: 11 })
  expect(readCommand('a && b')).toEqual({ cause: 'shell-operator', thing: '&&', column: 3 })
  expect(readCommand('a > b')).toMatchObject({ cause: 'shell-operator', thing: '>' })
  expect(readCommand('a $HOME/x')).toEqual({ cause: 'variable', thing: '$HOME', column: 3 })
  expect(readCommand('a "${X}"')).toMatchObject({ cause: 'variable', thing: '${X}' })
  expect(readCommand('a `b`')).toMatchObject({ cause: 'substitution' })
  expect(readCommand('a $(b)')).toMatchObject({ cause: 'substitution' })
  expect(readCommand('node ~/s.js')).toEqual({ cause: 'home', thing: '~', column: 6 })
  expect(readCommand('a\nb')).toMatchObject({ cause: 'line-break' })
  expect(readCommand(`a "b`)).toEqual({ cause: 'open-quote', thing: '"', column: 3 })
  expect(readCommand(`a 'b`)).toEqual({ cause: 'open-quote', thing: "'", column: 3 })
  // In quotes they are literal.
  expect(readCommand(`a '$HOME | x' "\\$HOME"`)).toMatchObject({ args: ['$HOME | x', '$HOME'] })
})

test('any command and arguments survive being written as a line and read back', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))
  const command = word.filter((text) => text !== '')
  fc.assert(
    fc.property(command, fc.array(word), (name, args) => {
      expect(readCommand(commandLine(name, args))).toEqual({ command: name, args, env: {} })
    }),
    { numRuns: 500 },
  )
})

test('no text makes the reader throw or lose its way', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '"', "'", '\\', '$', '|', '&', '=', '\n', '~', '`', '(') }),
      (text) => {
        const read = readCommand(text)
        if ('cause' in read) expect(read.column).toBeGreaterThan(0)
        else expect(read.command).not.toBe('')
      },
    ),
    { numRuns: 500 },
  )
})
