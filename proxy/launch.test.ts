import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { firstUrl, LaunchCodes, type LaunchContext, openBrowser, printOnEnter } from './launch.ts'

const origin = 'http://127.0.0.1:6275'
const launching = (): LaunchContext & { readonly said: string[] } => {
  const said: string[] = []
  return { origin, codes: new LaunchCodes(), say: (line) => said.push(line), said }
}
const codeIn = (text: string): string => /#launch=([\w-]+)/.exec(text)![1]!
const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test.runIf(process.platform !== 'win32')(
  'the opener gets a file that this user alone can read, which is gone once its code is used',
  async () => {
    const { codes, ...rest } = launching()
    let opened = ''
    await openBrowser({ codes, ...rest }, (target) => Promise.resolve((opened = target)))
    expect(opened).not.toMatch(/launch=|http/)
    expect([mode(opened), mode(dirname(opened))]).toEqual(['600', '700'])
    const text = await readFile(opened, 'utf8')
    expect(text).toContain(`content="0;url=${origin}/#launch=`)
    expect(codes.redeem(codeIn(text))).toBe('ok')
    await expect.poll(() => statSync(dirname(opened), { throwIfNoEntry: false })).toBeUndefined()
    expect(codes.redeem(codeIn(text))).toBe('used')
  },
)

test.each([
  ['at once', () => Promise.reject(new Error('none'))],
  ['after the opener has started', (_: string, onFailed: () => void) => Promise.resolve(onFailed())],
])('where no browser opens, %s, it is said', async (_, open) => {
  const { said, ...rest } = launching()
  await openBrowser(rest, open)
  expect(said).toEqual(['Could not open a browser. Open the URL above.'])
})

test('an empty line prints another URL; what answers to another program prints none', async () => {
  const { said, ...rest } = launching()
  const first = codeIn(firstUrl(rest))
  const stdin = new PassThrough()
  printOnEnter(rest, stdin as unknown as NodeJS.ReadStream)
  stdin.write('y\ny\ny\n')
  stdin.write('\n')
  await expect.poll(() => said).toHaveLength(1)
  expect(said[0]).toMatch(/^Another URL, which works once, within 60 s: http/)
  const second = codeIn(said[0]!)
  expect(second).not.toBe(first)
  expect([rest.codes.redeem(second), rest.codes.redeem(first)]).toEqual(['ok', 'ok'])
})
