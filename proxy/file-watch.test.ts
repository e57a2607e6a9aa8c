import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { patient } from '../tests/patience.ts'
import { createApp } from './app.ts'
import { FLAG, FRAME } from './event-log.ts'
import { FileWatch, ServerWatch, type WatchLimits } from './file-watch.ts'
import { framesFrom } from './fixtures/peer.ts'
import { hostsFor } from './guard.ts'
import { Pages } from './pages.ts'
import type { FilesChanged, WatchedFiles } from './wire.ts'

let folder: string
const open: FileWatch[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-watch-'))
})
afterEach(() => {
  for (const watch of open.splice(0)) watch.close()
  rmSync(folder, { recursive: true })
})

const write = (path: string, text = 'x'): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function watching(globs: readonly string[], limits: Partial<WatchLimits> = {}) {
  const changes: FilesChanged[] = []
  const warnings: string[] = []
  const watch = new FileWatch(
    globs,
    folder,
    (change) => changes.push(change),
    (message) => warnings.push(message),
    { quiet: 50, ...limits },
  )
  open.push(watch)
  const named = () => changes.flatMap(({ files }) => files)
  return { watch, changes, warnings, named }
}

describe('the files of --watch', () => {
  test('are reported together once they have come to rest, those that no glob names are not', async () => {
    write('src/a.ts')
    write('src/deep/b.ts')
    write('other/c.ts')
    const { changes } = watching(['src/**/*.ts'])
    write('other/c.ts', 'y')
    write('src/notes.md')
    write('src/deep/b.ts', 'y')
    write('src/a.ts', 'y')
    await expect
      .poll(() => changes, { timeout: patient(5_000) })
      .toEqual([{ files: ['src/a.ts', 'src/deep/b.ts'], count: 2 }])
  })

  // Windows has no such permission.
  test.skipIf(process.platform === 'win32')(
    'are watched in a folder whose parent may be entered, but not read',
    async () => {
      const project = join(folder, 'parent/project')
      write('parent/project/server.js')
      for (const path of [folder, project]) chmodSync(path, 0o777)
      chmodSync(join(project, 'server.js'), 0o666)
      const source = new URL('file-watch.ts', import.meta.url).href
      // Root may read everything, so this is another process, which gives that up once it has loaded the source.
      const watching = `import { writeFileSync } from 'node:fs'
import { FileWatch } from ${JSON.stringify(source)}
if (process.getuid() === 0) process.seteuid(65534)
// The watch itself doesn't keep a process running.
const alive = setInterval(() => {}, 1000)
const watch = new FileWatch(['**/*.js'], ${JSON.stringify(project)}, ({ files }) => {
  console.log(files.join())
  watch.close()
  clearInterval(alive)
}, console.log, { quiet: 50 })
writeFileSync(${JSON.stringify(join(project, 'server.js'))}, 'y')`
      chmodSync(dirname(project), 0o311)
      const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', watching]
      const child = spawn(process.execPath, args, { timeout: patient(20_000) })
      let said = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
      await once(child, 'close')
      // Otherwise nobody may remove it.
      chmodSync(dirname(project), 0o700)
      expect(said).toBe('server.js\n')
    },
    patient(30_000),
  )

  test('include a file that is replaced, as editors do', async () => {
    write('server.js')
    const { named } = watching(['server.js'])
    rmSync(join(folder, 'server.js'))
    write('server.js', 'y')
    await expect.poll(named, { timeout: patient(5_000) }).toContain('server.js')
  })

  test('include those of folders that are added later', async () => {
    write('src/a.ts')
    const { named, watch } = watching(['src'])
    write('src/new/one.ts')
    await expect.poll(named, { timeout: patient(5_000) }).toContain('src/new/one.ts')
    write('src/new/two.ts')
    await expect.poll(named, { timeout: patient(5_000) }).toContain('src/new/two.ts')
    rmSync(join(folder, 'src/new'), { recursive: true })
    await expect.poll(() => watch.folders, { timeout: patient(5_000) }).toBe(1)
  })

  test('include those of a folder that a build deletes and makes again', async () => {
    write('dist/server.js')
    const { named } = watching(['dist'])
    rmSync(join(folder, 'dist'), { recursive: true })
    write('dist/server.js', 'y')
    await expect.poll(named, { timeout: patient(5_000) }).toContain('dist/server.js')
    const before = named().length
    write('dist/later.js')
    await expect.poll(() => named().slice(before), { timeout: patient(5_000) }).toContain('dist/later.js')
  })

  test('do not include those behind a link that is made later', async () => {
    write('elsewhere/deep/a.ts')
    write('src/a.ts')
    const { named, watch } = watching(['src'])
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'src/link'), 'junction')
    await expect.poll(named, { timeout: patient(5_000) }).toContain('src/link')
    expect(watch.folders).toBe(1)
  })

  test('never include those of node_modules and .git, nor those behind a link', async () => {
    write('src/a.ts')
    write('elsewhere/d.ts')
    for (const ignored of ['node_modules/x', '.git/y']) write(`src/${ignored}/b.ts`)
    symlinkSync(folder, join(folder, 'src/loop'))
    const { named, watch } = watching(['src/**'])
    expect(watch.folders).toBe(1)
    write('src/node_modules/x/b.ts', 'y')
    write('src/.git/y/b.ts', 'y')
    write('elsewhere/d.ts', 'y')
    write('src/a.ts', 'y')
    await expect.poll(named, { timeout: patient(5_000) }).toEqual(['src/a.ts'])
  })

  test.each([
    ['*.js', ['a.js', '.hidden.js'], ['a.ts', 'src/a.js']],
    ['src/*.{js,mjs}', ['src/a.js', 'src/a.mjs'], ['src/a.cjs', 'src/x/a.js']],
    ['**/[ab]?.py', ['a1.py', 'x/y/b2.py'], ['c1.py', 'a.py', 'x/a11.py']],
    ['./src/**', ['src/a', 'src/x/b'], ['a']],
    ['(odd) [!x]+.js', ['(odd) y+.js'], ['(odd) x+.js']],
  ])('match %s', async (glob, matching, others) => {
    for (const path of [...matching, ...others]) write(path)
    const { named } = watching([glob])
    for (const path of [...others, ...matching]) write(path, 'y')
    await expect.poll(() => named().toSorted(), { timeout: patient(5_000) }).toEqual(matching.toSorted())
  })

  test('are refused with the cause and a remedy if the folder is missing or too large', () => {
    for (const at of [1, 2, 3, 4]) write(`src/${at}/a.ts`)
    expect(() => watching(['sources/**'])).toThrow(/`--watch sources\/\*\*`: .*sources doesn't exist\. Name an/)
    symlinkSync('loop', join(folder, 'loop'))
    expect(() => watching(['loop'])).toThrow(/`--watch loop`: Can't watch: ELOOP.*watch another/)
    expect(() => watching(['src/**'], { folders: 4 })).toThrow(/more than 4 folders\. Watch fewer/)
    expect(watching(['src/*.ts'], { folders: 4 }).watch.folders).toBe(1)
  })

  test('are many: a few are named, and all are counted', async () => {
    write('src/0.ts')
    const { changes } = watching(['src'], { quiet: 200 })
    for (let at = 0; at < 30; at++) write(`src/${at}.ts`, 'y')
    await expect.poll(() => changes.map(({ count }) => count), { timeout: patient(5_000) }).toEqual([30])
    expect(changes[0]!.files).toHaveLength(20)
  })

  test('are counted, and a glob that matches none is a warning that names its folder', () => {
    for (const path of ['a.js', 'src/b.js', 'src/c.ts', 'src/node_modules/d.js']) write(path)
    expect(watching(['**/*.js', 'src']).watch.found).toEqual({ count: 3, unmatched: [] })
    const warnings: string[] = []
    const watch = new ServerWatch(
      ['*.py', '*.js'],
      folder,
      () => {},
      (message) => warnings.push(message),
    )
    onTestFinished(() => watch.close())
    expect(watch.files).toEqual({ directory: folder, count: 1 })
    expect(warnings).toEqual([expect.stringMatching(/^`--watch \*\.py` matches no files in .*, the server's working/)])
    expect(warnings[0]).toContain(folder)
  })

  test('are those of the working directory that the page names, and are reported to a page that reads its stream', async () => {
    write('elsewhere/server.js')
    const pages = new Pages()
    const warnings: string[] = []
    const watch = new ServerWatch(
      ['server.js'],
      join(folder, 'elsewhere'),
      (change) => pages.filesChanged(change),
      (message) => warnings.push(message),
      { quiet: 50 },
    )
    onTestFinished(() => watch.close())
    write('server.js')
    const app = createApp({ token: 't', allowedHosts: hostsFor('127.0.0.1', 6275), pages, watch })
    const headers = { Host: '127.0.0.1:6275', 'Periscope-Token': 't' }
    const hello = await app.request('http://127.0.0.1:6275/api/hello', { headers })
    expect(await hello.json()).toMatchObject({ watch: ['server.js'] })
    const moveTo = async (directory: string) => {
      const body = JSON.stringify({ directory })
      const response = await app.request('http://127.0.0.1:6275/api/watch', { method: 'POST', headers, body })
      return (await response.json()) as WatchedFiles
    }
    const directory = join(folder, 'nowhere')
    expect(await moveTo(directory)).toEqual({ directory, count: 0, isUnwatched: true })
    expect(warnings).toEqual([expect.stringContaining("doesn't exist")])
    expect(await moveTo(folder)).toEqual({ directory: folder, count: 1 })
    const stream = await app.request('http://127.0.0.1:6275/api/pages/p/events', { headers })
    write('elsewhere/server.js', 'y')
    write('server.js', 'y')
    for await (const { type, flags, subject, payload } of framesFrom(stream)) {
      if (type === FRAME.idle) continue
      expect({ type, more: flags & FLAG.more, subject }).toEqual({ type: FRAME.files, more: 0, subject: 0 })
      expect(JSON.parse(payload.toString())).toEqual({ files: ['server.js'], count: 1 })
      break
    }
    await pages.close()
  })
})
