import { afterEach, describe, expect, test, vi } from 'vitest'
import { until } from '../tests/patience.ts'
import { variablesIn, withVariables } from './env-references.ts'
import { drain, refusal, serve, startProxy, type Closing } from './fixtures/relaying.ts'
import { LIMITS } from './limits.ts'
import { Refusal } from './refusal.ts'
import { Child } from './stdio-child.ts'
import type { RelayReferences, SpawnRequest } from './wire.ts'

const SECRET = 'never-on-the-page-4f9a'
const NAME = 'PERISCOPE_TEST_TOKEN'

const closing: Closing = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closing.splice(0).reverse()) await close()
})

describe('a reference', () => {
  test('is replaced if the page names its variable; any other text stays, even if it looks like one', () => {
    const own = { A: '1', B: '2', EMPTY: '' }
    expect(withVariables('${env:A}:${env:B} ${env:A}', ['A'], own)).toBe('1:${env:B} 1')
    expect(withVariables('<${env:EMPTY}>', ['EMPTY'], own)).toBe('<>')
    for (const text of ['${A}', '$A', '${input:A}', '${env:}', '${env: A}', '${env:A-B}', '${env:A', '${ENV:A}'])
      expect(withVariables(text, ['A', 'A-B', ' A', ''], own)).toBe(text)
    expect(variablesIn('${env:A} ${env:B}${env:A}')).toEqual(['A', 'B'])
  })

  test('to a value that has a reference of its own is replaced once', () => {
    expect(withVariables('${env:A}', ['A', 'B'], { A: '${env:B}', B: 'x' })).toBe('${env:B}')
  })

  test.each(['MISSING', 'toString', '__proto__'])('to %s, which is not set, names it and what to do', (name) => {
    const resolve = () => withVariables(`\${env:${name}}`, [name])
    expect(resolve).toThrow(Refusal)
    expect(resolve).toThrow(`The environment variable "${name}" isn't set where Periscope runs.`)
  })
})

describe('a process', () => {
  const reply = `console.log(JSON.stringify([process.argv.slice(1), process.env.KEY, process.env.LITERAL]))`
  const run = async (request: Omit<SpawnRequest, 'command'>) => {
    const lines: string[] = []
    const child = new Child({ command: process.execPath, ...request }, LIMITS, (event) => {
      if ('line' in event) lines.push(event.line.text)
    })
    closing.push(() => child.kill())
    await child.started
    await child.gone
    await until(() => child.state === 'exited')
    return JSON.parse(lines[0]!) as [string[], string, string]
  }

  test('gets the values in its arguments and variables', async () => {
    vi.stubEnv(NAME, SECRET)
    const env = { KEY: `Bearer \${env:${NAME}}`, LITERAL: '${env:PERISCOPE_OTHER}' }
    const args = ['-e', reply, '--', `--token=\${env:${NAME}}`]
    expect(await run({ args, env, references: [NAME] })).toEqual([
      [`--token=${SECRET}`],
      `Bearer ${SECRET}`,
      '${env:PERISCOPE_OTHER}',
    ])
  })

  test('gets references literally unless the page asks for them', async () => {
    vi.stubEnv(NAME, SECRET)
    const [, key] = await run({ args: ['-e', reply], env: { KEY: `\${env:${NAME}}` } })
    expect(key).toBe(`\${env:${NAME}}`)
  })

  test('is refused before it starts if a variable is missing', () => {
    const args = ['-e', '', `\${env:${NAME}}`]
    const start = () => new Child({ command: process.execPath, args, references: [NAME] }, LIMITS, () => {})
    expect(start).toThrow(`The environment variable "${NAME}" isn't set where Periscope runs.`)
  })
})

describe('the relay', () => {
  const target = async () => {
    const got: string[][] = []
    const origin = await serve(closing, (request, response) => {
      got.push([request.url!, ...request.rawHeaders])
      response.end('ok')
    })
    return { origin, got }
  }
  const asking = (origin: string, more: Partial<RelayReferences> = {}) => ({
    url: `${origin}/mcp`,
    headers: [
      ['Authorization', `Bearer \${env:${NAME}}`],
      ['Mcp-Param-Text', `\${env:${NAME}}`],
    ] as const,
    references: { names: [NAME], headers: [0], origin, ...more },
  })

  test('inserts the value into the headers that the user typed, and tells the page only of the reference', async () => {
    vi.stubEnv(NAME, SECRET)
    const proxy = await startProxy(closing)
    const { origin, got } = await target()
    const { head, body } = await drain(await proxy.ask(asking(origin)))
    expect(body.toString()).toBe('ok')
    expect(got[0]).toContain(`Bearer ${SECRET}`)
    // Made by the page, perhaps from what a server said: it stays as it is.
    expect(got[0]).toContain(`\${env:${NAME}}`)
    expect(head.sent).toContainEqual(['Authorization', `Bearer \${env:${NAME}}`])
    expect(JSON.stringify(head)).not.toContain(SECRET)
  })

  test('sends nothing if a variable is missing, or no header can carry it', async () => {
    const proxy = await startProxy(closing)
    const { origin, got } = await target()
    expect(await refusal(await proxy.ask(asking(origin)))).toMatchObject({
      status: 400,
      code: 'missing-variable',
      message: `The environment variable "${NAME}" isn't set where Periscope runs.`,
    })
    vi.stubEnv(NAME, `${SECRET}\r\nX-Injected: 1`)
    const refused = await refusal(await proxy.ask(asking(origin)))
    expect(refused).toMatchObject({ status: 400, code: 'bad-variable' })
    expect(JSON.stringify(refused)).not.toContain(SECRET)
    expect(got).toEqual([])
  })

  test('refuses another origin than the one that the user connected to, and any place but a header’s value', async () => {
    vi.stubEnv(NAME, SECRET)
    const proxy = await startProxy(closing)
    const { origin, got } = await target()
    const elsewhere = await refusal(await proxy.ask(asking(origin, { origin: 'https://mcp.example' })))
    expect(elsewhere).toMatchObject({ status: 400, code: 'bad-request' })
    for (const wrong of [{ url: true }, { body: true }, { headers: [2] }, { headers: [-1] }, { names: ['A B'] }])
      expect((await proxy.ask(asking(origin, wrong as never))).status).toBe(400)
    expect(got).toEqual([])
    // Without being marked, text stays as it is in the path and the body.
    await drain(await proxy.ask({ url: `${origin}/?q=\${env:${NAME}}` }))
    expect(decodeURIComponent(got[0]![0]!)).toBe(`/?q=\${env:${NAME}}`)
  })
})
