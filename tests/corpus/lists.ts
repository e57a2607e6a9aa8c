/** What a server can list. */
export const LISTS = ['tools', 'resources', 'templates', 'prompts'] as const
export type ListName = (typeof LISTS)[number]
