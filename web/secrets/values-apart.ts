/**
 * Names and values that no colon or equals sign joins: options of commands, lines with a space between the two, dots that
 * lead from one to the other, dashes, pairs of a log, names beside a quotation, identity numbers.
 */
import { areWordsInPlace, chosenLikeness, isWordsOfPassword } from './chosen-words.ts'
import type { FoundInText } from './found-in-text.ts'
import { isFieldState } from './field-descriptions.ts'
import { isPhrase, isPlace, isPlaceholder, isRandomKey, isSecretOf, isTypedCode, looksSecret } from './heuristics.ts'
import type { Names } from './secret-names.ts'

export const apartIn = (text: string, names: Names, found: FoundInText): void => {
  if (text.includes('-')) optionsIn(text, names, found)
  linesIn(text, names, found)
  if (text.includes('"')) quotedLinesIn(text, names, found)
  if (LEADS.test(text)) leadersIn(text, names, found)
  wordsIn(text, found)
  if (text.includes('_')) pairsIn(text, names, found)
  if (text.includes('"') || text.includes("'")) mentionsIn(text, names, found)
  if (/\p{Nd}{2}/u.test(text)) identityNumbersIn(text, names, found)
  behindDashesIn(text, names, found)
}

const SAYS =
  /^(?:is|are|was|were|has|had|must|may|can|cannot|requires?|needs?|option|flag|argument|and|or|with|without|instead|via|over|on|in|by|as|at|of|if|when|should|does|to|from|for|not|will|wird|ist|est|es|è|не)$/i

/** `--token …`, `-key …`. */
const optionsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: name = '', 2: quote = '', 3: value = '', index, 0: all } of text.matchAll(
    /(?<=^|[\s"'(])--?((?:[A-Za-z][\w-]|(?=\P{ASCII})\p{L}[\p{L}\p{M}\p{N}_-])(?:[\w-]|(?=\P{ASCII})[\p{L}\p{M}]){0,39})[ =]+(["']?)([^\s"'-][^\s"']*)/gu,
  )) {
    const rule =
      names.of(name, 'variable') ?? (/^key$/i.test(name) ? { id: 'name:key', ambiguous: true as const } : undefined)
    // `--password is deprecated`
    if (!rule || isPlaceholder(value, name) || isPlace(value) || SAYS.test(value)) continue
    const from = index + all.length - value.length
    if (looksSecret(value) || (quote !== '' && isSecretOf(rule, value)) || (rule.digits && /^\d{4,}$/.test(value)))
      found({ from, to: from + value.length, rule: rule.id })
    // Behind a program and its options, a word is a value too.
    else if (!rule.ambiguous && all.startsWith('--')) found({ from, to: from + value.length, rule: rule.id })
  }
}

/** `ENV API_KEY …`, `requirepass …`: a name and a value that nothing but a space separates. */
const linesIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: verb, 2: name = '', 3: value = '', index, 0: all } of text.matchAll(
    /^[ \t]*((?:ENV|ARG|#define|export|set|setx|setenv|SetEnv|set -\w{1,4}|declare -x|option|add|config)[ \t]+)?([\p{L}_][\p{L}\p{M}\p{N}_.-]{2,60})[ \t]+["']?([^\s"'=:#][^\s"']{3,500})["']?(?:[ \t]+\/[mM])?[ \t]*$/gmu,
  )) {
    const rule = names.of(name, 'variable')
    if (!rule || isPlaceholder(value, name) || isPlace(value) || !isSecretOf(rule, value)) continue
    // A column of numbers: `PUK1    31907744`.
    const column = rule.digits && /^\d{4,12}$/.test(value) && /^[ \t]*\S+(?:\t| {2})/.test(all)
    if (verb === undefined && !column && !looksSecret(value)) continue
    const from = index + all.lastIndexOf(value)
    found({ from, to: from + value.length, rule: rule.id })
  }
}

/** `sv_password "lemonade stand"`: a line with nothing but a name and a quotation. */
const quotedLinesIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /^[ \t]*(?:set[as]?[ \t]+)?([\p{L}_][\p{L}\p{M}\p{N}_.-]{2,60})[ \t]+"([^"\s][^"\n]{2,80})"[ \t]*;?[ \t]*$/gmu,
  )) {
    const rule = names.of(name, 'variable')
    if (!rule || !areWordsInPlace(rule, value)) continue
    const from = index + all.lastIndexOf(value)
    found({ from, to: from + value.length, rule: rule.id })
  }
}

/** Dots, strokes and dashes that lead from a name to its value. */
const LEADS = /\.{2}|·{2}|_{2}|…|-{3}|\. \./

/** `BIOS password .... …`: dots lead from the name to its value. */
const leadersIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 0: leader, index } of text.matchAll(
    /(?<![.·_…-])(?:\.{2,60}|·{2,60}|_{2,60}|…{1,20}|-{3,60}|(?:\. ){2,30}\.?)[:：]?[ \t]{0,8}(?=\S)/g,
  )) {
    const name =
      /(?:^|\n)[ \t>*•|-]{0,12}(?!\p{L}{3,12}ing )([\p{L}][\p{L}\p{M}\p{N} _'’()/.-]{1,40}?)[ \t:：]{0,8}$/u.exec(
        text.slice(Math.max(0, index - 70), index),
      )?.[1]
    const rule = name === undefined ? undefined : (names.of(name, 'variable') ?? names.of(bare(name), 'variable'))
    if (!rule) continue
    const from = index + leader.length
    const line = /^[^\r\n]{1,200}/.exec(text.slice(from, from + 240))?.[0].trimEnd() ?? ''
    if (rule.digits && /^[#*]?\p{Nd}(?:[ -]?\p{Nd}){3,22}[#*]?$/u.test(line) && isSecretOf(rule, line)) {
      found({ from, to: from + line.length, rule: rule.id })
      continue
    }
    const value = /^[^\s"'`<>]{3,200}$/.exec(line)?.[0] ?? ''
    if (value === '' || isPlaceholder(value, name) || isPlace(value) || !isSecretOf(rule, value)) continue
    if (
      looksSecret(value) ||
      chosenLikeness(value) > 0 ||
      ((rule.digits || rule.number) && /\p{Nd}{3}/u.test(value)) ||
      (rule.id === 'name:pin' && isTypedCode(value)) ||
      // In a form of such lines, a word is a value, too.
      (rule.id === 'name:password' &&
        !rule.ambiguous &&
        !/s$/i.test(name!) &&
        isFormOfLeaders(text, index) &&
        (isWord(value) || /^(?=.*\p{L}{3})[\p{L}\p{N}!?*#+-]{5,40}$/u.test(value)) &&
        !isStateOfField(value))
    )
      found({ from, to: from + value.length, rule: rule.id })
  }
}

const bare = (name: string): string => name.replace(/\s?\([^()]{0,40}\)/g, '').trim()

/** Another name, dots and a value stand in a line beside it. */
const isFormOfLeaders = (text: string, at: number): boolean =>
  (
    text
      .slice(Math.max(0, at - 300), at + 300)
      .match(
        /(?:^|\n)[ \t]{0,12}\p{L}[^\n.·]{1,40}[ \t]?(?:\.{3,60}|·{3,60})[ \t]{0,4}(?!\d{1,3}\s*(?:\n|$))\S[^\n]{2,}/gu,
      ) ?? []
  ).length > 1
const isWord = (value: string): boolean => /^\p{L}[\p{L}\p{M}-]{4,40}$/u.test(value)
const isStateOfField = (value: string): boolean =>
  isFieldState(value) ||
  /^(?:clear(?:ed)?|(?:not-)?installed|default|locked|unlocked|pass(?:ed)?|fail(?:ed)?|enabled|disabled|skipped|success\w*|complete[d]?|configured|missing|present|verified|stored|unchanged|updated|optional|required)$/i.test(
    value,
  )

/** `auth user fax pass … method plain`: names and values in turn. */
const wordsIn = (text: string, found: FoundInText): void => {
  for (const { 1: value = '', index, 0: all } of text.matchAll(
    /(?<=^|[ \t])(?:user(?:name)?|login|account|uid)[ \t]+[\w.@-]{2,40}[ \t]+(?:pass(?:word|wd)?|pwd|pw)[ \t]+([^\s"'`=:;,]{4,64})(?=[ \t]|$)/gim,
  ))
    if (/\d|[^\p{L}]/u.test(value) && !isPlaceholder(value) && !isPlace(value))
      found({ from: index + all.length - value.length, to: index + all.length, rule: 'name:password' })
}

/** `network_key 1ba7…` of a log: a name as programs write it, and a random value. */
const pairsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /(?<=^|[\s,;(])([A-Za-z]\w{1,40}_(?:key|token|secret|psk))[ \t]+([A-Za-z\d+/_-]{24,400}={0,2})(?=[\s,;)]|$)/gm,
  )) {
    const rule = names.of(name, 'variable')
    if (rule && isRandomKey(value))
      found({ from: index + all.length - value.length, to: index + all.length, rule: rule.id })
  }
}

/** `webhookSecret "…" didn't match`: a name as programs write it, and its value in quotes. */
const mentionsIn = (text: string, names: Names, found: FoundInText): void => {
  for (const { 1: name = '', 2: value = '', index, 0: all } of text.matchAll(
    /(?<![\p{L}\p{M}\p{N}_.-])([\p{L}][\p{L}\p{M}_-]{2,30}) ["'“„«]([^\n\r\t"'`“”„«»]{5,64})["'”“»](?=[\s,.;)]|$)/gu,
  )) {
    const rule = names.of(name, 'variable')
    if (!rule || rule.id !== 'name:password' || rule.ambiguous || isPlaceholder(value, name) || isPlace(value)) continue
    // `walletpassphrase "grandpa likes 9 herons" 60`
    if (/\s/.test(value)) {
      if (isWordsOfPassword(rule, value) && isPhrase(value, 3))
        found({ from: index + all.length - 1 - value.length, to: index + all.length - 1, rule: rule.id })
      continue
    }
    // `user 'store', password 'raspberry'`: beside another such pair, any word.
    const beside = /\p{L}{3,20} ["'“„«][^"'“”„«»\n]{1,40}["'”“»],? (?:\p{L}{1,4} )?$/u.test(
      text.slice(Math.max(0, index - 80), index),
    )
    if ((beside || chosenLikeness(value) > 0) && isSecretOf(rule, value))
      found({ from: index + all.length - 1 - value.length, to: index + all.length - 1, rule: rule.id })
  }
  for (const { 1: quote = '', 2: value = '', index } of text.matchAll(/(?<=[\w-][ ]\(?)(["'])([^\s"'`]{8,300})\1/g)) {
    const name = /(?:^|[\s(["'`])([A-Za-z][\w.-]{3,60}) \(?$/.exec(text.slice(Math.max(0, index - 64), index))?.[1]
    if (name === undefined || !/[a-z][A-Z]|_|-/.test(name)) continue
    const rule = names.of(name, 'variable')
    if (!rule || isPlaceholder(value, name) || isPlace(value)) continue
    if (looksSecret(value) && isSecretOf(rule, value))
      found({ from: index + quote.length, to: index + quote.length + value.length, rule: rule.id })
  }
}

/** At least so many digits, in groups, with few letters: no year, amount or telephone number follows such a name. */
const IDENTITY_NUMBER =
  /(?<=[\s.:：#№°º–])(?=(?:[^\p{Nd}\n]{0,3}\p{Nd}){6})[A-Z]{0,4}[ -]?\p{Nd}(?:[ ./-]?[\p{Nd}A-Z]){5,22}(?![\p{L}\p{Nd}])|(?<=[\s.:：#№°º–])(?=(?:[A-Z]{0,6}\d){5})[A-Z\d]{8,18}(?![\p{L}\p{Nd}])/gu
/** The words in front of it. */
const FRONT = /(?:[\p{L}\p{M}.'’-]{1,20}[ \t]){0,3}[\p{L}\p{M}.'’-]{2,24}[ \t]?(?:n[°ºr]\.?|№|#)?[:：]?[ \t]{1,4}$/u
const MOST_NUMBERS = 500

/**
 * Numbers that identify a person, behind their name without a colon: `Passport no. C03005988`, `PESEL 85010112345`, in a
 * sentence, a list or a table.
 */
const identityNumbersIn = (text: string, names: Names, found: FoundInText): void => {
  let count = 0
  for (const { 0: value, index } of text.matchAll(IDENTITY_NUMBER)) {
    if (++count > MOST_NUMBERS) return
    const front = FRONT.exec(text.slice(Math.max(0, index - 90), index))?.[0]
    if (front === undefined) continue
    const words = front.replace(/[:：#№\s]+$/, '').split(/[ \t]+/)
    for (let at = Math.max(0, words.length - 4); at < words.length; at++) {
      const name = words.slice(at).join(' ')
      // A word such as `tin` or `pan` has other meanings in a sentence, unless it is written in capitals.
      if (!/\s/.test(name) && name.length < 5 && /^\P{Lu}+$/u.test(name)) continue
      const rule = names.of(name, 'variable')
      if (rule?.id !== 'name:identity' || !isSecretOf(rule, value)) continue
      found({ from: index, to: index + value.length, rule: rule.id })
      break
    }
  }
}

/** Longer texts are documents. */
const LONGEST_WITH_DASHES = 60_000
const MOST_DASHES = 200
/** Characters of a name. */
const LONGEST_NAME = 60
const NAME = /(?:^|[\n.,;:!?()•*|]\s{0,4})(\p{L}[\p{L}\p{M}\p{N} _'’/-]{1,50})$/u

/** `prieigos raktas – SVsz…`: a name, a dash and a value, as people write them in sentences of any language. */
const behindDashesIn = (text: string, names: Names, found: FoundInText): void => {
  if (text.length > LONGEST_WITH_DASHES) return
  let count = 0
  for (const { 0: dash, index } of text.matchAll(/ [–—] ["'“„«‘]?(?=\S{4})/g)) {
    if (++count > MOST_DASHES) return
    const name = NAME.exec(text.slice(Math.max(0, index - LONGEST_NAME), index))?.[1]
    const rule = name === undefined ? undefined : names.of(name, 'variable')
    if (!rule || rule.random) continue
    const from = index + dash.length
    const value =
      /^[^\s"'`“”„«»‘’<>,;(){}]{4,300}/.exec(text.slice(from, from + 300))?.[0].replace(/[.:!?]+$/, '') ?? ''
    if (isPlaceholder(value, name) || isPlace(value) || !isSecretOf(rule, value)) continue
    if (looksSecret(value) || chosenLikeness(value) > 1 || (rule.digits && /^\p{Nd}[\p{Nd}-]{3,11}[#*]?$/u.test(value)))
      found({ from, to: from + value.length, rule: rule.id })
  }
}
