/** An error with a code of its own, as those of Node have, by which `relay-failure.ts` knows it. */
export const errorWith = (code: string, message: string): Error => Object.assign(new Error(message), { code })
