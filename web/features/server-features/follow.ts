/**
 * Begins to store the features of a server. A module of its own, because the bundler can't defer one that others import
 * statically, and warns of it.
 */
import type { ServerView } from '../feature.ts'
import { keptFeatures } from './kept-features.ts'

export const followFeatures = (server: ServerView): void => keptFeatures.follow(server)
