/** The name of a setting, in the current language; apart from the other labels, because the first screen shows none. */
import type { Settings } from './settings.ts'
import { texts } from './text/texts.svelte.ts'

export const settingLabel = (key: keyof Settings): string => {
  const { t } = texts
  return {
    revision: t.setRevision,
    transport: t.setTransport,
    foreignEndpoint: t.setTransport,
    relay: t.setRoad,
    certificates: t.setCertificates,
    idle: t.setLimits,
    total: t.setLimits,
    pingEvery: t.setPing,
    reconnect: t.setReconnect,
    withheld: t.setCapabilities,
  }[key]
}
