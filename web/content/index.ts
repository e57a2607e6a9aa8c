/** Content blocks of every type (text, Markdown, images, audio, PDF, binary), rendered inert. */
export { decodeBase64 } from './base64.ts'
export { linkable } from './content.ts'
export { dimensionsOf, essenceOf, isSame, sniff } from './sniff.ts'
export { isPlainSvg } from './views.ts'
