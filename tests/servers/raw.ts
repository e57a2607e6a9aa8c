/**
 * Tools of the peers' self-tests: fetch, spawn, and the minimum that a message needs. None of our code is involved, so
 * later failures are the client's.
 */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'

export type Headers = Record<string, string>

/** Part of a message. `jsonrpc` is added when it is sent. */
export interface Raw {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly [key: string]: unknown }
  readonly result?: { readonly [key: string]: any } // eslint-disable-line @typescript-eslint/no-explicit-any -- a peer's
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any } // eslint-disable-line @typescript-eslint/no-explicit-any -- a peer's
}

export const MODERN = '2026-07-28'
export const NEWEST_HANDSHAKE = '2025-11-25'

/** A request of 2026-07-28, which states the client and its capabilities each time. */
export const modern = (id: unknown, method: string, params: Raw['params'] = {}, capabilities: object = {}): Raw => ({
  id,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      ...(params['_meta'] as object | undefined),
    },
  },
})

export const initialize = (id: unknown = 0, protocolVersion = NEWEST_HANDSHAKE): Raw => ({
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '0' } },
})

export const initialized: Raw = { method: 'notifications/initialized' }

/** The headers that belong to a stateless request. */
const headersOf = ({ method, params }: Raw): Headers => {
  const meta = params?.['_meta'] as { readonly [key: string]: unknown } | undefined
  if (meta?.['io.modelcontextprotocol/protocolVersion'] === undefined) return {}
  const name = params?.['name'] ?? params?.['uri'] ?? params?.['taskId']
  return {
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method ?? '',
    ...(name === undefined ? {} : { 'Mcp-Name': name as string }),
  }
}

/** POSTs one message, or several as a batch. */
export const post = (
  url: string,
  message: Raw | Raw[],
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(Array.isArray(message) ? {} : headersOf(message)),
      ...headers,
    },
    body: JSON.stringify(
      Array.isArray(message) ? message.map((each) => ({ jsonrpc: '2.0', ...each })) : { jsonrpc: '2.0', ...message },
    ),
    signal,
  })

/** A body until it ends or breaks. */
export const read = async (response: Response): Promise<{ text: string; broken: boolean }> => {
  const chunks: Uint8Array[] = []
  const text = () => Buffer.concat(chunks).toString()
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
    return { text: text(), broken: false }
  } catch {
    return { text: text(), broken: true }
  }
}

/** The data of complete events. */
export const eventsIn = (text: string): string[] =>
  (text.match(/[\s\S]*?\n\n/g) ?? []).flatMap((block) => {
    const data = [...block.matchAll(/^data: ?(.*)$/gm)].map(([, line]) => line)
    return data.length === 0 ? [] : [data.join('\n')]
  })

/** The response to one message, as JSON or as events. */
export const ask = async (url: string, message: Raw | Raw[], headers: Headers = {}) => {
  const response = await post(url, message, headers)
  const { text, broken } = await read(response)
  const stream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '')
  const messages = (stream ? eventsIn(text) : [text]).flatMap((each) => {
    try {
      return [JSON.parse(each) as Raw]
    } catch {
      return []
    }
  })
  return { status: response.status, headers: response.headers, text, broken, messages, last: messages.at(-1) }
}

/** Reads events as they arrive. `next` resolves to undefined once the stream has ended or broken. */
export const follow = async (url: string, message: Raw) => {
  const stop = new AbortController()
  const response = await post(url, message, {}, stop.signal)
  const reader = response.body!.getReader()
  let rest = ''
  let ended = false
  const waiting: string[] = []
  const decoder = new TextDecoder()
  return {
    response,
    stop: () => stop.abort(),
    next: async (): Promise<Raw | undefined> => {
      while (waiting.length === 0 && !ended) {
        const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
        ended = done
        rest += decoder.decode(value, { stream: !done })
        const whole = rest.lastIndexOf('\n\n') + 2
        if (whole < 2) continue
        waiting.push(...eventsIn(rest.slice(0, whole)))
        rest = rest.slice(whole)
      }
      const data = waiting.shift()
      return data === undefined ? undefined : (JSON.parse(data) as Raw)
    },
  }
}

/**
 * Starts one of the scripts here, or any script by its full path. Always end it: `end` closes stdin, `kill` forces it.
 */
export const run = (script: string, ...args: string[]) => {
  const child = spawn(process.execPath, [resolve(import.meta.dirname, script), ...args], { stdio: 'pipe' })
  const out: Buffer[] = []
  const err: Buffer[] = []
  let over = false
  child.stdout.on('data', (chunk: Buffer) => void out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => void err.push(chunk))
  // Ignore writes to a process that has exited.
  child.stdin.on('error', () => {})
  const ended = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      over = true
      resolve(code)
    }),
  )
  const text = () => Buffer.concat(out).toString()
  const messages = (): Raw[] =>
    text()
      .split('\n')
      .flatMap((line) => {
        try {
          return line === '' ? [] : [JSON.parse(line) as Raw]
        } catch {
          return []
        }
      })
  return {
    text,
    messages,
    stderr: () => Buffer.concat(err).toString(),
    bytes: () => Buffer.concat(out),
    ended,
    send: (...sent: (Raw | Raw[])[]) =>
      void child.stdin.write(
        sent
          .map((each) =>
            Array.isArray(each)
              ? JSON.stringify(each.map((one) => ({ jsonrpc: '2.0', ...one })))
              : JSON.stringify({ jsonrpc: '2.0', ...each }),
          )
          .map((line) => `${line}\n`)
          .join(''),
      ),
    /** The first matching message, once it arrives. Rejects if the process exits without it. */
    until: async (fits: (message: Raw) => boolean): Promise<Raw> => {
      for (;;) {
        const found = messages().find(fits)
        if (found) return found
        if (over) throw new Error(`Ended without it. stdout:\n${text()}\nstderr:\n${Buffer.concat(err).toString()}`)
        await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended])
      }
    },
    end: () => {
      child.stdin.end()
      return ended
    },
    kill: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}
