/**
 * JSON texts and values, independent of their content: the lexical grammar, parsing in slices, parsing that preserves
 * how numbers are written, and JSON Pointer. The lowest floor: the kernel, the secrets and the interface all need it,
 * and none of them may import the others.
 */
export * from './lossless.ts'
export * from './pointer.ts'
export * from './reader.ts'
export * from './respell.ts'
export * from './slices.ts'
export * from './tokens.ts'
