/** Compares what servers offer: lists and schemas. Each change is judged as breaking or compatible. */
export { answerOf, type AnswerPair, answerPairs, type Change, changesBetween, thingIn } from './compare.ts'
export { type Offer, addressOf, destructiveIn, followOffer, offerOf } from './offer.ts'
export type { Judgement } from './schema-change.ts'
export { key } from './schema-keywords.ts'
