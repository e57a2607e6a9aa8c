/** The version in package.json, put in by the build; missing where the sources run as they are. */
declare const __VERSION__: string | undefined
