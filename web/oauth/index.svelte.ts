/** Sign-in (OAuth 2.1 in the page). Everything outside this folder enters here; the rooms inside have doors of their own. */
export { faultWords, sayOf, texts } from './text/texts.svelte.ts'
export { FlowView, liveSignIn, type SignInPicture, Words } from './view/index.svelte.ts'
