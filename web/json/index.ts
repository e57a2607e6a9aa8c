/**
 * What JSON itself defines, whatever is written in it. The lowest room: the kernel, the secrets and the interface all
 * need it, and none of them may import the others.
 */
export * from './pointer.ts'
export * from './tokens.ts'
