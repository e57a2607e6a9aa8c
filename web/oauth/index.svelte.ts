/**
 * Sign-in (OAuth 2.1 in the page). Code outside this directory imports only from here; subdirectories
 * have their own index files.
 */
export { faultWords, sayOf, texts } from './text/texts.svelte.ts'
export { FlowView, liveSignIn, type SignInPicture, Words } from './view/index.svelte.ts'
