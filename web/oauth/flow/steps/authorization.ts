/** The authorization request (RFC 6749 section 4.1.1): the user signs in, in a window of the authorization server. */
import { fault, safeUrl } from '../../model/index.ts'
import type { Step } from '../../wire/index.ts'

/** Maximum length of a URL built here, perhaps with hundreds of scopes; the server may have a lower limit. */
const LONGEST = 200_000

export const authorization: Step = {
  id: 'authorization',
  rules: ['AU-FLOW-04', 'AU-FLOW-12', 'RFC 6749 section 4.1.1'],
  async run(known, port) {
    const { authorizationUrl, server, state } = known
    if (!safeUrl(authorizationUrl, server, LONGEST)) {
      const values = { url: authorizationUrl!.slice(0, 300) }
      port.check({ rule: 'AU-FLOW-12', keyword: 'MUST', ok: false, say: 'authorization-url-unsafe', values })
      const why = `Browsers can't be sent to ${values.url}`
      await port.stop(fault('unsafe-url', why, 'AU-FLOW-12', values))
    }
    return { returned: await port.consent(authorizationUrl!, state!, known) }
  },
}
