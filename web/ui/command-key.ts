const MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** A key that is pressed together with Command, or with Control where there is none, as buttons show it. */
export const commandKey = (mark: string): string => (MAC ? `⌘${mark}` : `Ctrl ${mark}`)
