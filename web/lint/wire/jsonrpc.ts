/** JSON-RPC: request IDs and their responses, batches, and error codes. */
import { type LinkView, objectAt, type Observed } from '../link.ts'
import { group, type Say, show } from '../rule.ts'
import { isObject, type Json } from '../../mcp/index.ts'

// Request IDs and responses: the right sender, one response each, under the same ID.

const ID_RULES = ['BP-04', 'BP-05', 'BP-06', 'BP-10', 'BP-12', 'TR-HTTP-18'] as const
type IdRule = (typeof ID_RULES)[number]

export const ids = group(ID_RULES, (view) => ({
  message(heard, say) {
    if (heard.kind === 'request') checkRequest(heard, view, say)
    else if (heard.kind === 'answer') checkResponse(heard, view, say)
  },
  byHand({ id }, before, say) {
    if (!before) return
    const related = before.seq
    say('BP-04', `The client already used the id ${show(id)} for another request in this session`, { related })
    if (before.state === 'pending') {
      say('BP-05', `The client used the id ${show(id)} of a pending request`, { related })
    }
  },
}))

const checkRequest = ({ id, method, at, before, frame, carrier }: Observed, view: LinkView, say: Say<IdRule>): void => {
  const pointer = `${at}/id`
  if (method!.startsWith('notifications/')) {
    say('BP-10', `${show(method)} is a notification but has the id ${show(id)}`, { pointer })
  }
  if (view.isModern)
    say('BP-12', `The server sent the request ${show(method)}; since 2026-07-28, servers can't send requests`)
  if (!before) return
  const related = before.seq
  const elsewhere = carrier && before.carrier && before.carrier.root !== carrier.root
  if (elsewhere && before.method === method && before.seq !== frame.seq) {
    say('TR-HTTP-18', `The request ${show(id)} already came on another stream`, { pointer, related })
  }
  say('BP-04', `The server already used the id ${show(id)} for another request in this session`, { pointer, related })
  if (before.state === 'pending') {
    say('BP-05', `The id ${show(id)} belongs to a pending request`, { pointer, related })
  }
}

const checkResponse = (
  { id, at, asked, answer, message, carrier }: Observed,
  view: LinkView,
  say: Say<IdRule>,
): void => {
  const pointer = `${at}/id`
  if (answer === 'second') {
    const related = asked!.answer
    say('BP-06', `The request ${show(id)} already has a response`, { pointer, related })
    if (carrier && asked!.carrier && asked!.carrier.root !== carrier.root) {
      say('TR-HTTP-18', `The response to ${show(id)} came on two streams`, { pointer, related })
    }
    return
  }
  if (answer !== 'unknown' || id === undefined) {
    // BP-08 allows an error without an ID. Over HTTP, the exchange shows which request it belongs to.
    if (answer === undefined && carrier && carrier.posted > 0 && carrier.asked.length === 0 && 'error' in message) {
      if (carrier.response && carrier.response.status < 300) {
        say('BP-10', 'The POST contains no request but got a response message', { related: carrier.seq })
      }
    }
    return
  }
  const like = view.sent.byLikeId(id)
  if (like) {
    const was = `its request has ${show(like.id)}, a ${typeof like.id}`
    return say('BP-06', `The response has the id ${show(id)}, a ${typeof id}; ${was}`, { pointer, related: like.seq })
  }
  if (!view.sent.forgot) say('BP-06', `No request with the id ${show(id)} was sent`, { pointer })
}

// Batches: arrays of messages, which only one protocol version has (2025-03-26).

// BP-22 and BP-23 restrict what a client may POST. A server may mix messages on a stream, so neither applies here.
export const batches = group(['BP-24', 'BP-25'], (view) => ({
  whole(frame, _, say) {
    if (frame.type !== 'batch' || !Array.isArray(frame.message) || view.revision === undefined) return
    const { length } = frame.message
    say('BP-25', `An array of ${length} messages; ${view.revision} doesn't support batches, only 2025-03-26 does`)
  },
  completed(_, carrier, say) {
    if (carrier.asked.length < 2 || carrier.withIds) return
    const missing = carrier.asked.filter(({ state }) => state === 'pending')
    // A server may accept the requests with 202 and respond on the GET stream.
    if (missing.length === 0 || carrier.response?.status !== 200) return
    const done = carrier.asked.length - missing.length
    say('BP-24', `The response to the batch ended after ${done} of ${carrier.asked.length} responses`, {
      related: missing[0]!.seq,
    })
  },
}))

// Error codes: the protocol versions that have them, their data, and their HTTP status.

const CODE_RULES = ['BP-32', 'BP-33', 'BP-34', 'BP-35', 'BP-38', 'TR-HDR-03', 'VN-25'] as const
type CodeRule = (typeof CODE_RULES)[number]

const NAMES: Readonly<Record<number, string>> = {
  [-32020]: 'HeaderMismatch',
  [-32021]: 'MissingRequiredClientCapability',
  [-32022]: 'UnsupportedProtocolVersion',
}
const JSON_RPC: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32603])

export const errorCodes = group(CODE_RULES, (view) => ({
  message(heard, say) {
    const code = heard.error?.code
    if (heard.kind !== 'answer' || typeof code !== 'number' || !Number.isInteger(code)) return
    const related = heard.asked?.seq
    const pointer = `${heard.at}/error/code`
    const modern = heard.revision === '2026-07-28'
    if (modern && NAMES[code]) named(heard, code, NAMES[code], say)
    else if (modern && code <= -32020 && code >= -32099) {
      const what = `The specification reserves -32020 to -32099 and doesn't define ${code}`
      say('BP-32', what, { pointer, related })
    } else if (code >= -32768 && code < -32099 && !JSON_RPC.has(code)) {
      say('BP-38', `${code} is in the range that JSON-RPC reserves`, { pointer, related })
    }
    if (code === -32042) {
      const list = objectAt(heard.error, 'data')?.elicitations
      const found = Array.isArray(list) ? `${list.length} entries` : show(list)
      const ok = Array.isArray(list) && list.length > 0 && (list as readonly Json[]).every(isByUrl)
      if (!ok) {
        const what = `data.elicitations must list elicitations in "url" mode; found ${found}`
        say('BP-34', what, { pointer: `${heard.at}/error/data/elicitations`, related })
      }
    }
    resource(heard, code, say)
    const status = heard.carrier?.response?.status
    // If a name was requested, the method may exist without that name.
    const lacks = code === -32601 && heard.asked?.subject === undefined
    if (modern && lacks && status !== undefined && status !== 404 && !view.oldSse) {
      say('VN-25', `HTTP ${status} with -32601; expected 404 for an unknown method`, { pointer, related })
    }
  },
}))

const isByUrl = (entry: Json): boolean => isObject(entry) && entry.mode === 'url'

/** BP-33 */
const named = ({ error, carrier, at, asked }: Observed, code: number, name: string, say: Say<CodeRule>): void => {
  const related = asked?.seq
  const status = carrier?.response?.status
  if (status !== undefined && status !== 400) {
    const what = `HTTP ${status} with ${code} ${name}; expected 400`
    say('BP-33', what, { pointer: `${at}/error/code`, related })
    if (code === -32022) say('TR-HDR-03', what, { pointer: `${at}/error/code`, related })
  }
  const data = objectAt(error, 'data')
  const fault = (key: string, due: string) =>
    say('BP-33', `${name} requires data.${key}, ${due}; found ${show(data?.[key])}`, {
      pointer: `${at}/error/data/${key}`,
      related,
    })
  if (code === -32021 && !isObject(data?.requiredCapabilities)) fault('requiredCapabilities', 'an object')
  if (code === -32022 && !Array.isArray(data?.supported)) fault('supported', 'an array of protocol versions')
  if (code === -32022 && typeof data?.requested !== 'string') fault('requested', 'the requested protocol version')
}

/**
 * BP-35: the code for a missing resource changed. If the code is ambiguous, only the message text shows that the
 * resource is missing.
 */
const resource = ({ error, method, at, asked, revision }: Observed, code: number, say: Say<CodeRule>): void => {
  if (method !== 'resources/read' || revision === undefined) return
  const details = { pointer: `${at}/error/code`, related: asked?.seq }
  if (revision === '2026-07-28') {
    if (code === -32002) say('BP-35', 'Since 2026-07-28, a missing resource is -32602; found -32002', details)
    return
  }
  const words = typeof error?.message === 'string' ? error.message.slice(0, 500) : ''
  if (code !== -32002 && code !== -32601 && /\b(not found|no such|does not exist|unknown resource)\b/i.test(words)) {
    say('BP-35', `Up to 2025-11-25, a missing resource is -32002; found ${code}`, details)
  }
}
