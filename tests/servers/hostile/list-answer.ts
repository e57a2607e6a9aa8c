import type { Json } from './wire.ts'

/** A result's members, or an error. */
export type ListAnswer = (cursor: string | undefined) => { [key: string]: Json }

export const ErrorCode = { internal: -32603 } as const
