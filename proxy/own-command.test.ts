import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ownCommand, shellWord, silent, type Launch } from './own-command.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'periscope-own-')))
afterAll(() => rmSync(folder, { recursive: true }))
const root = join(folder, 'clone')
mkdirSync(join(root, 'dist/proxy'), { recursive: true })
writeFileSync(join(root, 'package.json'), '{}')
mkdirSync(join(folder, 'other'))
writeFileSync(join(folder, 'other/package.json'), '{}')

const bundle = join(root, 'dist/proxy/periscope.js')
const of = (launch: Partial<Launch>) => ownCommand({ env: {}, script: bundle, cwd: root, root, ...launch })
const started = { npm_lifecycle_event: 'start', npm_package_json: join(root, 'package.json'), INIT_CWD: root }

test('npm start in a clone is named as such, and from another folder with --prefix', () => {
  expect(of({ env: started })).toBe('npm start --')
  const elsewhere = { ...started, INIT_CWD: join(folder, 'other') }
  expect(of({ env: elsewhere, cwd: join(folder, 'other') })).toBe(`npm --prefix ${root} start --`)
  const spaced = join(folder, 'a clone')
  symlinkSync(root, spaced, 'dir')
  expect(of({ env: elsewhere, root: `${spaced}/` })).toBe(`npm --prefix '${spaced}' start --`)
  expect(of({ env: { ...started, INIT_CWD: spaced } })).toBe('npm start --')
})

test('a script of another package that runs this program isn’t npm start in the clone', () => {
  expect(of({ env: { ...started, npm_package_json: join(folder, 'other/package.json') } })).toBe(
    'node dist/proxy/periscope.js',
  )
  expect(of({ env: { ...started, npm_package_json: '/nowhere/package.json' } })).toBe('node dist/proxy/periscope.js')
})

test('npx, an installed program and a file are named as they were started', () => {
  const cached = '/home/u/.npm/_npx/1/node_modules/.bin/periscope'
  expect(of({ env: { npm_lifecycle_event: 'npx' }, script: cached })).toBe('npx mcp-periscope')
  expect(of({ script: '/usr/local/bin/periscope' })).toBe('periscope')
  expect(of({ script: '/app/node_modules/mcp-periscope/dist/proxy/periscope.js' })).toBe('periscope')
  expect(of({ env: { npm_lifecycle_event: 'npx' } })).toBe('node dist/proxy/periscope.js')
  expect(of({ cwd: folder })).toBe('node clone/dist/proxy/periscope.js')
  expect(of({ cwd: join(folder, 'other') })).toBe(`node ${bundle}`)
})

test('only npm has to be kept silent', () => {
  expect(silent('npm --prefix a start --')).toBe('npm --silent --prefix a start --')
  expect(silent('periscope')).toBe('periscope')
})

test.each([
  ['linux', ['a.js', '--port=1', 'src/**', "it's", '', '$HOME'], `a.js --port=1 'src/**' 'it'\\''s' '' '$HOME'`],
  ['win32', ['a b', 'say "x"'], '"a b" "say \\"x\\""'],
] as const)('quotes words as a shell of %s takes them', (platform, words, line) => {
  expect(words.map((word) => shellWord(word, platform)).join(' ')).toBe(line)
})
