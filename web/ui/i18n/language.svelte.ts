/**
 * Languages: typed catalogues and formats that can be switched at any time. English is the source and always loaded; the
 * others load when chosen.
 */
import { browserStorage } from '../browser.ts'
import { type Formats, formatsFor } from '../format.ts'
import { isolated } from '../visible.ts'

export type Language = 'en' | 'zh-CN'

/** An entry of a catalogue: a text, or a function from values to a text. */
type Entry = string | ((...values: never[]) => string)
export type Catalogue = { readonly [key: string]: Entry }

/** The same keys with the same parameters; the texts may differ. */
export type Translation<Source extends Catalogue> = {
  readonly [Key in keyof Source]: NonNullable<Source[Key]> extends (...values: infer Values) => string
    ? (...values: Values) => string
    : string
}

const STORED = 'periscope.language'

/** The stored choice, or else the first of the browser's languages that is available. */
const chosen = (): Language => {
  const stored = browserStorage('local').getItem(STORED)
  const wanted = stored ?? (globalThis.navigator?.languages ?? []).find((tag) => /^(zh|en)\b/.test(tag)) ?? 'en'
  return wanted.startsWith('zh') ? 'zh-CN' : 'en'
}

class LanguageState {
  // From the start, so that a catalogue can load its translation before it is read.
  #current = $state<Language>(typeof document === 'undefined' ? 'en' : chosen())

  get current(): Language {
    return this.#current
  }

  set current(language: Language) {
    this.#current = language
    if (typeof document !== 'undefined') document.documentElement.lang = language
    browserStorage('local').setItem(STORED, language)
  }

  /** Uses the stored choice, or else the first of the browser's languages that is available. */
  restore(): void {
    this.#current = chosen()
    document.documentElement.lang = this.#current
  }
}

export const language = new LanguageState()

let arriving: Promise<unknown> = Promise.resolve()

/** ms for which a page waits for translations: after that, English is better than nothing. */
const LONGEST_WAIT = 2000

/** Resolves once the translations that are loading have arrived, or can't, or take too long. */
export const textsArrived = async (): Promise<void> => {
  const waited = arriving
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      // What opens next shouldn't wait for them again.
      if (arriving === waited) arriving = Promise.resolve()
      resolve()
    }, LONGEST_WAIT)
  })
  await Promise.race([waited, tooLong])
  clearTimeout(timer)
}

/** @returns the module, once its translations have arrived: it would otherwise be shown in English for a moment */
export const withTexts = async <Module>(loading: Promise<Module>): Promise<Module> => {
  const module = await loading
  await textsArrived()
  return module
}

const formats = $derived(formatsFor(language.current))

/** `format.ms(4.2)` in the current language; components that read it update when the language changes. */
export const format: Formats = {
  count: (value) => formats.count(value),
  ms: (value) => formats.ms(value),
  bytes: (value) => formats.bytes(value),
  since: (value) => formats.since(value),
}

/**
 * A directory's catalogue. `texts.t` has the texts of the current language; components that read it update
 * when the language changes.
 *
 *     export const texts = catalogue(en, () => import('./zh-CN.ts'))
 *     {texts.t.frames(12)}
 */
export const catalogue = <Source extends Catalogue>(
  source: Source,
  load: () => Promise<{ default: Translation<Source> }>,
): { readonly t: Translation<Source> } => {
  const english = isolating(source as unknown as Translation<Source>)
  let chinese = $state.raw<Translation<Source>>()
  let loading = false
  const loadOnce = () => {
    if (loading) return
    loading = true
    const translation = load()
    arriving = Promise.allSettled([arriving, translation])
    // Not a part of what is waited for, so that the window hears of a failure.
    void translation.then((module) => (chinese = isolating(module.default)))
  }
  if (language.current !== 'en') loadOnce()
  return {
    get t() {
      if (language.current === 'en') return english
      loadOnce()
      // English is shown until the catalogue has loaded.
      return chinese ?? english
    },
  }
}

/** The same texts, with values isolated so that right-to-left values can't reorder the words around them. */
const isolating = <Texts extends Catalogue>(texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, entry]) => [
      key,
      typeof entry === 'function'
        ? (...values: never[]) =>
            entry(...(values.map((value) => (typeof value === 'string' ? isolated(value) : value)) as never[]))
        : entry,
    ]),
  ) as Texts
