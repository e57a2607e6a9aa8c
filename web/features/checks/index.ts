/** Tests: running saved or recorded steps against a server and comparing the results. */
export { checks } from './checks.ts'
