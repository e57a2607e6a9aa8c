/** The connect form: reading a URL, command or configuration, and the settings of a connection. */
export { default as ConnectForm } from './ConnectForm.svelte'
export { default as ConnectSteps } from './ConnectSteps.svelte'
export { default as SettingsForm } from './SettingsForm.svelte'
export { connectLaunched, connectSample, reconnectable } from './connect-several.svelte.ts'
export { Draft } from './draft.svelte.ts'
export { focusMissingWhenShown } from './fill-in.svelte.ts'
export { Recents } from './recents.svelte.ts'
export { connectionWords, settingWord } from './settings-words.svelte.ts'
