import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { patient } from '../patience.ts'
import { play, PlaybackHttp } from '../../proxy/commands/play.ts'
import { verify } from '../../proxy/commands/verify.ts'
import { readCommand, type PlayOptions, type VerifyOptions } from '../../proxy/cli.ts'
import { StreamableHttpTransport } from '../../web/mcp/index.ts'
import type { Frame } from '../../web/mcp/index.ts'
import { playbackServer } from '../../web/replay/playback.ts'
import { everythingStdio } from '../servers/everything.ts'
import { call, child, folder, greeter, listAll, openSession, record, write } from './recording.ts'

let place: ReturnType<typeof folder>
beforeAll(() => void (place = folder()))
afterAll(() => place.remove())

const asking = async (session: Parameters<typeof call>[0]) => {
  await listAll(session)
  for (const name of ['ask-form', 'ask-roots', 'ask-sampling']) await call(session, name)
}
const greeting = async (session: Parameters<typeof call>[0]) => {
  await listAll(session)
  for (const name of ['greet', 'slow', 'ask', 'fail']) await call(session, name, { name: 'Ada' })
}
const all = async (session: Parameters<typeof call>[0]) => {
  await listAll(session)
  await call(session, 'echo', { message: 'hi' })
  await call(session, 'trigger-long-running-operation', { duration: 0.2, steps: 2 })
  await call(session, 'trigger-sampling-request', { prompt: 'Really?' })
}

const rich = (way: string) => new StreamableHttpTransport({ url: `${inject('richUrl')}/${way}/play-command` })

const verified = async (...argv: string[]) => {
  let [out, err] = ['', '']
  const options = readCommand('verify', argv) as VerifyOptions
  const output = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) }
  const code = await verify(options, output)
  return { code, err, failed: out.split('\n').filter((line) => line.includes('✗')) }
}
const SAME = { code: 0, err: '', failed: [] }

/** Runs `play` from the sources in a separate process. */
const player = (file: string) => {
  const script = `const { play } = await import(${JSON.stringify(new URL('../../proxy/commands/play.ts', import.meta.url).href)});
    const output = (text) => process.stdout.write(text);
    process.exit(await play({ kind: 'play', file: ${JSON.stringify(file)}, delays: false }, { input: process.stdin, output, err: () => {} }))`
  return ['--', process.execPath, '--import', 'tsx', '--input-type=module', '-e', script]
}

describe('a recording that plays for other clients', () => {
  test.each<[string, () => Promise<readonly Frame[]>]>([
    ['a server over stdio', () => record(child(greeter()), greeting)],
    ['server-everything', () => record(child(everythingStdio), all)],
    ['a server that asks by requests', () => record(rich('v1'), asking)],
    ['a stateless server that asks in results', () => record(rich('v2'), asking)],
  ])(
    'is as %s was: over stdio and over HTTP',
    async (name, recorded) => {
      const frames = await recorded()
      const file = write(place.file(`${name.replaceAll(' ', '-')}.jsonl`), frames)
      const http = new PlaybackHttp(playbackServer(frames))
      const url = await http.listen(0)
      expect(await verified(file, '--server', url)).toEqual(SAME)
      expect(await verified(file, '--server', url)).toEqual(SAME)
      await http.close()
      expect(await verified(file, ...player(file))).toEqual(SAME)
    },
    patient(180_000),
  )

  test('is reached by nobody who came by another name, nor by pages of elsewhere', async () => {
    const http = new PlaybackHttp(playbackServer(await record(child(greeter()), greeting)))
    const url = await http.listen(0)
    const ask = (headers: Record<string, string>) =>
      fetch(url, { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', headers })
    expect((await ask({ origin: 'https://evil.example' })).status).toBe(403)
    const own = await ask({ origin: 'http://localhost:5173' })
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:5173'])
    expect((await ask({ 'mcp-session-id': 'gone' })).status).toBe(404)
    expect((await fetch(url)).status).toBe(405)
    await http.close()
  })

  test('has a session for each client, and answers each from the beginning', async () => {
    const frames = await record(child(greeter()), async (session) => {
      await call(session, 'clock')
      await call(session, 'clock')
    })
    const http = new PlaybackHttp(playbackServer(frames))
    const url = await http.listen(0)
    const texts = async () => {
      const session = await openSession(new StreamableHttpTransport({ url }))
      const one = await session.request('tools/call', { name: 'clock', arguments: {} })
      const two = await session.request('tools/call', { name: 'clock', arguments: {} })
      await session.close()
      return [one, two]
    }
    const [first, second] = await Promise.all([texts(), texts()])
    expect(first).toEqual(second)
    expect(first[0]).not.toEqual(first[1])
    await http.close()
  })

  test('cannot begin without messages, and says why', async () => {
    const empty = write(place.file('empty.jsonl'), [])
    let err = ''
    const options = readCommand('play', [empty]) as PlayOptions
    const streams = { input: new PassThrough(), output: () => {}, err: (text: string) => void (err += text) }
    expect(await play(options, streams)).toBe(2)
    expect(err).toMatch(/contains no messages/)
    expect(await play({ ...options, file: 'nowhere' }, streams)).toBe(2)
  })
})
