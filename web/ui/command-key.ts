const MAC = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** The label of a shortcut with the Command key, or with Control on systems without Command. */
export const commandKey = (mark: string): string => (MAC ? `⌘${mark}` : `Ctrl ${mark}`)
