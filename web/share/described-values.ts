/** Values in the description of a property whose name indicates a secret. */
import { chosenLikeness, isPlaceholder, markOf, type NameRule, type Pass } from '../secrets/redaction.ts'

/** A value in the description of a secret: `PIN of the gate (currently 8250)`. Lengths and examples aren't. */
const TOLD =
  /(?<=(?:(?<![\p{L}\p{N}])(?:currently|now|default(?:s to)?|always|usually|today|is|ist|derzeit|aktuell|momentan|zurzeit|immer|standard|actuellement|par d[ée]faut|est|actual(?:mente)?|por defecto|es|attualmente|predefinito|[èé]|atualmente|padr[ãa]o|nu|momenteel|standaard|huidige|er|[äa]r|nuvarande|n[åa]v[æa]rende|obecnie|domy[śs]lnie|to|aktu[áa]ln[ěe]|nyní|je|jelenleg|[şs]u an|сейчас|теперь|обычно|по умолчанию|зараз|τώρα)|[:=(（：]|目前|现在|默认|当前|現在|현재)[\s:]{0,2}["'“„«]?)(?:\d{4,8}|[^\s"'“”„«»(),;（）]{6,40})(?=["'”»]?(?:[).,;（）]|$|\s))/giu
const SAMPLE =
  /(?<![\p{L}\p{N}])(?:e\.?g|example|for instance|like|z\. ?b|beispiel|exemple|ejemplo|exemplo|esempio|bijv|t\.ex|f\.eks|np|например|digits?|characters?|between)(?![\p{L}\p{N}])|例/iu

/** What a number in the description of a secret may be instead. */
const ABOUT_ELSE = /\b(?:range|error|status|expir\w*|version|port|timeout|to|max\w*|min\w*)\b[^,;.]{0,12}$/i

/** Removes the value that the description of a secret contains. In the first pass, only learns it. */
export const withoutTold = (value: string, rule: NameRule, pass: Pass): string =>
  SAMPLE.test(value) || value.length > 1000
    ? value
    : value.replace(TOLD, (found, offset: number) => {
        const told = found.replace(/\.$/, '')
        const front = value.slice(Math.max(0, offset - 24), offset)
        // `Range: 1000 to 9998`, `https://…`
        if (ABOUT_ELSE.test(front) || (/[:：]$/.test(front) && !/^\d/.test(told))) return found
        const digits = /^\d+$/.test(told)
        const takes = digits
          ? rule.digits === true && !/^(?:0{4,}|9{4,}|1234\d*|(?:19|20)\d\d)$/.test(told)
          : chosenLikeness(told) > 1 && !isPlaceholder(told)
        if (!takes) return found
        if (pass.learning) pass.known.learn(told, rule.id)
        return !pass.learning && pass.findings.takes(told, rule.id) ? markOf(rule.id) + found.slice(told.length) : found
      })
