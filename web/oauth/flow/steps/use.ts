/** The tokens are what was asked for, and the server takes them (AU-GEN-02, AU-GEN-04, AU-SCOPE-08). */
import { scopesOf, type TokenSet, tokenFacts } from '../../model/index.ts'
import type { Port, Step } from '../../wire/index.ts'

export const use: Step = {
  id: 'use',
  rules: ['AU-GEN-02', 'AU-GEN-04', 'AU-SCOPE-08', 'AU-TOK-03', 'AU-TOK-06'],
  async run({ tokens }, port) {
    checkScopes(tokens!, port)
    for (const check of tokenFacts(tokens!, port.now()).checks) port.check(check)
    await port.use(tokens!)
    return {}
  },
}

const checkScopes = ({ requestedScope, scope }: TokenSet, port: Port): void => {
  const [asked, granted] = [scopesOf(requestedScope), scopesOf(scope)]
  const missing = asked.filter((one) => !granted.includes(one))
  const values = { asked: requestedScope ?? null, granted: scope ?? null, missing: missing.join(' ') }
  port.check({
    rule: 'AU-SCOPE-08',
    keyword: 'MUST',
    ...(missing.length > 0 ? {} : { ok: true }),
    say: missing.length > 0 ? 'scope-narrower' : 'scope-granted',
    values,
  })
}
