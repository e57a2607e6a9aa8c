/**
 * Secrets of a URL that no parameter names: a user and a password as segments of a path, private calendars, keys in a
 * fragment, short parameters beside the name of a user, answers to security questions.
 */
import type { FoundInText } from './found-in-text.ts'
import { chosenLikeness } from './chosen-words.ts'
import { isPlaceholder, looksSecret } from './heuristics.ts'
import { isSecurityQuestion } from './spoken-secrets.ts'

const RULE = 'pattern:link'
const URL_IN_TEXT = /(?<![\p{L}\p{N}])[a-z][a-z\d+.-]{1,12}:\/\/[^\s"'<>`\\)\]}]{6,2000}/giu
const MOST_URLS = 400

export const linksIn = (text: string, found: FoundInText): void => {
  if (!text.includes('://')) return
  let count = 0
  for (const { 0: url, index } of text.matchAll(URL_IN_TEXT)) {
    if (++count > MOST_URLS) return
    const add = (value: string, from: number, doubtful?: true): void => {
      if (value.length > 3 && !isPlaceholder(value))
        found({ from: index + from, to: index + from + value.length, rule: RULE, ...(doubtful ? { doubtful } : {}) })
    }
    pathOf(url, add)
    queryOf(url, add)
    fragmentOf(url, add)
  }
}

type Add = (value: string, from: number, doubtful?: true) => void

const plain = (written: string): string => {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '))
  } catch {
    return written
  }
}

/** `/live/user/…/1.ts`, as players of television get it. */
const PLAYED =
  /\/(?:live|movie|movies|series|timeshift|iptv|playlist|hls|xmltv|play)\/([^/?#\s]{2,40})\/([^/?#\s]{4,60})(?=\/\d+(?:\.\w{2,4})?|\/[\w-]{1,24}\.(?:m3u8?|ts|mkv|mp4|xml))/i
/** `/login/admin/…/go`: a user and what follows. */
const SIGNED_IN =
  /\/(?:auto)?(?:login|log-?on|sign-?in|auth|signon|einloggen|connexion|acceso|kiosk)\/(?!realms\/|tenants?\/|providers?\/)[\p{L}][\w.@%-]{1,40}\/([^/?#\s]{5,60})(?=[/?#]|$)/iu
/** `/private-…/basic.ics`, `/p-…/`. */
const PRIVATE =
  /\/(?:private|priv|secret|p|s|t|feed|token|key)[-_/]([\da-f]{20,64}|(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,80})(?=\/[\w.-]{0,40}\.?(?:ics|ical|rss|xml|json|atom|opml|m3u8?)?(?:[?#]|$))/

const pathOf = (url: string, add: Add): void => {
  const played = PLAYED.exec(url)
  if (played && !/^\d+$/.test(played[2]!)) add(played[2]!, played.index + played[0].length - played[2]!.length)
  const signed = SIGNED_IN.exec(url)
  if (signed && chosenLikeness(plain(signed[1]!)) > 0 && /\P{Ll}/u.test(signed[1]!.replace(/[-_]/g, '')))
    add(
      signed[1]!,
      signed.index + signed[0].length - signed[1]!.length,
      chosenLikeness(plain(signed[1]!)) > 1 || /\d/.test(signed[1]!) ? undefined : true,
    )
  const hidden = PRIVATE.exec(url)
  if (
    hidden &&
    (/\.(?:ics|ical|rss|atom|opml|m3u8?)|calendar|feed/i.test(url) || /\/(?:private|secret|priv)[-_/]/.test(hidden[0]))
  )
    add(hidden[1]!, hidden.index + hidden[0].length - hidden[1]!.length)
  const end = url.search(/[?#]/)
  const path = url.slice(0, end < 0 ? url.length : end)
  const host = path.indexOf('/', path.indexOf('://') + 3)
  if (host < 0) return
  // `…/reunion/aQ3x-heron-Wm9/all`: a share is known by its name alone.
  for (const { 0: segment, index } of path.slice(host).matchAll(/(?<=\/)[^/]{8,40}(?=\/|$)/g)) {
    if (!/^(?=[^\d]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]+$/.test(segment)) continue
    const parts = segment.split(/[-_]/)
    const isRandom = parts.some(
      (part) => part.length > 4 && /\d/.test(part) && /[a-z][A-Z]/.test(part) && /[A-Z\d][a-z]/.test(part),
    )
    if (parts.length > 1 && isRandom && !/^[A-Z]{2,10}-?\d/.test(segment)) add(segment, host + index, true)
  }
}

const PAIR = /[?&;]([^=&#;]{1,40})=([^&#]*)/g
const USERS =
  /^(?:l|u|un|usr|user|username|user_?name|login|log|acct|account|email|mail|uid|name|benutzer|usuario|utilisateur)$/i
const SHORT = /^(?:p|pw|pwd|ps|pass|word|c|code|secret|k|x)$/i
const ASKS = /^(?:q|question|asked|challenge|security_?question|sq|hint)\d?$/i
const ANSWERS = /^(?:a|ans|answer|reply|replied|response|sa|security_?answer)\d?$/i

const queryOf = (url: string, add: Add): void => {
  const query = url.indexOf('?')
  if (query < 0) return
  const pairs = Array.from(url.slice(query).matchAll(PAIR), ({ 0: all, 1: name, 2: value, index }) => ({
    name: plain(name!),
    value: value!,
    from: query + index + all.length - value!.length,
  }))
  if (pairs.length < 2) return
  const asks = pairs.some(({ name, value }) => ASKS.test(name) && isSecurityQuestion(plain(value)))
  const users = pairs.some(
    ({ name, value }) => USERS.test(name) && /^[\p{L}][\p{L}\p{N}.@_ -]{1,60}$/u.test(plain(value)),
  )
  for (const { name, value, from } of pairs) {
    if (asks && ANSWERS.test(name)) add(value, from)
    else if (users && SHORT.test(name) && !/^\d{1,4}$/.test(value)) {
      const read = plain(value)
      if (chosenLikeness(read) > 1 || looksSecret(read) || /[!$*?~#^]/.test(read)) add(value, from)
      else if (chosenLikeness(read) === 1) add(value, from, true)
    }
  }
}

/** A random key behind `#` never reaches the server: it decrypts what the page loads. */
const fragmentOf = (url: string, add: Add): void => {
  const hash = url.indexOf('#')
  if (hash < 0) return
  const key = /^#(?:[\w!-]{0,24}[=!/,])?((?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{16,100}={0,2})$/.exec(
    url.slice(hash),
  )?.[1]
  if (key === undefined || !looksSecret(key)) return
  // `#Heading-With-Words-2`: words, not a key.
  if (key.split(/[-_]/).every((part) => /^(?:[A-Z]?[a-z]*|[A-Z]+|\d{1,4}|[A-Z]?[a-z]{2,}\d{0,2})$/.test(part))) return
  add(key, hash + url.slice(hash).indexOf(key))
}
