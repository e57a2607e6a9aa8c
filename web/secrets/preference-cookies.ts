/** Cookies that hold a theme, a language or a consent, and nothing of a session. */

/** Cookies of preferences, and those that are deleted. */
const PREFERENCE =
  /^(?:__?)?(?:[\w-]{0,24}[-_.])?(?:theme|dark_?mode|colou?r(?:_?scheme|_?mode)?|lang|language|locale|hl|i18n(?:_\w+)?|tz|timezone|time_?zone|consent|cookie_?(?:consent|policy|notice|banner)?|gdpr|ccpa|currency|country|region|layout|view|sidebar|font(?:_?size)?|zoom|units?|banner|seen|dismissed|tour|width|height|dpr|screen|platform|device|ab_?test|variant|experiment|referrer|utm_\w+|first_?visit|sort|page_?size|per_?page|w|h|_?g(?:a|id|at|cl)(?:_\w+)?|_?fbp|cookieconsent\w*)$/i
const ATTRIBUTES = /^(?:path|domain|expires|max-age|samesite|secure|httponly|partitioned|priority|version)$/i

/** Values that anybody may have, in a few languages: of themes, languages, sizes, sorting. */
const COMMON =
  /^["']?(?:\d{1,2}|[a-z]{2}(?:[-_][A-Za-z]{2})?|dark|light|auto|system|default|dunkel|hell|sombre|clair|oscuro|claro|scuro|chiaro|escuro|donker|licht|m[oö]rk[te]?|ljust?|lyst?|ciemny|jasny|tmav[yý]|sv[eě]tl[yý]|koyu|[aä][cç][iı]k|small|medium|large|klein|mittel|gro(?:ß|ss)|petit|grand|grid|list|table|asc|desc|on|off|none|all|open|eur|usd|gbp|metric|imperial)["']?$/i
const OF_SESSION = /sess|sid|token|auth|user|usr|login|pass|pin|code|secret|key|otp|(?:^|[-_.])id$/i

/** Whether a `Cookie` or `Set-Cookie` says nothing of a session. */
export const isPreference = (cookies: string): boolean =>
  cookies.split(/;\s*/).every((cookie) => {
    const [name = '', ...rest] = cookie.split('=')
    const value = rest.join('=')
    if (ATTRIBUTES.test(name.trim())) return true
    // A value without a name may be anything.
    if (rest.length === 0) return false
    if (
      /^["']?(?:deleted|expired|dismiss(?:ed)?|accept(?:ed)?|closed|hidden|shown|yes|no|ok|sim|s[ií]|oui|non|ja|nein|nee|nej|tak|nie|ano|da|den(?:y|ied)|true|false|\d)?["']?$/i.test(
        value,
      )
    )
      return true
    if (COMMON.test(value) && !OF_SESSION.test(name)) return true
    return (
      PREFERENCE.test(name.trim()) &&
      value.length < 40 &&
      !/[^a-z|,]:|:(?!yes|no|true|false|\d\b)|[A-Za-z]\d[A-Za-z]\d|\d[A-Za-z]{2,}\d/.test(value)
    )
  })
