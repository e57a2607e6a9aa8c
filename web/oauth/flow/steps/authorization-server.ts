/** Which authorization server is asked, where several are offered (AU-PRM-06, AU-PRM-07). */
import { fault, safeUrl } from '../../model/index.ts'
import type { Step } from '../../wire/index.ts'

export const authorizationServer: Step = {
  id: 'authorization-server',
  rules: ['AU-PRM-06', 'AU-PRM-07', 'AU-ASM-07', 'AU-0326-01'],
  async run({ server, offered = [] }, port) {
    const given = port.options.authorizationServer
    const origin = new URL(server).origin
    const all = port.profile.has('originIsIssuer') ? [origin] : offered
    const usable = all.filter((issuer) => safeUrl(issuer, server) !== undefined)
    const refused = all.filter((issuer) => !usable.includes(issuer))
    for (const issuer of refused) {
      const values = { issuer: issuer.slice(0, 300) }
      port.check({ rule: 'AU-ASM-07', keyword: 'MUST', ok: false, say: 'issuer-unsafe', values })
    }
    if (given !== undefined && safeUrl(given, server)) {
      port.check({ rule: 'AU-PRM-04', keyword: 'MAY', ok: true, say: 'issuer-by-hand', values: { issuer: given } })
      return { issuer: given, byOrigin: false }
    }
    if (usable.length === 0) {
      const why = 'No address among those offered can be asked: https, or http on loopback beside a server there'
      await port.stop(
        fault('unsafe-url', why, 'AU-ASM-07', { urls: refused.slice(0, 5).map((one) => one.slice(0, 300)) }),
      )
      return {}
    }
    const issuer = await port.choose(usable)
    const values = { issuer, count: usable.length }
    port.check({ rule: 'AU-PRM-06', keyword: 'MUST', ok: true, say: 'issuer-chosen', values })
    return { issuer, ...(port.profile.has('originIsIssuer') ? { byOrigin: true } : {}) }
  },
}
