/** The stdio server behaves as described, observed with spawn only. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'hostile-stdio.mjs')

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const start = (...args: string[]) => startIn([], ...args)

/** @param options of Node */
const startIn = (options: readonly string[], ...args: string[]) => {
  const child = spawn(process.execPath, [...options, SCRIPT, ...args], { stdio: 'pipe' })
  children.push(child)
  // Those that exit at once may be gone before the first write.
  child.stdin.on('error', () => {})
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => void out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => void err.push(chunk))
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  )
  const stdout = () => Buffer.concat(out).toString()
  return {
    child,
    ended,
    stdout,
    stderr: () => Buffer.concat(err).toString(),
    send: (...messages: object[]) =>
      child.stdin.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')),
    /** Resolves when stdout contains this. */
    until: async (what: string) => {
      while (!stdout().includes(what)) await new Promise((resolve) => child.stdout.once('data', resolve))
    },
  }
}

const CONVERSATION = [
  { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 't' } },
]

/** Sends every message, closes stdin, and waits for the exit. */
const converse = (...args: string[]) => conversationWith(start(...args))

const conversationWith = async (process: ReturnType<typeof start>) => {
  process.send(...CONVERSATION)
  process.child.stdin.end()
  const end = await process.ended
  return { ...end, text: process.stdout(), stderr: process.stderr() }
}

/** Tells the first byte of each write on stderr: a reader that is late gets several writes at once. */
const TELL_WRITES = `data:text/javascript,${encodeURIComponent(`
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = (bytes, ...rest) => {
    process.stderr.write(bytes[0] + ' ')
    return write(bytes, ...rest)
  }`)}`

const idsIn = (text: string): unknown[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const json = line.replace('\uFEFF', '')
    return json.startsWith('{"jsonrpc"') ? [(JSON.parse(json) as { id?: unknown }).id] : []
  })

describe('the hostile stdio server', () => {
  test.each<[string, RegExp, unknown[]]>([
    ['good', /^\{"jsonrpc".*\}\n$/s, [1, 2]],
    ['noise', /hostile!.*\[32m\[info\].*\[33m\[debug\].*"id":1.*"level":30.*"id":2/s, [1, 2]],
    ['crlf-bom', /^\uFEFF\{.*\}\r\n\{.*\}\r\n$/, [1, 2]],
    ['no-newline-end', /\}$/, [1, 2]],
    ['id-nobody-sent', /nobody/, [999_999, 'nobody', 1, 999_999, 'nobody', 2]],
    ['duplicate', /Grüße/, [1, 1, 2, 2]],
    ['early-list-changed', /"id":1.*list_changed.*"id":2/s, [1, undefined, 2]],
    ['never-answers', /^$/, []],
    ['env', /PATH/, [1, 2]],
  ])('%s says that, and ends with 0 when its stdin does', async (name, text, ids) => {
    const said = await converse(name)
    expect(said.text).toMatch(text)
    expect(idsIn(said.text)).toEqual(ids)
    expect([said.code, said.stderr]).toEqual([0, ''])
  })

  test.each<[string[], number, string, unknown[]]>([
    [['dies-at-start'], 1, 'DATABASE_URL', []],
    [['dies-in-call'], 3, 'out of cheese', [1]],
    [['dies-after', '50'], 1, '', []],
    [['no-such-fault'], 2, 'never-answers', []],
  ])('%s ends with %i and these last words: %s', async (args, code, words, ids) => {
    const said = await converse(...args)
    expect(said.code).toBe(code)
    expect(said.stderr).toContain(words)
    expect(said.stderr === '').toBe(words === '')
    expect(idsIn(said.text)).toEqual(ids)
  })

  test('split-utf8 splits characters between writes; huge-line is one line of 20 MB', async () => {
    const split = await conversationWith(startIn(['--import', TELL_WRITES], 'split-utf8'))
    // Each byte of a character but its first is written apart.
    const written = split.stderr.split(' ').filter((byte) => (Number(byte) & 0xc0) === 0x80)
    expect(written.length).toBeGreaterThan(3)
    expect(split.text).toContain('Grüße, 世界 🎈')
    const huge = await converse('huge-line')
    expect(huge.text.trimEnd().split('\n').at(-1)!.length).toBeGreaterThan(20_000_000)
  })

  test('roots-fifteen asks fifteen times and counts the answers; stderr-chatter talks and works', async () => {
    const roots = start('roots-fifteen')
    roots.send(...CONVERSATION.slice(0, 2))
    await roots.until('roots-15')
    roots.send(...Array.from({ length: 15 }, (_, n) => ({ id: `roots-${n + 1}`, result: { roots: [] } })))
    roots.send({ id: 3, method: 'tools/call', params: { name: 't' } })
    await roots.until('"text":"15"')
    const chatter = await converse('stderr-chatter')
    expect(chatter.stderr).toMatch(/loading module 49\nPassword: got initialize\n/)
    expect(idsIn(chatter.text)).toEqual([1, 2])
  })

  // Windows has no signals to ignore.
  test.runIf(process.platform !== 'win32')(
    'those that ignore the end stay until SIGKILL, with what they started',
    async () => {
      const deaf = start('ignores-end-with-child')
      deaf.send(...CONVERSATION)
      await deaf.until('pids')
      const [own, grandchild] = /\[(\d+),(\d+)\]/.exec(deaf.stdout())!.slice(1).map(Number) as [number, number]
      expect(own).toBe(deaf.child.pid)
      deaf.child.stdin.end()
      deaf.child.kill('SIGTERM')
      process.kill(grandchild, 'SIGTERM')
      // Enough time to exit if they were going to.
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(deaf.child.exitCode).toBe(null)
      expect(process.kill(grandchild, 0)).toBe(true)
      process.kill(grandchild, 'SIGKILL')
      deaf.child.kill('SIGKILL')
      expect(await deaf.ended).toEqual({ code: null, signal: 'SIGKILL' })

      const slow = start('slow-exit', '300')
      slow.send(...CONVERSATION)
      await slow.until('"id":2')
      const since = Date.now()
      slow.child.stdin.end()
      expect(await slow.ended).toEqual({ code: 0, signal: null })
      expect(Date.now() - since).toBeGreaterThanOrEqual(295)
    },
  )
})
