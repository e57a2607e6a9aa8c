/** Whether the mistakes in CORS that the page names are those of which Chromium's own console speaks. */
import type { ConsoleMessage, Page } from '@playwright/test'

/** What the console says of each kind of fault (`web/doctor/cors.ts`). */
const SAYS: Readonly<Record<string, RegExp>> = {
  status: /preflight request doesn't pass.*does not have HTTP ok status/,
  redirect: /Redirect is not allowed for a preflight request/,
  'no-origin': /preflight request doesn't pass.*No 'Access-Control-Allow-Origin' header/,
  'other-origin': /'Access-Control-Allow-Origin' header has a value '.*' that is not equal|contains the invalid value/,
  'several-origins': /'Access-Control-Allow-Origin' header contains multiple values/,
  method: /Method \S+ is not allowed by Access-Control-Allow-Methods/,
  headers: /Request header field \S+ is not allowed by Access-Control-Allow-Headers/,
  // Of the request itself.
  response: /policy: (?!Response to preflight).*'Access-Control-Allow-Origin'/,
}

export interface NamedFault {
  readonly kind: string
  readonly text: string
}

/** Collects what the console says of CORS, from now on. */
export const listenToConsole = (page: Page): readonly string[] => {
  const said: string[] = []
  page.on('console', (message: ConsoleMessage) => {
    if (message.text().includes('blocked by CORS policy')) said.push(message.text())
  })
  return said
}

/** The faults on the Overview. */
export const namedFaults = (page: Page): Promise<NamedFault[]> =>
  page
    .getByTestId('cors-fault')
    .evaluateAll((all) => all.map((each) => ({ kind: (each as HTMLElement).dataset['kind'] ?? '', text: (each as HTMLElement).innerText }))) // prettier-ignore

const explains = ({ kind, text }: NamedFault, message: string): boolean => {
  if (!SAYS[kind]?.test(message)) return false
  const [, value] = /has a value '([^']*)'/.exec(message) ?? []
  const [, header] = /Request header field (\S+) is not/.exec(message) ?? []
  // The console names the first of them only.
  return text.includes(value ?? '') && text.toLowerCase().includes((header ?? '').toLowerCase())
}

/** @returns what is wrong; `undefined` if the page and the console agree. A browser that blocks a port speaks of no CORS */
export const disagreement = (faults: readonly NamedFault[], said: readonly string[]): string | undefined => {
  const judged = faults.filter(({ kind }) => kind !== 'blocked-port')
  if (judged.length > 0 && said.length === 0) return 'the console is silent'
  return said.find((message) => !judged.some((fault) => explains(fault, message)))
}
