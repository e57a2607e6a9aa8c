/** Problems found by the elicitation form and URL view, as lint rules. */
import type { JsonObject } from '../../mcp/index.ts'
import { type FeatureFinding, type FeatureRules, step } from '../../lint/index.ts'
import { requestReader } from '../server-requests/index.ts'
import { readAddress, type AddressFault } from './address.ts'
import { readFormSchema } from './form-schema.ts'
import { readElicitation } from './modes.ts'
import { secretsIn } from './secrets.ts'
import en from './text/en.ts'

const RULES = [
  'CF-ELIC-01', 'CF-ELIC-05', 'CF-FORM-01', 'CF-FORM-02', 'CF-FORM-03', 'CF-FORM-04', 'CF-FORM-05', 'CF-FORM-06', 'CF-FORM-09', 'CF-FORM-10',
  'CF-URL-02', 'CF-URL-05', 'CF-URL-08', 'MRTR-09', 'SEC-04',
] as const // prettier-ignore

/** Faults that servers must avoid. Other misleading URLs are allowed, and the user is warned. */
const ASKED_OF_SERVERS: ReadonlySet<AddressFault> = new Set(['plain-http', 'credential'])

export const elicitationRules: FeatureRules = {
  rules: RULES,
  watch: () => {
    const requests = requestReader('elicitation/create')
    return {
      message(observed, report) {
        for (const { params, pointer } of requests(observed)) {
          for (const found of findingsIn(params, observed.revision)) {
            report({ ...found, pointer: pointer + (found.pointer ?? ''), related: observed.asked?.seq })
          }
        }
      },
    }
  },
}

const findingsIn = (params: JsonObject, revision: string | undefined): readonly FeatureFinding[] => {
  const { mode, findings } = readElicitation(params, revision)
  // The lint itself reports protocol versions without this request (LC-09).
  const own = findings.filter(({ code }) => code !== 'not-in-revision')
  const found: FeatureFinding[] = own.map((each) => ({
    ...each,
    explanation: en.modeFinding(each.code, each.found ?? ''),
  }))
  if (mode === 'url') return [...found, ...addressFindings(params)]
  if (mode !== 'form') return found
  for (const { key, word } of secretsIn(params)) {
    const pointer = key === undefined ? '/message' : step('/requestedSchema/properties', key)
    const explanation = `${en.secret}: ${en.secretSign(key, word)}`
    found.push({ rule: 'CF-FORM-09', keyword: 'MUST NOT', explanation, pointer })
  }
  for (const each of readFormSchema(params, revision).findings) {
    const pointer = each.pointer === '/message' ? each.pointer : `/requestedSchema${each.pointer}`
    found.push({ ...each, pointer, explanation: en.schemaFinding(each.code, each.found ?? '') })
  }
  return found
}

const addressFindings = ({ url }: JsonObject): readonly FeatureFinding[] => {
  const { href, findings } = readAddress(url)
  return findings.map((each) => ({
    rule: each.rule,
    keyword: href === undefined || ASKED_OF_SERVERS.has(each.code) ? each.keyword : 'MAY',
    explanation: en.addressFinding(each.code, each.found ?? ''),
    pointer: '/url',
  }))
}
