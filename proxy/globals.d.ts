/** The version in package.json, put in by the build. */
declare const __VERSION__: string

/** `watchdog-process.ts` as one script, put in by the build of the proxy; nowhere else. */
declare const __WATCHDOG__: string | undefined
