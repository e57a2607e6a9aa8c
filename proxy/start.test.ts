/** `npm start` in a clone, with a stand-in for the bundler and for the command that it builds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let clone: string
let elsewhere: string
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'periscope-clone-'))
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'periscope-elsewhere-')))
  mkdirSync(join(clone, 'proxy'))
  copyFileSync(join(import.meta.dirname, 'start.mjs'), join(clone, 'proxy/start.mjs'))
  const manifest = { name: 'clone', version: '1.0.0', type: 'module', scripts: { start: 'node proxy/start.mjs' } }
  write('package.json', JSON.stringify(manifest))
})
afterEach(() => {
  for (const folder of [clone, elsewhere]) rmSync(folder, { recursive: true })
})

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(clone, path)), { recursive: true })
  writeFileSync(join(clone, path), text)
}

/** @param exit of the bundler */
const bundler = (exit = 0): void =>
  write(
    'node_modules/vite/bin/vite.js',
    `
    import { mkdirSync, writeFileSync } from 'node:fs'
    console.log('bundled', process.argv.slice(2).join(' '), process.env.PERISCOPE_COMPRESS)
    for (const folder of ['dist/web', 'dist/proxy']) mkdirSync(folder, { recursive: true })
    writeFileSync('dist/web/index.html', '')
    writeFileSync('dist/proxy/periscope.js', 'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))')
    process.exitCode = ${exit}`,
  )

async function start(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const npm = spawn('npm', ['--silent', '--prefix', clone, 'start', '--', ...args], {
    cwd: elsewhere,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  npm.stdout.on('data', (piece) => (stdout += String(piece)))
  npm.stderr.on('data', (piece) => (stderr += String(piece)))
  const [code] = (await once(npm, 'close')) as [unknown]
  return { code, stdout, stderr }
}

test('npm start runs in the folder of its caller, and leaves stdout to the command, also while it builds', async () => {
  bundler()
  const ran = { code: 0, stdout: `${JSON.stringify([elsewhere, 'verify', 'a.jsonl'])}\n` }
  const first = await start('verify', 'a.jsonl')
  expect(first).toMatchObject(ran)
  expect(first.stderr).toMatch(/^Building Periscope.*…\nbundled build .* no\nbundled build --ssr .* no\n/)
  expect(await start('verify', 'a.jsonl')).toEqual({ ...ran, stderr: '' })
})

test('npm start names the build that failed, and runs nothing', async () => {
  bundler(1)
  const { code, stdout, stderr } = await start()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/bundled build --logLevel warn no\n`vite build` failed\. See its report above\.\n/)
})
