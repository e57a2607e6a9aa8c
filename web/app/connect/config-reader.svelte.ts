/** The parser of configurations, loaded when something that looks like one is entered first. */
import type { ReadConfig } from './connect-input.ts'
import { loadConfigReader } from './lazy.ts'

let reader = $state.raw<ReadConfig>()

/** `undefined` while it is loading. Whoever derives from it is updated then. */
export const configReader = (): ReadConfig | undefined => {
  if (!reader) void loadConfigReader().then(({ readConfig }) => (reader = readConfig))
  return reader
}
