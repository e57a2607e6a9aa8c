/** The kinds of list a server can have. */
export const LISTS = ['tools', 'resources', 'templates', 'prompts'] as const
export type ListName = (typeof LISTS)[number]
