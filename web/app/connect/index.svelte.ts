/** The connect form: parsing a URL, command or configuration, and the settings of a connection. */
export { default as ConnectForm } from './ConnectForm.svelte'
export { default as ConnectSteps } from './ConnectSteps.svelte'
export { default as SettingsForm } from './SettingsForm.svelte'
export {
  connectLaunched,
  connectSample,
  focusMissingWhenShown,
  reconnectable,
  type ConnectHost,
} from './connect-host.svelte.ts'
export type { ConfigFile } from './connect-input.ts'
export { Draft, offerTransports } from './draft.svelte.ts'
export { connectionLabels } from './labels.svelte.ts'
export { startCommand, startCommandFor, startOf } from './proxy-start.svelte.ts'
export { settingLabel } from './setting-label.svelte.ts'
