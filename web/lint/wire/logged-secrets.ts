/** SEC-15: secrets in log messages, which hosts show and keep. */
import { secretsInWords } from '../../secrets/index.ts'
import { group, show } from '../rule.ts'

/** Characters of a log message that are searched. */
const LONGEST = 10_000
const SHORTEST = 6

/** What stands for a secret, or says something of one: `[redacted]`, `expired`, `${TOKEN}`, `12 of 40`. */
const NONE = /^[[<({$%*•x.…\s]|redacted|masked|hidden|^[\p{L}\s_.-]*$|^\d{1,5}$|^\d+ /iu

/** Names that are secrets in a header or an option, and often something else in a log: the key of a cache. */
const OFTEN_ELSE = /^(key|code|sid|session|session_?id|ticket|state|nonce|signature|hash|pin)$/i

export const loggedSecrets = group(['SEC-15'], () => ({
  message({ method, kind, params, at }, say) {
    if (kind !== 'notification' || method !== 'notifications/message' || params.data === undefined) return
    const text = (typeof params.data === 'string' ? params.data : JSON.stringify(params.data)).slice(0, LONGEST)
    for (const { from, to, name } of secretsInWords([text])) {
      const secret = text.slice(from, to).replace(/^(bearer|basic|token)\s+/i, '')
      if (OFTEN_ELSE.test(name)) continue
      // A long word that is the whole message may be anything.
      if (secret.length < SHORTEST || (from === 0 && to === text.length) || NONE.test(secret)) continue
      const where = name === '' ? '' : ` (${show(name)})`
      say('SEC-15', `The log message contains a secret${where} of ${secret.length} characters`, {
        pointer: `${at}/params/data`,
        once: true,
      })
      return
    }
  },
}))
