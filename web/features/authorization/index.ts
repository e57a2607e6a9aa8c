/** Auth: the connection's sign-in, its tokens and history. */
export { authorization } from './authorization.ts'
export { moment } from './token-tables.ts'
