/**
 * JSON texts and values, whatever is written in them: the lexical grammar, reading in slices, reading that keeps how
 * numbers are spelled, JSON Pointer. The lowest room: the kernel, the secrets and the interface all need it, and none of
 * them may import the others.
 */
export * from './lossless.ts'
export * from './pointer.ts'
export * from './reader.ts'
export * from './slices.ts'
export * from './tokens.ts'
