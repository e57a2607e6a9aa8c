/**
 * What stands where a secret could be, and is none: the name of a secret, as in a manifest that refers to one; the rights
 * that somebody has to secrets; the rules that a value must follow.
 */
import type { Names } from './secret-names.ts'

/** Verbs that name a right to something. */
const RIGHTS: ReadonlySet<string> = new Set(
  (
    'get list set put delete remove backup restore recover purge create read write update patch watch revoke rotate renew import export ' +
    'sign verify encrypt decrypt wrap unwrap release manage admin all use view edit issue generate describe tag untag copy deny sudo none any'
  ).split(' '),
)

/** `get`, `wrapKey`, `DeleteSecret`, `*`: what somebody may do. */
export const isRight = (value: string): boolean => {
  if (value === '*') return true
  const words = value
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
  return (
    value.length < 32 &&
    /^[A-Za-z]+(?:[_ :-][A-Za-z]+)?$/.test(value) &&
    RIGHTS.has(words[0]!) &&
    (words.length === 1 ||
      (words.length === 2 && /^(?:secret|key|token|password|credential|certificate)s?$/.test(words[1]!)))
  )
}

const IDENTIFIER = /^(?=.*(?:[a-z][A-Z]|[_-]))[A-Za-z]+(?:[_-][A-Za-z]+)*$/

/** `secretKey: smtpPassword`: programs name their secrets like that, and look them up by it. A password may be any word. */
export const isNameOfSecret = (value: string, ruleId: string, names: Names): boolean =>
  ruleId !== 'name:password' &&
  ruleId !== 'name:recovery' &&
  value.length < 60 &&
  IDENTIFIER.test(value) &&
  names.of(value, 'variable') !== undefined

/** `db_root`, `registry-pull`: which secret a service may read, in a list of them. */
export const isIdOfSecret = (value: string): boolean =>
  /^[a-z][a-z]*\d{0,2}(?:[_-](?:[a-z]+\d{0,2}|\d{1,2}))*$/.test(value)
