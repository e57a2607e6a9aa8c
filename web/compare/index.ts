/** Compares server features: lists and schemas. Each change is judged as breaking or compatible. */
export { type AnswerPair, answerPairs, type Change, changesBetween, thingIn } from './compare.ts'
export { type ServerFeatures, addressOf, followServerFeatures, serverFeaturesOf } from './server-features.ts'
export type { Judgement } from './schema-change.ts'
export { key } from './schema-keywords.ts'
