/** Lists and deletes stored credentials. */
export { default as CredentialsSection } from './CredentialsSection.svelte'
export { default as KeptLink } from './KeptLink.svelte'
