/** The version in package.json; the build inserts it. */
declare const __VERSION__: string

/** `watchdog-process.ts` as one script. Only the build of the proxy defines it. */
declare const __WATCHDOG__: string | undefined
