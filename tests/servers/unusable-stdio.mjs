/**
 * A process that can't be used as a server: `node unusable-stdio.mjs KIND [FILE]`. It responds to every request in a framing
 * that isn't the one of stdio (TR-STDIO-02), or ends at once unless it gets what it lacks. Each start adds one character to FILE.
 */
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [, , kind, file] = process.argv
if (file) appendFileSync(file, 'x')

const info = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'unusable', version: '1' } }
const print = (text) => process.stdout.write(text)

const WRITE = {
  'no-newline': (json) => print(json),
  'content-length': (json) => print(`Content-Length: ${json.length}\r\n\r\n${json}`),
  'pretty-json': (json) => print(`${JSON.stringify(JSON.parse(json), null, 2)}\n`),
  'utf-16': (json) => process.stdout.write(Buffer.from(`\uFEFF${json}\n`, 'utf16le')),
  colour: (json) => print(`\u001B[32m${json}\u001B[0m\n`),
  concatenated: (json) => print(`${json}${json}\n`),
  prefix: (json) => print(`[info] sending ${json}\n`),
  'not-json': (json) => print(`${json.replaceAll('"', "'").replaceAll('null', 'None')}\n`),
  'other-id': (json) => print(`${JSON.stringify({ ...JSON.parse(json), id: 'another' })}\n`),
  'missing-variable': (json) => print(`${json}\n`),
  'serves-http': () => {},
  terminal: () => {},
  banner: () => {},
}

const END = {
  'missing-module': () => import(String('a-module-that-nobody-installed')),
  'missing-variable': () => {
    if (process.env.EXAMPLE_API_KEY) return
    throw new Error('EXAMPLE_API_KEY environment variable is required')
  },
  'missing-folder': () => appendFileSync('/no/such/folder/log.txt', ''),
  'missing-argument': () => {
    console.error('Usage: unusable-stdio KIND [FILE]')
    process.exit(2)
  },
}

if (kind === 'banner') print('weather 1.0 is ready\n')
if (kind === 'terminal') process.stderr.write('Password: ')
if (kind === 'serves-http') process.stderr.write(`Server listening on ${process.argv[4]}\n`)
await END[kind]?.()
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line)
  if (id !== undefined) WRITE[kind](JSON.stringify({ jsonrpc: '2.0', id, result: info, note: null }))
})
