/** A kind over stdio; started by `era-stdio.mjs` and `garbage-stdio.mjs`. */
import { createInterface } from 'node:readline'
import { garbageKinds } from './garbage-kinds.ts'
import { garbageKind } from './eras/garbage.ts'
import { kinds } from './eras/kinds.ts'
import { batches, collect, handle } from './eras/serve.ts'
import { makePlace, type Exchange, type Kind, type Message } from './eras/wire.ts'

/** ms after which it exits, so that a failed test leaves no process behind. */
const LIFETIME = 60_000

export const serve = (name = ''): void => {
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (!kind || kind.only === 'http') {
    console.error(`No kind ${name}. There are:`)
    for (const [each, { says, only }] of Object.entries(kinds))
      if (only !== 'http') console.error(`  ${each.padEnd(32)}${says}`)
    process.exit(2)
  }
  serveKind(kind)
}

/** @param words the kind of garbage, and settings as `name=value` */
export const serveGarbage = (words: readonly string[]): void => {
  const kind = garbageKind(words.map((word) => (word.includes('=') ? pair(word) : ['kind', word])))
  if (!kind) {
    console.error(`No such garbage: ${words.join(' ')}. There are:`)
    for (const [each, { says }] of Object.entries(garbageKinds)) console.error(`  ${each.padEnd(32)}${says}`)
    process.exit(2)
  }
  serveKind(kind)
}

const pair = (word: string): [string, string] => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]

const serveKind = (kind: Kind): void => {
  const place = makePlace()
  setTimeout(() => process.exit(0), LIFETIME).unref()
  const raw = (text: string | Uint8Array) => {
    process.stdout.write(typeof text === 'string' ? `${text}\n` : Uint8Array.from([...text, 10]))
  }
  const say = (message: object) => raw(JSON.stringify({ jsonrpc: '2.0', ...message }))

  const exchangeFor = (message: Message): Exchange => {
    const { id } = message
    const cancelled = () => !still
    let still = true
    const gone: (() => void)[] = []
    if (id !== undefined && message.method !== undefined)
      cancel.set(JSON.stringify(id), () => {
        still = false
        for (const then of gone) then()
      })
    return {
      message,
      place,
      say,
      raw,
      answer: (result) => say({ id, result }),
      refuse: (code, words, { data } = {}) => say({ id, error: { code, message: words, data } }),
      finish: () => {},
      // Flush pending output first.
      die: () => void process.stdout.write('', () => process.exit(1)),
      pause: (ms) => new Promise((resolve) => setTimeout(() => resolve(!cancelled()), ms)),
      onGone: (then) => void gone.push(then),
    }
  }
  const cancel = new Map<string, () => void>()

  const take = async (message: Message): Promise<void> => {
    place.seen.push({ method: 'line', headers: {}, message })
    if (message.method === 'notifications/cancelled') cancel.get(JSON.stringify(message.params?.['requestId']))?.()
    await handle(kind, exchangeFor(message))
  }

  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line) as Message | Message[]
    if (isBatched(kind, message)) void takeBatch(message)
    else if (Array.isArray(message)) say({ error: { code: -32600, message: 'Batches are not for this revision' } })
    else void take(message)
  })

  const takeBatch = async (message: Message | Message[]): Promise<void> => {
    const all = Array.isArray(message) ? message : [message]
    place.seen.push({ method: 'line', headers: {}, message })
    for (const part of batches(kind, await collect(kind, all.map(exchangeFor)))) {
      raw(JSON.stringify(part))
      if (kind.batch === 'parts') await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

const isBatched = (kind: Kind, message: Message | Message[]): boolean =>
  kind.batch !== undefined && (Array.isArray(message) || message.method !== 'initialize')
