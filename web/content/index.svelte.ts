/** Content blocks of every type (text, Markdown, images, audio, PDF, binary), rendered inert. */
export { default as AddressLine } from './AddressLine.svelte'
export { default as Annotations } from './Annotations.svelte'
export { default as ContentBlock } from './ContentBlock.svelte'
export { default as ContentBody } from './ContentBody.svelte'
export { default as ContentList } from './ContentList.svelte'
export { default as Freshness } from './Freshness.svelte'
export { default as MetaView } from './MetaView.svelte'
export { save } from './derived.svelte.ts'
