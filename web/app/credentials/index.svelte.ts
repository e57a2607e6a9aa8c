/** Stored credentials, listed and cleared. */
export { default as CredentialsSection } from './CredentialsSection.svelte'
export { default as KeptLink } from './KeptLink.svelte'
