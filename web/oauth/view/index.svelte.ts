/** The sign-in on screen: the steps, their requests and responses, and the remedies. */
export { default as FlowView } from './FlowView.svelte'
export { liveSignIn, type SignInPicture } from './live-sign-in.svelte.ts'
export { default as Words } from './Words.svelte'
